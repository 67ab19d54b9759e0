/* SPDX-License-Identifier: MIT */
/*
 * Fits to the transfer function. Symbols and equations are those of Eisenstein
 * & Hu 1998 (EH98), where k is in 1/Mpc; here it is in h/Mpc.
 */
#include <math.h>

#include "base/base.h"
#include "cosmology/cosmology.h"

static const char *const names[] = {"eisenstein-hu", "no-wiggle", "bbks",
                                    "table"};
KOSHU_ENUM_NAMES(koshu_spectrum, "a transfer function", names)

/* Fractions and scales that all terms use. */
struct scales {
    double h, om, ob; /* om = Omega_m h^2, ob = Omega_b h^2 */
    double fb, fc;    /* baryons, cold dark matter, of all matter */
    double t2;        /* (T / 2.7 K)^2 */
    double z_eq, k_eq, z_d, r_d, r_eq, s, k_silk;
};

static void
set_drag_epoch(struct scales *x)
{
    const double b1 = 0.313 * pow(x->om, -0.419) *
                      (1 + 0.607 * pow(x->om, 0.674)),
                 b2 = 0.238 * pow(x->om, 0.223);
    x->z_d = 1291 * pow(x->om, 0.251) / (1 + 0.659 * pow(x->om, 0.828)) *
             (1 + b1 * pow(x->ob, b2)); /* eq. 4 */
}

static struct scales
scales_of(const struct koshu_matter *m)
{
    const double t = m->temperature / 2.7, h2 = m->h * m->h;
    struct scales x = {.h = m->h,
                       .om = m->omega_m * h2,
                       .ob = m->omega_b * h2,
                       .fb = m->omega_b / m->omega_m,
                       .t2 = t * t};
    x.fc = 1 - x.fb;
    x.z_eq = 2.50e4 * x.om / (x.t2 * x.t2); /* eq. 2 */
    x.k_eq = 7.46e-2 * x.om / x.t2;         /* eq. 3 */
    set_drag_epoch(&x);
    const double r = 31.5 * x.ob / (x.t2 * x.t2) * 1e3; /* eq. 5 */
    x.r_d = r / x.z_d;
    x.r_eq = r / x.z_eq;
    x.s = 2 / (3 * x.k_eq) * sqrt(6 / x.r_eq) *
          log((sqrt(1 + x.r_d) + sqrt(x.r_d + x.r_eq)) /
              (1 + sqrt(x.r_eq))); /* eq. 6 */
    x.k_silk = 1.6 * pow(x.ob, 0.52) * pow(x.om, 0.73) *
               (1 + pow(10.4 * x.om, -0.95)); /* eq. 7 */
    return x;
}

/* eqs 19, 20; k in 1/Mpc */
static double
pressureless(const struct scales *x, double k, double alpha, double beta)
{
    const double q = k / (13.41 * x->k_eq);
    const double c = 14.2 / alpha + 386 / (1 + 69.9 * pow(q, 1.08));
    const double l = log(exp(1) + 1.8 * beta * q);
    return l / (l + c * q * q);
}

/* eqs 9-12, 17, 18 */
static double
cold(const struct scales *x, double k)
{
    const double a1 = pow(46.9 * x->om, 0.670) *
                      (1 + pow(32.1 * x->om, -0.532)),
                 a2 = pow(12.0 * x->om, 0.424) *
                      (1 + pow(45.0 * x->om, -0.582));
    const double alpha = pow(a1, -x->fb) * pow(a2, -pow(x->fb, 3));
    const double b1 = 0.944 / (1 + pow(458 * x->om, -0.708)),
                 b2 = pow(0.395 * x->om, -0.0266);
    const double beta = 1 / (1 + b1 * (pow(x->fc, b2) - 1));
    const double f = 1 / (1 + pow(k * x->s / 5.4, 4));
    return f * pressureless(x, k, 1, beta) +
           (1 - f) * pressureless(x, k, alpha, beta);
}

/* eq. 15 */
static double
drag_function(double y)
{
    const double r = sqrt(1 + y);
    return y * (-6 * r + (2 + 3 * y) * log((r + 1) / (r - 1)));
}

/* eqs 13-15, 21-24 */
static double
baryons(const struct scales *x, double k)
{
    const double ks = k * x->s;
    const double alpha = 2.07 * x->k_eq * x->s * pow(1 + x->r_d, -0.75) *
                         drag_function((1 + x->z_eq) / (1 + x->z_d));
    const double beta =
            0.5 + x->fb + (3 - 2 * x->fb) * sqrt(pow(17.2 * x->om, 2) + 1);
    const double node = 8.41 * pow(x->om, 0.435);
    const double shift = x->s / cbrt(1 + pow(node / ks, 3));
    const double wave = k * shift < 1e-8 ? 1 : sin(k * shift) / (k * shift);
    return (pressureless(x, k, 1, 1) / (1 + pow(ks / 5.2, 2)) +
            alpha / (1 + pow(beta / ks, 3)) * exp(-pow(k / x->k_silk, 1.4))) *
           wave;
}

static double
eisenstein_hu(const struct koshu_matter *m, double k)
{
    const struct scales x = scales_of(m);
    if (x.fb == 0) return pressureless(&x, k * m->h, 1, 1);
    return x.fb * baryons(&x, k * m->h) + x.fc * cold(&x, k * m->h);
}

/* eqs 26, 28-31 */
static double
no_wiggle(const struct koshu_matter *m, double k)
{
    const double h2 = m->h * m->h, om = m->omega_m * h2, ob = m->omega_b * h2;
    const double fb = m->omega_b / m->omega_m, t = m->temperature / 2.7;
    const double s =
            44.5 * log(9.83 / om) / sqrt(1 + 10 * pow(ob, 0.75)) * m->h;
    const double alpha =
            1 - 0.328 * log(431 * om) * fb + 0.38 * log(22.3 * om) * fb * fb;
    const double gamma = m->omega_m * m->h *
                         (alpha + (1 - alpha) / (1 + pow(0.43 * k * s, 4)));
    const double q = k * t * t / gamma;
    const double l = log(2 * exp(1) + 1.8 * q), c = 14.2 + 731 / (1 + 62.5 * q);
    return l / (l + c * q * q);
}

static double
bbks(const struct koshu_matter *m, double k)
{
    const double gamma = m->omega_m * m->h *
                         exp(-m->omega_b * (1 + sqrt(2 * m->h) / m->omega_m));
    const double t = m->temperature / 2.7, q = k * t * t / gamma;
    if (q == 0) return 1;
    return log(1 + 2.34 * q) / (2.34 * q) *
           pow(1 + 3.89 * q + pow(16.1 * q, 2) + pow(5.46 * q, 3) +
                       pow(6.71 * q, 4),
               -0.25);
}

double
koshu_transfer_of(enum koshu_spectrum transfer, const struct koshu_matter *m,
                  double k)
{
    if (k <= 0) return 1;
    switch (transfer) {
    case KOSHU_SPECTRUM_EISENSTEIN_HU: return eisenstein_hu(m, k);
    case KOSHU_SPECTRUM_NO_WIGGLE: return no_wiggle(m, k);
    case KOSHU_SPECTRUM_BBKS: return bbks(m, k);
    default: return NAN; /* a table has P */
    }
}
