/* SPDX-License-Identifier: MIT */
/* The part of a device's tree that is sent to other ranks, made on the host. */
#include <math.h>

#include "fixture.h"
#include "host_part.h"
#include "places.h"
#include "tree/tree.h"

enum { N = 2000, BOUNDS = 5, GROUPS = 40 };

/* ---- bounds, and groups in them ------------------------------------------ */

static struct host_bounds
random_box(const double low[3], const double high[3], uint64_t *seed)
{
    struct host_bounds b = {.factor = 1};
    for (int c = 0; c < 3; c++) {
        const double u = places_uniform(seed), v = places_uniform(seed);
        b.low[c] = low[c] + (high[c] - low[c]) * fmin(u, v);
        b.high[c] = low[c] + (high[c] - low[c]) * fmax(u, v);
    }
    return b;
}

/* In the box of the particles, except the first, which is beside it. */
static void
make_bounds(const struct places *p, uint64_t *seed, struct host_bounds *to)
{
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const double *const x[3] = {p->x, p->y, p->z};
    for (int c = 0; c < 3; c++)
        for (size_t k = 0; k < p->n; k++) {
            low[c] = fmin(low[c], x[c][k]);
            high[c] = fmax(high[c], x[c][k]);
        }
    for (int k = 0; k < BOUNDS; k++) {
        to[k] = random_box(low, high, seed);
        to[k].factor = 1 + 9 * places_uniform(seed);
    }
    for (int c = 0; c < 3; c++) {
        to[0].low[c] += 1.5 * (high[c] - low[c]);
        to[0].high[c] += 1.5 * (high[c] - low[c]);
    }
}

/* ---- walks --------------------------------------------------------------- */

/* As a walk decides it, with the same floats of the cell. */
static bool
is_far(const struct host_cell *cell, const struct host_bounds *group)
{
    const double x[3] = {cell->x, cell->y, cell->z};
    const double reach =
            fmaxf(cell->reach, cell->strength * (float)group->factor);
    double d2 = 0;
    for (int c = 0; c < 3; c++) {
        const double d =
                fmax(fmax(group->low[c] - x[c], x[c] - group->high[c]), 0);
        d2 += d * d;
    }
    return d2 >= reach * reach;
}

/* Returns the mass found by a walk, which must not need a cell that was not
 * sent. */
static double
walk(const struct host_tree *t, const struct host_part *part,
     const struct host_bounds *group, uint32_t number)
{
    const struct host_cell *cell = &t->cell[number];
    const struct host_fate *fate = &part->fate[number];
    double mass = 0;
    assert_true(fate->kept);
    if (is_far(cell, group) || fate->whole) {
        assert_true(is_far(cell, group));
        return cell->moments[0];
    }
    if (cell->n <= 2 || cell->children == 0) {
        assert_false(fate->opened);
        return cell->moments[0];
    }
    assert_true(fate->opened);
    for (uint32_t k = 0; k < cell->children; k++)
        mass += walk(t, part, group, cell->child + k);
    return mass;
}

/* ---- the tests ----------------------------------------------------------- */

/* Cells are numbered in order, children follow their parents, and particles
 * have no gaps. */
static void
check_numbers(const struct host_tree *t, const struct host_part *part)
{
    size_t cells = 0, particles = 0;
    for (size_t c = 0; c < t->n_cells; c++) {
        const struct host_fate *f = &part->fate[c];
        const struct host_cell *cell = &t->cell[c];
        if (!f->kept) continue;
        assert_int_equal(f->number, cells++);
        assert_int_equal(f->never_opened, f->whole);
        for (uint32_t k = 0; f->opened && k < cell->children; k++)
            assert_int_equal(part->fate[cell->child + k].number, f->child + k);
        if (f->whole || f->opened) continue;
        assert_int_equal(f->first, particles);
        particles += cell->n;
    }
    assert_int_equal(part->n_cells, cells);
    assert_int_equal(part->n_particles, particles);
}

static void
check_walks(const struct host_tree *t, const struct host_bounds *bounds,
            const struct host_part *part, uint64_t *seed)
{
    for (int k = 0; k < GROUPS; k++) {
        const struct host_bounds *b = &bounds[k % BOUNDS];
        struct host_bounds group = random_box(b->low, b->high, seed);
        group.factor = b->factor * places_uniform(seed);
        const double mass = walk(t, part, &group, 0);
        /* floats, for up to N cells */
        assert_near(mass, t->cell[0].moments[0], 1e-5 * t->cell[0].moments[0]);
    }
}

static void
parts_have_all_that_walks_ask_for(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int d = 0; d < DISTRIBUTIONS; d++)
        for (int relative = 0; relative < 2; relative++) {
            const struct host_options o = {.n_leaf = relative ? 1 : 8,
                                           .hilbert = true,
                                           .relative = relative,
                                           .theta = 0.7,
                                           .alpha = 0.001};
            struct host_bounds bounds[BOUNDS];
            struct places p = places_make((enum distribution)d, N);
            struct host_tree t = host_tree_make(p.n, p.x, p.y, p.z, p.mass, &o);
            make_bounds(&p, &seed, bounds);
            struct host_part part = host_part_make(&t, BOUNDS, bounds);
            check_numbers(&t, &part);
            check_walks(&t, bounds, &part, &seed);
            host_part_free(&part);
            host_tree_free(&t);
            places_free(&p);
        }
}

/* For distant groups the root suffices; groups that may be anywhere get
 * everything. */
static void
distant_groups_need_little(void **state)
{
    (void)state;
    const struct host_options o = {
            .n_leaf = 8, .hilbert = true, .theta = 0.7, .alpha = 0.001};
    const struct host_bounds far = {{100, 100, 100}, {101, 101, 101}, 0},
                             all = {{-99, -99, -99}, {99, 99, 99}, 0};
    struct places p = places_make(BALL, N);
    struct host_tree t = host_tree_make(p.n, p.x, p.y, p.z, p.mass, &o);
    struct host_part one = host_part_make(&t, 1, &far),
                     every = host_part_make(&t, 1, &all);
    assert_int_equal(one.n_cells, 1);
    assert_int_equal(one.n_particles, 0);
    assert_int_equal(every.n_cells, t.n_cells);
    assert_int_equal(every.n_particles, N);
    host_part_free(&one);
    host_part_free(&every);
    host_tree_free(&t);
    places_free(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(parts_have_all_that_walks_ask_for),
            cmocka_unit_test(distant_groups_need_little),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
