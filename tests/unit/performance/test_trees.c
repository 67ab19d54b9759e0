/* SPDX-License-Identifier: MIT */
/* The model of trees over ranks: shells by hand, and recovering known costs. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "performance/performance.h"

static struct koshu_tree_costs
costs(void)
{
    return (struct koshu_tree_costs){
            .theta = 0.5,
            .n_crit = 64,
            .n_leaf = 8,
            .n_rates = 2,
            .rate = {{1e4, 1e-7, 2e-10, 6e-10}, {1e6, 3e-7, 4e-10, 6e-10}},
            .n_lists = 2,
            .list = {{1e4, 1000}, {1e6, 2000}},
            .imbalance = 1.05,
            .split = 0.1,
            .imported = 1.5,
            .import_bytes = 60,
            .moved_bytes = 88,
            .domains = 1e-8,
            .moved = 2e-8,
            .essential = 8e-8,
            .pass = 9e-8,
            .message = 1e-6,
            .byte = 1e-10,
            .sync = 2e-6,
            .sync_doubling = 1e-6};
}

/* Half of a cube of 4096 particles, cells that act from a distance l on, leaves
 * of 1/16. V(d) = 1/2 + d, so 256 particles are within 1/16; then come 256
 * cells of 1/16, 64 of 1/8 and 16 of 1/4; the whole cube is within 1/2. One
 * more for the other rank. */
static void
shells_are_counted(void **state)
{
    (void)state;
    const struct koshu_tree_costs c = {.theta = 1, .n_crit = 8, .n_leaf = 2};
    struct koshu_tree_region all = {.side = {1, 1, 1}, .largest = 1};
    assert_near(koshu_tree_boundary(&c, 4096, 2), 593, 1e-9);
    assert_true(koshu_tree_boundary(&c, 4096, 1) == 0);
    assert_near(koshu_tree_shells(&c, 4096, &all), 0, 1e-9);
    all.inside = true;
    assert_near(koshu_tree_shells(&c, 4096, &all), 4096, 1e-9);
}

/* More ranks need more in total but less each; a smaller theta needs more. */
static void
boundaries_grow_as_they_should(void **state)
{
    (void)state;
    struct koshu_tree_costs c = costs();
    double before = 0;
    for (int ranks = 2; ranks <= 4096; ranks *= 2) {
        const double all = ranks * koshu_tree_boundary(&c, 1e8, ranks);
        assert_true(all > before);
        before = all;
    }
    const double wide = koshu_tree_boundary(&c, 1e6, 8);
    c.theta = 0.25;
    assert_true(koshu_tree_boundary(&c, 1e6, 8) > 1.5 * wide);
    /* n^(2/3), times the logarithm from far cells */
    c.theta = 1;
    const double growth =
            koshu_tree_boundary(&c, 8e9, 64) / koshu_tree_boundary(&c, 1e9, 64);
    assert_true(growth > 3.5 && growth < 4.1);
}

static void
lists_are_interpolated(void **state)
{
    (void)state;
    const struct koshu_tree_costs c = costs();
    assert_near(koshu_tree_list_length(&c, 1e4), 1000, 1e-9);
    assert_near(koshu_tree_list_length(&c, 1e5), 1500, 1e-9);
    assert_near(koshu_tree_list_length(&c, 1e6), 2000, 1e-9);
    /* beyond that O(log N), continued without a jump */
    assert_near(koshu_tree_list_length(&c, 1.0001e6) / 2000, 1, 1e-3);
    const double far = koshu_tree_list_length(&c, 1e9);
    assert_true(far > 2500 && far < 5000);
    assert_true(koshu_tree_list_length(&c, 1e3) < 1000);
}

/* One pass per level, with three histograms of 512 bins for each part; and two
 * for the middle of the root cube, if there are several levels. */
static void
passes_are_those_of_the_bisection(void **state)
{
    (void)state;
    double bytes;
    assert_near(koshu_tree_passes(1, &bytes), 0, 0);
    assert_near(bytes, 0, 0);
    assert_near(koshu_tree_passes(2, &bytes), 1, 0);
    assert_near(bytes, 3 * 512 * 8, 0);
    assert_near(koshu_tree_passes(4, &bytes), 2 + 2, 0);
    assert_near(bytes, 3 * (1 + 2 + 2) * 512 * 8, 0);
}

