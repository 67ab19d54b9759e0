/* SPDX-License-Identifier: MIT */
/* Fitting the strengths of vortex particles in a box by Fourier transforms. */
#include "fields/filter.h"
#include "spectral_rig.h"

enum { N = 16, POINTS = N * N * N };

static struct koshu_wave_filter *filter; /* shared by all tests */

/* A divergence-free field: waves up to 7 of the 8 available, some along the
 * diagonal. */
static void
swirl(double x, double y, double z, double u[3])
{
    u[0] = sin(7 * y) + cos(3 * z) - cos(4 * x + 4 * y - 4 * z);
    u[1] = sin(2 * z) + cos(x) + cos(4 * x + 4 * y - 4 * z);
    u[2] = sin(5 * x) + cos(6 * y);
}

/* Particles with these strengths on the lattice. */
static struct koshu_vortices *
particles_of(const struct koshu_vortex_lattice *l, const double *strength,
             unsigned order, double core)
{
    struct koshu_vortices *v;
    assert_ok(context, koshu_vortices_create(context, POINTS, &v));
    v->box = two_pi;
    v->order = order;
    v->core = v->mid_core = core;
    for (size_t p = 0; p < POINTS; p++) {
        double x[3];
        koshu_vortex_lattice_place(l, p, x);
        for (int k = 0; k < 3; k++) koshu_vortices_position(v, k)[p] = x[k];
    }
    memcpy(koshu_vortices_strength(v, 0), strength,
           3 * POINTS * sizeof *strength);
    return v;
}

static struct koshu_vortex_lattice
lattice_in(double box)
{
    return (struct koshu_vortex_lattice){
            .m = {N, N, N}, .h = box / N, .periodic = true};
}

/* At all points, up to 1.5e-8, where the cores are cut off. */
static void
gaussians_add_up_to_the_field(void **state)
{
    (void)state;
    const struct koshu_vortex_lattice l = lattice_in(two_pi);
    const struct koshu_vortex_core core = {2, 0.8 * l.h, 0.8 * l.h};
    double *field = values_of(N, swirl, 1), *strength = values_of(N, swirl, 1),
           *omega = koshu_alloc(3 * POINTS, sizeof *omega);
    struct koshu_vortex_fit fit;
    assert_ok(context, koshu_vortex_fit_waves(context, &l, filter, &core,
                                              strength, &fit));
    assert_true(fit.residual < 1e-7);
    struct koshu_vortices *v = particles_of(&l, strength, 2, core.radius);
    assert_ok(context, koshu_vortex_vorticity(v, POINTS, v->state, omega));
    for (size_t k = 0; k < 3 * POINTS; k++)
        assert_float_equal(omega[k], field[k], 2e-6);
    koshu_vortices_destroy(v);
    koshu_free(omega);
    koshu_free(strength);
    koshu_free(field);
}

/* The Arnold-Beltrami-Childress flow, whose vorticity is twice its velocity.
 * The error comes from waves beyond the lattice's, 3e-3 at order 6. */
static void
cores_of_higher_orders_have_the_velocity(void **state)
{
    (void)state;
    const struct koshu_vortex_lattice l = lattice_in(two_pi);
    for (unsigned order = 4; order <= 8; order += 2) {
        double *u = values_of(N, abc, 1), *strength = values_of(N, abc, 2),
               *to = koshu_alloc(3 * POINTS, sizeof *to), uu = 0, ue = 0;
        struct koshu_vortex_fit fit;
        struct koshu_vortex_solver *s;
        const struct koshu_vortex_options options = {
                .precision = KOSHU_PRECISION_DOUBLE,
                .tolerance = 1e-6,
                .reach = 7,
                .box = two_pi};
        const struct koshu_vortex_core core = {order, l.h, l.h};
        assert_ok(context, koshu_vortex_fit_waves(context, &l, filter, &core,
                                                  strength, &fit));
        struct koshu_vortices *v = particles_of(&l, strength, order, l.h);
        assert_ok(context, koshu_vortex_solver_create(context, &options, &s));
        assert_ok(context,
                  koshu_vortex_velocities(s, v, POINTS, NULL, to, NULL));
        for (size_t k = 0; k < 3 * POINTS; k++) {
            ue += to[k] * u[k];
            uu += u[k] * u[k];
        }
        assert_float_equal(ue / uu, 1, 1e-4);
        koshu_vortex_solver_destroy(s);
        koshu_vortices_destroy(v);
        koshu_free(to);
        koshu_free(strength);
        koshu_free(u);
    }
}

/* A gradient and a wave at a corner, each as large as a third wave that must
 * stay. */
static void
swirl_and_rest(double x, double y, double z, double u[3])
{
    u[0] = sin(x) + sin(y);
    (void)z;
    u[1] = 0;
    u[2] = sin(7 * x - 7 * y);
}

static void
what_cannot_be_fitted_is_left_out(void **state)
{
    (void)state;
    const struct koshu_vortex_lattice l = lattice_in(two_pi);
    double *field = values_of(N, swirl_and_rest, 1);
    const struct koshu_vortex_core core = {2, l.h, l.h};
    struct koshu_vortex_fit fit;
    assert_ok(context,
              koshu_vortex_fit_waves(context, &l, filter, &core, field, &fit));
    assert_float_equal(fit.residual, sqrt(2.0 / 3), 1e-6);
    for (size_t p = 0; p < POINTS; p++) {
        assert_float_equal(field[POINTS + p], 0, 1e-6);
        assert_float_equal(field[2 * POINTS + p], 0, 1e-6);
        assert_float_equal(field[p], field[p + N * N < POINTS ? p + N * N : p],
                           1e-6); /* a wave in y alone */
    }
    koshu_free(field);
}

static int
begin(void **state)
{
    return context_begin(state) ||
           koshu_wave_filter_create(context, N, &filter) != KOSHU_OK;
}

static int
end(void **state)
{
    filter->destroy(filter);
    return context_end(state);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(gaussians_add_up_to_the_field),
            cmocka_unit_test(cores_of_higher_orders_have_the_velocity),
            cmocka_unit_test(what_cannot_be_fitted_is_left_out),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
