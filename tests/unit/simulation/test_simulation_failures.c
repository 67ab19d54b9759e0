/* SPDX-License-Identifier: MIT */
/* Runs that are refused, and runs that fail. */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "particles/particles.h"
#include "runs.h"
#include "simulation/simulation.h"
#include "fixture.h"

static void
an_earlier_run_is_not_overwritten(void **state)
{
    (void)state;
    scratch_enter();
    complete(context, started(context, NULL));
    static const char *const fewer[] = {"output.snapshot.interval", "1/2",
                                        NULL};
    struct koshu_parameters *p = parameters_of(context, fewer);
    struct koshu_simulation *s;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "from an earlier run",
                 koshu_simulation_create(context, p, NULL, &s));
    assert_null(s);
    assert_int_equal(scratch_count(), 8);
    assert_ok(context, koshu_simulation_create(context, p, &overwrite, &s));
    assert_int_equal(scratch_count(), 3); /* log, snapshot, checkpoint */
    complete(context, s);
    assert_int_equal(scratch_count(), 6);
    koshu_parameters_destroy(p);
    scratch_leave();
}

static void
impossible_runs_leave_no_file(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_parameters *p = parameters_of(context, NULL);
    struct koshu_simulation *s;
    assert_ok(context, koshu_parameters_set(p, "integrator.end", "-1"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "set integrator.end=-1: integrator.end: -1 does not lie ahead",
                 koshu_simulation_create(context, p, NULL, &s));
    koshu_parameters_destroy(p);

    assert_ok(context, koshu_parameters_create(context, &p));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "initial.model is missing",
                 koshu_simulation_create(context, p, NULL, &s));
    assert_ok(context, koshu_parameters_parse(p, "x",
                                              "initial: {file: none.hdf5}\n"
                                              "solver: {softening: 1}\n"
                                              "integrator: {end: 1}\n"
                                              "output: {directory: .}\n"));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "none.hdf5",
                 koshu_simulation_create(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    assert_int_equal(scratch_count(), 0);
    scratch_leave();
}

/* Otherwise they would run as particles with default options. */
static void
the_parameters_of_a_flow_are_refused(void **state)
{
    (void)state;
    static const char flow[] = "flow: {method: spectral, n: 16}\n"
                               "integrator: {dt: 0.01, end: 1}\n"
                               "output: {directory: .}\n";
    struct koshu_estimate e = {.size = sizeof e};
    struct koshu_parameters *p;
    struct koshu_simulation *s;
    scratch_enter();
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_parse(p, "x", flow));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "parameters of a flow",
                 koshu_simulation_create(context, p, NULL, &s));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "parameters of a flow",
                 koshu_simulation_restart(context, p, NULL, &s));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "parameters of a flow",
                 koshu_simulation_estimate(context, p, &e));
    koshu_parameters_destroy(p);
    assert_int_equal(scratch_count(), 0);
    scratch_leave();
}

static void
refused_beside_another(bool restart, bool forced)
{
    const struct koshu_simulation_options options = {
            .size = sizeof options, .overwrite = forced, .force = forced};
    struct koshu_parameters *p = parameters_of(context, NULL);
    struct koshu_simulation *s;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "another koshu is writing to '.'",
                 restart ? koshu_simulation_restart(context, p, &options, &s)
                         : koshu_simulation_create(context, p, &options, &s));
    koshu_parameters_destroy(p);
}

static void
two_runs_do_not_share_a_directory(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_simulation *first = started(context, NULL);
    for (int k = 0; k < 4; k++) refused_beside_another(k & 1, k & 2);
    assert_int_equal(scratch_count(), 3);
    complete(context, first);
    scratch_leave();
}

/* While another process creates its particles only its lock is visible: a
 * second run would finish first and be overwritten. */
static void
a_directory_is_taken_before_anything_is_there(void **state)
{
    (void)state;
    struct koshu_run_lock *lock;
    scratch_enter();
    assert_ok(context, koshu_run_lock_take(context, ".", true, &lock));
    for (int k = 0; k < 4; k++) refused_beside_another(k & 1, k & 2);
    koshu_run_lock_release(lock);
    assert_int_equal(scratch_count(), 0);
    scratch_leave();
}

/* A restart reads nothing while another run is writing. */
static void
a_restart_takes_the_directory_before_it_reads(void **state)
{
    (void)state;
    struct koshu_run_lock *lock;
    scratch_enter();
    complete(context, started(context, NULL));
    scratch_write("checkpoint.hdf5", "x", 1); /* the message would name it */
    assert_ok(context, koshu_run_lock_take(context, ".", true, &lock));
    refused_beside_another(true, false);
    koshu_run_lock_release(lock);
    scratch_leave();
}

