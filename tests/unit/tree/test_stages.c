/* SPDX-License-Identifier: MIT */
/* The stages of the device's tree, run on the host, compared with the host's
 * tree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "host_stages.h"
#include "places.h"
#include "tree/tree.h"

static struct host_options
options_of(uint32_t n_leaf, bool hilbert, bool relative)
{
    return (struct host_options){.n_leaf = n_leaf,
                                 .hilbert = hilbert,
                                 .relative = relative,
                                 .theta = relative ? KOSHU_LARGEST_THETA : 0.5,
                                 .alpha = 0.001};
}

static struct host_tree
make(const struct places *p, const struct host_options *o)
{
    return host_tree_make(p->n, p->x, p->y, p->z, p->mass, o);
}

static struct koshu_tree
make_plain(const struct places *p, const struct host_options *o)
{
    struct koshu_tree_options options = koshu_tree_options_default();
    options.n_leaf = o->n_leaf;
    options.space_filling_curve = o->hilbert ? KOSHU_SPACE_FILLING_CURVE_HILBERT
                                             : KOSHU_SPACE_FILLING_CURVE_MORTON;
    options.opening_criterion = o->relative ? KOSHU_OPENING_CRITERION_RELATIVE
                                            : KOSHU_OPENING_CRITERION_GEOMETRIC;
    options.theta = 0.5;
    return places_tree(context, &options, p);
}

/* ---- any distribution ---------------------------------------------------- */

/* Returns NULL if children divide their parent's particles, leaves are small
 * enough, all particles are there, and children come after their parents. */
static const char *
fault(const struct host_tree *t, uint32_t n_leaf)
{
    size_t in_leaves = 0, children = 1;
    if (t->cell[0].first != 0 || t->cell[0].n != t->n) return "a bad root";
    for (size_t c = 0; c < t->n_cells; c++) {
        const struct host_cell *cell = &t->cell[c];
        if (cell->n == 0) return "an empty cell";
        if (cell->children == 0) {
            in_leaves += cell->n;
            if (cell->n > n_leaf) return "a leaf that is too full";
            continue;
        }
        if (cell->n <= n_leaf) return "a leaf that was cut";
        if (cell->children < 2 || cell->children > 8) return "a chain";
        if (cell->child <= c) return "a child before its parent";
        uint32_t first = cell->first;
        for (uint32_t k = 0; k < cell->children; k++) {
            if (t->cell[cell->child + k].first != first) return "a gap";
            first += t->cell[cell->child + k].n;
        }
        if (first != cell->first + cell->n) return "particles of no child";
        children += cell->children;
    }
    if (children != t->n_cells) return "cells of no parent, or of two";
    return in_leaves == t->n ? NULL : "particles in no leaf";
}

static const char *
fault_of_order(const struct host_tree *t)
{
    const char *fault = NULL;
    char *seen = calloc(t->n, 1);
    assert_non_null(seen);
    for (size_t k = 0; k < t->n && !fault; k++)
        if (t->order[k] >= t->n || seen[t->order[k]]++) fault = "no order";
    free(seen);
    return fault;
}

static void
every_distribution_gives_a_good_tree(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 64, 1000, 3001};
    for (int d = 0; d < DISTRIBUTIONS; d++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (uint32_t leaf = 1; leaf <= 36; leaf *= 6) {
                const struct host_options o =
                        options_of(leaf, k % 2 == 1, false);
                struct places p = places_make((enum distribution)d, sizes[k]);
                struct host_tree t = make(&p, &o);
                const char *f = fault(&t, leaf);
                if (!f) f = fault_of_order(&t);
                if (f) fail_msg("places %d, n %zu: %s", d, sizes[k], f);
                assert_true(t.rounds <= 4); /* two boxes in each other, and a
                                               point of the last */
                host_tree_free(&t);
                places_free(&p);
            }
}

/* The checks must find planted errors. */
static void
a_bad_tree_is_noticed(void **state)
{
    (void)state;
    const struct host_options o = options_of(8, false, false);
    struct places p = places_make(BALL, 1000);
    struct host_tree t = make(&p, &o);
    t.cell[t.cell[0].child].n--;
    assert_non_null(fault(&t, 8));
    t.cell[t.cell[0].child].n++;
    assert_null(fault(&t, 8));
    t.order[3] = t.order[4];
    assert_non_null(fault_of_order(&t));
    host_tree_free(&t);
    places_free(&p);
}

/* ---- against the host's tree --------------------------------------------- */

