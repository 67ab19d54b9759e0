/* SPDX-License-Identifier: MIT */
/* Sums of a j-particle store on a device, compared with those on the CPU. */
#ifndef KOSHU_TESTS_J_STORE_SUMS_H
#define KOSHU_TESTS_J_STORE_SUMS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "rows.h"

/* MANY: more than the double-precision kernels take in mixed precision. */
enum { MANY = 50000, MAX_I = 700 };

struct particles {
    size_t n_j, n_i;
    struct koshu_j_particle *j;
    struct koshu_i_particle *i;
};

static inline double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Moving particles in a cube, at positions exact in float; i-particle k is
 * j-particle step * k. */
static inline struct particles
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

static inline void
discard(struct particles *p)
{
    free(p->j);
    free(p->i);
}

static inline struct koshu_j_store *
memory_of(struct koshu_context *context, enum koshu_precision precision,
          const struct particles *p)
{
    struct koshu_j_store *m;
    assert_ok(context, rows_create(context, precision, p->n_j, &m));
    assert_ok(context, rows_set(m, p->n_j, NULL, p->j));
    assert_ok(context, koshu_j_store_set_time(m, 0));
    return m;
}

static inline void
sum(struct koshu_context *context, struct koshu_j_store *m, double eps,
    const struct particles *p, struct koshu_jerk_result *result)
{
    const struct koshu_j_store_start_options options = {sizeof options, eps,
                                                        true};
    memset(result, 0xff, p->n_i * sizeof *result); /* NaN */
    assert_ok(context, rows_start(m, &options, p->n_j, p->n_i, p->i));
    assert_ok(context, rows_wait(m, p->n_i, true, result));
}

/* Sums in a context created for this call. */
static inline struct koshu_jerk_result *
sums_in(struct koshu_context *context, enum koshu_precision precision,
        double eps, const struct particles *p)
{
    struct koshu_jerk_result *result = calloc(p->n_i, sizeof *result);
    assert_non_null(result);
    struct koshu_j_store *m = memory_of(context, precision, p);
    sum(context, m, eps, p, result);
    koshu_j_store_destroy(m);
    koshu_context_destroy(context);
    return result;
}

static inline struct koshu_jerk_result *
sums_on(const char *backend, enum koshu_precision precision, double eps,
        const struct particles *p)
{
    return sums_in(test_context(backend, 2), precision, eps, p);
}

static inline double
length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static inline double
off(const double x[3], const double truth[3])
{
    const double d[3] = {x[0] - truth[0], x[1] - truth[1], x[2] - truth[2]};
    return length(d);
}

/* Expects agreement within tolerance, relative to the mean of all results or to
 * the result itself. */
static inline void
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

/* A few roundings of 2^-24, from a near pair or from the hundred or so terms
 * added in float; or of 2^-53. */
static inline double
tolerance_of(enum koshu_precision precision)
{
    return precision == KOSHU_PRECISION_DOUBLE ? 1e-12 : 2e-6;
}

/* Compares sums with those of ref, for each precision. */
typedef void compare_sums(const struct particles *p,
                          enum koshu_precision precision, double eps);
static inline void
in_each_precision(compare_sums *compare, const struct particles *p, double eps)
{
    compare(p, KOSHU_PRECISION_SINGLE, eps);
    compare(p, KOSHU_PRECISION_MIXED, eps);
    compare(p, KOSHU_PRECISION_DOUBLE, eps);
}

#endif
