/* SPDX-License-Identifier: MIT */
/*
 * Hernquist 1990 (ApJ 356, 359), isotropic, with a = M = G = 1. X: fraction of
 * the mass inside r; psi: potential, positive; E = v^2/2 - psi.
 *
 *     psi = 1 / (1 + r),   X = r^2 / (1 + r)^2                  (eqs. 5, 3)
 *     f(E) ~ (1 - q^2)^(-5/2) h(q),   q = sqrt(-E)              (eq. 17)
 *     h(q) = 3 asin q + q sqrt(1 - q^2) (1 - 2 q^2) (8 q^4 - 8 q^2 - 3)
 *
 * The speed at r has the density v^2 f. With v = sqrt(2 (1 - psi)) tan t one
 * finds 1 - q^2 = (1 - psi) / cos^2 t, and
 *
 *     v^2 (1 - q^2)^(-5/2) dv  ~  sin^2 t cos t dt  ~  d(sin^3 t)
 *
 * so sin^3 t is drawn uniformly, up to the escape speed, where sin^2 t = psi.
 * The remaining factor h is applied by rejection: h grows with q (h' = 128 q^4
 * (1 - q^2)^(3/2)), so h(sqrt psi) bounds it.
 */
#include <math.h>

#include "initial/initial.h"

double
koshu_hernquist_h(double q)
{
    double q2 = q * q;
    /* the terms of the formula cancel up to the fifth power of q */
    if (q < 0.01) return q2 * q2 * q * (128.0 / 5.0 - 192.0 / 7.0 * q2);
    return 3 * asin(q) +
           q * sqrt(1 - q2) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3);
}

static double
speed(struct koshu_random *random, double r)
{
    double psi = 1 / (1 + r), rest = r / (1 + r); /* 1 - psi */
    double limit = psi * sqrt(psi), bound = koshu_hernquist_h(sqrt(psi));
    for (;;) {
        double sine = cbrt(limit * koshu_random_uniform(random));
        double cosine2 = (1 - sine) * (1 + sine);
        double q2 = fmax(0, 1 - rest / cosine2);
        if (bound * koshu_random_uniform(random) < koshu_hernquist_h(sqrt(q2)))
            return sqrt(2 * rest / cosine2) * sine;
    }
}

static void
draw(const struct koshu_initial_options *options, struct koshu_body *body)
{
    double X = options->mass_fraction * koshu_random_uniform(&body->position);
    double r = sqrt(X) / (1 - sqrt(X));
    koshu_random_direction(&body->position, r, body->x);
    koshu_random_direction(&body->velocity, speed(&body->velocity, r), body->v);
}

const struct koshu_model_ops koshu_model_hernquist = {
        .summary = "Hernquist 1990, isotropic, scale length 1, mass 1",
        .check = koshu_check_mass_fraction,
        .draw = draw,
        .equilibrium = true,
};
