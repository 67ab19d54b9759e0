/* SPDX-License-Identifier: MIT */
/* Friends-of-friends groups compared with a search over all pairs; masses and
 * centres of groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/base.h"
#include "on_backend.h"

#include "fixture.h" /* its context is no parameter's name before */

enum { N = 600 };
static const double box = 10;
static double mass[N], x[3][N], u[3][N];
static uint64_t id[N];
static const struct koshu_particle_const_view view = {.size = sizeof view,
                                                      .n = N,
                                                      .id = id,
                                                      .mass = mass,
                                                      .x = x[0],
                                                      .y = x[1],
                                                      .z = x[2],
                                                      .vx = u[0],
                                                      .vy = u[1],
                                                      .vz = u[2]};

/* Clumps of about 40 particles, across all faces of the box and outside it. */
static void
scatter(unsigned short seed)
{
    unsigned short state[3] = {seed, 2, 3};
    for (size_t i = 0; i < N; i++) {
        id[i] = (i * 7 + 5) % N; /* 7 and 600 have no common divisor */
        mass[i] = 1 + (double)(i % 4);
        for (int a = 0; a < 3; a++) {
            const double clump = (double)((i / 40 * (size_t)(a + 3)) % 11);
            x[a][i] = clump + 1.2 * (erand48(state) - 0.5);
            u[a][i] = erand48(state) - (double)(i / 40);
        }
    }
}

static double
distance2(size_t i, size_t j)
{
    double r2 = 0;
    for (int a = 0; a < 3; a++) {
        double d = x[a][i] - x[a][j];
        d -= box * round(d / box);
        r2 += d * d;
    }
    return r2;
}

/* The lowest index in each particle's group, from all pairs, repeated until
 * nothing changes. */
static void
by_all_pairs(double length, size_t lowest[N])
{
    for (size_t i = 0; i < N; i++) lowest[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                if (lowest[j] < lowest[i] &&
                    distance2(i, j) <= length * length) {
                    lowest[i] = lowest[j];
                    changed = true;
                }
    }
}

static void
check_against_all_pairs(double length, size_t least)
{
    size_t lowest[N], count[N] = {0}, members = 0;
    struct koshu_fof g;
    by_all_pairs(length, lowest);
    for (size_t i = 0; i < N; i++) count[lowest[i]]++;
    for (size_t i = 0; i < N; i++) members += count[lowest[i]] >= least ? 1 : 0;
    assert_ok(context,
              koshu_friends_of_friends(
                      context, &view,
                      &(struct koshu_friends_options){box, length, least}, &g));
    assert_int_equal(g.first[g.n], members);
    for (size_t k = 0; k < g.n; k++) {
        const size_t n = g.first[k + 1] - g.first[k];
        const uint32_t *member = g.member + g.first[k];
        assert_int_equal(n, count[member[0]]);
        assert_true(k == 0 || n <= g.first[k] - g.first[k - 1]);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(lowest[member[i]], member[0]);
    }
    koshu_fof_free(&g);
}

static void
test_groups_are_those_of_all_pairs(void **state)
{
    (void)state;
    for (unsigned short seed = 1; seed < 6; seed++) {
        scatter(seed);
        check_against_all_pairs(0.2, 2);
        check_against_all_pairs(0.35, 1);
        check_against_all_pairs(0.5, 20);
        /* the longest linking length: five cells per edge */
        check_against_all_pairs(2.5, 1);
    }
}

static void
test_threads_do_not_change_groups(void **state)
{
    (void)state;
    struct koshu_context_options four = koshu_context_options_default();
    struct koshu_context *other;
    struct koshu_fof a, b;
    const struct koshu_friends_options o = {box, 0.3, 1};
    four.threads = 4;
    four.backend = "ref";
    assert_ok(NULL, koshu_context_create(&four, &other));
    scatter(3);
    assert_ok(context, koshu_friends_of_friends(context, &view, &o, &a));
    assert_ok(other, koshu_friends_of_friends(other, &view, &o, &b));
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.first, b.first, (a.n + 1) * sizeof *a.first);
    assert_memory_equal(a.member, b.member, N * sizeof *a.member);
    koshu_fof_free(&a);
    koshu_fof_free(&b);
    koshu_context_destroy(other);
}

/* ---- more cells than one thread takes at once ---------------------------- */

enum { MANY = 6000 };
static double place[3][MANY];
static uint64_t name[MANY];
static size_t parent[MANY];

