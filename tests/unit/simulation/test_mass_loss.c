/* SPDX-License-Identifier: MIT */
/* Stars that lose mass: tables, energy, restarts, refusals. */
#include <math.h>

#include <koshu/diagnostics.h>

#include "runs.h"
#include "same_files.h"
#include "simulation/mass_loss.h"

/* ---- tables -------------------------------------------------------------- */

/* Lifetimes fall as mass to the power -2; the remnants are 1/2 and 1/4. */
static const char tracks[] = "# two stars\n"
                             "initial_mass,time,mass\n"
                             "1,0,1\n"
                             "1,4,0.8\n"
                             "1,8,0.5\n"
                             "4,0,4\n"
                             "4,0.25,3.2\n"
                             "4,0.5,1\n";

static koshu_status
read_table(const char *text, struct koshu_mass_table **table)
{
    struct koshu_units units;
    koshu_units_henon(&units);
    scratch_write("table.csv", text, strlen(text));
    return koshu_mass_table_read(context, "table.csv", &units, table);
}

static void
tables_are_read_along_tracks(void **state)
{
    (void)state;
    struct koshu_mass_table *t;
    scratch_enter();
    assert_ok(context, read_table(tracks, &t));
    /* on a track, between its rows and beyond them */
    assert_near(koshu_mass_table_ratio(t, 1, 0, 0), 1, 1e-15);
    assert_near(koshu_mass_table_ratio(t, 1, 0, 6), 0.65, 1e-15);
    assert_near(koshu_mass_table_ratio(t, 1, 0, 100), 0.5, 1e-15);
    /* a mass of 2 lives for 2, and half-way it lies between the two tracks */
    assert_near(koshu_mass_table_ratio(t, 2, 0, 1), 0.8, 1e-15);
    assert_near(koshu_mass_table_ratio(t, 2, 0, 1.5), (0.8 + 0.375) / 2, 1e-15);
    assert_near(koshu_mass_table_ratio(t, 2, 0, 2), 0.375, 1e-15);
    /* masses outside use the nearest track */
    assert_near(koshu_mass_table_ratio(t, 0.1, 0, 6), 0.65, 1e-15);
    assert_near(koshu_mass_table_ratio(t, 50, 0, 0.5), 0.25, 1e-15);
    koshu_mass_table_destroy(t);
    scratch_leave();
}

static void
columns_have_units(void **state)
{
    (void)state;
    struct koshu_mass_table *t;
    struct koshu_units units;
    scratch_enter();
    assert_ok(context, koshu_units_find(context, "pc, Msun, Myr", &units));
    static const char text[] = "time [Gyr],mass [kg],initial_mass\n"
                               "0,1.98841e30,1\n"
                               "0.1,0.994205e30,1\n";
    scratch_write("table.csv", text, sizeof text - 1);
    assert_ok(context, koshu_mass_table_read(context, "table.csv", &units, &t));
    assert_near(koshu_mass_table_ratio(t, 1, 0, 50), 0.75, 1e-4);
    koshu_mass_table_destroy(t);
    scratch_leave();
}

static void
tables_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
            {"initial_mass,time,left\n1,0,1\n", "no column 'mass'"},
            {"initial_mass,time,mass\n1,0,0\n", "row 1"},
            {"initial_mass,time,mass\n1,-1,1\n", "times must be >= 0"},
            {"initial_mass,time,mass\n1,0,1\n1,0,1\n", "times must grow"},
            {"initial_mass,time,mass\n2,0,1\n1,0,1\n",
             "initial masses must grow"},
            {"initial_mass,time,mass\n1,0,1\n2,1,1\n",
             "either all tracks begin at the time 0"},
            {"initial_mass,time,mass\n1,0,1\n1,1,1\n2,0,2\n", "as many rows"},
            {"initial_mass,time,mass\n1,0,1\n2,0,1\n2,1,2\n", "as many rows"},
            {"initial_mass,time [pc],mass\n1,0,1\n", "column time [pc]"}};
    scratch_enter();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct koshu_mass_table *t;
        assert_int_not_equal(read_table(cases[k][0], &t), KOSHU_OK);
        assert_null(t);
        assert_non_null(strstr(koshu_context_message(context), cases[k][1]));
    }
    scratch_leave();
}

/* ---- runs ---------------------------------------------------------------- */

/* Different for each star: a power of the last digit of its id. */
static koshu_status
by_rate(void *user, double from, double to, size_t n, const uint64_t *id,
        const double *initial_mass, double *mass)
{
    const double rate = *(const double *)user;
    for (size_t k = 0; k < n; k++) {
        const double r = rate * (double)(id[k] % 4);
        assert_near(mass[k], initial_mass[k] * exp(-r * from),
                    1e-12 * initial_mass[k]);
        mass[k] = initial_mass[k] * exp(-r * to);
    }
    return KOSHU_OK;
}

static double rate = 0.2;

