/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "check.h"
#include "io/io.h"
#include "particles/particles.h"
#include "scratch.h"
#include "simulation/simulation.h"

static struct koshu_context *context;
static struct koshu_particles *particles;
static int warnings;

static void
count_warning(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    (void)message;
    warnings += level == KOSHU_LOG_LEVEL_WARNING;
}

static void
write_step(uint64_t step, uint64_t keep)
{
    const struct koshu_checkpoint c = {
            .clock.steps = step, .units = KOSHU_HENON_UNITS, .backend = "ref"};
    assert_ok(context,
              koshu_rotation_write(&(struct koshu_rotation){context, ".", keep},
                                   particles, &c, "title: x\n"));
}

/* The step of the newest checkpoint, and its file name. */
static uint64_t
newest_of(uint64_t keep, const char *name)
{
    struct koshu_particles *p;
    struct koshu_checkpoint c;
    char path[KOSHU_PATH_SIZE], *text;
    assert_ok(context,
              koshu_rotation_read(&(struct koshu_rotation){context, ".", keep},
                                  path, &p, &c, &text));
    assert_string_equal(path, name);
    koshu_particles_destroy(p);
    free(text);
    return c.clock.steps;
}

static uint64_t
newest(const char *name)
{
    return newest_of(2, name);
}

static void
spoil(const char *name)
{
    size_t n;
    unsigned char *bytes = scratch_read(name, &n);
    scratch_write(name, bytes, n / 2);
    free(bytes);
}

static void
as_many_are_kept_as_asked(void **state)
{
    (void)state;
    scratch_enter();
    for (uint64_t step = 1; step <= 5; step++) {
        write_step(step, 3);
        assert_int_equal(newest("./checkpoint.hdf5"), step);
    }
    assert_int_equal(scratch_count(), 3);
    unlink("checkpoint.hdf5");
    assert_int_equal(newest("./checkpoint-1.hdf5"), 4);
    unlink("checkpoint-1.hdf5");
    assert_int_equal(newest("./checkpoint-2.hdf5"), 3);
    scratch_leave();
}

static void
one_checkpoint_is_enough(void **state)
{
    (void)state;
    scratch_enter();
    write_step(1, 1);
    write_step(2, 1);
    assert_int_equal(scratch_count(), 1);
    assert_int_equal(newest("./checkpoint.hdf5"), 2);
    scratch_leave();
}

static void
a_spoilt_one_is_skipped_and_named(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_checkpoint c;
    char path[KOSHU_PATH_SIZE], *text;
    scratch_enter();
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "there is no checkpoint",
                 koshu_rotation_read(&(struct koshu_rotation){context, ".", 2},
                                     path, &p, &c, &text));
    write_step(1, 2);
    write_step(2, 2);
    spoil("checkpoint.hdf5");
    warnings = 0;
    assert_int_equal(newest("./checkpoint-1.hdf5"), 1);
    assert_int_equal(warnings, 1);
    spoil("checkpoint-1.hdf5");
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "no checkpoint in '.' can be read",
                 koshu_rotation_read(&(struct koshu_rotation){context, ".", 2},
                                     path, &p, &c, &text));
    scratch_leave();
}

/* The step of a checkpoint; 0: there is none. */
static uint64_t
step_of(const char *name)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    if (access(name, F_OK) != 0) return 0;
    assert_ok(context, koshu_snapshot_inspect(context, name, &info));
    return info.step;
}

static void
move(const char *from, const char *to)
{
    assert_int_equal(rename(from, to), 0);
}

/* Checkpoints of steps 1, 2, 3 are kept, and the machine crashes after so many
 * of the moves that step 4 makes: 2 -> gone, 3 -> -1, ... */
static void
interrupt_rotation(int moves)
{
    for (uint64_t step = 1; step <= 3; step++) write_step(step, 3);
    move("checkpoint.hdf5", "kept.0");
    move("checkpoint-1.hdf5", "kept.1");
    move("checkpoint-2.hdf5", "kept.2");
    write_step(4, 1);
    move("checkpoint.hdf5", "checkpoint.new.hdf5");
    move("kept.2", "checkpoint-2.hdf5");
    move("kept.1", moves > 0 ? "checkpoint-2.hdf5" : "checkpoint-1.hdf5");
    move("kept.0", moves > 1 ? "checkpoint-1.hdf5" : "checkpoint.hdf5");
}

