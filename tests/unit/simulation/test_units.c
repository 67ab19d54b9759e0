/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>

#include <koshu/snapshot.h>
#include <koshu/units.h>

#include "particles/particles.h"
#include "runs.h"

static struct koshu_context *context;
static char reported[1024]; /* the last message */

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
    /* auto would add its own message where there is no GPU */
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

/* GADGET's units: kpc, 10^10 solar masses, km/s */
static const struct koshu_units galactic = {3.0856776e21, 1.98841e43, 1e5};

/* Two such masses 1 kpc apart on a circular orbit: v^2 = 2 G M / r for the
 * relative motion. */
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

static void
remove_run(void)
{
    static const char *const made[] = {
            "out/snapshot_0000.hdf5", "out/snapshot_0001.hdf5",
            "out/snapshot_0002.hdf5", "out/energy.csv",
            "out/checkpoint.hdf5",    "out/checkpoint-1.hdf5"};
    for (int k = 0; k < 6; k++)
        if (unlink(made[k]) != 0) assert_int_equal(errno, ENOENT);
    assert_int_equal(rmdir("out"), 0);
}

static void
finish(struct koshu_simulation *s)
{
    while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
        assert_ok(context, koshu_simulation_advance(s));
    assert_ok(context, koshu_simulation_finish(s));
    koshu_simulation_destroy(s);
}

