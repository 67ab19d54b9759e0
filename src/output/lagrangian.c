/* SPDX-License-Identifier: MIT */
/*
 * Lagrangian radii: the radius of each is found digit by digit, from the masses
 * of all ranks' particles by the next digit of their own radii.
 */
#include "output/lagrangian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "kernels/diagnostics.h"

const double koshu_lagrangian_fractions[KOSHU_LAGRANGIAN_COUNT] = {
        0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90};

enum { N = KOSHU_LAGRANGIAN_COUNT, BINS = KOSHU_SHELL_BINS };

_Static_assert((int)N <= (int)KOSHU_SHELL_PREFIXES,
               "a radius is a prefix, at max");

struct search {
    const struct koshu_diagnosed *of;
    struct koshu_shells shells;
    uint64_t bins[N * BINS]; /* masses by the next digit, of each prefix */
    uint64_t wanted[N];      /* mass within a radius that is yet to be found */
    uint64_t radius[N];      /* squared, as bits: as far as it is known */
    int prefix[N];           /* which of the prefixes that is */
};

/* ---- the particles here -------------------------------------------------- */

static void
add_mass(const struct koshu_shells *s, const struct koshu_particle_view *v,
         size_t i, uint64_t *bins)
{
    const uint64_t key = koshu_shell_key(s, v->x[i], v->y[i], v->z[i]);
    const uint64_t prefix = koshu_shell_prefix(s, key);
    for (int k = 0; k < s->n; k++)
        if (prefix == s->prefix[k])
            bins[k * BINS + (int)koshu_shell_bin(s, key)] +=
                    koshu_shell_mass(s, v->mass[i]);
}

static void
count_on_host(struct koshu_context *context, struct search *s)
{
    const size_t few = 4096; /* to start threads takes longer */
    const struct koshu_particle_view *v = &s->of->view;
    const int threads = koshu_region_threads(context, v->n > few);
#pragma omp parallel num_threads(threads)
    {
        uint64_t mine[N * BINS] = {0};
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < v->n; i++) add_mass(&s->shells, v, i, mine);
#pragma omp critical
        for (int k = 0; k < s->shells.n * BINS; k++) s->bins[k] += mine[k];
    }
}

/* ---- of all ranks -------------------------------------------------------- */

/* Radii that are the same so far are one prefix. */
static void
list_prefixes(struct search *s)
{
    s->shells.n = 0;
    for (int k = 0; k < N; k++) {
        const int last = s->shells.n - 1;
        if (last < 0 || s->radius[k] != s->shells.prefix[last])
            s->shells.prefix[s->shells.n++] = s->radius[k];
        s->prefix[k] = s->shells.n - 1;
    }
}

static koshu_status
count(struct koshu_context *context, struct search *s)
{
    const struct koshu_diagnosed *of = s->of;
    koshu_status status = KOSHU_OK;
    memset(s->bins, 0, sizeof s->bins);
    if (of->ops)
        status = of->ops->count_shells(of->device, &s->shells, s->bins);
    else
        count_on_host(context, s);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_sum_counts(context, s->bins, (size_t)s->shells.n * BINS);
}

/* The next digit of a radius: the first with the mass wanted. */
static void
add_digit(struct search *s, int k)
{
    const uint64_t *bins = s->bins + s->prefix[k] * BINS;
    uint64_t digit = 0;
    for (; digit < BINS - 1 && bins[digit] < s->wanted[k]; digit++)
        s->wanted[k] -= bins[digit];
    s->radius[k] = s->radius[k] << KOSHU_SHELL_BITS | digit;
}

/* ---- the search ---------------------------------------------------------- */

/* Half of ten equal masses is five of them, although 10 (1/10) is not 1. Where
 * none has a mass, it is the nearest. */
static void
find_wanted(struct search *s)
{
    uint64_t all = 0;
    for (int b = 0; b < BINS; b++) all += s->bins[b];
    for (int k = 0; k < N; k++) {
        const double part = koshu_lagrangian_fractions[k] - 4 * DBL_EPSILON;
        const double wanted = ceil(part * (double)all);
        s->wanted[k] = s->shells.masses > 0 ? (uint64_t)wanted : 1;
    }
}

/* So that all masses are below 2^62 of them, and 1e-30 still has some. */
static double
masses_of(double mass)
{
    const int max = 1000;
    if (mass == 0) return 0;
    const int exponent = 61 - ilogb(mass);
    return ldexp(1, exponent < max ? exponent : max);
}

koshu_status
koshu_lagrangian_radii(struct koshu_context *context,
                       const struct koshu_diagnosed *of,
                       struct koshu_diagnostics *d)
{
    struct search s = {.of = of, .shells = {.masses = masses_of(d->mass)}};
    memcpy(s.shells.centre, d->centre, sizeof d->centre);
    for (int shift = 64 - KOSHU_SHELL_BITS; shift >= 0;
         shift -= KOSHU_SHELL_BITS) {
        s.shells.shift = (unsigned)shift;
        list_prefixes(&s);
        KOSHU_TRY(count(context, &s));
        if (shift == 64 - KOSHU_SHELL_BITS) find_wanted(&s);
        for (int k = 0; k < N; k++) add_digit(&s, k);
    }
    for (int k = 0; k < N; k++) {
        memcpy(&d->lagrangian_radius[k], &s.radius[k], sizeof s.radius[k]);
        d->lagrangian_radius[k] = sqrt(d->lagrangian_radius[k]);
    }
    return KOSHU_OK;
}
