/* SPDX-License-Identifier: MIT */
/* Contributions of single particles to diagnostics, for all backends. */
#ifndef KOSHU_KERNELS_DIAGNOSTICS_H
#define KOSHU_KERNELS_DIAGNOSTICS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/kernels.h"

/* ---- sums ---------------------------------------------------------------- */

/* The quantities that are sums over particles. */
enum {
    KOSHU_SUM_MASS,
    KOSHU_SUM_KINETIC,
    KOSHU_SUM_POTENTIAL,
    KOSHU_SUM_MOMENTUM,
    KOSHU_SUM_ANGULAR_MOMENTUM = KOSHU_SUM_MOMENTUM + 3,
    KOSHU_SUM_MOMENT = KOSHU_SUM_ANGULAR_MOMENTUM + 3, /* sum m x */
    KOSHU_DIAGNOSTIC_SUMS = KOSHU_SUM_MOMENT + 3
};

KOSHU_HD void
koshu_diagnostic_terms(double m, const double x[3], const double v[3],
                       double potential, double term[KOSHU_DIAGNOSTIC_SUMS])
{
    const double p[3] = {m * v[0], m * v[1], m * v[2]};
    term[KOSHU_SUM_MASS] = m;
    term[KOSHU_SUM_KINETIC] = 0.5 * (p[0] * v[0] + p[1] * v[1] + p[2] * v[2]);
    term[KOSHU_SUM_POTENTIAL] = 0.5 * m * potential;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        term[KOSHU_SUM_MOMENTUM + c] = p[c];
        term[KOSHU_SUM_ANGULAR_MOMENTUM + c] = x[d] * p[e] - x[e] * p[d];
        term[KOSHU_SUM_MOMENT + c] = m * x[c];
    }
}

/* ---- masses by radius ---------------------------------------------------- */

/*
 * Lagrangian radii are found by a radix search. The bits of squared radii sort
 * like the radii themselves, so they are determined one digit at a time: for
 * each prefix found so far, the mass is counted by the value of the next digit.
 * Masses are integers in a small unit, so that sums do not depend on their
 * order.
 */
enum { KOSHU_SHELL_BITS = 8, KOSHU_SHELL_BINS = 1 << KOSHU_SHELL_BITS };
enum { KOSHU_SHELL_DIGITS = 64 / KOSHU_SHELL_BITS };
enum { KOSHU_SHELL_PREFIXES = 7 };

struct koshu_shells {
    double centre[3];
    double masses;  /* mass units per mass 1; 0: each particle counts as one */
    unsigned shift; /* position of the digit; the prefix is above it */
    int n;
    uint64_t prefix[KOSHU_SHELL_PREFIXES];
};

KOSHU_HD uint64_t
koshu_shell_key(const struct koshu_shells *s, double x, double y, double z)
{
    const double dx = x - s->centre[0], dy = y - s->centre[1],
                 dz = z - s->centre[2], r2 = dx * dx + dy * dy + dz * dz;
    uint64_t bits;
    memcpy(&bits, &r2, sizeof bits);
    return bits;
}

KOSHU_HD uint64_t
koshu_shell_mass(const struct koshu_shells *s, double mass)
{
    return s->masses == 0 ? 1 : (uint64_t)llrint(mass * s->masses);
}

/* The value of a key's current digit. */
KOSHU_HD unsigned
koshu_shell_bin(const struct koshu_shells *s, uint64_t key)
{
    return (unsigned)(key >> s->shift) & (KOSHU_SHELL_BINS - 1);
}

KOSHU_HD uint64_t
koshu_shell_prefix(const struct koshu_shells *s, uint64_t key)
{
    return key >> s->shift >> KOSHU_SHELL_BITS;
}

/* Radii that enclose given parts of the total mass. For each digit, masses are
 * counted as `shells` says, then the digit of each radius is set. */
struct koshu_shell_search {
    struct koshu_shells shells;
    double part[KOSHU_SHELL_PREFIXES];
    uint64_t wanted[KOSHU_SHELL_PREFIXES]; /* mass still to be enclosed */
    uint64_t radius[KOSHU_SHELL_PREFIXES]; /* bits of its square found so far */
    int at[KOSHU_SHELL_PREFIXES];          /* index of its prefix */
};

KOSHU_HD bool
koshu_shell_is_first(const struct koshu_shells *s)
{
    return s->shift == 64 - KOSHU_SHELL_BITS;
}

/* The mass to be enclosed, from the total that was counted with the first
 * digit. Rounding must not cost a particle: half of ten equal masses is five of
 * them, although 10 (1/10) is not 1. Without masses, it is the nearest
 * particle. */
KOSHU_HD uint64_t
koshu_shell_wanted(const struct koshu_shell_search *s, int k, uint64_t all)
{
    const double part = s->part[k] - 4 * DBL_EPSILON;
    return s->shells.masses > 0 ? (uint64_t)ceil(part * (double)all) : 1;
}

/* Prepares the next count. Radii that agree so far have one prefix. */
KOSHU_HD void
koshu_shell_next(struct koshu_shell_search *s)
{
    s->shells.shift -= KOSHU_SHELL_BITS;
    s->shells.n = 0;
    for (int k = 0; k < KOSHU_SHELL_PREFIXES; k++) {
        const int last = s->shells.n - 1;
        if (last < 0 || s->radius[k] != s->shells.prefix[last])
            s->shells.prefix[s->shells.n++] = s->radius[k];
        s->at[k] = s->shells.n - 1;
    }
}

/* ---- the search on the host ---------------------------------------------- */

static inline void
koshu_shell_begin(struct koshu_shell_search *s, const double centre[3],
                  double masses, const double part[KOSHU_SHELL_PREFIXES])
{
    memset(s, 0, sizeof *s);
    memcpy(s->shells.centre, centre, sizeof s->shells.centre);
    memcpy(s->part, part, sizeof s->part);
    s->shells.masses = masses;
    s->shells.shift = 64;
    koshu_shell_next(s);
}

/* The next digit of each radius: the first that encloses the mass. */
static inline void
koshu_shell_digits(struct koshu_shell_search *s, const uint64_t *bins)
{
    uint64_t all = 0;
    for (int b = 0; b < KOSHU_SHELL_BINS; b++) all += bins[b];
    for (int k = 0; k < KOSHU_SHELL_PREFIXES; k++) {
        const uint64_t *of = bins + s->at[k] * KOSHU_SHELL_BINS;
        uint64_t digit = 0;
        if (koshu_shell_is_first(&s->shells))
            s->wanted[k] = koshu_shell_wanted(s, k, all);
        for (; digit < KOSHU_SHELL_BINS - 1 && of[digit] < s->wanted[k];
             digit++)
            s->wanted[k] -= of[digit];
        s->radius[k] = s->radius[k] << KOSHU_SHELL_BITS | digit;
    }
    koshu_shell_next(s);
}

#endif
