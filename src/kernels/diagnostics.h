/* SPDX-License-Identifier: MIT */
/* What diagnostics are made of, particle by particle, for all backends. */
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
 * Squared radii as bits, which have their order, are searched digit by digit:
 * of those that begin with one of some prefixes, the mass with each next digit.
 * Masses are whole numbers of a small unit, so that their sums are the same in
 * any order.
 */
enum { KOSHU_SHELL_BITS = 8, KOSHU_SHELL_BINS = 1 << KOSHU_SHELL_BITS };
enum { KOSHU_SHELL_DIGITS = 64 / KOSHU_SHELL_BITS };
enum { KOSHU_SHELL_PREFIXES = 7 };

struct koshu_shells {
    double centre[3];
    double masses;  /* units in a mass of 1; 0: each particle counts as one */
    unsigned shift; /* of the digit; prefixes stand above it */
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

/* Of the digit. */
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

/* Radii within which there are parts of all mass: digit after digit, masses are
 * counted (`shells` says what), then each gets its digit. */
struct koshu_shell_search {
    struct koshu_shells shells;
    double part[KOSHU_SHELL_PREFIXES];
    uint64_t wanted[KOSHU_SHELL_PREFIXES]; /* mass that is yet to be found */
    uint64_t radius[KOSHU_SHELL_PREFIXES]; /* squared, as far as it is known */
    int at[KOSHU_SHELL_PREFIXES];          /* the prefix that it is */
};

KOSHU_HD bool
koshu_shell_is_first(const struct koshu_shells *s)
{
    return s->shift == 64 - KOSHU_SHELL_BITS;
}

/* Of the mass of all, counted with the first digit. Half of ten equal masses is
 * five of them, although 10 (1/10) is not 1. Where none has a mass, it is the
 * nearest. */
KOSHU_HD uint64_t
koshu_shell_wanted(const struct koshu_shell_search *s, int k, uint64_t all)
{
    const double part = s->part[k] - 4 * DBL_EPSILON;
    return s->shells.masses > 0 ? (uint64_t)ceil(part * (double)all) : 1;
}

/* What is counted next. Radii that are the same so far are one prefix. */
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

/* ---- the search on the host -----------------------------------------------
 */

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

/* The next digit of each radius: the first with the mass wanted. */
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