/* Compares two cells with all their descendants. */
static void
compare(const struct koshu_tree *a, uint32_t ca, const struct host_tree *b,
        uint32_t cb)
{
    const struct koshu_cell *x = &a->cell[ca];
    const struct host_cell *y = &b->cell[cb];
    if (x->first != y->first || x->n != y->n || x->children != y->children)
        fail_msg("%u + %u in %u children, not %u + %u in %u", y->first, y->n,
                 y->children, x->first, x->n, x->children);
    const double reach = sqrt(a->place.reach2[ca]);
    /* children's masses are floats */
    const double near = 1e-7 * reach;
    assert_near(y->x, a->place.x[ca], near);
    assert_near(y->y, a->place.y[ca], near);
    assert_near(y->z, a->place.z[ca], near);
    /* float, rounded up at each of up to 21 levels */
    assert_near(y->reach, reach, 3e-6 * reach);
    const double strength = sqrt(a->place.strength2[ca]);
    assert_near(y->strength, strength, 3e-6 * strength);
    const struct koshu_cell_moments *m = &a->moments[ca];
    const float expected[8] = {m->mass, m->xx, m->xy, m->xz,
                               m->yy,   m->yz, m->zz, m->half_trace};
    /* moments about the centre of mass keep the rounding of other terms */
    const double rest = 1e-14 * m->mass * reach * reach;
    for (int k = 0; k < 8; k++)
        assert_near(y->moments[k], expected[k],
                    3e-6 * (k == 0 ? m->mass : m->half_trace) + rest);
    for (uint32_t k = 0; k < x->children; k++)
        compare(a, x->child + k, b, y->child + k);
}

/* Without coincident particles, which are divided in another way. */
static void
it_is_the_tree_of_the_host(void **state)
{
    (void)state;
    static const enum distribution which[] = {BALL, LINE, FAR_AWAY, LOPSIDED,
                                              MASSLESS};
    for (size_t d = 0; d < sizeof which / sizeof which[0]; d++)
        for (int k = 0; k < 4; k++) {
            const struct host_options o =
                    options_of(k < 2 ? 24 : 1, k % 2 == 1, k % 2 == 1);
            struct places p = places_make(which[d], 3000);
            struct host_tree t = make(&p, &o);
            struct koshu_tree plain = make_plain(&p, &o);
            compare(&plain, 0, &t, 0);
            koshu_tree_free(&plain);
            host_tree_free(&t);
            places_free(&p);
        }
}

/* ---- groups -------------------------------------------------------------- */

static void
groups_begin_where_they_are_marked(void **state)
{
    (void)state;
    enum { N = 200 };
    static const uint32_t expected[] = {0, 1, 31, 32, 63, 64, 65, 190, 199};
    const size_t count = sizeof expected / sizeof expected[0];
    uint8_t begins[N] = {0};
    uint32_t first[N];
    for (size_t k = 0; k < count; k++) begins[expected[k]] = 1;
    assert_int_equal(host_groups(N, begins, first), count);
    assert_memory_equal(first, expected, sizeof expected);
}

/* A box in floats contains that in doubles. */
static void
boxes_are_rounded_up(void **state)
{
    (void)state;
    const double low[3] = {1e6, -0.3, 0}, high[3] = {1e6 + 1.0 / 3, 0.1, 0};
    double middle[3];
    float half[3];
    host_box(low, high, middle, half);
    for (int c = 0; c < 3; c++) {
        assert_true(middle[c] - half[c] <= low[c]);
        assert_true(middle[c] + half[c] >= high[c]);
        assert_near(half[c], 0.5 * (high[c] - low[c]), 1e-7);
    }
}

static void
factors_are_those_of_the_criterion(void **state)
{
    (void)state;
    struct host_options o = options_of(8, false, false);
    assert_true(host_factor(&o, 1) == 0);
    o = options_of(8, false, true);
    /* a few float roundings */
    assert_near(host_factor(&o, 3), pow(0.003, -0.2), 1e-6);
    assert_true(isinf(host_factor(&o, 0))); /* opens all cells */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_distribution_gives_a_good_tree),
            cmocka_unit_test(a_bad_tree_is_noticed),
            cmocka_unit_test(it_is_the_tree_of_the_host),
            cmocka_unit_test(groups_begin_where_they_are_marked),
            cmocka_unit_test(boxes_are_rounded_up),
            cmocka_unit_test(factors_are_those_of_the_criterion),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
