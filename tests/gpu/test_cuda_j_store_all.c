/* SPDX-License-Identifier: MIT */
/*
 * Sums of all particles of a j-particle store on each other, which use each
 * pair once. On several devices (KOSHU_DEVICES) they are computed as for
 * arbitrary i-particles: correct, but rounded differently.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "rows.h"
#include "several_devices.h"
#include "j_store_sums.h"

/* Sizes with an even and an odd number of whole blocks, and with incomplete
 * ones, for either shape; each pair is summed once. */
static const size_t all_counts[] = {16384, 17000, 49152, 49152 + 512, 98304};

/* Some i-particles of p, for which ref computes the sums. */
static struct particles
some_of(const struct particles *p, size_t n_i)
{
    struct particles some = {p->n_j, n_i, calloc(p->n_j, sizeof *p->j),
                             calloc(n_i, sizeof *p->i)};
    assert_true(some.j && some.i);
    memcpy(some.j, p->j, p->n_j * sizeof *p->j);
    for (size_t k = 0; k < n_i; k++) some.i[k] = p->i[k * p->n_i / n_i];
    return some;
}

static void
compare_some(const struct particles *p, enum koshu_precision precision,
             double eps)
{
    enum { SOME = 400 };
    struct particles some = some_of(p, SOME);
    struct koshu_jerk_result *test = sums_on("cuda", precision, eps, p),
                             *truth = sums_on("ref", KOSHU_PRECISION_DOUBLE,
                                              eps, &some);
    print_message("n_j %zu, n_i %zu, %s\n", p->n_j, p->n_i,
                  koshu_precision_name(precision));
    for (size_t k = 0; k < SOME; k++) test[k] = test[k * p->n_i / SOME];
    expect_sums(test, truth, SOME, tolerance_of(precision));
    free(test);
    free(truth);
    discard(&some);
}

static void
all_on_all(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof all_counts / sizeof all_counts[0]; k++)
        for (int precision = 0; precision < 3; precision++) {
            struct particles p = make(all_counts[k], all_counts[k]);
            compare_some(&p, (enum koshu_precision)precision, 0.02);
            compare_some(&p, (enum koshu_precision)precision, 0);
            discard(&p);
        }
}

/* Only some of the i-particles, in another order, give the same bits, since the
 * sums are again those of all particles. Several devices divide the sums by the
 * number of i-particles, so there bits differ. */
static void
all_on_max_in_any_order(void **state)
{
    (void)state;
    const bool several = has_several_devices();
    struct particles p = make(MANY, MANY), q = make(MANY, MANY);
    q.n_i = MANY - 100;
    for (size_t k = 0; k < q.n_i; k++) q.i[k] = p.i[MANY - 1 - k];
    for (int precision = 0; precision < 3; precision++) {
        struct koshu_jerk_result *a, *b;
        a = sums_on("cuda", (enum koshu_precision)precision, 0, &p);
        b = sums_on("cuda", (enum koshu_precision)precision, 0, &q);
        for (size_t k = 0; k < q.n_i; k++)
            if (several)
                expect_sums(&b[k], &a[MANY - 1 - k], 1,
                            tolerance_of((enum koshu_precision)precision));
            else
                assert_memory_equal(&b[k], &a[MANY - 1 - k], sizeof *a);
        free(a);
        free(b);
    }
    discard(&p);
    discard(&q);
}

static void
expect_same_but(const struct koshu_jerk_result *a,
                const struct koshu_jerk_result *b, size_t n, size_t k)
{
    assert_memory_equal(a, b, k * sizeof *a);
    assert_memory_equal(a + k + 1, b + k + 1, (n - k - 1) * sizeof *a);
    assert_memory_not_equal(a + k, b + k, sizeof *a);
}

/* One i-particle is not a j-particle, by id, position or velocity. Then the
 * sums are those for arbitrary i-particles, rounded differently from all on
 * all; with several devices that is always so. */
static void
one_that_is_another(void **state)
{
    (void)state;
    enum { K = 4711 };
    const bool several = has_several_devices();
    struct particles p = make(MANY, MANY);
    for (int k = 0; k < 3; k++) {
        const enum koshu_precision precision = (enum koshu_precision)k;
        const struct koshu_i_particle was = p.i[K];
        struct koshu_jerk_result *all = sums_on("cuda", precision, 0, &p), *by;
        p.i[K].x[2] = nextafterf((float)was.x[2], 2);
        by = sums_on("cuda", precision, 0, &p);
        expect_sums(by, all, K, tolerance_of(precision));
        expect_sums(by + K + 1, all + K + 1, MANY - K - 1,
                    tolerance_of(precision));
        for (size_t i = 0; i < p.n_i && !several; i += 1000)
            assert_memory_not_equal(&by[i], &all[i], sizeof *all);
        free(all);
        p.i[K] = was;
        p.i[K].v[0] += 0.125;
        all = sums_on("cuda", precision, 0, &p);
        expect_same_but(all, by, p.n_i, K);
        free(all);
        p.i[K] = was;
        p.i[K].id = KOSHU_NO_ID;
        p.i[K].x[0] += 0.125; /* move it away from its j-particle */
        all = sums_on("cuda", precision, 0, &p);
        expect_same_but(all, by, p.n_i, K);
        free(all);
        free(by);
        p.i[K] = was;
    }
    discard(&p);
}

/* All ids are distinct, and pairs are left out. */
static void
all_on_all_with_one_id_twice(void **state)
{
    (void)state;
    struct particles p = make(MANY, MANY);
    p.j[0].id = p.i[0].id = p.j[MANY / 2].id = p.i[MANY / 2].id = 17;
    memcpy(p.j[MANY / 2].x, p.j[0].x, sizeof p.j[0].x);
    memcpy(p.i[MANY / 2].x, p.i[0].x, sizeof p.i[0].x);
    for (int precision = 0; precision < 3; precision++)
        compare_some(&p, (enum koshu_precision)precision, 0.02);
    discard(&p);
}

/* Pairs that overflow a float, and several nearest neighbours at the same
 * distance. */
static void
all_on_all_coincident(void **state)
{
    (void)state;
    struct particles p = make(MANY, MANY);
    for (size_t k = 0; k + 1 < p.n_j; k += 300) {
        memcpy(p.j[k + 1].x, p.j[k].x, sizeof p.j[k].x);
        memcpy(p.i[k + 1].x, p.i[k].x, sizeof p.i[k].x);
    }
    for (int precision = 0; precision < 3; precision++) {
        compare_some(&p, (enum koshu_precision)precision, 0);
        compare_some(&p, (enum koshu_precision)precision, 0.1);
    }
    discard(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(all_on_all),
            cmocka_unit_test(all_on_max_in_any_order),
            cmocka_unit_test(one_that_is_another),
            cmocka_unit_test(all_on_all_with_one_id_twice),
            cmocka_unit_test(all_on_all_coincident),
    };
    if (koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
