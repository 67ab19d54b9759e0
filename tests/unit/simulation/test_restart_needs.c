/* SPDX-License-Identifier: MIT */
/* What a restart needs, and what may have changed before it. */
#include "io/io.h"
#include "runs.h"
#include "same_files.h"

/* ---- what may change --------------------------------------------------- */

static void
the_end_and_the_output_may_change(void **state)
{
    (void)state;
    static const char *const twice[] = {"integrator.end", "2", NULL};
    static const char *const other[] = {"integrator.end",
                                        "2",
                                        "output.snapshot.interval",
                                        "1/2",
                                        "output.log.interval",
                                        "1",
                                        "solver.softening",
                                        "0.0625",
                                        NULL};
    struct files whole = files_of_a_whole_run(twice);
    scratch_enter();
    complete(context, started(context, NULL));
    complete(context, restarted(twice));
    /* texts of parameters record the end of their part; the rest is equal */
    size_t n;
    for (int k = 0; k < whole.n; k++) {
        if (strcmp(whole.name[k], "energy.csv") == 0) {
            unsigned char *bytes = scratch_read("energy.csv", &n);
            assert_int_equal(n, whole.size[k]);
            assert_memory_equal(bytes, whole.bytes[k], n);
            free(bytes);
        }
        free(whole.bytes[k]);
    }
    scratch_leave();

    scratch_enter();
    complete(context, started(context, NULL));
    complete(context, restarted(other));
    assert_int_equal(scratch_count(), 5 + 2 + 3); /* two checkpoints */
    scratch_leave();
}

/* Writes ./checkpoint.hdf5 with parameters as koshu 0.1.0 stored them: what was
 * given, without defaults. */
static void
age_checkpoint(const char *parameters)
{
    struct koshu_particles *particles;
    struct koshu_checkpoint checkpoint;
    char *text;
    assert_ok(context, koshu_checkpoint_read(context, "checkpoint.hdf5",
                                             &particles, &checkpoint, &text));
    assert_ok(context, koshu_checkpoint_write(particles, "checkpoint.hdf5",
                                              &checkpoint, parameters));
    koshu_particles_destroy(particles);
    free(text);
}

/* koshu 0.1.0 used the geometric criterion, or alpha = 0.001, if neither was
 * given; for direct sums both are meaningless. */
static void
defaults_that_changed_are_the_old_ones_in_an_old_checkpoint(void **state)
{
    (void)state;
    static const struct {
        const char *kept;        /* the stored solver section */
        const char *settings[5]; /* settings of the restart */
        const char *message;     /* NULL: the restart is accepted */
    } cases[] = {
            {"method: tree",
             {"solver.method", "tree"},
             "solver.opening_criterion: 'geometric' when './checkpoint.hdf5' "
             "was written, 'relative' now; set it back, or accept the change"},
            {"method: tree, criterion: relative",
             {"solver.method", "tree"},
             "solver.alpha: '0.001' when"},
            {"method: tree",
             {"solver.method", "tree", "solver.opening_criterion", "geometric"},
             NULL},
            {"method: direct", {NULL}, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "initial: {model: plummer, n: 64}\n"
                 "solver: {softening: 1/16, %s}\n"
                 "integrator: {dt: 1/32, end: 1}\n",
                 cases[k].kept);
        scratch_enter();
        struct koshu_simulation *s = started(context, cases[k].settings);
        advance(context, s, 10);
        assert_ok(context, koshu_simulation_finish(s));
        koshu_simulation_destroy(s);
        age_checkpoint(text);
        struct koshu_parameters *p = parameters_of(context, cases[k].settings);
        if (cases[k].message)
            assert_fails(context, KOSHU_ERROR_BAD_INPUT, cases[k].message,
                         koshu_simulation_restart(context, p, NULL, &s));
        assert_ok(context,
                  koshu_simulation_restart(
                          context, p, cases[k].message ? &force : NULL, &s));
        complete(context, s);
        koshu_parameters_destroy(p);
        scratch_leave();
    }
}

static void
the_physics_may_not_change_by_itself(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *message;
        bool forcible;
    } change[] = {
            {"solver.softening", "1/8",
             "solver.softening: '1/16' when './checkpoint.hdf5' was written, "
             "'1/8' now; set it back, or accept the change",
             true},
            {"solver.precision", "double", "solver.precision: 'single'", true},
            {"integrator.dt", "1/64", "integrator.dt: '1/32'", true},
            {"initial.n", "65", "the particles are made already", false},
            {"initial.seed", "2", "initial.seed", false},
    };
    for (size_t k = 0; k < sizeof change / sizeof change[0]; k++) {
        scratch_enter();
        struct koshu_simulation *s = started(context, NULL);
        advance(context, s, 10);
        assert_ok(context, koshu_simulation_finish(s));
        koshu_simulation_destroy(s);
        const char *const settings[] = {change[k].key, change[k].value, NULL};
        struct koshu_parameters *p = parameters_of(context, settings);
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, change[k].message,
                     koshu_simulation_restart(context, p, NULL, &s));
        if (change[k].forcible) {
            assert_ok(context,
                      koshu_simulation_restart(context, p, &force, &s));
            complete(context, s);
        } else {
            assert_fails(context, KOSHU_ERROR_BAD_INPUT, change[k].message,
                         koshu_simulation_restart(context, p, &force, &s));
        }
        koshu_parameters_destroy(p);
        scratch_leave();
    }
}

