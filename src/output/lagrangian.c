/* SPDX-License-Identifier: MIT */
/*
 * Lagrangian radii. Each radius is found digit by digit: per step, the masses
 * of all ranks' particles are binned by the next digit of their own radii.
 */
#include "output/lagrangian.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "kernels/diagnostics.h"

const double koshu_lagrangian_fractions[KOSHU_LAGRANGIAN_COUNT] = {
        0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90};

enum { N = KOSHU_LAGRANGIAN_COUNT, BINS = KOSHU_SHELL_BINS };

_Static_assert((int)N == (int)KOSHU_SHELL_PREFIXES, "a radius is a prefix");

struct search {
    const struct koshu_diagnosed *of;
    struct koshu_shell_search found;
    uint64_t bins[N * BINS]; /* for each prefix, masses by the next digit */
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
    const size_t few = 4096; /* starting threads would take longer */
    const struct koshu_particle_view *v = &s->of->view;
    const int threads = koshu_region_threads(context, v->n > few);
#pragma omp parallel num_threads(threads)
    {
        uint64_t mine[N * BINS] = {0};
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < v->n; i++)
            add_mass(&s->found.shells, v, i, mine);
#pragma omp critical
        for (int k = 0; k < s->found.shells.n * BINS; k++)
            s->bins[k] += mine[k];
    }
}

/* ---- of all ranks -------------------------------------------------------- */

static koshu_status
count(struct koshu_context *context, struct search *s)
{
    memset(s->bins, 0, sizeof s->bins);
    count_on_host(context, s);
    return koshu_sum_counts(context, s->bins, (size_t)s->found.shells.n * BINS);
}

static koshu_status
search_on_host(struct koshu_context *context, struct search *s)
{
    for (int k = 0; k < KOSHU_SHELL_DIGITS; k++) {
        KOSHU_TRY(count(context, s));
        koshu_shell_digits(&s->found, s->bins);
    }
    return KOSHU_OK;
}

/* The factor that turns masses into integers: the sum stays below 2^62, and a
 * mass of 1e-30 of it is still counted. */
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
    struct search s = {.of = of};
    koshu_shell_begin(&s.found, d->centre, masses_of(d->mass),
                      koshu_lagrangian_fractions);
    KOSHU_TRY(of->ops ? of->ops->find_shells(of->device, &s.found)
                      : search_on_host(context, &s));
    for (int k = 0; k < N; k++) {
        memcpy(&d->lagrangian_radius[k], &s.found.radius[k],
               sizeof s.found.radius[k]);
        d->lagrangian_radius[k] = sqrt(d->lagrangian_radius[k]);
    }
    return KOSHU_OK;
}