static size_t
root_of(size_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* The first particle of each group is its root. */
static void
join_all_pairs(double length)
{
    for (size_t i = 0; i < MANY; i++) parent[i] = i;
    for (size_t i = 0; i < MANY; i++)
        for (size_t j = 0; j < i; j++) {
            double r2 = 0;
            for (int a = 0; a < 3; a++) {
                double d = fabs(place[a][i] - place[a][j]);
                d = fmin(d, box - d);
                r2 += d * d;
            }
            const size_t p = root_of(i), q = root_of(j);
            if (r2 <= length * length) parent[p > q ? p : q] = p < q ? p : q;
        }
}

/* 6000 particles in a volume of 1000 are 0.55 apart: linking lengths of half
 * this make pairs and chains, 0.9 links nearly all. */
static void
check_many(struct koshu_context *other, double length)
{
    const struct koshu_particle_const_view v = {.size = sizeof v,
                                                .n = MANY,
                                                .id = name,
                                                .x = place[0],
                                                .y = place[1],
                                                .z = place[2]};
    struct koshu_fof g;
    join_all_pairs(length);
    assert_ok(other,
              koshu_friends_of_friends(
                      other, &v,
                      &(struct koshu_friends_options){box, length, 1}, &g));
    assert_int_equal(g.first[g.n], MANY);
    for (size_t k = 0; k < g.n; k++)
        for (size_t i = g.first[k]; i < g.first[k + 1]; i++) {
            assert_int_equal(root_of(g.member[i]), g.member[g.first[k]]);
            assert_true(i == g.first[k] || g.member[i] > g.member[i - 1]);
        }
    for (size_t i = 0; i < MANY; i++) parent[i] = parent[i] == i;
    for (size_t i = 1; i < MANY; i++) parent[0] += parent[i];
    assert_int_equal(parent[0], g.n);
    koshu_fof_free(&g);
}

static void
test_many_cells_and_threads(void **state)
{
    (void)state;
    unsigned short seed[3] = {1, 2, 3};
    struct koshu_context_options four = koshu_context_options_default();
    struct koshu_context *other;
    four.threads = 4;
    four.backend = "ref";
    assert_ok(NULL, koshu_context_create(&four, &other));
    for (size_t i = 0; i < MANY; i++) {
        name[i] = i;
        for (int a = 0; a < 3; a++) place[a][i] = box * erand48(seed);
    }
    struct koshu_context *const contexts[] = {other, context};
    for (int k = 0; k < 2; k++) {
        check_many(contexts[k], 0.27);
        check_many(contexts[k], 0.5);
    }
    koshu_context_destroy(other);
}

/* The only group of the first n particles. */
static struct koshu_fof_group
only_group(size_t n, double length)
{
    struct koshu_particle_const_view some = view;
    struct koshu_fof g;
    struct koshu_fof_group group;
    some.n = n;
    assert_ok(context,
              koshu_friends_of_friends(
                      context, &some,
                      &(struct koshu_friends_options){box, length, 2}, &g));
    assert_int_equal(g.n, 1);
    assert_ok(context,
              koshu_fof_measure(context, &some, &g, box, 0.01, &group));
    koshu_fof_free(&g);
    assert_int_equal(group.n, n);
    return group;
}

/* Eight particles about a corner of the box; id 7 is the heaviest. */
static void
test_a_group_across_a_corner(void **state)
{
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        id[i] = i;
        mass[i] = i == 7 ? 3 : 1;
        for (int a = 0; a < 3; a++) {
            const double side = i >> a & 1 ? 0.1 : -0.1;
            x[a][i] = side < 0 ? box + side : side;
            u[a][i] = 2 + 10 * side;
        }
    }
    const struct koshu_fof_group group = only_group(8, 0.25);
    assert_near(group.mass, 10, 1e-13);
    for (int a = 0; a < 3; a++) {
        /* (0.1 (4 + 2) - 0.1 4) / 10 */
        assert_near(group.centre[a], 0.02, 1e-12);
        assert_near(group.velocity[a], 2.2, 1e-13);
    }
    /* <v^2> = (6 9 + 4 1) / 10 along each axis */
    assert_near(group.dispersion, sqrt(5.8 - 2.2 * 2.2), 1e-12);
    /* along each axis from the heaviest, potentials are equal up to the
     * rounding of positions */
    assert_true(group.minimum_id == 3 || group.minimum_id == 5 ||
                group.minimum_id == 6);
}

/* Then every particle counts the same. */
static void
test_a_group_without_mass(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        id[i] = i;
        mass[i] = 0;
        for (int a = 0; a < 3; a++) {
            x[a][i] = 3 + 0.1 * (double)i;
            u[a][i] = 1 + 2 * (double)i;
        }
    }
    const struct koshu_fof_group group = only_group(2, 0.25);
    assert_true(group.mass == 0);
    for (int a = 0; a < 3; a++) {
        assert_near(group.centre[a], 3.05, 1e-12);
        assert_near(group.velocity[a], 2, 1e-13);
    }
    assert_near(group.dispersion, 1, 1e-12);
}

static void
test_what_has_no_groups_is_refused(void **state)
{
    (void)state;
    struct koshu_fof g;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "a quarter of the box",
                 koshu_friends_of_friends(
                         context, &view,
                         &(struct koshu_friends_options){box, 2.6, 1}, &g));
    static const double too_short[] = {0, -1, 8e-7 * 10, NAN};
    for (int k = 0; k < 4; k++)
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, "above 8.25906e-06",
                     koshu_friends_of_friends(context, &view,
                                              &(struct koshu_friends_options){
                                                      box, too_short[k], 1},
                                              &g));
}

static int
begin(void **state)
{
    (void)state;
    context = test_context(on_backend("cpu"), 1);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_groups_are_those_of_all_pairs),
            cmocka_unit_test(test_threads_do_not_change_groups),
            cmocka_unit_test(test_many_cells_and_threads),
            cmocka_unit_test(test_a_group_across_a_corner),
            cmocka_unit_test(test_a_group_without_mass),
            cmocka_unit_test(test_what_has_no_groups_is_refused),
    };
    return cmocka_run_group_tests(tests, begin, context_end);
}
