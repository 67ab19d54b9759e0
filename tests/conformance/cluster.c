/* SPDX-License-Identifier: MIT */
#include "cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels/kernels.h"
#include "rows.h"
#include "system.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

static void *
zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    assert_non_null(memory);
    return memory;
}

/* ---- particles ----------------------------------------------------------- */

static void
place(double x[3], double v[3], double at, uint64_t *state)
{
    for (int k = 0; k < 3; k++) x[k] = at + 2 * uniform(state) - 1;
    for (int k = 0; k < 3; k++) v[k] = 2 * uniform(state) - 1;
}

struct cluster *
cluster_create(size_t n_i, size_t n_j, double at)
{
    struct cluster *c = zeroed(1, sizeof *c);
    *c = (struct cluster){.n_i = n_i,
                          .n_j = n_j,
                          .i = zeroed(n_i, sizeof *c->i),
                          .j = zeroed(n_j, sizeof *c->j),
                          .eps = 0.05,
                          .nearest = true};
    uint64_t state = 3;
    for (size_t k = 0; k < n_j; k++) {
        c->j[k].id = 1000 + (int64_t)k;
        c->j[k].mass = 2 * uniform(&state) / (double)n_j;
        place(c->j[k].x, c->j[k].v, at, &state);
    }
    for (size_t k = 0; k < n_i; k++) {
        c->i[k].id = KOSHU_NO_ID;
        place(c->i[k].x, c->i[k].v, at, &state);
    }
    return c;
}

struct cluster *
cluster_create_self(size_t n_i, size_t n_j, double at)
{
    struct cluster *c = cluster_create(n_i, n_j, at);
    for (size_t k = 0; k < n_i; k++) c->i[k].id = c->j[k].id;
    cluster_match(c);
    return c;
}

/* Predicts position and velocity to the common time. */
static void
predict(const struct cluster *c, size_t j, double x[3], double v[3])
{
    const struct koshu_j_particle *p = &c->j[j];
    double dt = c->time - p->time;
    for (int k = 0; k < 3; k++) {
        x[k] = hermite_predict_x_snap_f64(p->x[k], p->v[k], p->a[k], p->jerk[k],
                                          p->snap[k], dt);
        v[k] = hermite_predict_v_snap_f64(p->v[k], p->a[k], p->jerk[k],
                                          p->snap[k], dt);
    }
}

void
cluster_match(struct cluster *c)
{
    for (size_t i = 0; i < c->n_i; i++)
        for (size_t j = 0; j < c->n_j; j++)
            if (c->j[j].id == c->i[i].id) {
                predict(c, j, c->i[i].x, c->i[i].v);
                break;
            }
}

void
cluster_destroy(struct cluster *c)
{
    free(c->i);
    free(c->j);
    free(c);
}

/* ---- sums by a backend --------------------------------------------------- */

static struct sums *
sums_create(size_t n)
{
    struct sums *s = zeroed(1, sizeof *s);
    *s = (struct sums){n, zeroed(n, sizeof *s->of), zeroed(n, sizeof(double)),
                       zeroed(n, sizeof(double)), zeroed(n, sizeof(double))};
    return s;
}

void
sums_destroy(struct sums *s)
{
    free(s->of);
    free(s->scale_a);
    free(s->scale_jerk);
    free(s->scale_potential);
    free(s);
}

enum { POISON = 0x5a5a5a5a };

