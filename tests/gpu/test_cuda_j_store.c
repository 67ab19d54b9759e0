/* SPDX-License-Identifier: MIT */
/*
 * The j-particle store on the device, in the ways it differs from others:
 * shapes of its kernels, many j-particles in float, ids looked up in a table,
 * particles set while sums run. Compared with ref.
 */
#include <stdlib.h>
#include <string.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "rows.h"
#include "j_store_sums.h"

/* ---- sums ---------------------------------------------------------------- */

static void
compare(const struct particles *p, enum koshu_precision precision, double eps)
{
    struct koshu_jerk_result *truth =
            sums_on("ref", KOSHU_PRECISION_DOUBLE, eps, p);
    struct koshu_jerk_result *test = sums_on("cuda", precision, eps, p);
    print_message("n_j %zu, n_i %zu, %s\n", p->n_j, p->n_i,
                  koshu_precision_name(precision));
    expect_sums(test, truth, p->n_i, tolerance_of(precision));
    free(truth);
    free(test);
}

/* ---- shapes -------------------------------------------------------------- */

/* Sizes around those at which shapes, slices and chunks change. */
static void
every_shape(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 3, 4, 5, 32, 33, 127, 128, 256, 300};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct particles p = make(MANY + 37 * k, counts[k]);
        in_each_precision(compare, &p, 0.02);
        discard(&p);
    }
}

static void
few_j_particles(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 31, 32, 33, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        for (size_t n_i = 1; n_i <= MAX_I; n_i = 5 * n_i + 2) {
            struct particles p = make(counts[k], n_i);
            in_each_precision(compare, &p, 0.02);
            discard(&p);
        }
}

/* ---- ids ----------------------------------------------------------------- */

static void
ids_at_several_indices(void **state)
{
    (void)state;
    struct particles p = make(MANY, 200);
    for (size_t k = 0; k < p.n_j; k++) p.j[k].id = (int64_t)(k % 500);
    /* the last 100 belong to no j-particle */
    for (size_t k = 0; k < p.n_i; k++) p.i[k].id = (int64_t)k + 400;
    in_each_precision(compare, &p, 0.02);
    discard(&p);
}

static void
ids_that_change(void **state)
{
    (void)state;
    struct particles p = make(MANY, 100);
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_j_store *m = memory_of(context, KOSHU_PRECISION_MIXED, &p);
    struct koshu_jerk_result result[100];
    sum(context, m, 0.01, &p, result);
    /* in reverse order, with one id twice */
    for (size_t k = 0; k < p.n_j; k++) p.j[k].id = (int64_t)(p.n_j - k);
    p.j[17].id = p.i[3].id = 4711;
    assert_ok(context, rows_set(m, p.n_j, NULL, p.j));
    sum(context, m, 0.01, &p, result);
    struct koshu_jerk_result *truth =
            sums_on("ref", KOSHU_PRECISION_DOUBLE, 0.01, &p);
    expect_sums(result, truth, p.n_i, tolerance_of(KOSHU_PRECISION_MIXED));
    free(truth);
    koshu_j_store_destroy(m);
    koshu_context_destroy(context);
    discard(&p);
}

/* ---- numbers outside the range of float ---------------------------------- */

static void
coincident_particles(void **state)
{
    (void)state;
    static const double softenings[] = {0, 1e-20, 0.1};
    struct particles p = make(MANY, 300);
    for (size_t k = 0; k + 1 < p.n_j; k += 500)
        memcpy(p.j[k + 1].x, p.j[k].x, sizeof p.j[k].x);
    for (size_t k = 0; k < p.n_i; k += 7)
        p.i[k].id = KOSHU_NO_ID; /* so that its own j-particle counts */
    for (int e = 0; e < 3; e++) {
        /* otherwise the jerks of coincident pairs, m w / eps^3, would hide all
         * else */
        for (size_t k = 0; k < p.n_j && softenings[e] == 1e-20; k++)
            memset(p.j[k].v, 0, sizeof p.j[k].v);
        for (size_t k = 0; k < p.n_i && softenings[e] == 1e-20; k++)
            memset(p.i[k].v, 0, sizeof p.i[k].v);
        in_each_precision(compare, &p, softenings[e]);
    }
    discard(&p);
}

