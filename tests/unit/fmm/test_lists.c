/* SPDX-License-Identifier: MIT */
/* Lists of cells: each pair of particles is in exactly one of them, and cells
 * that act by expansions are far enough. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "fmm/fmm.h"
#include "places.h"

enum { N = 500 };

struct side {
    struct koshu_tree tree;
    struct koshu_fmm_cells cells;
};

static struct side
side_of(enum distribution distribution)
{
    struct places p = places_make(distribution, N);
    struct side s = {.tree.context = context};
    struct koshu_tree_seconds seconds;
    s.tree.options = koshu_tree_options_default();
    s.tree.options.n_leaf = 6;
    assert_ok(context,
              koshu_tree_cut(&s.tree, p.n, p.x, p.y, p.z, p.mass, &seconds));
    assert_ok(context,
              koshu_fmm_cells_make(&s.cells, &s.tree, 1, 4, sizeof(float)));
    places_free(&p);
    return s;
}

static void
side_free(struct side *s)
{
    koshu_tree_free(&s->tree);
    koshu_fmm_cells_free(&s->cells);
}

/* How often each target has met each source. */
static unsigned char met[N][N];

static void
meet(const struct koshu_cell *target, const struct koshu_cell *source)
{
    for (uint32_t i = 0; i < target->n; i++)
        for (uint32_t j = 0; j < source->n; j++)
            met[target->first + i][source->first + j]++;
}

static void
assert_far(const struct koshu_fmm_criterion *c, const struct side *t,
           uint32_t i, const struct side *s, uint32_t j)
{
    const double d = hypot(
            hypot(t->cells.x[i] - s->cells.x[j], t->cells.y[i] - s->cells.y[j]),
            t->cells.z[i] - s->cells.z[j]);
    const double both = t->cells.radius[i] + s->cells.radius[j];
    assert_true(both <=
                koshu_opening_theta(&c->opening, both) * d * (1 + 1e-15));
    assert_true(d - both >= c->apart * (1 - 1e-12));
}

/* A cell with all its descendants. */
static void
descend(const struct koshu_fmm_criterion *c, const struct side *t,
        uint32_t cell, const struct side *s, size_t n, const uint32_t *source)
{
    struct koshu_fmm_lists l = {0};
    const struct koshu_cell *is = &t->tree.cell[cell];
    assert_int_equal(
            koshu_fmm_lists_make(&l, c, &t->cells, cell, &s->cells, n, source),
            KOSHU_OK);
    for (size_t k = 0; k < l.n_far; k++) {
        assert_far(c, t, cell, s, l.far[k]);
        meet(is, &s->tree.cell[l.far[k]]);
    }
    for (size_t k = 0; k < l.n_same; k++) {
        assert_true(t->cells.extent[cell] + s->cells.extent[l.same[k]] == 0);
        meet(is, &s->tree.cell[l.same[k]]);
    }
    for (size_t k = 0; k < l.n_near; k++) {
        assert_int_equal(is->children, 0);
        meet(is, &s->tree.cell[l.near[k]]);
    }
    assert_true(is->children > 0 || l.n_pending == 0);
    for (uint32_t k = 0; k < is->children; k++)
        descend(c, t, is->child + k, s, l.n_pending, l.pending);
    koshu_fmm_lists_free(&l);
}

static void
assert_all_meet_once(const struct koshu_fmm_criterion *c, const struct side *t,
                     const struct side *s)
{
    const uint32_t root = 0;
    memset(met, 0, sizeof met);
    descend(c, t, 0, s, 1, &root);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) assert_int_equal(met[i][j], 1);
}

static struct koshu_fmm_criterion
criterion_of(double theta, double apart)
{
    return (struct koshu_fmm_criterion){koshu_opening_of_all(theta), apart};
}

/* From 0.35 for the largest cells to 0.9. */
static struct koshu_fmm_criterion
criterion_by_size(void)
{
    struct koshu_fmm_criterion c = {.opening = {.per_largest = 0.5}};
    for (int k = 0; k < KOSHU_OPENING_SIZES; k++)
        c.opening.theta[k] = fmin(0.35 + 0.1 * k, 0.9);
    return c;
}

static void
each_pair_is_in_one_list(void **state)
{
    (void)state;
    const struct koshu_fmm_criterion criteria[] = {
            criterion_of(0.35, 0), criterion_of(0.5, 0), criterion_of(0.9, 0),
            criterion_of(0.6, 0.5), criterion_by_size()};
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        struct side s = side_of((enum distribution)d);
        for (size_t k = 0; k < sizeof criteria / sizeof criteria[0]; k++)
            assert_all_meet_once(&criteria[k], &s, &s);
        side_free(&s);
    }
}

static void
sources_and_targets_may_differ(void **state)
{
    (void)state;
    const struct koshu_fmm_criterion c = criterion_of(0.5, 0);
    struct side t = side_of(LINE), s = side_of(BALL);
    assert_all_meet_once(&c, &t, &s);
    side_free(&t);
    side_free(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(each_pair_is_in_one_list),
            cmocka_unit_test(sources_and_targets_may_differ),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
