/* SPDX-License-Identifier: MIT */
/* Properties of every tree, whatever the distribution of particles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fixture.h"
#include "places.h"
#include "tree/tree.h"

static struct koshu_tree_options
options_of(uint64_t n_leaf, enum koshu_space_filling_curve curve)
{
    struct koshu_tree_options o = koshu_tree_options_default();
    o.n_leaf = n_leaf;
    o.space_filling_curve = curve;
    return o;
}

/* Returns what is wrong with the tree, or NULL. */
static const char *
fault(const struct koshu_tree *t, const struct places *p)
{
    if (t->cell[0].first != 0 || t->cell[0].n != p->n)
        return "the root does not hold all particles";
    size_t in_leaves = 0, children = 1;
    for (size_t c = 0; c < t->n_cells; c++) {
        const struct koshu_cell *cell = &t->cell[c];
        if (cell->n == 0) return "an empty cell";
        if (cell->children == 0) {
            in_leaves += cell->n;
            if (cell->n > t->options.n_leaf) return "a leaf that is too full";
            continue;
        }
        if (cell->n <= t->options.n_leaf) return "a leaf that was cut";
        if (cell->children < 2) return "a chain";
        if (cell->child != children) return "children that are elsewhere";
        uint32_t first = cell->first;
        for (uint32_t k = 0; k < cell->children; k++) {
            const struct koshu_cell *child = &t->cell[cell->child + k];
            if (child->first != first) return "children that leave gaps";
            first += child->n;
        }
        if (first != cell->first + cell->n) return "particles of no child";
        children += cell->children;
    }
    if (children != t->n_cells) return "cells of no parent";
    return in_leaves == p->n ? NULL : "particles in no leaf";
}

/* Is `order` a permutation, and do the copies follow it? */
static const char *
fault_of_order(const struct koshu_tree *t, const struct places *p)
{
    const char *fault = NULL;
    char *seen = calloc(p->n, 1);
    assert_non_null(seen);
    for (size_t k = 0; k < p->n && !fault; k++) {
        size_t i = t->order[k];
        if (i >= p->n || seen[i]++)
            fault = "no permutation";
        else if (t->x[k] != p->x[i] || t->y[k] != p->y[i] ||
                 t->z[k] != p->z[i] || t->mass[k] != p->mass[i])
            fault = "a copy of another particle";
    }
    free(seen);
    return fault;
}

static void
assert_good(const struct koshu_tree *t, const struct places *p, int which)
{
    const char *f = fault(t, p);
    if (!f) f = fault_of_order(t, p);
    if (f) fail_msg("distribution %d, n %zu: %s", which, p->n, f);
}

static void
every_distribution_gives_a_good_tree(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 9, 100, 3001};
    for (int d = 0; d < DISTRIBUTIONS; d++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (uint64_t leaf = 1; leaf <= 16; leaf *= 4) {
                struct koshu_tree_options o = options_of(
                        leaf, k % 2 ? KOSHU_SPACE_FILLING_CURVE_HILBERT
                                    : KOSHU_SPACE_FILLING_CURVE_MORTON);
                struct places p = places_make((enum distribution)d, sizes[k]);
                struct koshu_tree t = places_tree(context, &o, &p);
                assert_good(&t, &p, d);
                koshu_tree_free(&t);
                places_free(&p);
            }
}

/* The check must find a planted error. */
static void
a_bad_tree_is_noticed(void **state)
{
    (void)state;
    struct koshu_tree_options o =
            options_of(8, KOSHU_SPACE_FILLING_CURVE_MORTON);
    struct places p = places_make(BALL, 1000);
    struct koshu_tree t = places_tree(context, &o, &p);
    t.cell[t.cell[0].child].n--;
    assert_non_null(fault(&t, &p));
    t.cell[t.cell[0].child].n++;
    assert_null(fault(&t, &p));
    t.order[3] = t.order[4];
    assert_non_null(fault_of_order(&t, &p));
    koshu_tree_free(&t);
    places_free(&p);
}

/* Particles of an octant are together: cells of a level overlap only at their
 * faces, unless their particles are at the same point. */
static void
siblings_have_boxes_of_their_own(void **state)
{
    (void)state;
    struct koshu_tree_options o =
            options_of(4, KOSHU_SPACE_FILLING_CURVE_HILBERT);
    struct places p = places_make(ESCAPER, 3000);
    struct koshu_tree t = places_tree(context, &o, &p);
    for (size_t c = 0; c < t.n_cells; c++)
        for (uint32_t k = 1; k < t.cell[c].children; k++) {
            const struct koshu_cell *a = &t.cell[t.cell[c].child + k - 1];
            const struct koshu_cell *b = a + 1;
            struct koshu_group ga = koshu_group_of(&t, a->first, a->n);
            struct koshu_group gb = koshu_group_of(&t, b->first, b->n);
            assert_true(fabs(ga.x - gb.x) >= ga.half_x + gb.half_x ||
                        fabs(ga.y - gb.y) >= ga.half_y + gb.half_y ||
                        fabs(ga.z - gb.z) >= ga.half_z + gb.half_z);
        }
    koshu_tree_free(&t);
    places_free(&p);
}

