/* SPDX-License-Identifier: MIT */
/* Density profiles and phase space. */
#include <koshu/initial.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"

#include "fixture.h"

static struct koshu_particles *
model(const char *name, size_t n)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    struct koshu_particles *particles;
    assert_ok(context, koshu_model_find(context, name, &o.model));
    o.n = n;
    assert_ok(context, koshu_initial_create(context, &o, &particles));
    return particles;
}

/* Shifts all particles and gives them a common velocity. */
static void
move(struct koshu_particles *particles, double by)
{
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(context,
              koshu_particles_acquire_write(particles, KOSHU_FIELD_ALL,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        v.x[i] += by;
        v.vx[i] += by;
    }
    koshu_particles_release_write(particles);
}

/* rho = 3 / (4 pi a^3) (1 + r^2 / a^2)^(-5/2), a = 3 pi / 16: each shell agrees
 * within four times the scatter of its particles, of which there are at least
 * 25. */
static void
plummer_has_its_profile(void **state)
{
    (void)state;
    const double a = 3 * M_PI / 16;
    struct koshu_particles *particles = model("plummer", 20000);
    struct koshu_profile p;
    assert_ok(context, koshu_profile_of(particles, (double[3]){0, 0, 0},
                                        KOSHU_WEIGHT_MASS, &p));
    assert_true(p.n > 25);
    for (size_t k = 0; k < p.n; k++) {
        const double x = p.radius[k] / a;
        const double rho = 3 / (4 * M_PI * a * a * a) * pow(1 + x * x, -2.5);
        assert_true(fabs(log(p.density[k] / rho)) < (k < 4 ? 0.8 : 0.4));
    }
    /* of 20,000 equal masses */
    struct koshu_profile numbers;
    assert_ok(context, koshu_profile_of(particles, (double[3]){0, 0, 0},
                                        KOSHU_WEIGHT_NUMBER, &numbers));
    assert_true(fabs(numbers.density[7] / p.density[7] / 20000 - 1) < 1e-9);
    koshu_particles_destroy(particles);
}

static void
the_densest_place_is_found(void **state)
{
    (void)state;
    struct koshu_particles *particles = model("plummer", 5000);
    double centre[3];
    move(particles, 100);
    assert_ok(context, koshu_densest_centre(particles, centre));
    /* 50 particles are within about 0.15 of it */
    assert_true(fabs(centre[0] - 100) < 0.1 && fabs(centre[1]) < 0.1);
    koshu_particles_destroy(particles);
}

static void
few_particles_have_no_profile(void **state)
{
    (void)state;
    struct koshu_particles *few = model("plummer", 49), *point;
    struct koshu_profile p;
    assert_fails(
            context, KOSHU_ERROR_BAD_INPUT, "49 particles have no density",
            koshu_profile_of(few, (double[3]){0, 0, 0}, KOSHU_WEIGHT_MASS, &p));
    assert_ok(context, koshu_particles_create(context, 100, &point));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "all at the centre",
                 koshu_profile_of(point, (double[3]){0, 0, 0},
                                  KOSHU_WEIGHT_NUMBER, &p));
    koshu_particles_destroy(few);
    koshu_particles_destroy(point);
}

/* The picture holds all the mass, wherever the system is and moves. */
static void
phase_space_keeps_the_mass(void **state)
{
    (void)state;
    enum { PIXELS = 64 };
    static double sigma[PIXELS * PIXELS];
    struct koshu_particles *particles = model("plummer", 4000);
    move(particles, 100);
    for (int plane = KOSHU_PHASE_RADIAL; plane <= KOSHU_PHASE_Z; plane++) {
        struct koshu_phase_view view = {.plane = (enum koshu_phase_plane)plane,
                                        .centre = {100, 0, 0},
                                        .half_width = 40,
                                        .pixels = PIXELS};
        double mass = 0;
        assert_ok(context, koshu_phase_measure(particles, &view));
        assert_true(fabs(view.velocity[0] - 100) < 0.1);
        assert_true(view.half_speed > 0.7 && view.half_speed < 2);
        view.half_speed = 5;
        assert_ok(context, koshu_phase_density(particles, &view, sigma));
        for (int k = 0; k < PIXELS * PIXELS; k++) mass += sigma[k];
        mass *= (plane ? 80.0 : 40.0) * 10 / (PIXELS * PIXELS);
        assert_true(fabs(mass - 1) < 1e-9); /* to rounding */
    }
    koshu_particles_destroy(particles);
}

static void
radial_velocities_have_their_sign(void **state)
{
    (void)state;
    struct koshu_particles *particles;
    struct koshu_particle_view v = {.size = sizeof v};
    struct koshu_star_panel panel;
    struct koshu_phase_view view = {.half_width = 4, .half_speed = 3};
    assert_ok(context, koshu_particles_create(context, 3, &particles));
    assert_ok(context,
              koshu_particles_acquire_write(particles, KOSHU_FIELD_ALL,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    for (int k = 0; k < 3; k++) v.mass[k] = 3 - k;
    v.x[0] = 3, v.vx[0] = -2;  /* moves inwards */
    v.y[1] = -1, v.vy[1] = -1; /* moves outwards */
    v.vz[2] = 2;               /* at the centre */
    koshu_particles_release_write(particles);
    assert_ok(context, koshu_phase_stars(particles, &view, &panel));
    assert_int_equal(panel.n, 3);
    static const double at[] = {3, 1, 0}, speed[] = {-2, 1, 0};
    for (int k = 0; k < 3; k++) { /* x is relative to the middle of 0 ... 4 */
        assert_true(panel.star[k].x == at[k] - 2);
        assert_true(panel.star[k].y == speed[k]);
    }
    free(panel.star);
    view.half_speed = 1.5;
    assert_ok(context, koshu_phase_stars(particles, &view, &panel));
    assert_int_equal(panel.n, 2);
    free(panel.star);
    koshu_particles_destroy(particles);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(plummer_has_its_profile),
            cmocka_unit_test(the_densest_place_is_found),
            cmocka_unit_test(few_particles_have_no_profile),
            cmocka_unit_test(phase_space_keeps_the_mass),
            cmocka_unit_test(radial_velocities_have_their_sign),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
