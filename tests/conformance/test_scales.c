/* SPDX-License-Identifier: MIT */
/*
 * Units of length and mass do not matter, nor does a softening far from the
 * size of the system: forces are as accurate as at scale 1, or refused. Lengths
 * and masses are scaled by powers of two, which changes no digit of them or of
 * their forces by definition.
 */
#include <math.h>

#include <koshu/nwalk.h>
#include <koshu/solver.h>

#include "cluster.h"
#include "particles/particles.h"
#include "rows.h"
#include "subject.h"
#include "system.h"
#include "scales.h"

/* ---- methods ------------------------------------------------------------- */

static koshu_status
by_tree(const struct system *s, const struct variant *variant, double eps,
        struct forces *f)
{
    const struct koshu_solver_options o =
            solver_options(KOSHU_METHOD_TREE, variant, eps);
    return solve(s, &o, 1, f);
}

static koshu_status
by_lists(const struct system *s, const struct variant *variant, double eps,
         struct forces *f)
{
    const struct koshu_solver_options o =
            solver_options(KOSHU_METHOD_TREE, variant, eps);
    tree.traversal = KOSHU_TRAVERSAL_HOST;
    return solve(s, &o, 1, f);
}

static koshu_status
by_relative_tree(const struct system *s, const struct variant *variant,
                 double eps, struct forces *f)
{
    const struct koshu_solver_options o =
            solver_options(KOSHU_METHOD_TREE, variant, eps);
    tree.opening_criterion = KOSHU_OPENING_CRITERION_RELATIVE;
    return solve(s, &o, 2, f);
}

/* Skips scales that overflow a float, because these calls take floats. */
static koshu_status
by_nwalk(const struct system *s, const struct variant *variant, double eps,
         struct forces *f)
{
    static float xi[N][4], xj[N][4], accp[N][4];
    const int ioff[] = {0, (int)s->n_i}, joff[] = {0, (int)s->n_j};
    const float eps2 = (float)(eps * eps);
    (void)variant;
    if (fabs((double)eps2 - eps * eps) > 1e-7 * eps * eps)
        return KOSHU_ERROR_UNSUPPORTED;
    for (size_t k = 0; k < s->n_i; k++) {
        xi[k][0] = xj[k][0] = (float)s->xi[k];
        xi[k][1] = xj[k][1] = (float)s->yi[k];
        xi[k][2] = xj[k][2] = (float)s->zi[k];
        xi[k][3] = eps2;
        xj[k][3] = (float)s->mass[k];
    }
    const koshu_status status = koshu_force_nwalk(
            subject_context(), xi[0], xj[0], accp[0], ioff, joff, 1);
    if (status != KOSHU_OK) return status;
    assert_ok(subject_context(), directly(s, &variants[2], eps, f));
    for (size_t k = 0; k < s->n_i; k++) {
        const double self = eps > 0 ? s->mass[k] / eps : 0;
        f->ax[k] = (double)accp[k][0];
        f->ay[k] = (double)accp[k][1];
        f->az[k] = (double)accp[k][2];
        if (self < 10 * fabs(f->potential[k]))
            f->potential[k] = (double)accp[k][3] + self;
        else
            assert_near((double)accp[k][3], f->potential[k] - self,
                        1e-6 * self);
    }
    return status;
}

/* ---- comparison ---------------------------------------------------------- */

/* Checks `n_variants` variants at all scales and softenings. Forces of cells
 * may be off by `of_cells`, in units of the sum of the pairs' absolute forces.
 * Without softening, or with one in proportion, nothing may be refused unless
 * `may_refuse`. */
static void
sweep(method *by, const char *name, int n_variants, double of_cells,
      bool may_refuse)
{
    struct system *s = system_create_self(N, N, 0, true);
    for (int e = 0; e < N_SOFTENINGS; e++) {
        struct tally tally = {0};
        for (int l = 0; l < N_LENGTHS; l++) {
            struct forces *expected = system_definition(
                    s, eps_at_one(&softenings[e], lengths[l]));
            for (int m = 0; m < N_MASSES; m++)
                for (int w = 0; w < n_variants; w++)
                    expect(by, name, s, &variants[w], &softenings[e],
                           (struct scale){lengths[l], masses[m]}, expected,
                           of_cells + variants[w].tolerance, &tally);
            forces_destroy(expected);
        }
        print_message("%s, eps %g: %zu of %zu refused\n", name,
                      softenings[e].eps, tally.refused, tally.done);
        if (may_refuse) continue;
        assert_true(tally.refused < tally.done);
        if (!softenings[e].fixed) assert_int_equal(tally.refused, 0);
    }
    system_destroy(s);
}

static void
direct_sums(void **state)
{
    (void)state;
    sweep(directly, "direct", N_VARIANTS, 0, false);
}

static void
direct_sums_on_a_store(void **state)
{
    (void)state;
    sweep(on_store, "store", N_VARIANTS, 0, false);
}

static void
trees(void **state)
{
    (void)state;
    sweep(by_tree, "tree", 2, OF_CELLS, false);
}

static void
trees_by_the_relative_criterion(void **state)
{
    (void)state;
    sweep(by_relative_tree, "relative tree", 2, OF_CELLS, false);
}

static void
lists_of_the_host(void **state)
{
    (void)state;
    /* elsewhere the host walks all trees anyway */
    if (!subject_is("cuda")) skip();
    sweep(by_lists, "lists", 2, OF_CELLS, false);
}

/* Forces that overflow a float are refused. A particle in its own list adds m /
 * eps to its potential, which may be many times the rest. */
static void
walks(void **state)
{
    (void)state;
    sweep(by_nwalk, "nwalk", 1, 1e-5, true);
}

/* Every power of two gives the same bits: no range of scales is treated
 * differently. */
static void
trees_have_the_same_bits(void **state)
{
    (void)state;
    struct system *s = system_create_self(N, N, 0, true);
    struct forces *one = forces_create(N), *f = forces_create(N);
    assert_ok(subject_context(), by_tree(s, &variants[0], 0.01, one));
    for (int k = -100; k <= 100; k++) {
        const struct scale at = {k, -k / 3};
        struct system *there = scaled(s, at);
        assert_ok(subject_context(),
                  by_tree(there, &variants[0], ldexp(0.01, k), f));
        scale_back(f, at);
        if (!forces_identical(f, one))
            fail_msg("lengths 2^%d, masses 2^%d: other bits", k, at.mass);
        system_destroy(there);
    }
    forces_destroy(f);
    forces_destroy(one);
    system_destroy(s);
}

/* ---- planted errors ------------------------------------------------------ */

/* A force that is missing because it is out of range. */
static void
a_lost_force_is_noticed(void **state)
{
    (void)state;
    struct system *s = system_create_self(N, N, 0, true);
    struct forces *expected = system_definition(s, 0.01), *f = forces_create(N);
    assert_ok(subject_context(), directly(s, &variants[0], 0.01, f));
    assert_int_equal(forces_wrong(f, expected, true, variants[0].tolerance), 0);
    f->ay[N / 2] = 0;
    assert_int_equal(forces_wrong(f, expected, true, variants[0].tolerance), 1);
    forces_destroy(f);
    forces_destroy(expected);
    system_destroy(s);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct_sums),
        cmocka_unit_test(direct_sums_on_a_store),
        cmocka_unit_test(trees),
        cmocka_unit_test(trees_by_the_relative_criterion),
        cmocka_unit_test(lists_of_the_host),
        cmocka_unit_test(trees_have_the_same_bits),
        cmocka_unit_test(walks),
        cmocka_unit_test(a_lost_force_is_noticed),
};

SUBJECT_MAIN(tests)
