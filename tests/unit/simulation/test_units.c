/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <koshu/snapshot.h>
#include <koshu/units.h>

#include "particles/particles.h"
#include "runs.h"

static struct koshu_context *context;
static char reported[1024]; /* what was logged last */

static void
keep_message(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    (void)level;
    snprintf(reported, sizeof reported, "%s", message);
}

static int
set_up(void **state)
{
    /* auto would have something to say of its own where there is no GPU */
    struct koshu_context_options options = koshu_context_options_default();
    (void)state;
    options.backend = "cpu";
    options.log = keep_message;
    return koshu_context_create(&options, &context) == KOSHU_OK ? 0 : -1;
}

static int
tear_down(void **state)
{
    (void)state;
    koshu_context_destroy(context);
    return 0;
}

/* GADGET's: kpc, 10^10 solar masses, km/s */
static const struct koshu_units galactic = {3.0856776e21, 1.98841e43, 1e5};

/* Two of them, 1 kpc apart on a circle: v^2 = 2 G M / r of the relative
 * orbit. */
static void
write_pair(const char *name, struct koshu_units units, double box)
{
    struct koshu_particles *p;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_create(context, 2, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_WRITE, &v));
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? -0.5 : 0.5;
        v.mass[i] = 1;
        v.x[i] = side;
        v.vy[i] = side * sqrt(2 * koshu_units_gravitational_constant(&units));
    }
    const struct koshu_snapshot_info info = {.size = sizeof info,
                                             .format = KOSHU_FORMAT_HDF5,
                                             .units = units,
                                             .box_size = box};
    assert_ok(context, koshu_snapshot_write(p, name, &info, NULL));
    koshu_particles_destroy(p);
}

static struct koshu_simulation *
started_with(const char *text)
{
    struct koshu_parameters *p;
    struct koshu_simulation *s;
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_parse(p, "units.yaml", text));
    assert_ok(context, koshu_simulation_create(context, p, &overwrite, &s));
    koshu_parameters_destroy(p);
    return s;
}

/* A quarter of the period 2 pi / sqrt(2 G), in 64 steps: from the x axis to the
 * y axis. Leapfrog is late by (dt omega)^2 / 24 of the angle, 4e-5, and its
 * circle is as wide as that, too. */
static void
the_orbit_has_the_period_of_its_units(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    char text[512];
    double g = koshu_units_gravitational_constant(&galactic);
    double quarter = M_PI / 2 / sqrt(2 * g);
    assert_near(g, 43009, 2); /* CODATA's G; GADGET-2 has 43007.1 */
    scratch_enter();
    write_pair("pair.hdf5", galactic, 0);
    snprintf(text, sizeof text,
             "initial: {file: pair.hdf5}\n"
             "solver: {softening: 0, precision: double}\n"
             "integrator: {dt: %.17g, end: %.17g}\n"
             "output: {directory: ./out}\n",
             quarter / 64, quarter);
    struct koshu_simulation *s = started_with(text);
    assert_non_null(strstr(reported, "pair.hdf5: G = 4300"));
    while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
        assert_ok(context, koshu_simulation_advance(s));
    assert_ok(context, koshu_particles_on_host(koshu_simulation_particles(s),
                                               KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ, &v));
    for (int i = 0; i < 2; i++) {
        assert_near(v.x[i], 0, 1e-3);
        assert_near(v.y[i], i == 0 ? -0.5 : 0.5, 1e-3);
    }
    koshu_simulation_destroy(s);

    /* the snapshot says the same bodies in units of G = 1, and a run from it
     * has nothing to change */
    struct koshu_snapshot_info info = {.size = sizeof info};
    assert_ok(context,
              koshu_snapshot_inspect(context, "out/snapshot_0001.hdf5", &info));
    assert_near(koshu_units_gravitational_constant(&info.units), 1, 1e-12);
    assert_true(info.units.length_cm == galactic.length_cm &&
                info.units.velocity_cm_s == galactic.velocity_cm_s);
    struct koshu_particles *p;
    assert_ok(context, koshu_snapshot_read(context, "out/snapshot_0001.hdf5",
                                           &info, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &v));
    assert_near(v.mass[0] * info.units.mass_g / galactic.mass_g, 1, 1e-12);
    koshu_particles_destroy(p);
    reported[0] = '\0';
    s = started_with("initial: {file: out/snapshot_0000.hdf5}\n"
                     "solver: {softening: 0}\nintegrator: {end: 0}\n"
                     "output: {directory: .}\n");
    assert_string_equal(reported, "");
    koshu_simulation_destroy(s);
    assert_int_equal(chdir("out"), 0);
    static const char *const made[] = {"snapshot_0000.hdf5",
                                       "snapshot_0001.hdf5", "energy.csv",
                                       "checkpoint.hdf5"};
    for (int k = 0; k < 4; k++) assert_int_equal(unlink(made[k]), 0);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir("out"), 0);
    scratch_leave();
}

static void
units_of_none_and_of_nonsense(void **state)
{
    (void)state;
    struct koshu_units none = KOSHU_HENON_UNITS;
    struct koshu_parameters *p;
    struct koshu_simulation *s;
    assert_true(koshu_units_gravitational_constant(&none) == 1);
    scratch_enter();
    struct koshu_units absurd = {1e-200, 1e200, 1};
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_parse(
                               p, "x",
                               "initial: {file: absurd.csv}\n"
                               "solver: {softening: 0}\nintegrator: {end: 1}\n"
                               "output: {directory: .}\n"));
    static const char text[] = "# unit_length_cm = 1e-200\n"
                               "# unit_mass_g = 1e200\n"
                               "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n";
    assert_true(isinf(koshu_units_gravitational_constant(&absurd)));
    scratch_write("absurd.csv", text, sizeof text - 1);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "G = inf",
                 koshu_simulation_create(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    scratch_leave();
}

/* Without a box there is no message. */
static void
a_box_without_periodic_forces_is_told(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        scratch_enter();
        write_pair("pair.hdf5", KOSHU_HENON_UNITS, with ? 10 : 0);
        reported[0] = '\0';
        koshu_simulation_destroy(
                started_with("initial: {file: pair.hdf5}\n"
                             "solver: {softening: 0}\nintegrator: {end: 0}\n"
                             "output: {directory: out}\n"));
        assert_string_equal(reported,
                            with ? "pair.hdf5: a box of 10, but forces are not "
                                   "periodic: the bodies are alone in space"
                                 : "");
        assert_int_equal(unlink("out/snapshot_0000.hdf5"), 0);
        assert_int_equal(unlink("out/energy.csv"), 0);
        assert_int_equal(unlink("out/checkpoint.hdf5"), 0);
        assert_int_equal(rmdir("out"), 0);
        scratch_leave();
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_orbit_has_the_period_of_its_units),
            cmocka_unit_test(units_of_none_and_of_nonsense),
            cmocka_unit_test(a_box_without_periodic_forces_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