/* The machine crashes between writing and each of the renames: a restart finds
 * the newest checkpoint and makes the remaining moves. */
static void
a_restart_finishes_a_rotation(void **state)
{
    (void)state;
    for (int moves = 0; moves <= 2; moves++) {
        scratch_enter();
        interrupt_rotation(moves);
        assert_int_equal(newest_of(3, "./checkpoint.hdf5"), 4);
        assert_int_equal(step_of("checkpoint.hdf5"), 4);
        assert_int_equal(step_of("checkpoint-1.hdf5"), 3);
        assert_int_equal(step_of("checkpoint-2.hdf5"), 2);
        assert_int_equal(scratch_count(), 3);
        scratch_leave();
    }
}

/* The same if a rename failed and the run continued. */
static void
the_next_checkpoint_finishes_a_rotation(void **state)
{
    (void)state;
    for (int moves = 0; moves <= 2; moves++) {
        scratch_enter();
        interrupt_rotation(moves);
        write_step(5, 3);
        assert_int_equal(step_of("checkpoint.hdf5"), 5);
        assert_int_equal(step_of("checkpoint-1.hdf5"), 4);
        assert_int_equal(step_of("checkpoint-2.hdf5"), 3);
        assert_int_equal(scratch_count(), 3);
        scratch_leave();
    }
}

/* A checkpoint damaged on disk never replaces an intact one. */
static void
a_damaged_leftover_replaces_nothing(void **state)
{
    (void)state;
    scratch_enter();
    write_step(1, 1);
    scratch_write("checkpoint.new.hdf5", "x", 1);
    warnings = 0;
    assert_int_equal(newest_of(1, "./checkpoint.hdf5"), 1);
    assert_int_equal(warnings, 1);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.mass[1] = 0.0 / 0.0; /* makes the next one fail */
    const struct koshu_checkpoint c = {.units = KOSHU_HENON_UNITS};
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 1",
                 koshu_rotation_write(&(struct koshu_rotation){context, ".", 1},
                                      particles, &c, ""));
    v.mass[1] = 0;
    assert_int_equal(newest_of(1, "./checkpoint.hdf5"), 1);
    write_step(2, 1);
    assert_int_equal(newest_of(1, "./checkpoint.hdf5"), 2);
    assert_int_equal(scratch_count(), 1);
    scratch_leave();
}

/* If writing fails, the old ones stay where they are. */
static void
a_failure_moves_nothing(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    scratch_enter();
    write_step(1, 2);
    write_step(2, 2);
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.mass[1] = 0.0 / 0.0;
    const struct koshu_checkpoint c = {.units = KOSHU_HENON_UNITS};
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 1",
                 koshu_rotation_write(&(struct koshu_rotation){context, ".", 2},
                                      particles, &c, ""));
    v.mass[1] = 0;
    assert_int_equal(newest("./checkpoint.hdf5"), 2);
    unlink("checkpoint.hdf5");
    assert_int_equal(newest("./checkpoint-1.hdf5"), 1);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(as_many_are_kept_as_asked),
            cmocka_unit_test(one_checkpoint_is_enough),
            cmocka_unit_test(a_spoilt_one_is_skipped_and_named),
            cmocka_unit_test(a_restart_finishes_a_rotation),
            cmocka_unit_test(the_next_checkpoint_finishes_a_rotation),
            cmocka_unit_test(a_damaged_leftover_replaces_nothing),
            cmocka_unit_test(a_failure_moves_nothing),
    };
    struct koshu_context_options options = koshu_context_options_default();
    options.threads = 1;
    options.log = count_warning;
    if (koshu_context_create(&options, &context) != KOSHU_OK ||
        koshu_particles_create(context, 5, &particles) != KOSHU_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
    return failed;
}
