/* SPDX-License-Identifier: MIT */
/*
 * Runs started by the program of koshu 0.1 and finished by this one: koshu-0.1/
 * has the files that 0.1 wrote (see koshu-0.1/make). Particles and energy.csv
 * at the end equal those of runs continued by 0.1 itself, bit for bit.
 */
#include <koshu/snapshot.h>

#include "particles/particles.h"
#include "runs.h"

enum { PATH_SIZE = 512 };

/* Copies RUN/FILE from there to FILE here. */
static void
copy_here(const char *run, const char *file)
{
    char path[PATH_SIZE];
    size_t n;
    snprintf(path, sizeof path, "%s/%s/%s", KOSHU_0_1, run, file);
    unsigned char *bytes = scratch_read(path, &n);
    scratch_write(file, bytes, n);
    free(bytes);
}

static void
count_renamed(void *user, enum koshu_log_level level, const char *message)
{
    int *renamed = user;
    (void)level;
    *renamed += strstr(message, "has been renamed to solver.") != NULL;
}

static struct koshu_context *
listening(int *renamed)
{
    struct koshu_context_options o = koshu_context_options_default();
    struct koshu_context *context;
    o.backend = "ref";
    o.threads = 1;
    o.log = count_renamed;
    o.log_user = renamed;
    assert_int_equal(koshu_context_create(&o, &context), KOSHU_OK);
    return context;
}

static void
restart_and_complete(struct koshu_context *context, const char *run)
{
    char path[PATH_SIZE];
    struct koshu_parameters *p;
    struct koshu_simulation *s;
    snprintf(path, sizeof path, "%s/%s.yaml", KOSHU_0_1, run);
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_read(p, path));
    assert_ok(context, koshu_parameters_set(p, "output.directory", "."));
    assert_ok(context, koshu_simulation_restart(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    complete(context, s);
}

static void
expect_same_log(const char *run, const char *file)
{
    char path[PATH_SIZE];
    size_t n, n_expected;
    snprintf(path, sizeof path, "%s/%s/end/%s", KOSHU_0_1, run, file);
    unsigned char *expected = scratch_read(path, &n_expected);
    unsigned char *rows = scratch_read(file, &n);
    assert_int_equal(n, n_expected);
    assert_memory_equal(rows, expected, n);
    free(expected);
    free(rows);
}

static struct koshu_particles *
particles_of(struct koshu_context *context, const char *path,
             struct koshu_particle_view *v)
{
    struct koshu_particles *p;
    struct koshu_snapshot_info info = {.size = sizeof info};
    assert_ok(context, koshu_snapshot_read(context, path, &info, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, v));
    return p;
}

static void
expect_same_particles(struct koshu_context *context, const char *run)
{
    char path[PATH_SIZE];
    struct koshu_particle_view v, w;
    snprintf(path, sizeof path, "%s/%s/end/snapshot_0000.hdf5", KOSHU_0_1, run);
    struct koshu_particles *p = particles_of(context, path, &v);
    struct koshu_particles *q = particles_of(context, "snapshot_0000.hdf5", &w);
    const void *const a[] = {v.id, v.mass, v.x,  v.y,        v.z,
                             v.vx, v.vy,   v.vz, v.potential};
    const void *const b[] = {w.id, w.mass, w.x,  w.y,        w.z,
                             w.vx, w.vy,   w.vz, w.potential};
    assert_int_equal(v.n, w.n);
    for (size_t k = 0; k < sizeof a / sizeof a[0]; k++)
        assert_memory_equal(a[k], b[k], v.n * sizeof *v.x);
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
}

/* Rows of performance.csv are appended under the old header. */
static void
expect_rows_appended(const char *run, const char *file)
{
    char path[PATH_SIZE];
    size_t n, n_before;
    snprintf(path, sizeof path, "%s/%s/%s", KOSHU_0_1, run, file);
    unsigned char *before = scratch_read(path, &n_before);
    unsigned char *rows = scratch_read(file, &n);
    assert_true(n > n_before);
    assert_memory_equal(rows, before, n_before);
    free(before);
    free(rows);
}

/* renamed: keys of its parameter file that have new names. */
static void
goes_on(const char *run, int renamed)
{
    int heard = 0;
    struct koshu_context *context = listening(&heard);
    scratch_enter();
    copy_here(run, "checkpoint.hdf5");
    copy_here(run, "energy.csv");
    if (renamed > 0) {
        copy_here(run, "errors.csv");
        copy_here(run, "performance.csv");
    }
    restart_and_complete(context, run);
    assert_int_equal(heard, renamed);
    expect_same_log(run, "energy.csv");
    expect_same_particles(context, run);
    if (renamed > 0) {
        expect_same_log(run, "errors.csv");
        expect_rows_appended(run, "performance.csv");
    }
    scratch_leave();
    koshu_context_destroy(context);
}

static void
a_leapfrog_goes_on(void **state)
{
    (void)state;
    goes_on("leapfrog", 0);
}

/* Stopped while particles are at different times. */
static void
block_steps_go_on(void **state)
{
    (void)state;
    goes_on("hermite", 0);
}

static void
a_tree_goes_on(void **state)
{
    (void)state;
    goes_on("tree", 5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_leapfrog_goes_on),
            cmocka_unit_test(block_steps_go_on),
            cmocka_unit_test(a_tree_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
