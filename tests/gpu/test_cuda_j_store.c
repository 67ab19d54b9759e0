/* SPDX-License-Identifier: MIT */
/*
 * The j-particle store on the device where it differs from others: the
 * shapes of its kernels, many j-particles in floats, ids found through a
 * table, particles that are set while sums run. Against ref.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "rows.h"

/* More than the kernels in double take in mixed precision. */
enum { MANY = 50000, MAX_I = 700 };

/* ---- particles ----------------------------------------------------------- */

struct particles {
    size_t n_j, n_i;
    struct koshu_j_particle *j;
    struct koshu_i_particle *i;
};

static double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* In a cube, moving, at positions that are floats; i-particle k is j-particle
 * step * k. */
static struct particles
make(size_t n_j, size_t n_i)
{
    struct particles p = {n_j, n_i, calloc(n_j, sizeof *p.j),
                          calloc(n_i, sizeof *p.i)};
    assert_true(p.j && p.i);
    uint64_t state = 7;
    for (size_t k = 0; k < n_j; k++) {
        p.j[k].id = 5000 + (int64_t)k;
        p.j[k].mass = (0.5 + uniform(&state)) / (double)n_j;
        for (int c = 0; c < 3; c++) {
            p.j[k].x[c] = (float)(2 * uniform(&state) - 1);
            p.j[k].v[c] = 2 * uniform(&state) - 1;
        }
    }
    const size_t step = n_j / n_i ? n_j / n_i : 1;
    for (size_t k = 0; k < n_i; k++) {
        const struct koshu_j_particle *j = &p.j[k * step % n_j];
        p.i[k].id = j->id;
        memcpy(p.i[k].x, j->x, sizeof j->x);
        memcpy(p.i[k].v, j->v, sizeof j->v);
        p.i[k].h2 = 0.01;
    }
    return p;
}

static void
discard(struct particles *p)
{
    free(p->j);
    free(p->i);
}

/* ---- sums ---------------------------------------------------------------- */

static struct koshu_j_store *
memory_of(struct koshu_context *context, enum koshu_precision precision,
          const struct particles *p)
{
    struct koshu_j_store *m;
    assert_ok(context, rows_create(context, precision, p->n_j, &m));
    assert_ok(context, rows_set(m, p->n_j, NULL, p->j));
    assert_ok(context, koshu_j_store_set_time(m, 0));
    return m;
}

static void
sum(struct koshu_context *context, struct koshu_j_store *m, double eps,
    const struct particles *p, struct koshu_jerk_result *result)
{
    const struct koshu_j_store_start_options options = {sizeof options, eps,
                                                        true};
    memset(result, 0xff, p->n_i * sizeof *result); /* NaN */
    assert_ok(context, rows_start(m, &options, p->n_j, p->n_i, p->i));
    assert_ok(context, rows_wait(m, p->n_i, true, result));
}

static struct koshu_jerk_result *
sums_on(const char *backend, enum koshu_precision precision, double eps,
        const struct particles *p)
{
    struct koshu_context *context = test_context(backend, 2);
    struct koshu_jerk_result *result = calloc(p->n_i, sizeof *result);
    assert_non_null(result);
    struct koshu_j_store *m = memory_of(context, precision, p);
    sum(context, m, eps, p, result);
    koshu_j_store_destroy(m);
    koshu_context_destroy(context);
    return result;
}

static double
length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static double
off(const double x[3], const double truth[3])
{
    const double d[3] = {x[0] - truth[0], x[1] - truth[1], x[2] - truth[2]};
    return length(d);
}

/* Within tolerance, relative to the mean of all, or to its own. */
static void
expect_sums(const struct koshu_jerk_result *test,
            const struct koshu_jerk_result *truth, size_t n, double tolerance)
{
    double a = 1e-300, jerk = 1e-300;
    for (size_t k = 0; k < n; k++) {
        a += length(truth[k].a) / (double)n;
        jerk += length(truth[k].jerk) / (double)n;
    }
    for (size_t k = 0; k < n; k++) {
        const struct koshu_jerk_result *s = &test[k], *t = &truth[k];
        const double off_a = off(s->a, t->a) / fmax(a, length(t->a)),
                     off_j = off(s->jerk, t->jerk) /
                             fmax(jerk, length(t->jerk)),
                     off_p = fabs(s->potential - t->potential) /
                             fmax(fabs(t->potential), 1e-300);
        if (!(off_a <= tolerance && off_j <= 10 * tolerance &&
              off_p <= tolerance))
            fail_msg("[%zu]: a off by %.2g, jerk by %.2g, potential by %.2g", k,
                     off_a, off_j, off_p);
        if (s->nearest != t->nearest)
            assert_near(s->nearest_r2, t->nearest_r2, 1e-5 * t->nearest_r2);
    }
}

/* Some roundings of 2^-24, of a near pair or of each of a hundred or so that
 * are added up in float; and of 2^-53. */
