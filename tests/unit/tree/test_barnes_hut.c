/* SPDX-License-Identifier: MIT */
/* Lengths of Barnes-Hut lists from trees with large leaves are those from a
 * tree down to single particles. */
#include "fixture.h"
#include "places.h"
#include "tree/tree.h"

enum { N = 700, SAMPLE = 90, NEIGHBOURS = 27 };

static double shift[NEIGHBOURS][3];

/* The box itself comes first. */
static struct koshu_tree_images
images_of_box(double edge)
{
    for (int k = 0; k < NEIGHBOURS; k++) {
        const int at = (k + NEIGHBOURS / 2) % NEIGHBOURS;
        shift[k][0] = edge * (at / 9 - 1);
        shift[k][1] = edge * (at / 3 % 3 - 1);
        shift[k][2] = edge * (at % 3 - 1);
    }
    return (struct koshu_tree_images){.n = NEIGHBOURS,
                                      .shift = (const double(*)[3])shift,
                                      .edge = edge,
                                      .extent = 3 * edge};
}

static struct koshu_tree
make_tree(struct koshu_tree_options o, uint32_t n_leaf, double edge,
          const struct places *p)
{
    struct koshu_tree t = {.context = context, .options = o, .few = 1};
    struct koshu_tree_seconds seconds;
    t.options.n_leaf = n_leaf;
    if (edge > 0) t.images = images_of_box(edge);
    assert_ok(context,
              koshu_tree_make(&t, p->n, p->x, p->y, p->z, p->mass, &seconds));
    return t;
}

/* By walks of a complete tree. */
static double
length_of(const struct koshu_tree *t)
{
    struct koshu_walker w = {0};
    size_t sum = 0;
    for (size_t k = 0; k < SAMPLE; k++) {
        const uint32_t at = (uint32_t)(k * N / SAMPLE);
        const struct koshu_group g = koshu_group_of(t, at, 1);
        assert_int_equal(koshu_tree_walk(t, &g, 1, false, &w), KOSHU_OK);
        sum += w.list.n_j + w.list.n_cells;
    }
    koshu_walker_free(&w);
    return (double)sum / SAMPLE;
}

static double
length_by_leaves(const struct koshu_tree *t)
{
    static const double one[N] = {[0 ... N - 1] = 1}, zero[N];
    double length;
    assert_ok(context,
              koshu_barnes_hut_length(t, SAMPLE, one, zero, zero, &length));
    return length;
}

static void
check_places(enum distribution d, struct koshu_tree_options o, double edge)
{
    static const uint32_t n_leaf[] = {1, 5, 32};
    struct places p = places_make(d, N);
    struct koshu_tree complete = make_tree(o, 1, edge, &p);
    const double length = length_of(&complete);
    assert_true(d != BALL || edge > 0 || length < N / 2);
    koshu_tree_free(&complete);
    for (int k = 0; k < 3; k++) {
        struct koshu_tree t = make_tree(o, n_leaf[k], edge, &p);
        assert_true(length_by_leaves(&t) == length);
        koshu_tree_free(&t);
    }
    places_free(&p);
}

static struct koshu_tree_options
options_of(int k)
{
    struct koshu_tree_options o = koshu_tree_options_default();
    o.theta = 0.7;
    o.alpha = 0.01;
    o.multipole_order = k & 1 ? KOSHU_MULTIPOLE_ORDER_MONOPOLE
                              : KOSHU_MULTIPOLE_ORDER_QUADRUPOLE;
    o.opening_criterion = k & 2 ? KOSHU_OPENING_CRITERION_RELATIVE
                                : KOSHU_OPENING_CRITERION_GEOMETRIC;
    return o;
}

static void
large_leaves_give_the_same(void **state)
{
    (void)state;
    for (int d = 0; d < DISTRIBUTIONS; d++)
        for (int k = 0; k < 4; k++)
            check_places((enum distribution)d, options_of(k), 0);
}

static void
large_leaves_give_the_same_in_a_box(void **state)
{
    (void)state;
    check_places(BALL, options_of(0), 2.5);
    check_places(PAIRS, options_of(2), 2.5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(large_leaves_give_the_same),
            cmocka_unit_test(large_leaves_give_the_same_in_a_box),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
