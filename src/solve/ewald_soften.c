/* SPDX-License-Identifier: MIT */
/* Ewald's splitting for softened pairs: the Gaussian integrals in erf(a s) / s
 * = 2 / sqrt(pi) int_0^a exp(-t^2 s^2) dt. */
#include "solve/ewald_soften.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Step and end of the trapezoidal rule in the logarithm of the variable. The
 * integrand is analytic and bounded for imaginary parts up to pi / 2, so the
 * error is exp(-pi^2 / STEP); at the ends the integrand is 1e-17. */
#define STEP 0.25
#define LAST 39.0

/* The integral of koshu_ewald_wave(), substituting t^-2 = a^-2 + 4 v / k^2. */
static double
integral_of_wave(double ae2, double a2_per_k2)
{
    double sum = 0;
    for (double w = -LAST; w < 4.5; w += STEP) {
        const double v = exp(w);
        sum += v * exp(-v - ae2 / (1 + 4 * v * a2_per_k2));
    }
    return STEP * sum;
}

double
koshu_ewald_wave(double a, double eps, double n2)
{
    const double plain = exp(-pi * pi * n2 / (a * a)) / (pi * n2);
    if (eps == 0) return plain;
    return plain *
           integral_of_wave(a * a * eps * eps, a * a / (4 * pi * pi * n2));
}

/* pi / a^2 E_2(a^2 eps^2), with the exponential integral taken over 1 + v. */
double
koshu_ewald_mean(double a, double eps)
{
    const double plain = pi / (a * a), ae2 = a * a * eps * eps;
    double sum = 0;
    if (eps == 0) return plain;
    for (double w = -LAST; w < LAST; w += STEP) {
        const double v = exp(w);
        sum += v / (1 + v) / (1 + v) * exp(-ae2 * (1 + v));
    }
    return plain * STEP * sum;
}

/* (2 / sqrt(pi)) int_0^a 2 t^2 exp(-t^2 eps^2) dt, as a series in a^2 eps^2. */
static double
series_of_slope(double a, double ae2)
{
    double sum = 0, term = 4 * a * a * a / sqrt(pi);
    for (int k = 0; k < 20; term *= -ae2 / ++k) sum += term / (2 * k + 3);
    return sum;
}

void
koshu_ewald_own(double a, double eps, double own[2])
{
    const double ae2 = a * a * eps * eps, gauss = 2 * a / sqrt(pi) * exp(-ae2);
    own[0] = eps > 0 ? erf(a * eps) / eps : 2 * a / sqrt(pi);
    own[1] = ae2 > 1 ? (own[0] - gauss) / (eps * eps) : series_of_slope(a, ae2);
}