static double
tolerance_of(enum koshu_precision precision)
{
    return precision == KOSHU_PRECISION_DOUBLE ? 1e-12 : 2e-6;
}

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

static void
compare_all(const struct particles *p, double eps)
{
    compare(p, KOSHU_PRECISION_SINGLE, eps);
    compare(p, KOSHU_PRECISION_MIXED, eps);
    compare(p, KOSHU_PRECISION_DOUBLE, eps);
}

/* ---- shapes -------------------------------------------------------------- */

/* Around the sizes where shapes, slices and chunks change. */
static void
every_shape(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 3, 4, 5, 32, 33, 127, 128, 256, 300};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct particles p = make(MANY + 37 * k, counts[k]);
        compare_all(&p, 0.02);
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
            compare_all(&p, 0.02);
            discard(&p);
        }
}

/* ---- all particles on each other ----------------------------------------- */

/* Each pair is summed once: in whole blocks, an even number of them and an odd
 * one, and in others, of either shape. */
static const size_t all_counts[] = {16384, 17000, 49152, 49152 + 512, 98304};

/* Some i-particles of p, whose sums ref makes. */
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

/* The i-particles in another order, and not all of them: the same bits, since
 * the sums are those of all particles again. */
static void
all_on_max_in_any_order(void **state)
{
    (void)state;
    struct particles p = make(MANY, MANY), q = make(MANY, MANY);
    q.n_i = MANY - 100;
    for (size_t k = 0; k < q.n_i; k++) q.i[k] = p.i[MANY - 1 - k];
    for (int precision = 0; precision < 3; precision++) {
        struct koshu_jerk_result *a, *b;
        a = sums_on("cuda", (enum koshu_precision)precision, 0, &p);
        b = sums_on("cuda", (enum koshu_precision)precision, 0, &q);
        for (size_t k = 0; k < q.n_i; k++)
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

/* One i-particle that is no j-particle, by its id, its position or its
 * velocity: then the sums are those on any i-particles, with other roundings
 * than those of all on all. */
static void
one_that_is_another(void **state)
{
    (void)state;
    enum { K = 4711 };
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
        for (size_t i = 0; i < p.n_i; i += 1000)
            assert_memory_not_equal(&by[i], &all[i], sizeof *all);
        free(all);
        p.i[K] = was;
        p.i[K].v[0] += 0.125;
        all = sums_on("cuda", precision, 0, &p);
        expect_same_but(all, by, p.n_i, K);
        free(all);
        p.i[K] = was;
        p.i[K].id = KOSHU_NO_ID;
        p.i[K].x[0] += 0.125; /* away from itself */
        all = sums_on("cuda", precision, 0, &p);
        expect_same_but(all, by, p.n_i, K);
        free(all);
        free(by);
        p.i[K] = was;
    }
    discard(&p);
}

/* No j-particle has an id that others have, where pairs are left out. */
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

/* Pairs whose floats are infinite; the nearest at the same distances. */
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

/* ---- ids ----------------------------------------------------------------- */

static void
ids_at_several_indices(void **state)
{
    (void)state;
    struct particles p = make(MANY, 200);
    for (size_t k = 0; k < p.n_j; k++) p.j[k].id = (int64_t)(k % 500);
    /* the last 100 are those of no j-particle */
    for (size_t k = 0; k < p.n_i; k++) p.i[k].id = (int64_t)k + 400;
    compare_all(&p, 0.02);
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
    /* turned round, and one id a second time */
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

/* ---- what floats cannot hold --------------------------------------------- */

static void
coincident_particles(void **state)
{
    (void)state;
    static const double softenings[] = {0, 1e-20, 0.1};
    struct particles p = make(MANY, 300);
    for (size_t k = 0; k + 1 < p.n_j; k += 500)
        memcpy(p.j[k + 1].x, p.j[k].x, sizeof p.j[k].x);
    for (size_t k = 0; k < p.n_i; k += 7)
        p.i[k].id = KOSHU_NO_ID; /* on itself */
    for (int e = 0; e < 3; e++) {
        /* so that jerks of coincident pairs, m w / eps^3, hide nothing */
        for (size_t k = 0; k < p.n_j && softenings[e] == 1e-20; k++)
            memset(p.j[k].v, 0, sizeof p.j[k].v);
        for (size_t k = 0; k < p.n_i && softenings[e] == 1e-20; k++)
            memset(p.i[k].v, 0, sizeof p.i[k].v);
        compare_all(&p, softenings[e]);
    }
    discard(&p);
}

/* 1 / r^3 is no float; the sums are doubles all the same. */
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

/* Particles set between begin and end belong to the next sums. */
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
        for (int k = 0; k < 3; k++) /* in several pieces, with the same */
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

/* More indices, and no sum in between. */
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
            cmocka_unit_test(all_on_all),
            cmocka_unit_test(all_on_max_in_any_order),
            cmocka_unit_test(one_that_is_another),
            cmocka_unit_test(all_on_all_with_one_id_twice),
            cmocka_unit_test(all_on_all_coincident),
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
