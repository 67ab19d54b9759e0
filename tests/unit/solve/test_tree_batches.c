/* SPDX-License-Identifier: MIT */
/* Interaction lists in batches for a device that the host imitates: the same
 * sums as without batches, whatever their size, and the handling of
 * failures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/initial.h>

#include "backend/backend.h"
#include "base/base.h"
#include "solve/treecode.h"

#include "check.h"
#include "particles/particles.h"

static struct koshu_context *context;

/* ---- the device ---------------------------------------------------------- */

/* Sums only when the results are requested: a batch changed between start and
 * wait gives wrong sums, as on a device. */
struct device_memory {
    struct koshu_walk_memory base;
    struct koshu_walk_task task;
    size_t n_walks;
    bool begun;
};

static struct koshu_backend_ops device_ops;
static struct koshu_backend device, *host;
static size_t bytes_offered;
static int memories, calls, fails_at; /* the call that fails; 0: none */

static bool
fails(void)
{
    bool failed;
#pragma omp critical
    failed = ++calls == fails_at;
    return failed;
}

static size_t
bytes(const struct koshu_backend *backend)
{
    assert_ptr_equal(backend, &device);
    return bytes_offered;
}

static void
destroy(struct koshu_walk_memory *memory)
{
    struct koshu_walk_memory *m = memory;
    if (!m) return;
    assert_false(((struct device_memory *)m)->begun);
    free(m->at.i_offset);
    free(m->at.j_offset);
    free(m->at.cell_offset);
    for (int r = 0; r < 7; r++) free(m->at.i[r]);
    for (int r = 0; r < 7; r++) free(m->at.j[r]);
    for (int r = 0; r < 11; r++) free(m->at.cell[r]);
    for (int r = 0; r < 4; r++) free(m->at.result[r]);
    free(m);
#pragma omp atomic
    memories--;
}

static koshu_status
create(struct koshu_backend *backend,
       const struct koshu_walk_capacity *capacity, bool split,
       struct koshu_walk_memory **memory)
{
    if (fails())
        return koshu_fail(context, KOSHU_ERROR_DEVICE, "planted: create");
    struct koshu_walk_memory *m = calloc(1, sizeof(struct device_memory));
    assert_ptr_equal(backend, &device);
    m->context = context;
    m->capacity = *capacity;
    m->split = split;
    m->at.i_offset = calloc(capacity->walks + 1, sizeof(size_t));
    m->at.j_offset = calloc(capacity->walks + 1, sizeof(size_t));
    m->at.cell_offset = calloc(capacity->walks + 1, sizeof(size_t));
    for (int r = 0; r < (split ? 7 : 4); r++) {
        m->at.i[r] = calloc(capacity->i, sizeof(float));
        m->at.j[r] = calloc(capacity->j, sizeof(float));
    }
    for (int r = 0; r < 11; r++)
        m->at.cell[r] = calloc(capacity->cells, sizeof(float));
    for (int r = 0; r < 4; r++)
        m->at.result[r] = calloc(capacity->i, sizeof(double));
#pragma omp atomic
    memories++;
    *memory = m;
    return KOSHU_OK;
}

static koshu_status
start_clock(struct koshu_backend *backend)
{
    (void)backend;
    return KOSHU_OK;
}

static koshu_status
begin(struct koshu_walk_memory *memory, const struct koshu_walk_task *task,
      size_t n_walks)
{
    struct device_memory *d = (struct device_memory *)memory;
    if (fails())
        return koshu_fail(context, KOSHU_ERROR_DEVICE, "planted: begin");
    d->task = *task;
    d->n_walks = n_walks;
    d->begun = true;
    return KOSHU_OK;
}

static koshu_status
end(struct koshu_walk_memory *memory, struct koshu_walk_times *times)
{
    struct device_memory *d = (struct device_memory *)memory;
    d->begun = false;
    if (fails()) return koshu_fail(context, KOSHU_ERROR_DEVICE, "planted: end");
    /* The same for every batch: 1 s, 0.5 s and nothing in total. */
    *times = (struct koshu_walk_times){{1, 2}, {0, 0.5}, {1, 1}};
    return host->ops->walks(host, &d->task, d->n_walks, &memory->at);
}

static const struct koshu_walk_memory_ops memory_ops = {
        bytes, create, destroy, start_clock, begin, end};

static void
open_device(size_t offered)
{
    assert_ok(context, koshu_backend_of(context, &host));
    device_ops = *host->ops;
    device_ops.walks_in_caller = false;
    device_ops.walk_memory = &memory_ops;
    device = *host;
    device.ops = &device_ops;
    bytes_offered = offered;
    calls = fails_at = 0;
}

/* ---- sums ---------------------------------------------------------------- */

enum { N = 2000 };

/* Options of the next tree solver that is created. */
static struct koshu_tree_options tree;

static struct koshu_solver_options
options_of(enum koshu_multipole_order order, enum koshu_precision precision)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    o.method = KOSHU_METHOD_TREE;
    o.softening = 0.02;
    o.precision = precision;
    o.tree = &tree;
    tree = koshu_tree_options_default();
    tree.multipole_order = order;
    tree.n_crit = 16;
    return o;
}

