/* SPDX-License-Identifier: MIT */
/* Boys functions, and the table of a vortex core's velocity and its slope. */
#include <math.h>
#include <string.h>

#include "vortex/near.h"

static const double pi = 3.14159265358979323846;

/* The series exp(-s) sum_k (2 s)^k / ((2 m + 1) (2 m + 3) ... (2 m + 2 k + 1)),
 * whose terms are all positive, so that nothing cancels. */
double
koshu_boys(int m, double s)
{
    double term = 1.0 / (2 * m + 1), sum = term;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= 2 * s / (2 * m + 2 * k + 1);
        sum += term;
    }
    return exp(-s) * sum;
}

/* Hermite's quintic in t = 0 ... 1 from value, slope and second derivative at
 * both ends. */
static void
set_quintic(const double from[3], const double to[3], double c[6])
{
    const double rise = to[0] - from[0];
    c[0] = from[0];
    c[1] = from[1];
    c[2] = from[2] / 2;
    c[3] = 10 * rise - 6 * from[1] - 4 * to[1] - (3 * from[2] - to[2]) / 2;
    c[4] = -15 * rise + 8 * from[1] + 7 * to[1] + (3 * from[2] - 2 * to[2]) / 2;
    c[5] = 6 * rise - 3 * (from[1] + to[1]) - (from[2] - to[2]) / 2;
}

/* of[m] = (-1)^m F_(m + 1), m = 0 ... 3, with the core's polynomial, times
 * (2 / pi)^(1/2) and w^m: the derivatives by s / w of the first. */
enum { DERIVATIVES = 4 };
static void
set_functions(const double p[VORTEX_CORE_TERMS], double s, double w,
              double of[DERIVATIVES])
{
    double q[VORTEX_CORE_TERMS], factor = sqrt(2 / pi);
    memcpy(q, p, sizeof q);
    for (int m = 0; m < DERIVATIVES; m++) {
        double value = 0;
        for (int k = VORTEX_CORE_TERMS - 1; k >= 0; k--)
            value = value * s + q[k];
        of[m] = factor * (koshu_boys(m + 1, s) + exp(-s) * value / 2);
        for (int k = 0; k + 1 < VORTEX_CORE_TERMS; k++)
            q[k] -= (k + 1) * q[k + 1];
        factor *= -w;
    }
}

void
koshu_core_table_make(const double p[VORTEX_CORE_TERMS],
                      struct koshu_core_table *table)
{
    const double w = 1.0 / KOSHU_CORE_STEPS;
    double from[DERIVATIVES], to[DERIVATIVES];
    memcpy(table->p, p, sizeof table->p);
    set_functions(p, 0, w, from);
    for (int k = 0; k < KOSHU_CORE_STEPS * KOSHU_CORE_END; k++) {
        double *value = table->c[k][KOSHU_CORE_VALUE],
               *slope = table->c[k][KOSHU_CORE_SLOPE];
        set_functions(p, w * (k + 1), w, to);
        set_quintic(from, to, value);
        set_quintic(from + 1, to + 1, slope);
        for (int i = 0; i < KOSHU_CORE_TERMS; i++) slope[i] /= w;
        memcpy(from, to, sizeof from);
    }
}
