/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "fixture.h"
#include "places.h"
#include "tree/tree.h"

/* Groups are consecutive and contain all particles, each at most n_crit, in
 * boxes that contain them. */
static void
assert_groups(const struct koshu_tree *t, size_t n_crit)
{
    struct koshu_groups groups = {0};
    assert_ok(context, koshu_groups_make(&groups, t, n_crit));
    uint32_t first = 0;
    size_t largest = 0;
    for (size_t k = 0; k < groups.n; k++) {
        const struct koshu_group *g = &groups.group[k];
        assert_int_equal(g->first, first);
        assert_true(g->n >= 1 && g->n <= n_crit);
        first += g->n;
        if (g->n > largest) largest = g->n;
        for (uint32_t i = g->first; i < first; i++)
            assert_true(fabs(t->x[i] - g->x) <= g->half_x &&
                        fabs(t->y[i] - g->y) <= g->half_y &&
                        fabs(t->z[i] - g->z) <= g->half_z);
    }
    assert_int_equal(first, t->n);
    assert_int_equal(groups.largest, largest);
    koshu_groups_free(&groups);
}

static void
every_particle_is_in_one_group(void **state)
{
    (void)state;
    static const size_t n_crit[] = {1, 3, 8, 64, 1999, 2000, 100000};
    const struct koshu_tree_options o = koshu_tree_options_default();
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        struct places p = places_make((enum distribution)d, 2000);
        struct koshu_tree t = places_tree(context, &o, &p);
        for (size_t k = 0; k < sizeof n_crit / sizeof n_crit[0]; k++)
            assert_groups(&t, n_crit[k]);
        koshu_tree_free(&t);
        places_free(&p);
    }
}

/* Hamada09 section 2.1: on average between n_crit / 8 and n_crit particles. */
static void
groups_are_not_small(void **state)
{
    (void)state;
    const struct koshu_tree_options o = koshu_tree_options_default();
    struct places p = places_make(BALL, 20000);
    struct koshu_tree t = places_tree(context, &o, &p);
    struct koshu_groups groups = {0};
    assert_ok(context, koshu_groups_make(&groups, &t, 64));
    assert_true(groups.n * 64 / 2 <= p.n);
    koshu_groups_free(&groups);
    koshu_tree_free(&t);
    places_free(&p);
}

/* Number of groups for clumps of n particles at x = 0, 1 and so on, each 2^-20
 * wide; n_crit would allow one group. */
static size_t
groups_of_clumps(size_t clumps, size_t n)
{
    const struct koshu_tree_options o = koshu_tree_options_default();
    struct places p = places_make(BALL, clumps * n);
    struct koshu_groups groups = {0};
    for (size_t i = 0; i < p.n; i++) {
        p.x[i] = 0x1p-20 * p.x[i] + (double)(i / n);
        p.y[i] *= 0x1p-20;
        p.z[i] *= 0x1p-20;
    }
    struct koshu_tree t = places_tree(context, &o, &p);
    assert_ok(context, koshu_groups_make(&groups, &t, 100000));
    const size_t found = groups.n;
    koshu_groups_free(&groups);
    koshu_tree_free(&t);
    places_free(&p);
    return found;
}

/* Relative to a common centre, floats could not distinguish the particles of a
 * clump, so each clump is a group. Stars with one companion each do not justify
 * groups of two. */
static void
clumps_are_groups_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(groups_of_clumps(1, 40), 1);
    assert_int_equal(groups_of_clumps(2, 20), 2);
    assert_int_equal(groups_of_clumps(3, 40), 3);
    assert_int_equal(groups_of_clumps(10, 4), 10);
    assert_int_equal(groups_of_clumps(60, 4), 1); /* no clump is separate */
    assert_int_equal(groups_of_clumps(20, 2), 1);
    assert_int_equal(groups_of_clumps(40, 1), 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_particle_is_in_one_group),
            cmocka_unit_test(groups_are_not_small),
            cmocka_unit_test(clumps_are_groups_of_their_own),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
