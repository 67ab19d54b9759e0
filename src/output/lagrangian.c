/* SPDX-License-Identifier: MIT */
/*
 * Lagrangian radii: each rank sorts its own particles; then all halve the range
 * of radii until one is left; the mass within is summed over ranks.
 */
#include "output/lagrangian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"

const double koshu_lagrangian_fractions[KOSHU_LAGRANGIAN_COUNT] = {
        0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90};

enum { N = KOSHU_LAGRANGIAN_COUNT, BLOCK = 64 };

/* The particles of a rank by radius: shells. */
struct shells {
    void *memory; /* of all arrays */
    size_t n;
    const double *mass; /* of the particles */
    uint64_t *r2;       /* squared radii as bits, which have their order */
    uint32_t *index;    /* which particle a shell is */
    struct koshu_sum
            *within; /* [b]: the mass of the shells 0 ... BLOCK b - 1 */
    struct koshu_sum *masses; /* for the sums of all ranks */
    uint64_t *r2_other;       /* room for the sort */
    uint32_t *index_other;
};

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

/* ---- the shells of a rank ------------------------------------------------ */

static koshu_status
reserve(struct koshu_context *context, struct shells *s)
{
    const size_t ranks = (size_t)koshu_context_ranks(context), n = s->n;
    if (n > UINT32_MAX)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "Lagrangian radii of %zu particles on one rank: 2^32 "
                          "are possible; take more ranks",
                          n);
    const size_t blocks = n / BLOCK + 1,
                 bytes = n * (2 * sizeof *s->r2 + 2 * sizeof *s->index) +
                         (blocks + N * ranks) * sizeof *s->within;
    s->memory = koshu_alloc(1, bytes);
    if (!s->memory)
        return koshu_fail_memory(context, bytes, "Lagrangian radii");
    s->within = s->memory;
    s->masses = s->within + blocks;
    s->r2 = (uint64_t *)(s->masses + N * ranks);
    s->r2_other = s->r2 + n;
    s->index = (uint32_t *)(s->r2_other + n);
    s->index_other = s->index + n;
    return KOSHU_OK;
}

static void
add_shells(const struct shells *s, size_t first, size_t last,
           struct koshu_sum *sum)
{
    for (size_t k = first; k < last; k++)
        koshu_sum_add(sum, s->mass[s->index[k]]);
}

/* The shells, and the mass within each block of them. */
static void
sort(struct koshu_context *context, const struct koshu_particle_view *v,
     const double centre[3], struct shells *s)
{
    const size_t few = 4096; /* to start threads takes longer */
    const int threads = koshu_region_threads(context, v->n > few);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < v->n; i++) {
        const double x = v->x[i] - centre[0], y = v->y[i] - centre[1],
                     z = v->z[i] - centre[2];
        s->r2[i] = bits_of(x * x + y * y + z * z);
        s->index[i] = (uint32_t)i;
    }
    koshu_sort_keys(s->n, s->r2, s->index, s->r2_other, s->index_other,
                    threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t b = 0; b < s->n / BLOCK; b++)
        add_shells(s, b * BLOCK, (b + 1) * BLOCK, &s->within[b + 1]);
    for (size_t b = 0; b < s->n / BLOCK; b++)
        koshu_sum_merge(&s->within[b + 1], s->within[b]);
}

/* The mass of the shells with r2 or less. */
static struct koshu_sum
mass_within(const struct shells *s, uint64_t r2)
{
    size_t low = 0,
           high = s->n; /* shells below low have it, from high on not */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->r2[middle] <= r2)
            low = middle + 1;
        else
            high = middle;
    }
    struct koshu_sum mass = s->within[low / BLOCK];
    add_shells(s, low / BLOCK * BLOCK, low, &mass);
    return mass;
}

/* ---- the search ---------------------------------------------------------- */

/* The radii, squared, between which they are. */
struct range {
    uint64_t low, high;
};

static koshu_status
whole_range(struct koshu_context *context, const struct shells *s,
            struct range range[N])
{
    double nearest = s->n > 0 ? -double_of(s->r2[0]) : -INFINITY;
    double farthest = s->n > 0 ? double_of(s->r2[s->n - 1]) : 0;
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

/* The mass within the k-th radius, of all ranks. */
static double
mass_of_all(struct koshu_context *context, const struct shells *s, int k)
{
    struct koshu_sum mass = {0};
    for (int r = 0; r < koshu_context_ranks(context); r++)
        koshu_sum_merge(&mass, s->masses[r * N + k]);
    return koshu_sum_value(mass);
}

/* Which half of each range has the first radius with the mass wanted? */
static koshu_status
halve(struct koshu_context *context, const struct shells *s,
      const double wanted[N], struct range range[N])
{
    struct koshu_sum mine[N];
    uint64_t middle[N];
    for (int k = 0; k < N; k++) {
        middle[k] = range[k].low + (range[k].high - range[k].low) / 2;
        mine[k] = mass_within(s, middle[k]);
    }
    KOSHU_TRY(koshu_all_gather(context, mine, sizeof mine, s->masses));
    for (int k = 0; k < N; k++) {
        if (range[k].low == range[k].high) continue;
        if (mass_of_all(context, s, k) >= wanted[k])
            range[k].high = middle[k];
        else
            range[k].low = middle[k] + 1;
    }
    return KOSHU_OK;
}

static koshu_status
search(struct koshu_context *context, const struct shells *s,
       struct koshu_diagnostics *d)
{
    struct range range[N];
    double wanted[N];
    /* half of ten equal masses is five of them, although 10 (1/10) is not 1 */
    double rounding = 4 * DBL_EPSILON * d->mass;
    for (int k = 0; k < N; k++)
        wanted[k] = koshu_lagrangian_fractions[k] * d->mass - rounding;
    KOSHU_TRY(whole_range(context, s, range));
    while (!is_found(range)) KOSHU_TRY(halve(context, s, wanted, range));
    for (int k = 0; k < N; k++)
        d->lagrangian_radius[k] = sqrt(double_of(range[k].low));
    return KOSHU_OK;
}

koshu_status
koshu_lagrangian_radii(struct koshu_particles *particles,
                       const struct koshu_particle_view *view,
                       struct koshu_diagnostics *d)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct shells s = {.n = view->n, .mass = view->mass};
    koshu_status status =
            koshu_ranks_collective_status(context, reserve(context, &s));
    if (status == KOSHU_OK) {
        sort(context, view, d->centre, &s);
        status = search(context, &s, d);
    }
    koshu_free(s.memory);
    return status;
}