static void
one_rank_exchanges_nothing(void **state)
{
    (void)state;
    const struct koshu_tree_costs c = costs();
    struct koshu_tree_estimate e;
    koshu_tree_predict(&c, 1e5, 1, &e);
    /* on the lines through 1 ms and 0.3 s of 1e4 and 1e6 particles, and through
     * 2 ms and 0.8 s of 1e7 and 2e9 interactions */
    const double build = 1e-3 + 9e4 * (0.299 / 9.9e5),
                 walk = 2e-3 + 1.4e8 * (0.798 / 1.99e9);
    assert_near(e.build, build, 1e-12);
    assert_near(e.walk, walk, 1e-12);
    assert_near(e.seconds, build + walk + 1.5e8 * 6e-10, 1e-12);
    assert_near(e.alone, e.seconds, 1e-12);
    assert_near(e.each, e.seconds, 1e-12);
    assert_true(e.imported == 0 && e.bytes == 0 && e.sync == 0);
}

/* Milliseconds of a step and of its walk, with 2^21 to 2^24 particles. */
enum { SIZES = 4 };
struct measured {
    double step[SIZES], walk[SIZES], list[SIZES];
};

/* Three of them predict the other. */
static void
predict_each(const struct measured *m)
{
    for (int out = 0; out < SIZES; out++) {
        struct koshu_tree_costs c = {.theta = 0.5, .n_lists = SIZES};
        struct koshu_tree_estimate e;
        for (int k = 0; k < SIZES; k++) {
            const double n = ldexp(1, 21 + k);
            c.list[k] = (struct koshu_tree_list){n, m->list[k]};
            if (k == out) continue;
            c.rate[c.n_rates++] = (struct koshu_tree_rate){
                    n, 1e-3 * (m->step[k] - m->walk[k]) / n,
                    1e-3 * m->walk[k] / (n * m->list[k]), 0};
        }
        koshu_tree_predict(&c, ldexp(1, 21 + out), 1, &e);
        assert_near(1e3 * e.seconds / m->step[out], 1, 0.1);
    }
}

/* A Plummer and a Hernquist sphere on an H200: docs/performance.md. */
static void
a_gpu_of_other_sizes_is_predicted(void **state)
{
    (void)state;
    static const struct measured spheres[] = {{{4.91, 7.61, 13.83, 25.86},
                                               {3.85, 5.94, 10.74, 20.72},
                                               {2078, 2033, 1986, 1979}},
                                              {{3.91, 7.19, 13.63, 25.98},
                                               {2.95, 5.60, 10.83, 20.83},
                                               {2142, 2117, 2078, 2045}}};
    for (int k = 0; k < 2; k++) predict_each(&spheres[k]);
}

/* Without particles there is no negative time, nor for very many. */
static void
lines_do_not_cross_zero(void **state)
{
    (void)state;
    struct koshu_tree_costs c = costs();
    struct koshu_tree_estimate e;
    for (double n = 1; n < 1e13; n *= 10) {
        koshu_tree_predict(&c, n, 1, &e);
        assert_true(e.build > 0 && e.walk > 0 && e.force > 0);
    }
    c.rate[1].walk = 1e-13; /* less for more */
    for (double n = 1; n < 1e13; n *= 10) {
        koshu_tree_predict(&c, n, 1, &e);
        assert_true(e.walk > 0);
    }
}

/* Four ranks of 25,000 particles by hand, given the shells. */
static void
terms_are_those_of_the_formula(void **state)
{
    (void)state;
    struct koshu_tree_costs c = costs();
    struct koshu_tree_estimate e;
    koshu_tree_predict(&c, 1e5, 4, &e);
    const double t_sync = 2e-6 + 2e-6, own = 25000,
                 imported = 1.5 * koshu_tree_boundary(&c, 1e5, 4);
    assert_near(e.imported, imported, 1e-9);
    assert_near(e.list, 1500 * (1 + 0.1 * imported / own), 1e-9);
    double histograms;
    const double passes = koshu_tree_passes(4, &histograms);
    assert_near(e.domains, passes * (t_sync + own * 1e-8) + histograms * 1e-10,
                1e-12);
    assert_near(e.moved, 3e-6 + own * (0.75 * 88e-10 + 2e-8), 1e-12);
    assert_near(e.essential, 3 * 512 * 56e-10 + 8e-8 * imported, 1e-12);
    assert_near(e.pass, own * 9e-8, 1e-12);
    assert_near(e.force, 1.05 * own * e.list * 6e-10, 1e-12);
    assert_near(e.bytes, 60 * imported + 0.75 * own * 88, 1e-6);
    assert_true(e.wait == 0);
    assert_near(e.seconds,
                e.domains + e.moved + e.essential + e.wait + e.sync + e.build +
                        e.walk + e.force + e.pass,
                1e-12);
    c.byte = 1e-5; /* 100 kB a second: too slow for sums to hide */
    koshu_tree_predict(&c, 1e5, 4, &e);
    assert_near(e.wait, 6e-6 + 60e-5 * imported - (e.each - e.build), 1e-9);
}