static void
poison(struct sums *s)
{
    for (size_t k = 0; k < s->n; k++)
        s->of[k] = (struct koshu_jerk_result){
                {NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, NAN, POISON};
}

static bool
poisoned(const struct koshu_jerk_result *r)
{
    return isnan(r->nearest_r2) && r->nearest == POISON;
}

struct koshu_j_store *
cluster_memory(struct koshu_context *context, const struct cluster *c,
               enum koshu_precision precision)
{
    struct koshu_j_store *memory = NULL;
    assert_ok(context,
              rows_create(context, precision, c->n_j ? c->n_j : 1, &memory));
    assert_ok(context, rows_set(memory, c->n_j, NULL, c->j));
    assert_ok(context, koshu_j_store_set_time(memory, c->time));
    return memory;
}

struct sums *
memory_sums(struct koshu_context *context, struct koshu_j_store *memory,
            const struct cluster *c)
{
    const struct koshu_j_store_start_options options = {sizeof options, c->eps,
                                                        c->nearest};
    struct sums *s = sums_create(c->n_i);
    poison(s);
    assert_ok(context, rows_start(memory, &options, c->n_j, c->n_i, c->i));
    assert_ok(context, rows_wait(memory, c->n_i, c->nearest, s->of));
    return s;
}

struct sums *
cluster_sums(struct koshu_context *context, const struct cluster *c,
             enum koshu_precision precision)
{
    struct koshu_j_store *memory = cluster_memory(context, c, precision);
    struct sums *s = memory_sums(context, memory, c);
    koshu_j_store_destroy(memory);
    return s;
}

/* ---- sums by definition -------------------------------------------------- */

struct pair {
    long double d[3], w[3], r2;
    /* |v_i| + |v_j|: the rounding error of w scales with it */
    long double speed;
};

static struct pair
pair_of(const struct cluster *c, size_t i, size_t j, bool rounded)
{
    struct pair p = {.r2 = 0};
    double x[3], v[3];
    long double vi2 = 0, vj2 = 0;
    predict(c, j, x, v);
    for (int k = 0; k < 3; k++) {
        double xi = c->i[i].x[k], vi = c->i[i].v[k];
        p.d[k] = rounded ? (long double)(float)x[k] - (float)xi
                         : (long double)x[k] - xi;
        p.w[k] = (long double)v[k] - vi;
        p.r2 += p.d[k] * p.d[k];
        vi2 += (long double)vi * vi;
        vj2 += (long double)v[k] * v[k];
    }
    p.speed = sqrtl(vi2) + sqrtl(vj2);
    return p;
}

double
cluster_r2(const struct cluster *c, size_t i, size_t j, bool rounded)
{
    return (double)pair_of(c, i, j, rounded).r2;
}

static void
define(struct sums *s, const struct cluster *c, size_t i, bool rounded)
{
    long double a[3] = {0}, jerk[3] = {0}, potential = 0, scale_a = 0,
                scale_jerk = 0;
    struct koshu_jerk_result *r = &s->of[i];
    r->nearest_r2 = INFINITY;
    r->nearest = KOSHU_NO_INDEX;
    for (size_t j = 0; j < c->n_j; j++) {
        if (c->j[j].id == c->i[i].id) continue;
        struct pair p = pair_of(c, i, j, rounded);
        if ((double)p.r2 < r->nearest_r2) {
            r->nearest_r2 = (double)p.r2;
            r->nearest = j;
        }
        long double s2 = p.r2 + (long double)c->eps * c->eps;
        if (s2 == 0) continue;
        long double s1 = sqrtl(s2), m3 = c->j[j].mass / (s1 * s2);
        long double dw = p.d[0] * p.w[0] + p.d[1] * p.w[1] + p.d[2] * p.w[2];
        for (int k = 0; k < 3; k++) {
            a[k] += m3 * p.d[k];
            jerk[k] += m3 * (p.w[k] - 3 * dw / s2 * p.d[k]);
        }
        potential -= c->j[j].mass / s1;
        scale_a += m3 * sqrtl(p.r2);
        scale_jerk += m3 * p.speed * (1 + 3 * p.r2 / s2);
    }
    for (int k = 0; k < 3; k++) {
        r->a[k] = (double)a[k];
        r->jerk[k] = (double)jerk[k];
    }
    r->potential = (double)potential;
    s->scale_a[i] = (double)scale_a;
    s->scale_jerk[i] = (double)scale_jerk;
    s->scale_potential[i] = (double)-potential;
}

struct sums *
cluster_definition(const struct cluster *c, bool rounded)
{
    struct sums *s = sums_create(c->n_i);
    for (size_t i = 0; i < c->n_i; i++) define(s, c, i, rounded);
    return s;
}

/* ---- comparison ---------------------------------------------------------- */

static size_t
number_wrong(const char *name, size_t i, double x, double expected,
             double scale, double tolerance, bool quiet)
{
    if (fabs(x - expected) <= tolerance * scale) return 0;
    if (!quiet)
        print_message("%s of %zu = %.9g, expected %.9g: off by %.2g of %.9g, "
                      "not within %.2g\n",
                      name, i, x, expected, fabs(x - expected) / scale, scale,
                      tolerance);
    return 1;
}

static size_t
nearest_wrong(const struct sums *s, const struct sums *expected,
              const struct cluster *c, size_t i, bool rounded, double tolerance,
              bool quiet)
{
    const struct koshu_jerk_result *r = &s->of[i], *e = &expected->of[i];
    if (!c->nearest) return !poisoned(r);
    bool right = r->nearest == e->nearest && r->nearest_r2 == e->nearest_r2;
    if (!right && r->nearest < c->n_j && c->j[r->nearest].id != c->i[i].id) {
        double r2 = cluster_r2(c, i, r->nearest, rounded);
        right = r2 <= (1 + tolerance) * e->nearest_r2 &&
                fabs(r->nearest_r2 - r2) <= tolerance * r2;
    }
    if (!right && !quiet)
        print_message("nearest to %zu: %llu at r^2 = %.9g, expected %llu at "
                      "%.9g\n",
                      i, (unsigned long long)r->nearest, r->nearest_r2,
                      (unsigned long long)e->nearest, e->nearest_r2);
    return !right;
}

size_t
sums_wrong(const struct sums *s, const struct sums *expected,
           const struct cluster *c, bool rounded, double tolerance)
{
    static const char *const axes[] = {"x", "y", "z"};
    size_t wrong = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct koshu_jerk_result *r = &s->of[i], *e = &expected->of[i];
        for (int k = 0; k < 3; k++) {
            char name[2][8];
            snprintf(name[0], sizeof name[0], "a%s", axes[k]);
            snprintf(name[1], sizeof name[1], "jerk%s", axes[k]);
            wrong += number_wrong(name[0], i, r->a[k], e->a[k],
                                  expected->scale_a[i], tolerance, wrong);
            wrong += number_wrong(name[1], i, r->jerk[k], e->jerk[k],
                                  expected->scale_jerk[i], tolerance, wrong);
        }
        wrong += number_wrong("potential", i, r->potential, e->potential,
                              expected->scale_potential[i], tolerance, wrong);
        wrong += nearest_wrong(s, expected, c, i, rounded, tolerance, wrong);
    }
    return wrong;
}

bool
sums_identical(const struct sums *a, const struct sums *b)
{
    return a->n == b->n && memcmp(a->of, b->of, a->n * sizeof *a->of) == 0;
}