/* 1 / r^3 overflows a float; the sums are right because they are in double. */
static void
pairs_too_close_for_floats(void **state)
{
    (void)state;
    struct particles p = make(MANY, 64);
    for (size_t k = 0; k < p.n_i; k++) {
        for (int c = 0; c < 3; c++) p.i[k].x[c] = 0;
        p.i[k].id = KOSHU_NO_ID;
    }
    for (int c = 0; c < 3; c++) p.j[99].x[c] = 1e-14 * (c + 1);
    compare(&p, KOSHU_PRECISION_MIXED, 0);
    compare(&p, KOSHU_PRECISION_DOUBLE, 0);
    discard(&p);
}

/* ---- time and order ------------------------------------------------------ */

static void
identical_bits(void **state)
{
    (void)state;
    struct particles p = make(MANY, MAX_I);
    for (int precision = 0; precision < 3; precision++) {
        struct koshu_jerk_result *a =
                sums_on("cuda", (enum koshu_precision)precision, 0, &p);
        struct koshu_jerk_result *b =
                sums_on("cuda", (enum koshu_precision)precision, 0, &p);
        assert_memory_equal(a, b, p.n_i * sizeof *a);
        free(a);
        free(b);
    }
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
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_j_store *m = memory_of(context, KOSHU_PRECISION_MIXED, &p);
    struct koshu_jerk_result before[10], during[10], after[10];
    sum(context, m, 0.01, &p, before);
    for (int round = 0; round < 5; round++) {
        assert_ok(context, rows_start(m, &options, p.n_j, p.n_i, p.i));
        struct koshu_j_particle moved = p.j[20];
        moved.x[0] += 0.1 * (round + 1);
        moved.id += 1000000;
        assert_ok(context, rows_set(m, 1, (const uint64_t[]){20}, &moved));
        /* set the same particles in several pieces */
        for (int k = 0; k < 3; k++)
            assert_ok(context, rows_set(m, p.n_j - 100, NULL, p.j));
        assert_ok(context, rows_set(m, 1, (const uint64_t[]){20}, &moved));
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

/* More indices are reserved without a sum in between. */
static void
neighbours_after_more_indices(void **state)
{
    (void)state;
    enum { MAX = 400, N_I = 50 };
    struct particles p = make(MANY, N_I);
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_j_store *m = memory_of(context, KOSHU_PRECISION_MIXED, &p);
    struct koshu_jerk_result result[N_I];
    uint64_t *address[2], count[2][N_I];
    sum(context, m, 0.01, &p, result);
    for (int k = 0; k < 2; k++) {
        bool overflow = true;
        address[k] = calloc((size_t)N_I * MAX, sizeof *address[k]);
        assert_non_null(address[k]);
        assert_ok(context, koshu_j_store_neighbours(m, MAX, count[k],
                                                    address[k], &overflow));
        assert_false(overflow);
        assert_ok(context, koshu_j_store_reserve(m, 2 * MANY));
        assert_ok(context, rows_set(m, MANY / 2, NULL, p.j + 99));
    }
    assert_memory_equal(count[0], count[1], sizeof count[0]);
    assert_memory_equal(address[0], address[1],
                        (size_t)N_I * MAX * sizeof *address[0]);
    assert_true(count[0][0] > 0);
    for (int k = 0; k < 2; k++) free(address[k]);
    koshu_j_store_destroy(m);
    koshu_context_destroy(context);
    discard(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_shape),
            cmocka_unit_test(few_j_particles),
            cmocka_unit_test(ids_at_several_indices),
            cmocka_unit_test(ids_that_change),
            cmocka_unit_test(coincident_particles),
            cmocka_unit_test(pairs_too_close_for_floats),
            cmocka_unit_test(identical_bits),
            cmocka_unit_test(particles_set_while_sums_run),
            cmocka_unit_test(neighbours_after_more_indices),
    };
    if (koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
