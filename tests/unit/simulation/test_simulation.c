/* SPDX-License-Identifier: MIT */
/* What a run writes, and how it stops. */
#include <math.h>
#include <pthread.h>

#include "particles/particles.h"
#include "runs.h"
#include "simulation/simulation.h"
#include "fixture.h"

/* ---- what is written --------------------------------------------------- */

static void
snapshots_and_rows_come_on_schedule(void **state)
{
    (void)state;
    scratch_enter();
    complete(context, started(context, NULL));
    for (int k = 0; k <= 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "snapshot_%04d.hdf5", k);
        struct koshu_snapshot_info info = info_of(context, name);
        assert_true(info.time == 0.25 * k);
        assert_int_equal(info.step, 8 * k);
        assert_int_equal(info.n, 64);
        assert_true(info.softening == 1.0 / 16);
    }
    assert_int_equal(lines_of("energy.csv"), 1 + 5);
    assert_int_equal(scratch_count(), 5 + 3);
    assert_true(info_of(context, "checkpoint.hdf5").time == 1);
    assert_true(info_of(context, "checkpoint-1.hdf5").time == 0);
    scratch_leave();
}

/* With all positions doubled, forces without softening are a quarter. */
static void
forces_follow_changed_particles(void **state)
{
    (void)state;
    const char *const settings[] = {"solver.softening", "0", NULL};
    struct koshu_particle_view v;
    scratch_enter();
    struct koshu_simulation *s = started(context, settings);
    struct koshu_particles *p = koshu_simulation_particles(s);
    const unsigned fields = KOSHU_FIELD_POSITION | KOSHU_FIELD_ACCELERATION;
    assert_ok(context, koshu_simulation_advance(s));
    assert_ok(context,
              koshu_particles_on_host(p, fields, KOSHU_ACCESS_READ_WRITE, &v));
    double before[64];
    for (size_t i = 0; i < 64; i++) {
        before[i] = v.ax[i];
        v.x[i] *= 2, v.y[i] *= 2, v.z[i] *= 2;
    }
    assert_ok(context, koshu_simulation_evaluate(s));
    assert_ok(context,
              koshu_particles_on_host(p, fields, KOSHU_ACCESS_READ, &v));
    /* floats: about 1e-7 of the largest term of a sum */
    for (size_t i = 0; i < 64; i++)
        assert_true(fabs(v.ax[i] - before[i] / 4) < 1e-5 * fabs(before[i]));
    assert_ok(context, koshu_simulation_advance(s));
    koshu_simulation_destroy(s);
    scratch_leave();
}

/* The particles' final positions, in the order of ids. */
static void
places_at_end(const char *reorder, double (*x)[3], bool *in_order)
{
    const char *const settings[] = {
            "solver.method", "tree", "solver.n_crit", "8", "solver.reorder",
            reorder,         NULL};
    struct koshu_particle_view v;
    scratch_enter();
    struct koshu_simulation *s = started(context, settings);
    while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
        assert_ok(context, koshu_simulation_advance(s));
    assert_ok(context,
              koshu_particles_on_host(koshu_simulation_particles(s),
                                      KOSHU_FIELD_ID | KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &v));
    *in_order = true;
    for (size_t i = 0; i < v.n; i++) {
        *in_order = *in_order && v.id[i] == i;
        x[v.id[i]][0] = v.x[i];
        x[v.id[i]][1] = v.y[i];
        x[v.id[i]][2] = v.z[i];
    }
    koshu_simulation_destroy(s);
    scratch_leave();
}

/* The order of the lists changes the rounding of floats, which for 64 bodies
 * with a softening of 1/16 grows less than a thousandfold over one time
 * unit. */
static void
sorted_particles_keep_their_identity(void **state)
{
    (void)state;
    double x[2][64][3];
    bool in_order[2];
    places_at_end("0", x[0], &in_order[0]);
    places_at_end("3", x[1], &in_order[1]);
    assert_true(in_order[0] && !in_order[1]);
    for (int i = 0; i < 64; i++)
        for (int c = 0; c < 3; c++) assert_near(x[1][i][c], x[0][i][c], 1e-4);
}

/* Listed times off the grid of steps are met exactly, the first being the
 * start; snapshots of start and end can be left out. */
