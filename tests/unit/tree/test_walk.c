/* SPDX-License-Identifier: MIT */
/* Interaction lists: nothing is missing or double, and cells are far enough. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "places.h"
#include "tree/find.h"
#include "tree/tree.h"

static struct koshu_tree_options
options_of(double theta, enum koshu_multipole_order order,
           enum koshu_opening_criterion criterion)
{
    struct koshu_tree_options o = koshu_tree_options_default();
    o.theta = theta;
    o.multipole_order = order;
    o.opening_criterion = criterion;
    o.n_leaf = 4;
    return o;
}

static double
list_mass(const struct koshu_list *l)
{
    double mass = 0;
    for (size_t k = 0; k < l->n_j; k++) mass += (double)l->j[3][k];
    for (size_t k = 0; k < l->n_cells; k++) mass += (double)l->cell[3][k];
    return mass;
}

/* Counts each particle once for each range and cell of the last walk's list
 * that contains it; the group's own particles come first in the list. */
static bool
counts_each_once(const struct koshu_tree *t, const struct koshu_group *g,
                 const struct koshu_walker *w)
{
    const struct koshu_list *l = &w->list;
    const size_t cells = l->n_cells;
    unsigned char *count = calloc(t->n, 1);
    assert_non_null(count);
    for (uint32_t k = g->first; k < g->first + g->n; k++) count[k]++;
    size_t particles = g->n;
    for (size_t r = 0; particles < l->n_j; r++) {
        for (uint32_t k = w->range[r].first; k < w->range[r].last; k++)
            count[k]++;
        particles += w->range[r].last - w->range[r].first;
    }
    for (size_t c = 0; c < cells; c++) {
        const struct koshu_cell *cell = &t->cell[w->accepted[c]];
        for (uint32_t k = 0; k < cell->n; k++) count[cell->first + k]++;
    }
    bool once = particles == l->n_j;
    for (size_t k = 0; k < t->n; k++) once = once && count[k] == 1;
    free(count);
    return once;
}

static double
beyond(double x, double middle, double half)
{
    return fmax(0, fabs(x - middle) - half);
}

static double
distance(const struct koshu_tree *t, size_t c, const struct koshu_group *g)
{
    return hypot(hypot(beyond(t->place.x[c], g->x, g->half_x),
                       beyond(t->place.y[c], g->y, g->half_y)),
                 beyond(t->place.z[c], g->z, g->half_z));
}

static void
assert_lists(const struct koshu_tree *t, size_t n_crit, double a, bool split)
{
    struct koshu_groups groups = {0};
    struct koshu_walker w = {0};
    const double mass = (double)t->moments[0].mass;
    assert_ok(context, koshu_groups_make(&groups, t, n_crit));
    for (size_t k = 0; k < groups.n; k++) {
        const struct koshu_group *g = &groups.group[k];
        assert_int_equal(koshu_tree_walk(t, g, a, split, &w), KOSHU_OK);
        assert_near(list_mass(&w.list), mass, 1e-5 * mass);
        if (t->options.multipole_order == KOSHU_MULTIPOLE_ORDER_MONOPOLE)
            continue;
        if (!counts_each_once(t, g, &w)) fail_msg("group %zu", k);
        for (size_t c = 0; c < w.list.n_cells; c++)
            assert_true(distance(t, w.accepted[c], g) >=
                        sqrt(t->place.reach2[w.accepted[c]]) * (1 - 1e-12));
    }
    koshu_walker_free(&w);
    koshu_groups_free(&groups);
}

static void
every_particle_counts_once(void **state)
{
    (void)state;
    for (int d = 0; d < DISTRIBUTIONS; d++)
        for (int k = 0; k < 8; k++) {
            const struct koshu_tree_options o =
                    options_of(k & 1 ? 1 : 0.3,
                               k & 2 ? KOSHU_MULTIPOLE_ORDER_MONOPOLE
                                     : KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                               k & 4 ? KOSHU_OPENING_CRITERION_RELATIVE
                                     : KOSHU_OPENING_CRITERION_GEOMETRIC);
            struct places p = places_make((enum distribution)d, 1200);
            struct koshu_tree t = places_tree(context, &o, &p);
            assert_lists(&t, 32, 1, k % 3 == 0);
            assert_lists(&t, 1, 1, false);
            koshu_tree_free(&t);
            places_free(&p);
        }
}

static void
a_wrong_list_is_noticed(void **state)
{
    (void)state;
    const struct koshu_tree_options o =
            options_of(0.7, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                       KOSHU_OPENING_CRITERION_GEOMETRIC);
    struct places p = places_make(BALL, 3000);
    struct koshu_tree t = places_tree(context, &o, &p);
    struct koshu_walker w = {0};
    const struct koshu_group g = koshu_group_of(&t, 0, 10);
    assert_int_equal(koshu_tree_walk(&t, &g, 0, false, &w), KOSHU_OK);
    assert_true(w.list.n_cells > 1 && counts_each_once(&t, &g, &w));
    w.accepted[0] = w.accepted[1];
    assert_false(counts_each_once(&t, &g, &w));
    koshu_walker_free(&w);
    koshu_tree_free(&t);
    places_free(&p);
}