static struct koshu_simulation *
run_with(const char *const *settings, koshu_mass_loss_function *loss,
         bool restart)
{
    struct koshu_simulation_options o = koshu_simulation_options_default();
    struct koshu_parameters *p = parameters_of(context, settings);
    struct koshu_simulation *s;
    o.mass_loss = loss;
    o.mass_loss_user = &rate;
    assert_ok(context, restart ? koshu_simulation_restart(context, p, &o, &s)
                               : koshu_simulation_create(context, p, &o, &s));
    koshu_parameters_destroy(p);
    return s;
}

static double
mass_of(struct koshu_simulation *s)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(context,
              koshu_diagnostics_compute(koshu_simulation_particles(s), &d));
    return d.mass;
}

static const char *const methods[][12] = {
        {"solver.precision", "double", NULL},
        {"solver.precision", "double", "external.fields",
         "plummer mass=1, a=1, uniform gx=0.1", NULL},
        {"solver.precision", "double", "integrator.scheme", "hermite",
         "integrator.dt", "1/32", NULL}};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

static double
error_with(const char *const *settings, koshu_mass_loss_function *loss,
           double *mass)
{
    scratch_enter();
    struct koshu_simulation *s = run_with(settings, loss, false);
    advance(context, s, 1);
    while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
        assert_ok(context, koshu_simulation_advance(s));
    const double error = fabs(progress_of(s).energy_error);
    *mass = mass_of(s);
    koshu_simulation_destroy(s);
    scratch_leave();
    return error;
}

/* A quarter of the mass is lost, and with it half of the energy; the remaining
 * error is the scheme's. */
static void
energy_is_accounted_for(void **state)
{
    (void)state;
    for (int k = 0; k < N_METHODS; k++) {
        double mass, kept;
        const double error = error_with(methods[k], by_rate, &mass),
                     usual = error_with(methods[k], NULL, &kept);
        assert_near(kept, 1, 1e-14);
        double left = 0;
        for (int id = 0; id < 4; id++) left += exp(-rate * id) / 4;
        assert_near(mass, left, 1e-12);
        assert_true(error < 4 * usual + 1e-12);
    }
}

/* Stopped after some steps and continued: the same bytes. */
static void
a_restart_is_bit_for_bit(void **state)
{
    (void)state;
    for (int k = 0; k < N_METHODS; k++) {
        scratch_enter();
        struct koshu_simulation *s = run_with(methods[k], by_rate, false);
        complete(context, s);
        struct files whole = collect();
        scratch_leave();
        scratch_enter();
        s = run_with(methods[k], by_rate, false);
        advance(context, s, 13);
        assert_ok(context, koshu_simulation_checkpoint(s));
        koshu_simulation_destroy(s);
        s = run_with(methods[k], by_rate, true);
        complete(context, s);
        assert_files(&whole);
        scratch_leave();
    }
}

static koshu_status
to_nothing(void *user, double from, double to, size_t n, const uint64_t *id,
           const double *initial_mass, double *mass)
{
    (void)user, (void)from, (void)to, (void)n, (void)id, (void)initial_mass;
    mass[7] = 0;
    return KOSHU_OK;
}

static koshu_status
to_failure(void *user, double from, double to, size_t n, const uint64_t *id,
           const double *initial_mass, double *mass)
{
    (void)user, (void)from, (void)to, (void)n, (void)id, (void)initial_mass;
    (void)mass;
    return KOSHU_ERROR_EXTERNAL;
}

static void
failures_end_the_step(void **state)
{
    (void)state;
    static const struct {
        koshu_mass_loss_function *loss;
        koshu_status status;
        const char *message;
    } cases[] = {{to_nothing, KOSHU_ERROR_BAD_INPUT,
                  "particle 7 (id 7) gets the mass 0"},
                 {to_failure, KOSHU_ERROR_EXTERNAL,
                  "the function that was given failed at the time 0.03125"}};
    for (int k = 0; k < 2; k++) {
        scratch_enter();
        struct koshu_simulation *s = run_with(NULL, cases[k].loss, false);
        assert_int_equal(koshu_simulation_advance(s), cases[k].status);
        assert_non_null(
                strstr(koshu_context_message(context), cases[k].message));
        koshu_simulation_destroy(s);
        scratch_leave();
    }
}

static void
it_is_of_stars(void **state)
{
    (void)state;
    static const char *const back[] = {"integrator.dt", "-1/32",
                                       "integrator.end", "-1", NULL};
    struct koshu_simulation_options o = koshu_simulation_options_default();
    struct koshu_parameters *p = parameters_of(context, back);
    struct koshu_simulation *s;
    o.mass_loss = by_rate;
    scratch_enter();
    assert_int_equal(koshu_simulation_create(context, p, &o, &s),
                     KOSHU_ERROR_BAD_INPUT);
    assert_non_null(strstr(koshu_context_message(context),
                           "mass_loss: stars do not come back"));
    koshu_parameters_destroy(p);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(tables_are_read_along_tracks),
            cmocka_unit_test(columns_have_units),
            cmocka_unit_test(tables_that_are_none_are_refused),
            cmocka_unit_test(energy_is_accounted_for),
            cmocka_unit_test(a_restart_is_bit_for_bit),
            cmocka_unit_test(failures_end_the_step),
            cmocka_unit_test(it_is_of_stars)};
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