static void
listed_times_are_met(void **state)
{
    (void)state;
    static const char *const settings[] = {"output.snapshot.interval",
                                           "0",
                                           "output.snapshot.first",
                                           "false",
                                           "output.snapshot.last",
                                           "false",
                                           "output.log.interval",
                                           "1/2",
                                           "output.snapshot.format",
                                           "csv",
                                           NULL};
    scratch_enter();
    struct koshu_parameters *p;
    struct koshu_simulation *s;
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context,
              koshu_parameters_parse(p, "x",
                                     "initial: {model: plummer, n: 16}\n"
                                     "solver: {softening: 1/16}\n"
                                     "integrator: {dt: 1/32, end: 1}\n"
                                     "output: {directory: ., snapshot: {times: "
                                     "[0.3, 0, 5]}}\n"));
    for (const char *const *set = settings + 2; *set; set += 2)
        assert_ok(context, koshu_parameters_set(p, set[0], set[1]));
    assert_ok(context, koshu_simulation_create(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    complete(context, s);
    assert_true(info_of(context, "snapshot_0000.csv").time == 0);
    assert_true(info_of(context, "snapshot_0001.csv").time == 0.3);
    assert_int_equal(scratch_count(), 5);
    assert_int_equal(lines_of("energy.csv"), 1 + 3); /* 0, 0.5.., 1 */
    scratch_leave();
}

static void
a_run_goes_back_in_time(void **state)
{
    (void)state;
    static const char *const settings[] = {"integrator.dt", "-1/32",
                                           "integrator.end", "-1", NULL};
    scratch_enter();
    complete(context, started(context, settings));
    assert_true(info_of(context, "snapshot_0001.hdf5").time == -0.25);
    assert_true(info_of(context, "snapshot_0004.hdf5").time == -1);
    scratch_leave();
}

static void
a_snapshot_is_an_initial_condition(void **state)
{
    (void)state;
    scratch_enter();
    complete(context, started(context, NULL));
    struct koshu_parameters *p;
    struct koshu_simulation *s;
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context,
              koshu_parameters_parse(p, "x",
                                     "initial: {file: snapshot_0002.hdf5}\n"
                                     "solver: {softening: 1/16}\n"
                                     "integrator: {dt: 1/32, end: 1}\n"
                                     "output: {directory: .}\n"));
    /* the run's own input must not be deleted as an earlier output */
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "snapshot_0002.hdf5",
                 koshu_simulation_create(context, p, &overwrite, &s));
    assert_ok(context, koshu_parameters_set(p, "output.directory", "next"));
    assert_ok(context, koshu_simulation_create(context, p, NULL, &s));
    assert_true(progress_of(s).time == 0.5);
    koshu_parameters_destroy(p);
    complete(context, s);
    assert_int_equal(chdir("next"), 0);
    assert_true(info_of(context, "snapshot_0001.hdf5").time == 1);
    assert_ok(context, koshu_parameters_create(context, &p));
    koshu_parameters_destroy(p);
    const char *const made[] = {"snapshot_0000.hdf5", "snapshot_0001.hdf5",
                                "energy.csv", "checkpoint.hdf5",
                                "checkpoint-1.hdf5"};
    for (int k = 0; k < 5; k++) assert_int_equal(unlink(made[k]), 0);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir("next"), 0);
    scratch_leave();
}

static void
progress_is_told(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_simulation *s = started(context, NULL);
    assert_true(progress_of(s).seconds_left < 0);
    assert_string_equal(progress_of(s).newest_checkpoint, "./checkpoint.hdf5");
    advance(context, s, 16);
    struct koshu_progress p = progress_of(s);
    assert_int_equal(p.step, 16);
    assert_int_equal(p.steps, 16);
    assert_true(p.time == 0.5 && p.end == 1);
    assert_true(p.seconds_left >= 0 && p.interactions_per_s > 0);
    assert_int_equal(p.interactions, 17 * 64 * 64);
    assert_int_equal(p.snapshots, 3);
    assert_int_equal(p.log_rows, 3);
    /* 64 bodies, dt = 1/32, eps = 1/16: some 1e-3, but not 0 */
    assert_true(fabs(p.energy_error) < 0.05 && p.energy_error != 0);
    assert_int_equal(koshu_particles_count(koshu_simulation_particles(s)), 64);
    struct koshu_solver_options used = {.size = sizeof used};
    assert_ok(context,
              koshu_solver_options_of(koshu_simulation_solver(s), &used));
    assert_true(used.softening == 1.0 / 16);
    koshu_simulation_destroy(s);
    koshu_simulation_destroy(NULL);
    scratch_leave();
}

/* ---- stopping ---------------------------------------------------------- */

static void *
request(void *simulation)
{
    koshu_simulation_request_stop(simulation);
    return NULL;
}

/* Requested while it advances: ThreadSanitizer reports a race unless it is
 * atomic. */
static void
another_thread_stops_it(void **state)
{
    (void)state;
    static const char *const no_end[] = {"integrator.end", "1e6",
                                         "output.snapshot.interval", "0", NULL};
    pthread_t thread;
    scratch_enter();
    struct koshu_simulation *s = started(context, no_end);
    assert_int_equal(pthread_create(&thread, NULL, request, s), 0);
    while (koshu_simulation_stopped(s) == KOSHU_STOP_NONE)
        advance(context, s, 1);
    assert_int_equal(koshu_simulation_stopped(s), KOSHU_STOP_REQUEST);
    pthread_join(thread, NULL);
    koshu_simulation_destroy(s);
    scratch_leave();
}

