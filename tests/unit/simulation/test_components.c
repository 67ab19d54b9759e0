/* SPDX-License-Identifier: MIT */
/* Several models in one: each component is its model, rotated and shifted. */
#include <math.h>

#include <koshu/components.h>
#include <koshu/initial.h>

#include "particles/particles.h"

#define FIXTURE_THREADS 2
#include "fixture.h"

static struct koshu_units henon = {1, 1, 1};

static struct koshu_particles *
made(const char *text, const struct koshu_units *units,
     struct koshu_particle_view *view)
{
    struct koshu_particles *p;
    assert_ok(context, koshu_components_create(context, text, 5, units, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, view));
    return p;
}

static struct koshu_particles *
model(enum koshu_model which, size_t n, uint64_t seed,
      struct koshu_particle_view *view)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    struct koshu_particles *p;
    o.model = which;
    o.n = n;
    o.seed = seed;
    assert_ok(context, koshu_initial_create(context, &o, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, view));
    return p;
}

/* One component is its model apart from its position; the second's seed is one
 * more. */
static void
components_are_their_models(void **state)
{
    (void)state;
    struct koshu_particle_view all, one, two;
    struct koshu_particles *p = made("plummer n=100, x=-2, vy=0.5, "
                                     "king n=50, z=3; sphere n=7, seed=5",
                                     &henon, &all);
    struct koshu_particles *first = model(KOSHU_MODEL_PLUMMER, 100, 5, &one);
    struct koshu_particles *second = model(KOSHU_MODEL_KING, 50, 6, &two);
    assert_int_equal(all.n, 157);
    for (size_t i = 0; i < 157; i++) assert_int_equal(all.id[i], i);
    for (size_t i = 0; i < 100; i++) {
        assert_true(all.mass[i] == one.mass[i]);
        assert_true(all.x[i] == one.x[i] + -2);
        assert_true(all.y[i] == one.y[i]);
        assert_true(all.vy[i] == one.vy[i] + 0.5);
        assert_true(all.vz[i] == one.vz[i]);
    }
    for (size_t i = 0; i < 50; i++) {
        assert_true(all.z[100 + i] == two.z[i] + 3);
        assert_true(all.vx[100 + i] == two.vx[i]);
    }
    koshu_particles_destroy(p);
    koshu_particles_destroy(first);
    koshu_particles_destroy(second);
}

/* Lengths, masses and velocities are in units; masses are times G. */
static void
components_have_sizes(void **state)
{
    (void)state;
    struct koshu_units units;
    struct koshu_particle_view all, one;
    assert_ok(context, koshu_units_find(context, "pc, Msun, km/s", &units));
    const double g = koshu_units_gravitational_constant(&units);
    struct koshu_particles *p =
            made("plummer n=64, total_mass=1e4, virial_radius=2 pc, "
                 "x=0.001 kpc, vx=-1 km/s",
                 &units, &all);
    struct koshu_particles *first = model(KOSHU_MODEL_PLUMMER, 64, 5, &one);
    const double speed = sqrt(g * 1e4 / 2);
    for (size_t i = 0; i < 64; i++) {
        assert_near(all.mass[i], g * 1e4 / 64, 1e-12 * g * 1e4);
        assert_near(all.x[i], 2 * one.x[i] + 1, 1e-12 * (1 + fabs(all.x[i])));
        assert_near(all.vx[i], speed * one.vx[i] - 1, 1e-12 * speed);
    }
    koshu_particles_destroy(p);
    koshu_particles_destroy(first);
}

/* Two bodies on the x axis that move along y: their z axis, the direction of L,
 * is rotated to (sin i sin N, -sin i cos N, cos i). */
static void
components_are_turned(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    const double i = 35 * M_PI / 180, N = 100 * M_PI / 180;
    struct koshu_particles *p = made(
            "two-body inclination=35, node=100, eccentricity=0", &henon, &v);
    double L[3] = {0};
    for (size_t k = 0; k < v.n; k++) {
        L[0] += v.mass[k] * (v.y[k] * v.vz[k] - v.z[k] * v.vy[k]);
        L[1] += v.mass[k] * (v.z[k] * v.vx[k] - v.x[k] * v.vz[k]);
        L[2] += v.mass[k] * (v.x[k] * v.vy[k] - v.y[k] * v.vx[k]);
    }
    assert_near(L[0], 0.25 * sin(i) * sin(N), 1e-15);
    assert_near(L[1], -0.25 * sin(i) * cos(N), 1e-15);
    assert_near(L[2], 0.25 * cos(i), 1e-15);
    /* on the line of nodes, where the second body starts */
    assert_near(v.x[1], 0.5 * cos(N), 1e-15);
    assert_near(v.y[1], 0.5 * sin(N), 1e-15);
    assert_near(v.z[1], 0, 1e-15);
    koshu_particles_destroy(p);
}