/* ---- what must be there ------------------------------------------------ */

static void
remove_log(void)
{
    assert_int_equal(unlink("energy.csv"), 0);
}

static void
empty_log(void)
{
    assert_int_equal(truncate("energy.csv", 0), 0);
}

/* The last row written before the checkpoint. */
static void
lose_row(void)
{
    size_t n;
    char *text = (char *)scratch_read("energy.csv", &n);
    text[n - 1] = '\0';
    scratch_write("energy.csv", text, (size_t)(strrchr(text, '\n') - text) + 1);
    free(text);
}

static void
lose_snapshot(void)
{
    assert_int_equal(unlink("snapshot_0001.hdf5"), 0);
}

static void
lose_tree_log(void)
{
    assert_int_equal(unlink("errors.csv"), 0);
}

/* A run of 20 steps with the tree, and checks of its files afterwards. */
static void
stopped_and_harmed(const char *const *settings, void (*harm)(void))
{
    struct koshu_simulation *s = started(context, settings);
    advance(context, s, 20);
    assert_ok(context, koshu_simulation_finish(s));
    koshu_simulation_destroy(s);
    harm();
}

static void
what_a_checkpoint_has_counted_must_be_there(void **state)
{
    (void)state;
    static const char *const tree[] = {"solver.method",
                                       "tree",
                                       "solver.n_crit",
                                       "8",
                                       "output.errors.steps",
                                       "8",
                                       NULL};
    static const struct {
        void (*harm)(void);
        const char *message;
    } losses[] = {
            {remove_log, "'./energy.csv' is missing, './checkpoint.hdf5' has "
                         "counted 3 rows of it; put back"},
            {empty_log, "'./energy.csv' has 0 rows up to step 20"},
            {lose_row, "has 2 rows up to step 20, './checkpoint.hdf5' has "
                       "counted 3"},
            {lose_snapshot, "'./snapshot_0001' is missing, and 1 in all of the "
                            "3 snapshots"},
            {lose_tree_log, "'./errors.csv' is missing"},
    };
    for (size_t k = 0; k < sizeof losses / sizeof losses[0]; k++) {
        scratch_enter();
        stopped_and_harmed(tree, losses[k].harm);
        struct koshu_simulation *s;
        struct koshu_parameters *p = parameters_of(context, tree);
        struct files before = collect();
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, losses[k].message,
                     koshu_simulation_restart(context, p, NULL, &s));
        assert_files(&before); /* nothing was changed */
        assert_ok(context, koshu_simulation_restart(context, p, &force, &s));
        advance(context, s, 1);
        assert_ok(context, koshu_simulation_finish(s));
        koshu_simulation_destroy(s);
        /* an accepted loss is not reported again */
        assert_ok(context, koshu_simulation_restart(context, p, NULL, &s));
        complete(context, s);
        koshu_parameters_destroy(p);
        scratch_leave();
    }
}

/* A run that is killed early and restarted with other output settings. */
static void
the_checkpoint_of_the_beginning_is_enough(void **state)
{
    (void)state;
    struct files whole = files_of_a_whole_run(NULL);
    scratch_enter();
    struct koshu_simulation *s = started(context, NULL);
    /* a row and a snapshot that no checkpoint records */
    advance(context, s, 11);
    koshu_simulation_destroy(s);
    s = restarted(NULL);
    assert_int_equal(progress_of(s).step, 0);
    complete(context, s);
    assert_files(&whole);
    scratch_leave();
}

static void
without_a_checkpoint_there_is_no_restart(void **state)
{
    (void)state;
    static const char *const without[] = {"checkpoint.first", "false", NULL};
    scratch_enter();
    struct koshu_simulation *s = started(context, without);
    koshu_simulation_destroy(s);
    struct koshu_parameters *p = parameters_of(context, NULL);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND,
                 "there is no checkpoint in '.'",
                 koshu_simulation_restart(context, p, NULL, &s));
    assert_null(s);
    scratch_write("checkpoint.hdf5", "x", 1);
    scratch_write("checkpoint-1.hdf5", "x", 1);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "no checkpoint in '.' can be read",
                 koshu_simulation_restart(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_end_and_the_output_may_change),
            cmocka_unit_test(the_physics_may_not_change_by_itself),
            cmocka_unit_test(what_a_checkpoint_has_counted_must_be_there),
            cmocka_unit_test(the_checkpoint_of_the_beginning_is_enough),
            cmocka_unit_test(
                    defaults_that_changed_are_the_old_ones_in_an_old_checkpoint),
            cmocka_unit_test(without_a_checkpoint_there_is_no_restart),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
