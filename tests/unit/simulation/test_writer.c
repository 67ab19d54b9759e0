/* SPDX-License-Identifier: MIT */
/* Runs that write while they make their next steps. */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "same_files.h"
#include "simulation/simulation.h"

static const struct koshu_simulation_options beside = {.size = sizeof beside,
                                                       .beside = true};
static const char *const busy[] = {"checkpoint.interval", "1e-9", NULL};

static struct koshu_simulation *
started_beside(const char *const *settings)
{
    struct koshu_simulation *s;
    struct koshu_parameters *p = parameters_of(context, settings);
    assert_ok(context, koshu_simulation_create(context, p, &beside, &s));
    assert_non_null(s->writer);
    koshu_parameters_destroy(p);
    return s;
}

/* rows: as if a device made the steps. */
static void
same_bytes(const char *const *settings, bool rows)
{
    struct files whole = files_of_a_whole_run(settings);
    scratch_enter();
    struct koshu_simulation *s = started_beside(settings);
    s->rows_beside = rows;
    complete(context, s);
    assert_files(&whole);
    scratch_leave();
}

static void
files_are_the_same(void **state)
{
    (void)state;
    static const char *const block[] = {"integrator.scheme", "hermite",
                                        "output.log.steps", "1", NULL};
    static const char *const tree[] = {
            "solver.method",       "tree", "initial.n", "300",
            "output.errors.steps", "4",    NULL};
    for (int rows = 0; rows < 2; rows++) {
        same_bytes(tree, rows);
        same_bytes(NULL, rows);
        same_bytes(busy, rows);
        same_bytes(block, rows);
    }
}

static void
limit_files_to(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* No file may grow beyond 5000 bytes: a later call reports it, no partial file
 * remains, and existing files are unchanged. */
static void
a_full_disk_is_told_of_later(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_simulation *s = started_beside(NULL);
    advance(context, s, 4);
    assert_ok(context, koshu_simulation_checkpoint(s));
    limit_files_to(5000);
    koshu_status status = KOSHU_OK;
    int steps = 0;
    for (; status == KOSHU_OK && steps < 12; steps++)
        status = koshu_simulation_advance(s);
    if (status == KOSHU_OK) status = koshu_simulation_finish(s);
    limit_files_to(0);
    assert_int_equal(status, KOSHU_ERROR_IO);
    assert_non_null(
            strstr(koshu_context_message(context), "snapshot_0001.hdf5"));
    assert_non_null(strstr(koshu_context_message(context),
                           "goes on from './checkpoint.hdf5', time 0.125"));
    koshu_simulation_destroy(s);
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, 4);
    assert_int_equal(scratch_count(), 4); /* log, snapshot 0, checkpoints */
    scratch_leave();
}

/* A file whose writing has started is completed even if the run is
 * destroyed. */
static void
what_was_begun_is_written(void **state)
{
    (void)state;
    scratch_enter();
    koshu_simulation_destroy(started_beside(NULL));
    assert_int_equal(info_of(context, "checkpoint.hdf5").step, 0);
    assert_int_equal(info_of(context, "snapshot_0000.hdf5").step, 0);
    assert_int_equal(scratch_count(), 3);
    scratch_leave();
}

/* Particles that a caller changes between two steps are in the checkpoint it
 * then writes. */
static void
a_checkpoint_at_once_has_the_particles_of_now(void **state)
{
    (void)state;
    struct koshu_particle_view v = {.size = sizeof v};
    scratch_enter();
    struct koshu_simulation *s = started_beside(NULL);
    struct koshu_particles *p = koshu_simulation_particles(s);
    assert_ok(context,
              koshu_particles_acquire_write(p, KOSHU_FIELD_VELOCITY,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    v.vx[3] = 0.625;
    koshu_particles_release_write(p);
    assert_ok(context, koshu_simulation_checkpoint(s));
    koshu_simulation_destroy(s);
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_particle_const_view r = {.size = sizeof r};
    assert_ok(context,
              koshu_snapshot_read(context, "checkpoint.hdf5", &info, &p));
    assert_ok(context,
              koshu_particles_acquire_read(p, KOSHU_FIELD_VELOCITY, &r));
    assert_true(r.vx[3] == 0.625);
    koshu_particles_release_read(p);
    koshu_particles_destroy(p);
    scratch_leave();
}

/* Each moment is attributed to one stage. */
static void
all_of_the_time_is_accounted_for(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_run_seconds t = {.size = sizeof t};
    struct koshu_simulation *s = started_beside(busy);
    advance(context, s, 8);
    assert_ok(context, koshu_simulation_seconds(s, &t));
    const double sum = t.start + t.forces + t.steps + t.errors + t.log +
                       t.snapshots + t.checkpoints + t.caller;
    assert_true(t.forces > 0 && t.steps > 0 && t.checkpoints > 0);
    /* except for the time between two readings of the clock */
    assert_true(fabs(sum - t.total) < 1e-3 + 1e-2 * t.total);
    assert_true(t.hidden > 0);
    complete(context, s);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(files_are_the_same),
            cmocka_unit_test(a_full_disk_is_told_of_later),
            cmocka_unit_test(what_was_begun_is_written),
            cmocka_unit_test(a_checkpoint_at_once_has_the_particles_of_now),
            cmocka_unit_test(all_of_the_time_is_accounted_for),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