static struct koshu_particle_view
read_snapshot(const char *name, struct koshu_snapshot_info *info,
              struct koshu_particles **p)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_snapshot_read(context, name, info, p));
    assert_ok(context, koshu_particles_on_host(*p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    return v;
}

/* A quarter of the period 2 pi / sqrt(2 G) in 64 steps: from the x axis to the
 * y axis. The leapfrog lags by (dt omega)^2 / 24 of the angle, 4e-5, and its
 * circle is wider by as much. */
static void
the_orbit_has_the_period_of_its_units(void **state)
{
    (void)state;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_particles *p;
    char text[512];
    double g = koshu_units_gravitational_constant(&galactic);
    double quarter = M_PI / 2 / sqrt(2 * g);
    assert_near(g, 43009, 2); /* with CODATA's G; GADGET-2 has 43007.1 */
    scratch_enter();
    write_pair("pair.hdf5", galactic, 0);
    snprintf(text, sizeof text,
             "initial: {file: pair.hdf5}\n"
             "solver: {softening: 0, precision: double}\n"
             "integrator: {dt: %.17g, end: %.17g}\n"
             "output: {directory: ./out}\n",
             quarter / 64, quarter);
    reported[0] = '\0';
    finish(started_with(text));
    assert_string_equal(reported, ""); /* nothing was converted */
    struct koshu_particle_view v =
            read_snapshot("out/snapshot_0001.hdf5", &info, &p);
    assert_memory_equal(&info.units, &galactic, sizeof galactic);
    for (int i = 0; i < 2; i++) {
        assert_near(v.x[i], 0, 1e-3);
        assert_near(v.y[i], i == 0 ? -0.5 : 0.5, 1e-3);
        assert_near(v.mass[i], 1, 1e-15);
        assert_near(v.potential[i], -g, 0.01 * g); /* a squared velocity */
    }
    koshu_particles_destroy(p);
    remove_run();
    scratch_leave();
}

/* The same orbit in other units: the file's units are converted, and every
 * energy in the log is the same in its own unit. */
static void
a_file_is_converted_to_the_units_of_the_run(void **state)
{
    (void)state;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_units pc;
    struct koshu_particles *p;
    double row[7];
    char text[1024];
    scratch_enter();
    write_pair("pair.hdf5", galactic, 0);
    struct koshu_simulation *s = started_with(
            "units: {length: pc, mass: Msun, time: Myr}\n"
            "initial: {file: pair.hdf5}\n"
            "solver: {softening: 0.1 kpc, precision: double}\n"
            "integrator: {dt: 100 kyr, end: 1e-3 Gyr}\n"
            "output: {directory: ./out, snapshot: {times: [0.5 Myr, 1]}}\n");
    assert_non_null(strstr(reported, "pair.hdf5: converted from kpc, 1e10 "
                                     "Msun, km/s to pc, Msun, Myr"));
    assert_ok(context, koshu_units_find(context, "pc, Msun, Myr", &pc));
    assert_memory_equal(koshu_simulation_units(s), &pc, sizeof pc);
    koshu_simulation_destroy(s);
    struct koshu_particle_view v =
            read_snapshot("out/snapshot_0000.hdf5", &info, &p);
    assert_memory_equal(&info.units, &pc, sizeof pc);
    assert_near(info.softening, 100, 1e-12);
    for (int i = 0; i < 2; i++) {
        assert_near(v.mass[i], 1e10, 1e5); /* 1.98841e43 is rounded */
        assert_near(fabs(v.x[i]), 500, 1e-3);
        assert_near(fabs(v.vy[i]), 0.5 * sqrt(2 * 43009.2) * 1.022712, 1e-2);
    }
    koshu_particles_destroy(p);
    FILE *log = fopen("out/energy.csv", "r");
    assert_non_null(log);
    assert_non_null(fgets(text, sizeof text, log));
    assert_int_equal(
            strncmp(text, "step,time [Myr],kinetic [Msun pc^2/Myr^2],", 42), 0);
    for (int k = 0; k < 4; k++)
        assert_int_equal(fscanf(log, "%lf,", &row[k]), 1);
    fclose(log);
    /* T = G m^2 / 2 r; W is softened */
    const double g = koshu_units_gravitational_constant(&pc);
    assert_near(row[2] / (g * 1e20 / 2 / 1000), 1, 1e-5);
    assert_near(row[3] / (-g * 1e20 / sqrt(1e6 + 1e4)), 1, 1e-5);
    remove_run();
    scratch_leave();
}

static void
a_run_goes_on_in_its_units(void **state)
{
    (void)state;
    static const char run[] =
            "units: {length: pc, mass: Msun, velocity: km/s}\n"
            "initial: {model: plummer, n: 64, total_mass: 100 Msun,\n"
            "          virial_radius: 0.5 pc}\n"
            "solver: {softening: 1000 au}\n"
            "integrator: {dt: 0.01, end: 20 kyr}\n"
            "output: {directory: ./out}\n";
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_parameters *p;
    struct koshu_particles *particles;
    struct koshu_simulation *s;
    scratch_enter();
    finish(started_with(run));
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_parse(p, "units.yaml", run));
    assert_ok(context, koshu_parameters_set(p, "units.mass", "kg"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "units.mass: 'Msun' when './out/checkpoint.hdf5' was written, "
                 "'kg' now",
                 koshu_simulation_restart(context, p, NULL, &s));
    assert_ok(context, koshu_parameters_set(p, "units.mass", "Msun"));
    /* the same value, written differently */
    assert_ok(context, koshu_parameters_set(p, "solver.softening",
                                            "0.004848136811095360"));
    assert_ok(context, koshu_parameters_set(p, "integrator.end", "0.04 Myr"));
    assert_ok(context, koshu_simulation_restart(context, p, NULL, &s));
    finish(s);
    koshu_parameters_destroy(p);
    struct koshu_particle_view v =
            read_snapshot("out/snapshot_0002.hdf5", &info, &particles);
    double sum = 0;
    for (size_t i = 0; i < v.n; i++) sum += v.mass[i];
    assert_near(sum, 100, 1e-11);
    assert_true(info.units.velocity_cm_s == 1e5);
    koshu_particles_destroy(particles);
    remove_run();
    scratch_leave();
}

/* A file without units is taken to be in those of the run; one in Hénon units
 * is not. */
static void
units_of_a_file_and_of_a_run_may_not_contradict_each_other(void **state)
{
    (void)state;
    static const char run[] = "units: {length: pc, mass: Msun, time: Myr}\n"
                              "initial: {file: %s}\n"
                              "solver: {softening: 0}\n"
                              "integrator: {end: 0}\n"
                              "output: {directory: ./out}\n";
    static const char bare[] = "mass,x,y,z,vx,vy,vz\n7,0,0,0,0,0,0\n";
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_parameters *p;
    struct koshu_particles *particles;
    struct koshu_simulation *s;
    char text[512];
    scratch_enter();
    scratch_write("bare.csv", bare, sizeof bare - 1);
    snprintf(text, sizeof text, run, "bare.csv");
    finish(started_with(text));
    assert_non_null(strstr(reported, "bare.csv: it states no units: its "
                                     "numbers are taken to be in pc, Msun, "
                                     "Myr"));
    struct koshu_particle_view v =
            read_snapshot("out/snapshot_0000.hdf5", &info, &particles);
    assert_near(v.mass[0], 7, 1e-15);
    koshu_particles_destroy(particles);
    remove_run();
    write_pair("pair.hdf5", KOSHU_HENON_UNITS, 0);
    snprintf(text, sizeof text, run, "pair.hdf5");
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_parse(p, "x", text));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "pair.hdf5 is in Hénon units, but the run in pc, Msun, Myr",
                 koshu_simulation_create(context, p, NULL, &s));
    koshu_parameters_destroy(p);
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
            cmocka_unit_test(a_file_is_converted_to_the_units_of_the_run),
            cmocka_unit_test(a_run_goes_on_in_its_units),
            cmocka_unit_test(
                    units_of_a_file_and_of_a_run_may_not_contradict_each_other),
            cmocka_unit_test(units_of_none_and_of_nonsense),
            cmocka_unit_test(a_box_without_periodic_forces_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
