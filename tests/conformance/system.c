/* SPDX-License-Identifier: MIT */
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *
zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    assert_non_null(memory);
    return memory;
}

double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static void
place(double *x, size_t n, double at, bool rounded, uint64_t *state)
{
    for (size_t k = 0; k < n; k++) {
        x[k] = at + 2 * uniform(state) - 1;
        if (rounded) x[k] = (float)x[k];
    }
}

struct system *
system_create_sets(size_t n_sets, const size_t *n_i, const size_t *n_j,
                   bool rounded)
{
    struct system *s = zeroed(1, sizeof *s);
    s->n_sets = n_sets;
    s->i_offset = zeroed(n_sets + 1, sizeof *s->i_offset);
    s->j_offset = zeroed(n_sets + 1, sizeof *s->j_offset);
    for (size_t k = 0; k < n_sets; k++) {
        s->i_offset[k + 1] = s->i_offset[k] + n_i[k];
        s->j_offset[k + 1] = s->j_offset[k] + n_j[k];
    }
    s->n_i = s->i_offset[n_sets];
    s->n_j = s->j_offset[n_sets];
    double **const arrays[] = {&s->xi, &s->yi, &s->zi,  &s->xj,
                               &s->yj, &s->zj, &s->mass};
    uint64_t state = 1;
    for (int k = 0; k < 7; k++) {
        size_t n = k < 3 ? s->n_i : s->n_j;
        *arrays[k] = zeroed(n, sizeof(double));
        place(*arrays[k], n, 0, rounded, &state);
    }
    for (size_t j = 0; j < s->n_j; j++)
        s->mass[j] = fabs(s->mass[j]) * 2 / (double)s->n_j;
    s->self = zeroed(s->n_i, sizeof *s->self);
    for (size_t k = 0; k < n_sets; k++)
        for (size_t i = s->i_offset[k]; i < s->i_offset[k + 1]; i++)
            s->self[i] = i % 3 == 0 && n_j[k] > 0
                                 ? (int64_t)((i * 7919) % n_j[k])
                                 : KOSHU_NO_ID;
    system_match(s);
    return s;
}

void
system_match(struct system *s)
{
    for (size_t k = 0; k < s->n_sets; k++)
        for (size_t i = s->i_offset[k]; i < s->i_offset[k + 1]; i++) {
            if (s->self[i] == KOSHU_NO_ID) continue;
            size_t j = s->j_offset[k] + (size_t)s->self[i];
            s->xi[i] = s->xj[j];
            s->yi[i] = s->yj[j];
            s->zi[i] = s->zj[j];
        }
}

static void
shift(double *x, size_t n, double by, bool rounded)
{
    for (size_t k = 0; k < n; k++)
        x[k] = rounded ? (float)(x[k] + by) : x[k] + by;
}

struct system *
system_create(size_t n_i, size_t n_j, double at, bool rounded)
{
    struct system *s = system_create_sets(1, &n_i, &n_j, rounded);
    uint64_t state = 2;
    place(s->xi, n_i, 0, rounded, &state);
    for (size_t i = 0; i < n_i; i++) s->self[i] = KOSHU_NO_ID;
    double *const arrays[] = {s->xi, s->yi, s->zi, s->xj, s->yj, s->zj};
    for (int k = 0; k < 6; k++)
        shift(arrays[k], k < 3 ? n_i : n_j, at, rounded);
    return s;
}

struct system *
system_create_self(size_t n_i, size_t n_j, double at, bool rounded)
{
    struct system *s = system_create(n_i, n_j, at, rounded);
    for (size_t i = 0; i < n_i; i++) s->self[i] = (int64_t)i;
    system_match(s);
    return s;
}

void
system_destroy(struct system *s)
{
    void *const arrays[] = {s->i_offset, s->j_offset, s->xi, s->yi,
                            s->zi,       s->self,     s->xj, s->yj,
                            s->zj,       s->mass,     s};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
}

struct forces *
forces_create(size_t n)
{
    struct forces *f = zeroed(1, sizeof *f);
    f->n = n;
    double **const arrays[] = {&f->ax,        &f->ay,      &f->az,
                               &f->potential, &f->scale_a, &f->scale_potential};
    for (int k = 0; k < 6; k++) {
        *arrays[k] = zeroed(n, sizeof(double));
        for (size_t i = 0; i < n; i++) (*arrays[k])[i] = NAN;
    }
    return f;
}

void
forces_destroy(struct forces *f)
{
    void *const arrays[] = {
            f->ax, f->ay, f->az, f->potential, f->scale_a, f->scale_potential,
            f};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
}