/* The directory is moved away and another run starts in a new one of that name:
 * neither writes to the other's files. */
static void
a_run_stays_in_its_directory(void **state)
{
    (void)state;
    static const char *const in[] = {"output.directory", "out", NULL};
    scratch_enter();
    struct koshu_simulation *first = started(context, in);
    assert_int_equal(rename("out", "old"), 0);
    struct koshu_simulation *second = started(context, in);
    assert_fails(context, KOSHU_ERROR_IO, "'out' was removed, or another koshu",
                 koshu_simulation_checkpoint(first));
    int steps = 0;
    while (koshu_simulation_advance(first) == KOSHU_OK) steps++;
    assert_true(steps < 8); /* a row and a snapshot are due */
    koshu_simulation_destroy(first);
    complete(context, second);
    assert_int_equal(chdir("old"), 0);
    assert_int_equal(lines_of("energy.csv"), 1 + 1);
    assert_int_equal(system("cd .. && rm -r old out"), 0);
    assert_int_equal(chdir(".."), 0);
    scratch_leave();
}

static void
particles_that_a_caller_holds_are_not_advanced(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct koshu_simulation *s = started(context, NULL);
    struct koshu_particles *p = koshu_simulation_particles(s);
    assert_ok(context,
              koshu_particles_acquire_read(p, KOSHU_FIELD_VELOCITY, &v));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "koshu_simulation_advance(): a view of the particles",
                 koshu_simulation_advance(s));
    koshu_particles_release_read(p);
    advance(context, s, 1);
    koshu_simulation_destroy(s);
    scratch_leave();
}

/* A particle overflows: the run stops and names it, and the last good
 * checkpoint stays. */
static void
a_blow_up_keeps_the_last_checkpoint(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_particle_view v;
    struct koshu_simulation *s = started(context, NULL);
    advance(context, s, 4);
    assert_ok(context, koshu_simulation_checkpoint(s));
    advance(context, s, 1);
    assert_ok(context, koshu_particles_on_host(koshu_simulation_particles(s),
                                               KOSHU_FIELD_VELOCITY,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.vy[7] = INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 7",
                 koshu_simulation_advance(s));
    assert_non_null(strstr(koshu_context_message(context),
                           "--restart goes on from './checkpoint.hdf5', time "
                           "0.125"));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "a step failed",
                 koshu_simulation_advance(s));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "not to be kept",
                 koshu_simulation_finish(s));
    koshu_simulation_destroy(s);
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, 4);
    scratch_leave();
}

/* From some step on no file may grow beyond 5000 bytes: existing files stay
 * intact, and the run reports what it could not write. */
static void
a_full_disk_loses_nothing(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_simulation *s = started(context, NULL);
    advance(context, s, 7);
    assert_ok(context, koshu_simulation_checkpoint(s));
    size_t n, m;
    unsigned char *before = scratch_read("checkpoint.hdf5", &n);
    struct rlimit old, few;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    few = old;
    few.rlim_cur = 5000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    koshu_status checkpoint = koshu_simulation_checkpoint(s);
    koshu_status step = koshu_simulation_advance(s); /* a snapshot is due */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(checkpoint, KOSHU_ERROR_IO);
    assert_int_equal(step, KOSHU_ERROR_IO);
    assert_non_null(
            strstr(koshu_context_message(context), "snapshot_0001.hdf5"));
    koshu_simulation_destroy(s);
    unsigned char *after = scratch_read("checkpoint.hdf5", &m);
    assert_int_equal(n, m);
    assert_memory_equal(before, after, n);
    assert_int_equal(scratch_count(), 4); /* log, snapshot 0, checkpoints */
    free(before);
    free(after);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_earlier_run_is_not_overwritten),
            cmocka_unit_test(impossible_runs_leave_no_file),
            cmocka_unit_test(the_parameters_of_a_flow_are_refused),
            cmocka_unit_test(two_runs_do_not_share_a_directory),
            cmocka_unit_test(a_directory_is_taken_before_anything_is_there),
            cmocka_unit_test(a_restart_takes_the_directory_before_it_reads),
            cmocka_unit_test(a_run_stays_in_its_directory),
            cmocka_unit_test(particles_that_a_caller_holds_are_not_advanced),
            cmocka_unit_test(a_blow_up_keeps_the_last_checkpoint),
            cmocka_unit_test(a_full_disk_loses_nothing),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
