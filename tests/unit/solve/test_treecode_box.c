/* SPDX-License-Identifier: MIT */
/* The tree in a periodic box: with the FMM, with threads, with other
 * corners. */
#include <math.h>
#include <string.h>

#include <koshu/solver.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "periodic.h"

static void
forces_are_those_of_the_fmm(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct koshu_tree_options tree = in_box(1);
    struct koshu_laplace_options fmm = koshu_laplace_options_default();
    struct koshu_solver_options o = koshu_solver_options_default();
    tree.alpha = 0.0005;
    fmm.box = 1;
    o.method = KOSHU_METHOD_FMM;
    o.softening = 0.01;
    o.fmm = &fmm;
    fill(N, 2);
    choose_probes(N, MAX_PROBES);
    sum_by(context, &o, N);
    for (size_t k = 0; k < n_probes; k++)
        for (int d = 0; d < 4; d++) is[d][k] = got[d][probe[k]];
    sum_by_tree(N, &tree, o.softening);
    printf("the FMM: off by %.1e, potential %.1e\n", rms_error(),
           potential_error());
    assert_near(rms_error(), 0, 1e-3);
    assert_near(potential_error(), 0, 1e-3);
}

/* Momentum is conserved as accurately as forces are computed, wherever the box
 * is cut. */
static void
momentum_is_kept(void **state)
{
    (void)state;
    enum { N = 4000 };
    struct koshu_tree_options o = in_box(1);
    double sum[3] = {0}, size = 0;
    fill(N, 2);
    for (int cut = 0; cut < 2; cut++, o.corner[0] = -0.3, o.corner[1] = 0.4) {
        sum_by_tree(N, &o, 0.01);
        for (size_t i = 0; i < N; i++)
            for (int d = 0; d < 3; d++) {
                sum[d] += charge[i] * got[d][i];
                size += charge[i] * fabs(got[d][i]);
            }
        for (int d = 0; d < 3; d++) assert_near(sum[d], 0, 1e-4 * size);
    }
}

static void
the_corner_does_not_matter(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct koshu_tree_options o = in_box(1);
    o.alpha = 0.0005;
    fill(N, 2);
    choose_probes(N, MAX_PROBES);
    sum_by_tree(N, &o, 0.01);
    for (size_t k = 0; k < n_probes; k++)
        for (int d = 0; d < 4; d++) is[d][k] = got[d][probe[k]];
    o.corner[0] = -0.3, o.corner[1] = 0.6, o.corner[2] = 17;
    sum_by_tree(N, &o, 0.01);
    assert_near(rms_error(), 0, 1e-3);
    assert_near(potential_error(), 0, 1e-3);
}

static void
threads_do_not_matter(void **state)
{
    (void)state;
    enum { N = 3000 };
    static double before[4][N];
    const struct koshu_tree_options tree = in_box(1);
    struct koshu_solver_options o = koshu_solver_options_default();
    o.method = KOSHU_METHOD_TREE;
    o.tree = &tree;
    fill(N, 1);
    for (int threads = 1; threads < 4; threads++) {
        struct koshu_context_options options = koshu_context_options_default();
        struct koshu_context *in;
        options.backend = FIXTURE_BACKEND;
        options.threads = threads;
        assert_int_equal(koshu_context_create(&options, &in), KOSHU_OK);
        sum_by(in, &o, N);
        koshu_context_destroy(in);
        for (int d = 0; d < 4; d++) {
            if (threads > 1)
                assert_memory_equal(got[d], before[d], sizeof before[d]);
            memcpy(before[d], got[d], sizeof before[d]);
        }
    }
}

static void
impossible_boxes_are_refused(void **state)
{
    (void)state;
    static const double boxes[] = {-1, NAN, INFINITY};
    struct koshu_solver_options o = koshu_solver_options_default();
    struct koshu_tree_options tree = in_box(0);
    struct koshu_solver *solver;
    o.method = KOSHU_METHOD_TREE;
    o.tree = &tree;
    for (size_t k = 0; k < 3; k++) {
        tree.box = boxes[k];
        assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                     "box = ", koshu_solver_create(context, &o, &solver));
    }
    tree.box = 1;
    o.softening = 0.6;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "half of that",
                 koshu_solver_create(context, &o, &solver));
    o.softening = 0;
    tree.corner[2] = NAN;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "corner[2]",
                 koshu_solver_create(context, &o, &solver));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(forces_are_those_of_the_fmm),
            cmocka_unit_test(momentum_is_kept),
            cmocka_unit_test(the_corner_does_not_matter),
            cmocka_unit_test(threads_do_not_matter),
            cmocka_unit_test(impossible_boxes_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
