/* SPDX-License-Identifier: MIT */
/* Units: of a run, of single values, of a file, of wall-clock times. */
#include "parsed.h"

/* Values with their own units, converted to those of the run. */
static void
numbers_have_units(void **state)
{
    (void)state;
    struct koshu_parameters *p =
            parsed("units: {length: pc, mass: 10 Msun, time: Myr}\n"
                   "initial: {model: plummer, total_mass: 1e4 Msun,\n"
                   "          virial_radius: 206264.806247096 au}\n"
                   "solver: {softening: 1/64 pc}\n"
                   "integrator: {dt: 2 kyr, end: 1e-2 Gyr}\n"
                   "output: {snapshot: {times: [1, 500 kyr, 2 Myr]}}\n");
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_ok(context, koshu_parameters_check(p));
    assert_near(v->total_mass, 1000, 1e-11);
    assert_near(v->virial_radius, 1, 1e-14);
    assert_true(v->solver.softening == 1.0 / 64);
    assert_near(v->integrator.dt, 0.002, 1e-17);
    assert_near(v->integrator.end, 10, 1e-14);
    assert_int_equal(v->snapshot.times.n, 3);
    assert_true(v->snapshot.times.time[0] == 1);
    assert_near(v->snapshot.times.time[1], 0.5, 1e-15);
    assert_true(v->snapshot.times.time[2] == 2);
    /* with other units, all values with a unit are converted to these */
    assert_ok(context, koshu_parameters_set(p, "units.length", "au"));
    assert_near(v->solver.softening, 206264.806247096 / 64, 1e-9);
    assert_true(v->snapshot.times.time[0] == 1);
    koshu_parameters_destroy(p);
}

/* Stars have their own units, whatever those of the run: plain numbers are in
 * solar masses and days. */
static void
stars_have_their_own_units(void **state)
{
    (void)state;
    struct koshu_parameters *p =
            parsed("units: {length: kpc, mass: 1e10 Msun, velocity: km/s}\n"
                   "initial: {model: plummer, virial_radius: 1 pc,\n"
                   "          mass_function: kroupa, mass_min: 0.08,\n"
                   "          mass_max: 100 Msun,\n"
                   "          binaries: {fraction: 0.5, period_min: 1 d,\n"
                   "                     period_max: 1 yr}}\n"
                   "solver: {softening: 0}\n"
                   "integrator: {end: 1}\n");
    const struct koshu_initial_options *o =
            &koshu_parameters_values(p)->initial;
    assert_ok(context, koshu_parameters_check(p));
    assert_true(o->mass_min == 0.08);
    assert_near(o->mass_max, 100, 1e-12);
    assert_near(o->period_min, 1, 1e-15);
    assert_near(o->period_max, 365.25, 1e-12);
    /* their sum is the total mass */
    assert_ok(context, koshu_parameters_set(p, "initial.total_mass", "1"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "initial.total_mass: the mass function makes it",
                 koshu_parameters_check(p));
    koshu_parameters_destroy(p);
}

/* Also all in one line. */
static void
units_have_a_short_form(void **state)
{
    (void)state;
    struct koshu_parameters *p =
            parsed("units: pc, km/s, 1e3 Msun\n"
                   "initial: {model: plummer, total_mass: 1,\n"
                   "          virial_radius: 1}\n"
                   "solver: {softening: 206264.806247096 au}\n"
                   "integrator: {end: 1}\n");
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_ok(context, koshu_parameters_check(p));
    assert_true(v->units.velocity_cm_s == 1e5);
    assert_near(v->solver.softening, 1, 1e-14);
    assert_fails(
            context, KOSHU_ERROR_BAD_INPUT,
            "units: 'pc^2' is not a unit of length, mass, time or velocity",
            koshu_parameters_set(p, "units", "pc^2, Msun"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "is given twice",
                 koshu_parameters_set(p, "units", "pc, Msun, kpc"));
    koshu_parameters_destroy(p);
    p = parsed("units: henon\ninitial: {model: plummer}\n"
               "solver: {softening: 0.1}\nintegrator: {end: 1}\n");
    v = koshu_parameters_values(p);
    assert_ok(context, koshu_parameters_check(p));
    assert_true(koshu_units_are_henon(&v->units));
    assert_true(koshu_parameters_have_units(p));
    koshu_parameters_destroy(p);
}

/* Seconds of wall-clock time, also in a run without units. */
static void
the_wall_clock_has_its_own_units(void **state)
{
    (void)state;
    struct koshu_parameters *p = parsed(whole);
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_ok(context,
              koshu_parameters_set(p, "checkpoint.interval", "10 min"));
    assert_ok(context,
              koshu_parameters_set(p, "run.wall_clock_limit", "1/2 d"));
    assert_ok(context, koshu_parameters_check(p));
    assert_near(v->checkpoint.interval, 600, 1e-9);
    assert_near(v->wall_clock_limit, 43200, 1e-7);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "expected a unit of time",
                 koshu_parameters_set(p, "checkpoint.interval", "10 pc"));
    koshu_parameters_destroy(p);
}

/* The units of a file that is read; before that nothing can be compared. */
static void
units_may_be_those_of_a_file(void **state)
{
    (void)state;
    struct koshu_units yr, none;
    struct koshu_parameters *p =
            parsed("initial: {file: a.hdf5}\nsolver: {softening: 0.1 au}\n"
                   "integrator: {dt: 1 yr, end: 10}\n"
                   "output: {snapshot: {interval: 2}}\n");
    const struct koshu_parameter_values *v = koshu_parameters_values(p);
    assert_ok(context, koshu_parameters_check(p));
    assert_ok(context, koshu_units_find(context, "au, Msun, d", &yr));
    assert_ok(context, koshu_units_find(context, "henon", &none));
    assert_ok(context, koshu_parameters_use_units(p, &yr));
    assert_near(v->integrator.dt, 365.25, 1e-12);
    assert_true(v->solver.softening == 0.1);
    assert_ok(context, koshu_parameters_set(p, "integrator.end", "2 yr"));
    assert_near(v->integrator.end, 730.5, 1e-12);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "run.yaml:2: solver.softening: '0.1 au' has a unit, but the "
                 "run is in Hénon units",
                 koshu_parameters_use_units(p, &none));
    koshu_parameters_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(numbers_have_units),
            cmocka_unit_test(stars_have_their_own_units),
            cmocka_unit_test(units_have_a_short_form),
            cmocka_unit_test(the_wall_clock_has_its_own_units),
            cmocka_unit_test(units_may_be_those_of_a_file)};
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
