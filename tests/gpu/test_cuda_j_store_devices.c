/* SPDX-License-Identifier: MIT */
/*
 * j-particle stores on several devices, compared with ref. A single device is
 * named several times.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "j_store_sums.h"
#include "rows.h"
#include "several_devices.h"

static const int devices[] = {2, 3, 5};
enum { N_DEVICES = sizeof devices / sizeof devices[0] };

static struct koshu_jerk_result *
sums_on_devices(int n, enum koshu_precision precision, double eps,
                const struct particles *p)
{
    return sums_in(context_on(n), precision, eps, p);
}

/* ---- sums ---------------------------------------------------------------- */

static void
compare(const struct particles *p, enum koshu_precision precision, double eps)
{
    struct koshu_jerk_result *truth =
            sums_on("ref", KOSHU_PRECISION_DOUBLE, eps, p);
    for (int k = 0; k < N_DEVICES; k++) {
        print_message("n_j %zu, n_i %zu, %s, %d devices\n", p->n_j, p->n_i,
                      koshu_precision_name(precision), devices[k]);
        struct koshu_jerk_result *test =
                sums_on_devices(devices[k], precision, eps, p);
        expect_sums(test, truth, p->n_i, tolerance_of(precision));
        free(test);
    }
    free(truth);
}

/* Fewer j-particles than devices; parts of unequal size; enough j-particles
 * that mixed precision sums in float; enough i-particles that several threads
 * add them up, in two chunks. */
static void
any_sizes(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1},      {2, 2},     {3, 7},
                                      {4, 1},      {33, 33},   {1001, 300},
                                      {MANY, 1},   {MANY, 40}, {MANY + 3, 700},
                                      {500, 5000}, {20, 70000}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct particles p = make(sizes[k][0], sizes[k][1]);
        in_each_precision(compare, &p, 0.02);
        discard(&p);
    }
}

/* All on all: every pair is summed from both sides. */
static void
all_on_all(void **state)
{
    (void)state;
    struct particles p = make(17000, 17000), some = make(17000, 300);
    struct koshu_jerk_result *truth =
            sums_on("ref", KOSHU_PRECISION_DOUBLE, 0, &some);
    for (int precision = 0; precision < 3; precision++) {
        struct koshu_jerk_result *test =
                sums_on_devices(2, (enum koshu_precision)precision, 0, &p);
        for (size_t k = 0; k < some.n_i; k++) test[k] = test[k * (17000 / 300)];
        expect_sums(test, truth, some.n_i,
                    tolerance_of((enum koshu_precision)precision));
        free(test);
    }
    free(truth);
    discard(&p);
    discard(&some);
}

static void
identical_bits(void **state)
{
    (void)state;
    struct particles p = make(MANY, MAX_I);
    for (int precision = 0; precision < 3; precision++) {
        struct koshu_jerk_result *a, *b;
        a = sums_on_devices(3, (enum koshu_precision)precision, 0, &p);
        b = sums_on_devices(3, (enum koshu_precision)precision, 0, &p);
        assert_memory_equal(a, b, p.n_i * sizeof *a);
        free(a);
        free(b);
    }
    discard(&p);
}

/* An id that particles of all devices have, or of some. */
static void
ids_at_several_indices(void **state)
{
    (void)state;
    struct particles p = make(5000, 200);
    for (size_t k = 0; k < p.n_j; k++) p.j[k].id = (int64_t)(k % 70);
    for (size_t k = 0; k < p.n_j; k += 6) p.j[k].id = 1000;
    for (size_t k = 0; k < p.n_i; k++) p.i[k].id = (int64_t)k;
    p.i[7].id = 1000;
    in_each_precision(compare, &p, 0.02);
    discard(&p);
}

/* Two particles on two devices, so near to the origin and to each other that
 * squared distances underflow a float. */
static void
two_near_the_origin(void **state)
{
    (void)state;
    struct particles p = make(MANY, 64);
    for (int k = 0; k < 2; k++) {
        struct koshu_j_particle *j = &p.j[100 + k];
        for (int c = 0; c < 3; c++) j->x[c] = ldexp(1 + k, -83 - c);
        p.i[k].id = j->id;
        memcpy(p.i[k].x, j->x, sizeof j->x);
        memcpy(p.i[k].v, j->v, sizeof j->v);
    }
    compare(&p, KOSHU_PRECISION_MIXED, 0);
    compare(&p, KOSHU_PRECISION_DOUBLE, 0);
    discard(&p);
}

/* One particle on one device is far away: all devices must use its length
 * unit. */
static void
one_far_away(void **state)
{
    (void)state;
    struct particles p = make(1000, 100);
    for (int c = 0; c < 3; c++) p.j[501].x[c] = 1e6;
    p.j[501].mass = 1e-6;
    memcpy(p.i[3].x, p.j[501].x, sizeof p.i[3].x);
    p.i[3].id = p.j[501].id;
    in_each_precision(compare, &p, 0.02);
    discard(&p);
}

/* ---- a store that changes ------------------------------------------------ */

/* The store grows by one at a time, and each particle is set alone; empty
 * indices have their own ids. */