static struct forces *
sum(struct koshu_context *context, const struct system *s,
    const struct koshu_force_options *options, bool potential)
{
    struct forces *f = forces_create(s->n_i);
    const struct koshu_i_particles i = system_i(s);
    const struct koshu_j_particles j = system_j(s);
    const struct koshu_force_result result = {
            .ax = f->ax,
            .ay = f->ay,
            .az = f->az,
            .potential = potential ? f->potential : NULL};
    assert_ok(context,
              koshu_force_direct_sets(context, s->n_sets, s->i_offset,
                                      s->j_offset, &i, &j, options, &result));
    return f;
}

struct forces *
system_forces(struct koshu_context *context, const struct system *s,
              const struct koshu_force_options *options)
{
    return sum(context, s, options, true);
}

struct forces *
system_accelerations(struct koshu_context *context, const struct system *s,
                     const struct koshu_force_options *options)
{
    return sum(context, s, options, false);
}

struct koshu_i_particles
system_i(const struct system *s)
{
    return (struct koshu_i_particles){
            .n = s->n_i, .x = s->xi, .y = s->yi, .z = s->zi, .id = s->self};
}

struct koshu_j_particles
system_j(const struct system *s)
{
    return (struct koshu_j_particles){
            .n = s->n_j, .x = s->xj, .y = s->yj, .z = s->zj, .mass = s->mass};
}

/* The force on one i-particle from the j-particles first ... last - 1. */
static void
define(struct forces *f, const struct system *s, size_t i, size_t first,
       size_t last, double eps)
{
    long double a[3] = {0}, p = 0, scale_a = 0;
    for (size_t j = first; j < last; j++) {
        if (s->self[i] == (int64_t)(j - first)) continue;
        long double d[3] = {(long double)s->xj[j] - s->xi[i],
                            (long double)s->yj[j] - s->yi[i],
                            (long double)s->zj[j] - s->zi[i]};
        long double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        long double r = sqrtl(d2 + (long double)eps * eps);
        if (r == 0) continue;
        for (int k = 0; k < 3; k++) a[k] += s->mass[j] * d[k] / (r * r * r);
        p -= s->mass[j] / r;
        scale_a += s->mass[j] * sqrtl(d2) / (r * r * r);
    }
    f->ax[i] = (double)a[0];
    f->ay[i] = (double)a[1];
    f->az[i] = (double)a[2];
    f->potential[i] = (double)p;
    f->scale_a[i] = (double)scale_a;
    f->scale_potential[i] = (double)-p;
}

struct forces *
system_definition(const struct system *s, double eps)
{
    struct forces *f = forces_create(s->n_i);
    for (size_t k = 0; k < s->n_sets; k++)
        for (size_t i = s->i_offset[k]; i < s->i_offset[k + 1]; i++)
            define(f, s, i, s->j_offset[k], s->j_offset[k + 1], eps);
    return f;
}

static size_t
components_wrong(const char *name, const double *x, const double *expected,
                 const double *scale, size_t n, double tolerance)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        if (fabs(x[i] - expected[i]) <= tolerance * scale[i]) continue;
        if (wrong++ == 0)
            print_message("%s[%zu] = %.9g, expected %.9g: off by %.2g of "
                          "%.9g, not within %.2g\n",
                          name, i, x[i], expected[i],
                          fabs(x[i] - expected[i]) / scale[i], scale[i],
                          tolerance);
    }
    return wrong;
}

size_t
forces_wrong(const struct forces *f, const struct forces *expected,
             bool potential, double tolerance)
{
    const struct forces *e = expected;
    size_t wrong =
            components_wrong("ax", f->ax, e->ax, e->scale_a, f->n, tolerance) +
            components_wrong("ay", f->ay, e->ay, e->scale_a, f->n, tolerance) +
            components_wrong("az", f->az, e->az, e->scale_a, f->n, tolerance);
    if (potential)
        return wrong + components_wrong("potential", f->potential, e->potential,
                                        e->scale_potential, f->n, tolerance);
    for (size_t i = 0; i < f->n; i++) wrong += !isnan(f->potential[i]);
    return wrong;
}

bool
forces_identical(const struct forces *a, const struct forces *b)
{
    size_t bytes = a->n * sizeof(double);
    return a->n == b->n && memcmp(a->ax, b->ax, bytes) == 0 &&
           memcmp(a->ay, b->ay, bytes) == 0 &&
           memcmp(a->az, b->az, bytes) == 0 &&
           memcmp(a->potential, b->potential, bytes) == 0;
}