/* However far one particle escapes, the others are resolved: a tree of n
 * particles at different places has no arbitrarily halved cell. And no tree is
 * deep: a box has 21 levels, and few boxes are nested. */
static void
depth_is_bounded(void **state)
{
    (void)state;
    struct koshu_tree_options o =
            options_of(1, KOSHU_SPACE_FILLING_CURVE_MORTON);
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        struct places p = places_make((enum distribution)d, 4096);
        struct koshu_tree t = places_tree(context, &o, &p);
        /* two nested boxes, or 12 halvings of 4096 */
        assert_true(t.n_levels <= 2 * 21 + 12);
        koshu_tree_free(&t);
        places_free(&p);
    }
}

static void
threads_do_not_matter(void **state)
{
    (void)state;
    struct koshu_context *many = test_context(NULL, 5);
    struct koshu_tree_options o =
            options_of(8, KOSHU_SPACE_FILLING_CURVE_HILBERT);
    struct places p = places_make(ESCAPER, 40000);
    struct koshu_tree a = places_tree(context, &o, &p);
    struct koshu_tree b = places_tree(many, &o, &p);
    assert_int_equal(a.n_cells, b.n_cells);
    assert_memory_equal(a.cell, b.cell, a.n_cells * sizeof *a.cell);
    assert_memory_equal(a.order, b.order, a.n * sizeof *a.order);
    assert_memory_equal(a.moments, b.moments, a.n_cells * sizeof *a.moments);
    koshu_tree_free(&a);
    koshu_tree_free(&b);
    places_free(&p);
    koshu_context_destroy(many);
}

/* A tree is reused for more particles, and for fewer. */
static void
trees_grow_and_shrink(void **state)
{
    (void)state;
    struct koshu_tree t = {.context = context,
                           .options = koshu_tree_options_default()};
    static const size_t sizes[] = {10, 5000, 1, 6000};
    for (int k = 0; k < 4; k++) {
        struct places p = places_make(BALL, sizes[k]);
        struct koshu_tree_seconds seconds;
        assert_ok(context,
                  koshu_tree_make(&t, p.n, p.x, p.y, p.z, p.mass, &seconds));
        assert_good(&t, &p, BALL);
        places_free(&p);
    }
    koshu_tree_free(&t);
}

static double
sum_of(const struct koshu_tree_seconds *s)
{
    return s->keys + s->sort + s->build + s->moments;
}

/* A tree without moments has the same cells, and the stages' times stay within
 * the call's. */
static void
trees_may_be_without_moments(void **state)
{
    (void)state;
    struct koshu_tree_options o = koshu_tree_options_default();
    struct places p = places_make(BALL, 3001);
    struct koshu_tree whole = {.context = context, .options = o},
                      cut = {.context = context, .options = o};
    struct koshu_tree_seconds seconds;
    const double start = koshu_now();
    assert_ok(context,
              koshu_tree_make(&whole, p.n, p.x, p.y, p.z, p.mass, &seconds));
    const double made = koshu_now();
    assert_true(seconds.moments > 0 && sum_of(&seconds) <= made - start);
    assert_ok(context,
              koshu_tree_cut(&cut, p.n, p.x, p.y, p.z, NULL, &seconds));
    assert_true(seconds.moments == 0 && seconds.build > 0);
    assert_true(sum_of(&seconds) <= koshu_now() - made);
    assert_int_equal(cut.n_cells, whole.n_cells);
    assert_memory_equal(cut.cell, whole.cell, cut.n_cells * sizeof *cut.cell);
    assert_memory_equal(cut.order, whole.order, cut.n * sizeof *cut.order);
    koshu_tree_free(&whole);
    koshu_tree_free(&cut);
    places_free(&p);
}

static void
what_is_no_place_is_named(void **state)
{
    (void)state;
    struct koshu_tree t = {.context = context,
                           .options = koshu_tree_options_default()};
    struct koshu_tree_seconds seconds;
    struct places p = places_make(BALL, 100);
    p.x[42] = 1;
    p.y[42] = NAN;
    p.z[42] = 3;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE,
                 "particle 42 of a tree is at (1, nan, 3)",
                 koshu_tree_make(&t, p.n, p.x, p.y, p.z, p.mass, &seconds));
    p.y[42] = 1.7e308;
    p.y[43] = -1.7e308;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "further",
                 koshu_tree_make(&t, p.n, p.x, p.y, p.z, p.mass, &seconds));
    assert_fails(
            context, KOSHU_ERROR_UNSUPPORTED, "4294967295",
            koshu_tree_make(&t, UINT32_MAX, p.x, p.y, p.z, p.mass, &seconds));
    koshu_tree_free(&t);
    places_free(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_distribution_gives_a_good_tree),
            cmocka_unit_test(a_bad_tree_is_noticed),
            cmocka_unit_test(siblings_have_boxes_of_their_own),
            cmocka_unit_test(depth_is_bounded),
            cmocka_unit_test(threads_do_not_matter),
            cmocka_unit_test(trees_grow_and_shrink),
            cmocka_unit_test(trees_may_be_without_moments),
            cmocka_unit_test(what_is_no_place_is_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