static void
one_after_the_other(void **state)
{
    (void)state;
    struct particles p = make(40, 40), first = p;
    struct koshu_context *context = context_on(3);
    struct koshu_j_store *m;
    struct koshu_jerk_result test[40], *truth;
    assert_ok(context, rows_create(context, KOSHU_PRECISION_DOUBLE, 1, &m));
    for (uint64_t k = 0; k < 40; k++) {
        assert_ok(context, koshu_j_store_reserve(m, (size_t)k + 1));
        assert_int_equal(koshu_j_store_id(m, k), k);
        assert_ok(context, rows_set(m, 1, &k, &p.j[k]));
        assert_int_equal(koshu_j_store_id(m, k), p.j[k].id);
        first.n_j = first.n_i = (size_t)k + 1;
        sum(context, m, 0.02, &first, test);
        truth = sums_on("ref", KOSHU_PRECISION_DOUBLE, 0.02, &first);
        expect_sums(test, truth, first.n_i,
                    tolerance_of(KOSHU_PRECISION_DOUBLE));
        free(truth);
    }
    koshu_j_store_destroy(m);
    koshu_context_destroy(context);
    discard(&p);
}

/* Particles set between start and wait belong to the next sums. */
static void
particles_set_while_sums_run(void **state)
{
    (void)state;
    const struct koshu_j_store_start_options options = {sizeof options, 0.01,
                                                        true};
    struct particles p = make(MANY, 10);
    struct koshu_context *context = context_on(2);
    struct koshu_j_store *m = memory_of(context, KOSHU_PRECISION_MIXED, &p);
    struct koshu_jerk_result before[10], during[10], after[10];
    sum(context, m, 0.01, &p, before);
    for (uint64_t k = 20; k < 26; k++) {
        struct koshu_j_particle moved = p.j[k];
        moved.x[0] += 0.5;
        assert_ok(context, rows_start(m, &options, p.n_j, p.n_i, p.i));
        assert_ok(context, rows_set(m, 1, &k, &moved));
        assert_ok(context, rows_set(m, p.n_j, NULL, p.j));
        assert_ok(context, rows_set(m, 1, &k, &moved));
        assert_ok(context, rows_wait(m, p.n_i, true, during));
        assert_memory_equal(during, before, sizeof before);
        sum(context, m, 0.01, &p, after);
        assert_memory_not_equal(after, before, sizeof before);
        assert_ok(context, rows_set(m, p.n_j, NULL, p.j));
    }
    koshu_j_store_destroy(m);
    koshu_context_destroy(context);
    discard(&p);
}

/* ---- neighbours ---------------------------------------------------------- */

struct lists {
    uint64_t *count, *index;
    bool overflow;
};

static struct lists
lists_in(struct koshu_context *context, const struct particles *p, size_t max)
{
    struct lists l = {calloc(p->n_i, sizeof *l.count),
                      calloc(p->n_i * max + 1, sizeof *l.index), false};
    struct koshu_jerk_result *result = calloc(p->n_i, sizeof *result);
    assert_true(l.count && l.index && result);
    struct koshu_j_store *m = memory_of(context, KOSHU_PRECISION_DOUBLE, p);
    sum(context, m, 0, p, result);
    assert_ok(context,
              koshu_j_store_neighbours(m, max, l.count, l.index, &l.overflow));
    koshu_j_store_destroy(m);
    koshu_context_destroy(context);
    free(result);
    return l;
}

static void
lists_of_neighbours(void **state)
{
    (void)state;
    static const size_t max[] = {0, 1, 7, 30, 3000}, n_j[] = {1, 2, 4, 3000};
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 5; k++) {
            struct particles p = make(n_j[s], 50);
            for (size_t i = 0; i < p.n_i; i++) p.i[i].h2 = 0.002 * (double)i;
            p.i[49].h2 = 100; /* all others are neighbours */
            struct lists truth = lists_in(test_context("ref", 2), &p, max[k]);
            struct lists test = lists_in(context_on(3), &p, max[k]);
            assert_memory_equal(test.count, truth.count,
                                p.n_i * sizeof *truth.count);
            assert_memory_equal(test.index, truth.index,
                                p.n_i * max[k] * sizeof *truth.index);
            assert_int_equal(test.overflow, truth.overflow);
            free(truth.count);
            free(truth.index);
            free(test.count);
            free(test.index);
            discard(&p);
        }
}

/* ---- failures ------------------------------------------------------------ */

/* The limit of the softening depends on all particles, on whichever device they
 * are. */
static void
softening_that_is_refused(void **state)
{
    (void)state;
    const struct koshu_j_store_start_options options = {sizeof options, 1e-20,
                                                        false};
    struct particles p = make(10, 10);
    for (size_t far = 0; far < 3; far++) {
        struct koshu_context *context = context_on(3);
        const double was = p.j[far].x[0];
        p.j[far].x[0] = 1e20;
        struct koshu_j_store *m = memory_of(context, KOSHU_PRECISION_MIXED, &p);
        assert_int_equal(rows_start(m, &options, p.n_j, p.n_i, p.i),
                         KOSHU_ERROR_UNSUPPORTED);
        p.j[far].x[0] = was;
        koshu_j_store_destroy(m);
        koshu_context_destroy(context);
    }
    discard(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(any_sizes),
            cmocka_unit_test(all_on_all),
            cmocka_unit_test(identical_bits),
            cmocka_unit_test(ids_at_several_indices),
            cmocka_unit_test(two_near_the_origin),
            cmocka_unit_test(one_far_away),
            cmocka_unit_test(one_after_the_other),
            cmocka_unit_test(particles_set_while_sums_run),
            cmocka_unit_test(lists_of_neighbours),
            cmocka_unit_test(softening_that_is_refused),
    };
    if (koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