static void
each_stop_has_its_reason(void **state)
{
    (void)state;
    scratch_enter();
    static const char *const limit[] = {"run.wall_clock_limit", "1e-9", NULL};
    struct koshu_simulation *s = started(context, limit);
    advance(context, s, 1);
    assert_int_equal(koshu_simulation_stopped(s), KOSHU_STOP_WALL_CLOCK);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "the run has stopped",
                 koshu_simulation_advance(s));
    koshu_simulation_destroy(s);
    scratch_leave();

    scratch_enter();
    s = started(context, NULL);
    koshu_simulation_request_stop(s);
    advance(context, s, 1);
    assert_int_equal(koshu_simulation_stopped(s), KOSHU_STOP_REQUEST);
    koshu_simulation_destroy(s);
    scratch_leave();

    /* a stop file that existed before does not count */
    scratch_enter();
    scratch_write("stop", "", 0);
    s = started(context, NULL);
    advance(context, s, 3);
    assert_int_equal(koshu_simulation_stopped(s), KOSHU_STOP_NONE);
    assert_int_equal(access("stop", F_OK), -1);
    scratch_write("stop", "", 0);
    advance(context, s, 1);
    assert_int_equal(koshu_simulation_stopped(s), KOSHU_STOP_FILE);
    assert_int_equal(access("stop", F_OK), -1);
    assert_ok(context, koshu_simulation_finish(s));
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, 4);
    koshu_simulation_destroy(s);
    scratch_leave();
}

static void
reasons_to_stop_have_names(void **state)
{
    (void)state;
    enum koshu_stop found = KOSHU_STOP_NONE;
    for (unsigned stop = 0; koshu_stop_name(stop); stop++) {
        assert_ok(context,
                  koshu_stop_find(context, koshu_stop_name(stop), &found));
        assert_int_equal(found, stop);
        assert_true(strlen(koshu_stop_text(stop)) > 3);
    }
    assert_int_equal(found, KOSHU_STOP_CORE);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'file'",
                 koshu_stop_find(context, "files", &found));
}

static void
options_and_progress_begin_with_their_size(void **state)
{
    (void)state;
    struct koshu_simulation_options none = {0};
    struct koshu_progress progress = {0};
    struct koshu_simulation *s;
    struct koshu_parameters *p = parameters_of(context, NULL);
    scratch_enter();
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_simulation_create(context, p, &none, &s));
    assert_int_equal(scratch_count(), 0);
    koshu_parameters_destroy(p);
    s = started(context, NULL);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_simulation_progress(s, &progress));
    complete(context, s);
    scratch_leave();
}

static void
checkpoints_come_by_the_clock(void **state)
{
    (void)state;
    static const char *const settings[] = {"checkpoint.interval", "1e-9", NULL};
    scratch_enter();
    struct koshu_simulation *s = started(context, settings);
    advance(context, s, 3);
    assert_int_equal(progress_of(s).checkpoints, 4);
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, 3);
    assert_int_equal(info_of(context, "checkpoint-1.hdf5").step, 2);
    assert_int_equal(access("checkpoint-2.hdf5", F_OK), -1);
    /* there is one for this step already */
    assert_ok(context, koshu_simulation_finish(s));
    assert_int_equal(progress_of(s).checkpoints, 4);
    koshu_simulation_destroy(s);
    scratch_leave();
}

static void
a_run_begins_with_a_checkpoint(void **state)
{
    (void)state;
    static const char *const without[] = {"checkpoint.first", "false", NULL};
    scratch_enter();
    koshu_simulation_destroy(started(context, NULL));
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, 0);
    scratch_leave();
    scratch_enter();
    struct koshu_simulation *s = started(context, without);
    assert_string_equal(progress_of(s).newest_checkpoint, "");
    koshu_simulation_destroy(s);
    assert_int_equal(access("checkpoint.hdf5", F_OK), -1);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(forces_follow_changed_particles),
            cmocka_unit_test(snapshots_and_rows_come_on_schedule),
            cmocka_unit_test(sorted_particles_keep_their_identity),
            cmocka_unit_test(listed_times_are_met),
            cmocka_unit_test(a_run_goes_back_in_time),
            cmocka_unit_test(a_snapshot_is_an_initial_condition),
            cmocka_unit_test(progress_is_told),
            cmocka_unit_test(another_thread_stops_it),
            cmocka_unit_test(each_stop_has_its_reason),
            cmocka_unit_test(reasons_to_stop_have_names),
            cmocka_unit_test(options_and_progress_begin_with_their_size),
            cmocka_unit_test(checkpoints_come_by_the_clock),
            cmocka_unit_test(a_run_begins_with_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