/* Accelerations and potentials of N particles; NaN before. */
static koshu_status
forces(struct koshu_backend *backend, const struct koshu_solver_options *o,
       int evaluations, double *sum, struct koshu_tree_report *report)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_particles *p;
    struct koshu_particle_view v;
    struct koshu_treecode *t;
    koshu_status status = KOSHU_OK;
    model.n = N;
    assert_ok(context, koshu_initial_create(context, &model, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < N; i++) v.potential[i] = NAN;
    assert_ok(context, koshu_treecode_create(backend, o, &t));
    const struct koshu_force_task task = {
            .precision = o->precision, .eps = o->softening, .potential = true};
    for (int k = 0; k < evaluations && status == KOSHU_OK; k++)
        status = koshu_treecode_forces(t, &task, &v, report);
    const double *const from[4] = {v.ax, v.ay, v.az, v.potential};
    for (int c = 0; c < 4; c++)
        memcpy(sum + (size_t)c * N, from[c], N * sizeof(double));
    koshu_treecode_destroy(t);
    koshu_particles_destroy(p);
    return status;
}

/* The sums are of the same lists by the same kernel, so they are
 * bit-identical. */
static void
sums_are_those_without_batches(void **state)
{
    (void)state;
    static double expected[4 * N], got[4 * N];
    static const size_t offered[] = {0, 20000, 1 << 20, (size_t)1 << 30};
    for (int k = 0; k < 8; k++) {
        struct koshu_tree_report a, b;
        const struct koshu_solver_options o = options_of(
                k & 1 ? KOSHU_MULTIPOLE_ORDER_MONOPOLE
                      : KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                k & 2 ? KOSHU_PRECISION_MIXED : KOSHU_PRECISION_SINGLE);
        open_device(offered[k / 2]);
        assert_ok(context, forces(host, &o, 1, expected, &a));
        assert_ok(context, forces(&device, &o, 1, got, &b));
        assert_memory_equal(got, expected, sizeof got);
        assert_int_equal(b.interactions, a.interactions);
        assert_int_equal(b.with_cells, a.with_cells);
        /* each group tests the root, no cell twice, and every cell that it
         * uses */
        assert_true(a.cells_tested > a.groups && a.cells_tested > a.cells);
        assert_true(a.cells_tested <= a.groups * a.cells);
        assert_int_equal(a.device.batches, 0);
        assert_true(b.device.batches >= 1);
        /* i-particles, and the same among the j-particles */
        assert_true(b.device.bytes_up > 2 * 16 * N);
        assert_int_equal(b.device.bytes_down, 32 * N);
        assert_int_equal(memories, 0);
    }
}

/* Accelerations of the previous step are read while new ones are written. */
static void
the_relative_criterion(void **state)
{
    (void)state;
    static double expected[4 * N], got[4 * N];
    struct koshu_tree_report report;
    struct koshu_solver_options o = options_of(KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                                               KOSHU_PRECISION_SINGLE);
    tree.opening_criterion = KOSHU_OPENING_CRITERION_RELATIVE;
    open_device(1 << 18);
    assert_ok(context, forces(host, &o, 3, expected, &report));
    assert_ok(context, forces(&device, &o, 3, got, &report));
    assert_memory_equal(got, expected, sizeof got);
}

static void
times_that_overlap_count_once(void **state)
{
    (void)state;
    static double got[4 * N];
    struct koshu_tree_report report;
    const struct koshu_solver_options o = options_of(
            KOSHU_MULTIPOLE_ORDER_QUADRUPOLE, KOSHU_PRECISION_SINGLE);
    open_device(1 << 18);
    assert_ok(context, forces(&device, &o, 1, got, &report));
    assert_true(report.device.batches > 1);
    assert_true(report.device.up == 1 && report.device.sums == 0.5 &&
                report.device.down == 0);
    /* the threads' waiting time is divided in proportion to the device's
     * times */
    assert_true(fabs(report.seconds.transfer - 2 * report.seconds.force) <=
                1e-12);
}

/* Whichever call fails, its status and message are returned and all is
 * freed. */
static void
failures_are_told(void **state)
{
    (void)state;
    static double got[4 * N];
    struct koshu_tree_report report;
    const struct koshu_solver_options o = options_of(
            KOSHU_MULTIPOLE_ORDER_QUADRUPOLE, KOSHU_PRECISION_SINGLE);
    int failed = 0;
    for (int k = 1;; k = k < 12 ? k + 1 : 2 * k) {
        open_device(1 << 18);
        fails_at = k;
        const koshu_status status = forces(&device, &o, 1, got, &report);
        assert_int_equal(memories, 0);
        if (status == KOSHU_OK) break;
        assert_int_equal(status, KOSHU_ERROR_DEVICE);
        assert_non_null(strstr(koshu_context_message(context), "planted"));
        failed++;
    }
    assert_true(failed > 5);
}

static int
begin_tests(void **state)
{
    (void)state;
    context = test_context("cpu", 3);
    return 0;
}

static int
end_tests(void **state)
{
    (void)state;
    koshu_context_destroy(context);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(sums_are_those_without_batches),
            cmocka_unit_test(the_relative_criterion),
            cmocka_unit_test(times_that_overlap_count_once),
            cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, begin_tests, end_tests);
}