/* Ten particles on a thousand ranks. */
static void
nothing_is_counted_twice(void **state)
{
    (void)state;
    const struct koshu_tree_costs c = costs();
    struct koshu_tree_estimate e;
    koshu_tree_predict(&c, 10, 1000, &e);
    assert_true(e.list <= 10 && e.imported <= 20);
    assert_true(isfinite(e.seconds) && e.seconds > 0);
}

static struct koshu_tree_sample
sample(const struct koshu_tree_costs *c, double n, int ranks)
{
    struct koshu_tree_estimate e;
    koshu_tree_predict(c, n, ranks, &e);
    return (struct koshu_tree_sample){
            .n = n,
            .ranks = ranks,
            .list = e.list,
            .imbalance = c->imbalance,
            .imported = e.imported,
            .bytes = e.bytes,
            .domains = e.domains,
            .moved = e.moved,
            .essential = e.essential,
            .sums = (e.walk + e.force) / c->imbalance + e.pass};
}

static void
planted_costs_come_back(void **state)
{
    (void)state;
    const struct koshu_tree_costs planted = costs();
    const struct koshu_tree_sample samples[] = {sample(&planted, 1e5, 2),
                                                sample(&planted, 2e5, 4),
                                                sample(&planted, 8e5, 4)};
    struct koshu_tree_costs c = costs();
    c.imported = c.split = c.import_bytes = c.moved_bytes = c.domains = -1;
    c.moved = c.essential = c.pass = c.imbalance = -1;
    assert_int_equal(koshu_tree_fit(&c, samples, 3), KOSHU_OK);
    /* left by differences that lose a few more digits */
    assert_near(c.imported / planted.imported, 1, 1e-9);
    assert_near(c.split / planted.split, 1, 1e-9);
    assert_near(c.import_bytes / planted.import_bytes, 1, 1e-9);
    assert_near(c.moved_bytes / planted.moved_bytes, 1, 1e-9);
    assert_near(c.domains / planted.domains, 1, 1e-9);
    assert_near(c.moved / planted.moved, 1, 1e-9);
    assert_near(c.essential / planted.essential, 1, 1e-9);
    assert_near(c.pass / planted.pass, 1, 1e-9);
    assert_near(c.imbalance, 1.05, 1e-15);
}

static void
without_samples_costs_are_those_of_messages(void **state)
{
    (void)state;
    struct koshu_tree_costs c = costs();
    const struct koshu_tree_sample none = {.n = 1, .ranks = 2};
    assert_int_equal(koshu_tree_fit(&c, NULL, 0), KOSHU_OK);
    assert_true(c.imported == 1 && c.imbalance == 1);
    assert_true(c.domains == 0 && c.moved == 0 && c.essential == 0);
    assert_true(c.moved_bytes == 1 && c.import_bytes > 32);
    assert_int_equal(koshu_tree_fit(&c, &none, 1),
                     KOSHU_ERROR_INVALID_ARGUMENT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(shells_are_counted),
            cmocka_unit_test(boundaries_grow_as_they_should),
            cmocka_unit_test(lists_are_interpolated),
            cmocka_unit_test(passes_are_those_of_the_bisection),
            cmocka_unit_test(one_rank_exchanges_nothing),
            cmocka_unit_test(a_gpu_of_other_sizes_is_predicted),
            cmocka_unit_test(lines_do_not_cross_zero),
            cmocka_unit_test(terms_are_those_of_the_formula),
            cmocka_unit_test(nothing_is_counted_twice),
            cmocka_unit_test(planted_costs_come_back),
            cmocka_unit_test(without_samples_costs_are_those_of_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
