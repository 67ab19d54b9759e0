/* SPDX-License-Identifier: MIT */
/* Solves for the profile of a King model: see king.h. */
#include <math.h>

#include "initial/king.h"

/*
 * Near the edge the closed form suffers from cancellation. Its series
 *
 *     (2 / sqrt pi) sum_{k >= 2} 2^k W^(k + 1/2) / (1 3 5 ... (2k + 1))
 *
 * has only positive terms.
 */
double
koshu_king_density(double W)
{
    double term = 4.0 / 15.0 * W * W * sqrt(W), sum = 0;
    for (int k = 2; term > 1e-17 * sum; k++) {
        sum += term;
        term *= 2 * W / (2 * k + 3);
    }
    return M_2_SQRTPI * sum;
}

/*
 * The quantities integrated over t, all of them smooth in the centre:
 *
 *     b = r / t,  a = 3 mu / r^3,  work = integral mu / r dmu
 *
 * where the potential energy is -81 work sigma^4 r0 / G. From dW/dr follows
 * dr/dt = 2 / (3 a b).
 */
struct profile {
    double b, a, work;
};

static struct profile
slope(double w0, double rho0, double t, struct profile p)
{
    /* b and a are even functions of t */
    if (t == 0) return (struct profile){0};
    double rho = koshu_king_density(fmax(0, w0 - t * t)) / rho0;
    double r = p.b * t, dr = 2 / (3 * p.a * p.b);
    return (struct profile){
            (dr - p.b) / t,
            3 * (rho - p.a) * dr / r,
            p.a * rho * r * r * r * r * dr / 3,
    };
}

static struct profile
moved(struct profile p, double h, struct profile s)
{
    return (struct profile){p.b + h * s.b, p.a + h * s.a, p.work + h * s.work};
}

static struct profile
runge_kutta(double w0, double rho0, double t, double h, struct profile p)
{
    struct profile a = slope(w0, rho0, t, p);
    struct profile b = slope(w0, rho0, t + h / 2, moved(p, h / 2, a));
    struct profile c = slope(w0, rho0, t + h / 2, moved(p, h / 2, b));
    struct profile d = slope(w0, rho0, t + h, moved(p, h, c));
    p = moved(p, h / 6, a);
    p = moved(p, h / 3, b);
    p = moved(p, h / 3, c);
    return moved(p, h / 6, d);
}

static struct koshu_king_point
point_at(double w0, double rho0, double t, struct profile p)
{
    double rho = koshu_king_density(fmax(0, w0 - t * t)) / rho0;
    double r = p.b * t, dr = 2 / (3 * p.a * p.b);
    return (struct koshu_king_point){r, p.a * r * r * r / 3, dr,
                                     rho * r * r * dr};
}

void
koshu_king_solve(double w0, struct koshu_king *king)
{
    const int n = KOSHU_KING_STEPS;
    double rho0 = koshu_king_density(w0), h = sqrt(w0) / n;
    struct profile p = {.b = sqrt(2.0 / 3.0), .a = 1};
    king->w0 = w0;
    king->step = h;
    king->point[0] = point_at(w0, rho0, 0, p);
    for (int k = 1; k <= n; k++) {
        p = runge_kutta(w0, rho0, (k - 1) * h, h, p);
        king->point[k] = point_at(w0, rho0, k * h, p);
    }
    struct koshu_king_point edge = king->point[n];
    king->concentration = log10(edge.r);
    /* G M^2 / (2 |W|) = r0 mu^2 / (2 work) is 1, and so is G M */
    king->length = 2 * p.work / (edge.mu * edge.mu);
    king->velocity = 1 / sqrt(9 * edge.mu * king->length);
}

/* Cubic Hermite interpolation at s in [0, 1] of a step h. */
static double
hermite(double s, double h, double y0, double slope0, double y1, double slope1)
{
    double left = 1 - s;
    return left * left * ((1 + 2 * s) * y0 + s * h * slope0) +
           s * s * ((3 - 2 * s) * y1 - left * h * slope1);
}

static int
find_step(const struct koshu_king *king, double mu)
{
    int low = 0, high = KOSHU_KING_STEPS;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (king->point[middle].mu <= mu)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void
koshu_king_at_mass(const struct koshu_king *king, double fraction, double *W,
                   double *r)
{
    double mu = fraction * king->point[KOSHU_KING_STEPS].mu, h = king->step;
    int k = find_step(king, mu);
    struct koshu_king_point a = king->point[k], b = king->point[k + 1];
    double low = 0, high = 1;
    for (int halving = 0; halving < 53; halving++) {
        double s = (low + high) / 2;
        if (hermite(s, h, a.mu, a.mu_slope, b.mu, b.mu_slope) <= mu)
            low = s;
        else
            high = s;
    }
    double t = (k + low) * h;
    *r = hermite(low, h, a.r, a.r_slope, b.r, b.r_slope);
    *W = fmax(0, king->w0 - t * t);
}