/* A cold sphere with a rotation period: v = 2 pi / P axis x r, about its
 * centre. */
static void
components_rotate(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p =
            made("sphere n=200, x=3, vz=1, rotation_period=-4, inclination=90",
                 &henon, &v);
    const double omega = 2 * M_PI / -4; /* about (0, -1, 0) */
    for (size_t k = 0; k < v.n; k++) {
        assert_near(v.vx[k], -omega * v.z[k], 1e-14);
        assert_near(v.vy[k], 0, 1e-14);
        assert_near(v.vz[k], 1 + omega * (v.x[k] - 3), 1e-14);
    }
    koshu_particles_destroy(p);
}

/* Stars and binaries for one component only. */
static void
components_have_stars(void **state)
{
    (void)state;
    struct koshu_units units;
    struct koshu_particle_view v;
    double mass = 0;
    assert_ok(context, koshu_units_find(context, "pc, Msun, Myr", &units));
    struct koshu_particles *p =
            made("plummer n=300, virial_radius=1 pc, mass_function=kroupa, "
                 "mass_min=0.1 Msun, mass_max=50 Msun, binaries.fraction=0.5, "
                 "nfw n=100, total_mass=1e6 Msun, scale_length=5 pc",
                 &units, &v);
    const double g = koshu_units_gravitational_constant(&units);
    for (size_t i = 0; i < 300; i++) {
        assert_true(v.mass[i] / g > 0.0999 && v.mass[i] / g < 50.01);
        mass += v.mass[i] / g;
    }
    assert_true(mass > 80 && mass < 400); /* the mean mass is about 0.6 */
    assert_near(v.mass[399] / g, 1e4, 1e-6);
    /* the first two are a pair: at most 1e8 days, about 1e4 au */
    assert_true(hypot(v.x[0] - v.x[1], v.y[0] - v.y[1]) < 0.1);
    koshu_particles_destroy(p);
}

static void
mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
            {"", "there is none; for example"},
            {"plumer n=10", "did you mean 'plummer'"},
            {"n=10", "components: 'n' before the name of a model"},
            {"plummer x=1", "component 1, plummer: n: it is missing"},
            {"plummer n=10, n=20",
             "component 1, plummer: n: it is given twice"},
            {"plummer n=10, x=2, x=2", "x: it is given twice"},
            {"plummer n=10, king n=0",
             "component 2, king: initial.n: expected a whole number"},
            {"plummer n=10, kind_w0=3", "component 1, plummer: kind_w0: "},
            {"plummer n=10, king_w0=3", "component 1, plummer: king_w0: "},
            {"plummer n=10, file=a.hdf5", "component 1, plummer: file: "},
            {"plummer n=10, x=far", "component 1, plummer: x: "},
            {"plummer n=10, vx=1 km/s", "component 1, plummer: vx: "},
            {"plummer n=10, virial_radius=1 pc", "component 1, plummer: "},
            {"plummer n=10, inclination=steep", "expected a number of degrees"},
            {"plummer n=10, rotation_period=0", "it must not be 0"},
            {"plummer n=10, mass_function=kroupa",
             "component 1, plummer: initial.mass_function: it has no limits"},
            {"plummer n=10, binaries.fraction=0.5",
             "component 1, plummer: initial.binaries.fraction: "},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct koshu_particles *p;
        assert_fails(
                context, KOSHU_ERROR_BAD_INPUT, bad[k].message,
                koshu_components_create(context, bad[k].text, 1, &henon, &p));
        assert_null(p);
    }
    struct koshu_units units;
    struct koshu_particles *p;
    assert_ok(context, koshu_units_find(context, "pc, Msun, Myr", &units));
    assert_fails(
            context, KOSHU_ERROR_BAD_INPUT,
            "component 1, plummer: initial.total_mass is missing",
            koshu_components_create(context, "plummer n=10", 1, &units, &p));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "exact_virial",
                 koshu_components_create(context,
                                         "plummer n=1, exact_virial=true", 1,
                                         &henon, &p));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(components_are_their_models),
            cmocka_unit_test(components_have_sizes),
            cmocka_unit_test(components_are_turned),
            cmocka_unit_test(components_rotate),
            cmocka_unit_test(components_have_stars),
            cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