/* Positions are relative to the group's centre; with low parts, to 48 bits. */
static void
lists_are_relative_to_the_group(void **state)
{
    (void)state;
    const struct koshu_tree_options o =
            options_of(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                       KOSHU_OPENING_CRITERION_GEOMETRIC);
    struct places p = places_make(FAR_AWAY, 2000);
    struct koshu_tree t = places_tree(context, &o, &p);
    struct koshu_walker w = {0};
    const struct koshu_group g = koshu_group_of(&t, 500, 20);
    assert_int_equal(koshu_tree_walk(&t, &g, 0, true, &w), KOSHU_OK);
    for (uint32_t k = 0; k < g.n; k++) {
        double x = t.x[500 + k] - g.x;
        assert_true(w.list.j[0][k] == (float)x);
        assert_near((double)w.list.j[0][k] + (double)w.list.j[4][k], x,
                    0x1p-47 * fabs(x));
        assert_true(w.list.j[3][k] == (float)t.mass[500 + k]);
    }
    for (size_t c = 0; c < w.list.n_cells; c++)
        assert_true(w.list.cell[2][c] ==
                    (float)(t.place.z[w.accepted[c]] - g.z));
    koshu_walker_free(&w);
    koshu_tree_free(&t);
    places_free(&p);
}

/* A smaller theta or alpha makes longer lists, up to all particles. */
static size_t
list_length(struct koshu_tree_options o, double a)
{
    struct places p = places_make(BALL, 3000);
    struct koshu_tree t = places_tree(context, &o, &p);
    struct koshu_walker w = {0};
    const struct koshu_group g = koshu_group_of(&t, 1000, 8);
    assert_int_equal(koshu_tree_walk(&t, &g, a, false, &w), KOSHU_OK);
    size_t n = w.list.n_j + w.list.n_cells;
    koshu_walker_free(&w);
    koshu_tree_free(&t);
    places_free(&p);
    return n;
}

static void
finer_means_longer(void **state)
{
    (void)state;
    size_t before = 0;
    for (double theta = 1; theta > 0.1; theta *= 0.7) {
        size_t n =
                list_length(options_of(theta, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                                       KOSHU_OPENING_CRITERION_GEOMETRIC),
                            0);
        assert_true(n > before && n <= 3000);
        before = n;
    }
    struct koshu_tree_options o =
            options_of(1, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                       KOSHU_OPENING_CRITERION_RELATIVE);
    before = 0;
    for (o.alpha = 1e-2; o.alpha > 1e-6; o.alpha *= 0.1) {
        size_t n = list_length(o, 1);
        assert_true(n > before);
        before = n;
    }
    assert_int_equal(list_length(o, 0), 3000);
    assert_int_equal(
            list_length(options_of(1e-9, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                                   KOSHU_OPENING_CRITERION_GEOMETRIC),
                        0),
            3000);
}

/* Lists do not depend on the instruction set that computes them. */
static void
instruction_sets_give_the_same(void **state)
{
    (void)state;
    const struct koshu_tree_options o =
            options_of(0.6, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                       KOSHU_OPENING_CRITERION_GEOMETRIC);
    const struct find_ops *ops[3] = {&koshu_find_base};
    int n_ops = 1;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) ops[n_ops++] = &koshu_find_avx2;
    if (__builtin_cpu_supports("avx512f")) ops[n_ops++] = &koshu_find_avx512;
#endif
    struct places p = places_make(BALL, 5000);
    struct koshu_tree t = places_tree(context, &o, &p);
    struct koshu_walker w[3];
    memset(w, 0, sizeof w);
    struct koshu_walk_found found[3] = {{0}};
    const struct koshu_group g = koshu_group_of(&t, 2000, 30);
    const struct opening opening = {g.x,      g.y,      g.z,  g.half_x,
                                    g.half_y, g.half_z, 2000, 2030,
                                    0,        2,        true};
    for (int k = 0; k < n_ops; k++) {
        assert_int_equal(ops[k]->find(&t, &opening, &w[k], &found[k]),
                         KOSHU_OK);
        assert_int_equal(found[k].cells, found[0].cells);
        assert_int_equal(found[k].ranges, found[0].ranges);
        assert_memory_equal(w[k].accepted, w[0].accepted,
                            found[0].cells * sizeof *w[0].accepted);
        assert_memory_equal(w[k].range, w[0].range,
                            found[0].ranges * sizeof *w[0].range);
    }
    for (int k = 0; k < n_ops; k++) koshu_walker_free(&w[k]);
    koshu_tree_free(&t);
    places_free(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_particle_counts_once),
            cmocka_unit_test(a_wrong_list_is_noticed),
            cmocka_unit_test(lists_are_relative_to_the_group),
            cmocka_unit_test(finer_means_longer),
            cmocka_unit_test(instruction_sets_give_the_same),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
