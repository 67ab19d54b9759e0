/* SPDX-License-Identifier: MIT */
/* Expansion rate and integrals over time of the homogeneous universe. */
#include <math.h>

#include "base/base.h"
#include "cosmology/cosmology.h"

static double
curvature(const struct koshu_cosmology *c)
{
    return 1 - c->omega_m - c->omega_lambda - c->omega_r;
}

double
koshu_hubble0_in(const struct koshu_units *units)
{
    const double km_s = 1e5, mpc = 3.085677581491367e24;
    return 100 * km_s / units->velocity_cm_s * units->length_cm / mpc;
}

double
koshu_expansion2(const struct koshu_cosmology *c, double a)
{
    const double dark = c->omega_lambda * pow(a, -3 * (1 + c->w));
    return (c->omega_r / a + c->omega_m) / (a * a * a) +
           curvature(c) / (a * a) + dark;
}

double
koshu_hubble(const struct koshu_cosmology *c, double a)
{
    return c->hubble0 * sqrt(koshu_expansion2(c, a));
}

double
koshu_hubble_slope(const struct koshu_cosmology *c, double a)
{
    const double dark = c->omega_lambda * pow(a, -3 * (1 + c->w));
    const double slope = (-4 * c->omega_r / a - 3 * c->omega_m) / (a * a * a) -
                         2 * curvature(c) / (a * a) - 3 * (1 + c->w) * dark;
    return slope / (2 * koshu_expansion2(c, a));
}

/* Gauss-Legendre quadrature with 16 points over one panel. */
static double
panel(const struct koshu_cosmology *c, double from, double to, double power)
{
    static const double x[8] = {0.0950125098376374, 0.2816035507792589,
                                0.4580167776572274, 0.6178762444026438,
                                0.7554044083550030, 0.8656312023878318,
                                0.9445750230732326, 0.9894009349916499};
    static const double weight[8] = {0.1894506104550685, 0.1826034150449236,
                                     0.1691565193950025, 0.1495959888165767,
                                     0.1246289712555339, 0.0951585116824928,
                                     0.0622535239386479, 0.0271524594117541};
    const double middle = (from + to) / 2, half = (to - from) / 2;
    double sum = 0;
    for (int k = 0; k < 8; k++)
        for (int side = -1; side < 2; side += 2) {
            const double a = exp(middle + side * half * x[k]);
            sum += weight[k] * pow(a, power) / koshu_hubble(c, a);
        }
    return half * sum;
}

double
koshu_time_integral(const struct koshu_cosmology *c, double from, double to,
                    double power)
{
    const double begin = log(from), length = log(to / from);
    const int n = 1 + (int)(4 * fabs(length)); /* panels of 1/4 in ln a */
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += panel(c, begin + length * k / n, begin + length * (k + 1) / n,
                     power);
    return sum;
}

koshu_status
koshu_cosmology_check(struct koshu_context *context,
                      const struct koshu_cosmology *c)
{
    if (!(c->omega_m > 0 && c->omega_m <= 10 && fabs(c->omega_lambda) <= 10 &&
          c->omega_r >= 0 && c->omega_r < 1 && c->w >= -3 && c->w < 0 &&
          c->h > 0 && c->h <= 10))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "a universe with Omega_m = %g, Omega_lambda = %g, "
                          "Omega_r = %g, w = %g, h = %g: expected 0 < Omega_m "
                          "<= 10, |Omega_lambda| <= 10, 0 <= Omega_r < 1, "
                          "-3 <= w < 0, 0 < h <= 10",
                          c->omega_m, c->omega_lambda, c->omega_r, c->w, c->h);
    for (double a = 1; a > 1e-6; a *= 0.99)
        if (!(koshu_expansion2(c, a) > 0))
            return koshu_fail(
                    context, KOSHU_ERROR_BAD_INPUT,
                    "a universe with Omega_m = %g, Omega_lambda = %g, w = %g "
                    "has no big bang: it bounces at a = %.3g",
                    c->omega_m, c->omega_lambda, c->w, a);
    return KOSHU_OK;
}
