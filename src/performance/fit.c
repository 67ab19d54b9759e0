/* SPDX-License-Identifier: MIT */
/* Least squares with two non-negative constants. */
#include <math.h>

#include "performance/performance.h"

/* Sums of the normal equations, with P = p / t and Q = q / t; p, q: those with
 * the right-hand side. */
struct sums {
    double pp, pq, qq, p, q;
};

static bool
usable(const struct koshu_fit_point *k)
{
    return k->t > 0 && k->p >= 0 && k->q >= 0 && isfinite(k->p / k->t) &&
           isfinite(k->q / k->t) && isfinite(k->known / k->t);
}

static struct sums
add_up(const struct koshu_fit_point *points, size_t n)
{
    struct sums s = {0};
    for (size_t k = 0; k < n; k++) {
        double p = points[k].p / points[k].t, q = points[k].q / points[k].t;
        s.pp += p * p;
        s.pq += p * q;
        s.qq += q * q;
        double rest = 1 - points[k].known / points[k].t;
        s.p += p * rest;
        s.q += q * rest;
    }
    return s;
}

/* The constant if only one of the two is fitted. Times `sum`, it is the
 * reduction of the sum of squared deviations. */
static double
alone(double sum, double squares)
{
    return squares > 0 && sum > 0 ? sum / squares : 0;
}

static void
solve(const struct sums *s, struct koshu_fit *fit)
{
    /* the rounding error of a determinant that is zero, relative */
    const double nothing = 1e-12;
    double determinant = s->pp * s->qq - s->pq * s->pq;
    fit->a = fit->b = -1;
    if (determinant > nothing * s->pp * s->qq) {
        fit->a = (s->p * s->qq - s->q * s->pq) / determinant;
        fit->b = (s->q * s->pp - s->p * s->pq) / determinant;
    }
    if (fit->a >= 0 && fit->b >= 0) return;
    double a = alone(s->p, s->pp), b = alone(s->q, s->qq);
    bool only_a = a * s->p >= b * s->q * (1 - nothing);
    fit->a = only_a ? a : 0;
    fit->b = only_a ? 0 : b;
}

koshu_status
koshu_least_squares(const struct koshu_fit_point *points, size_t n,
                    struct koshu_fit *fit)
{
    for (size_t k = 0; k < n; k++)
        if (!usable(&points[k])) return KOSHU_ERROR_INVALID_ARGUMENT;
    const struct sums s = add_up(points, n);
    if (!(s.pp > 0 || s.qq > 0)) return KOSHU_ERROR_INVALID_ARGUMENT;
    solve(&s, fit);
    fit->largest = 0;
    for (size_t k = 0; k < n; k++) {
        double t =
                fit->a * points[k].p + fit->b * points[k].q + points[k].known;
        fit->largest = fmax(fit->largest, fabs(t / points[k].t - 1));
    }
    return KOSHU_OK;
}
