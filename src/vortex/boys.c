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

/* Hermite's cubic in t = 0 ... 1 from the values and slopes at both ends. */
static void
set_cubic(double from, double from_slope, double to, double to_slope,
          double c[4])
{
    c[0] = from;
    c[1] = from_slope;
    c[2] = 3 * (to - from) - 2 * from_slope - to_slope;
    c[3] = 2 * (from - to) + from_slope + to_slope;
}

/* to[m], m = 1 ... 3: F_m with the core's polynomial, times (2 / pi)^(1/2). F_2
 * and F_3 follow from F_m' = -F_(m + 1). */
static void
set_functions(const double p[KOSHU_VORTEX_CORE_P], double s, double to[4])
{
    double q[KOSHU_VORTEX_CORE_P];
    memcpy(q, p, sizeof q);
    for (int m = 1; m < 4; m++) {
        double value = 0;
        for (int k = KOSHU_VORTEX_CORE_P - 1; k >= 0; k--)
            value = value * s + q[k];
        to[m] = sqrt(2 / pi) * (koshu_boys(m, s) + exp(-s) * value / 2);
        for (int k = 0; k + 1 < KOSHU_VORTEX_CORE_P; k++)
            q[k] -= (k + 1) * q[k + 1];
    }
}

void
koshu_core_table_make(const double p[KOSHU_VORTEX_CORE_P],
                      struct koshu_core_table *table)
{
    const double w = 1.0 / KOSHU_TABLE_STEPS;
    double a[4], b[4];
    memcpy(table->p, p, sizeof table->p);
    set_functions(p, 0, a);
    for (int k = 0; k < KOSHU_TABLE_STEPS * KOSHU_TABLE_END; k++) {
        set_functions(p, w * (k + 1), b);
        set_cubic(a[1], -w * a[2], b[1], -w * b[2],
                  table->c[k][KOSHU_TABLE_VALUE]);
        set_cubic(-a[2], w * a[3], -b[2], w * b[3],
                  table->c[k][KOSHU_TABLE_SLOPE]);
        memcpy(a, b, sizeof a);
    }
}
