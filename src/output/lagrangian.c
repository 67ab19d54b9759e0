/* SPDX-License-Identifier: MIT */
/*
 * Lagrangian radii: each rank sorts its own particles; then all halve the range
 * of radii until one is left, asking each other for the mass within.
 */
#include "output/lagrangian.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"

enum { N = KOSHU_LAGRANGIAN_COUNT, FEW = 4096 };

/* Of this rank, by radius. */
struct shell {
    double r2, mass;
};

struct shells {
    size_t n;
    struct shell *shell;
    struct koshu_sum *within; /* [i]: the mass of the shells 0 ... i - 1 */
    struct koshu_sum *masses; /* room for the answers of all ranks */
};

/* ---- the shells of a rank ------------------------------------------------ */

/* By radius, then by mass: the order of equal shells does not matter. */
static int
compare_shells(const void *left, const void *right)
{
    const struct shell *a = left, *b = right;
    if (a->r2 != b->r2) return a->r2 < b->r2 ? -1 : 1;
    return (a->mass > b->mass) - (a->mass < b->mass);
}

static koshu_status
allocate(struct koshu_context *context, size_t n, struct shells *s)
{
    size_t ranks = (size_t)koshu_context_ranks(context);
    *s = (struct shells){.n = n};
    s->shell = koshu_alloc(n, sizeof *s->shell);
    s->within = koshu_alloc(n + 1, sizeof *s->within);
    s->masses = koshu_alloc(N * ranks, sizeof *s->masses);
    koshu_status status = KOSHU_OK;
    if (!s->shell || !s->within || !s->masses)
        status = koshu_fail_memory(context,
                                   n * (sizeof *s->shell + sizeof *s->within),
                                   "Lagrangian radii");
    return koshu_ranks_agree(context, status);
}

static void
destroy(struct shells *s)
{
    koshu_free(s->shell);
    koshu_free(s->within);
    koshu_free(s->masses);
}

static void
sort(struct koshu_context *context, const struct koshu_particle_view *v,
     const double centre[3], struct shells *s)
{
    int threads = v->n > FEW ? koshu_context_threads(context) : 1;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < v->n; i++) {
        double x = v->x[i] - centre[0];
        double y = v->y[i] - centre[1];
        double z = v->z[i] - centre[2];
        s->shell[i] = (struct shell){x * x + y * y + z * z, v->mass[i]};
    }
    qsort(s->shell, v->n, sizeof *s->shell, compare_shells);
    for (size_t i = 0; i < v->n; i++) {
        s->within[i + 1] = s->within[i];
        koshu_sum_add(&s->within[i + 1], s->shell[i].mass);
    }
}

/* The mass of the shells with r2 or less. */
static struct koshu_sum
mass_within(const struct shells *s, double r2)
{
    size_t low = 0,
           high = s->n; /* shells below low have it, from high on not */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->shell[middle].r2 <= r2)
            low = middle + 1;
        else
            high = middle;
    }
    return s->within[low];
}

/* ---- the search ---------------------------------------------------------- */

/* Doubles >= 0 are in the order of their bits: between two of them there are
 * never more than 2^63. */
static uint64_t
bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double
double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The radii, squared, between which the answers lie. */
struct range {
    uint64_t low, high;
};

static koshu_status
whole_range(struct koshu_context *context, const struct shells *s,
            struct range range[N])
{
    double nearest = s->n > 0 ? -s->shell[0].r2 : -INFINITY;
    double farthest = s->n > 0 ? s->shell[s->n - 1].r2 : 0;
    KOSHU_TRY(koshu_largest(context, &nearest));
    KOSHU_TRY(koshu_largest(context, &farthest));
    for (int k = 0; k < N; k++)
        range[k] = (struct range){bits_of(fabs(nearest)), bits_of(farthest)};
    return KOSHU_OK;
}

static bool
is_found(const struct range range[N])
{
    for (int k = 0; k < N; k++)
        if (range[k].low != range[k].high) return false;
    return true;
}

/* Which half of each range has the first radius with the mass wanted? */
static koshu_status
halve(struct koshu_context *context, const struct shells *s,
      const double wanted[N], struct range range[N])
{
    int ranks = koshu_context_ranks(context);
    struct koshu_sum mine[N];
    uint64_t middle[N];
    for (int k = 0; k < N; k++) {
        middle[k] = range[k].low + (range[k].high - range[k].low) / 2;
        mine[k] = mass_within(s, double_of(middle[k]));
    }
    KOSHU_TRY(koshu_all_gather(context, mine, sizeof mine, s->masses));
    for (int k = 0; k < N; k++) {
        struct koshu_sum mass = {0};
        for (int r = 0; r < ranks; r++)
            koshu_sum_join(&mass, s->masses[r * N + k]);
        if (range[k].low == range[k].high) continue;
        if (koshu_sum_value(mass) >= wanted[k])
            range[k].high = middle[k];
        else
            range[k].low = middle[k] + 1;
    }
    return KOSHU_OK;
}

koshu_status
koshu_lagrangian_radii(struct koshu_particles *particles,
                       const struct koshu_particle_view *view,
                       struct koshu_diagnostics *d)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct range range[N];
    struct shells s;
    double wanted[N];
    /* half of ten equal masses is five of them, although 10 (1/10) is not 1 */
    double rounding = 4 * DBL_EPSILON * d->mass;
    for (int k = 0; k < N; k++)
        wanted[k] = koshu_lagrangian_fractions[k] * d->mass - rounding;
    koshu_status status = allocate(context, view->n, &s);
    if (status == KOSHU_OK) {
        sort(context, view, d->centre, &s);
        status = whole_range(context, &s, range);
    }
    while (status == KOSHU_OK && !is_found(range))
        status = halve(context, &s, wanted, range);
    for (int k = 0; k < N && status == KOSHU_OK; k++)
        d->lagrangian_radius[k] = sqrt(double_of(range[k].low));
    destroy(&s);
    return status;
}
