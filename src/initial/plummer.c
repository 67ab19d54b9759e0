/* SPDX-License-Identifier: MIT */
/*
 * Plummer's model, drawn as by Aarseth, Hénon & Wielen 1974 (A&A 37, 183,
 * appendix). a: scale length; X: fraction of the mass inside r; q: speed in
 * units of the escape speed.
 *
 *     r = a (X^(-2/3) - 1)^(-1/2)
 *     v_e = sqrt(2/a) (1 + r^2/a^2)^(-1/4)
 *     g(q) = q^2 (1 - q^2)^(7/2)
 */
#include <math.h>

#include "initial/initial.h"

/* E = -3 pi / (64 a) = -1/4 */
static const double a = 3 * M_PI / 16;

/* Draws q from g by rejection; the maximum of g is 0.092 at q^2 = 2/9. */
static double
relative_speed(struct koshu_random *random)
{
    for (;;) {
        double q = koshu_random_uniform(random);
        double rest = 1 - q * q;
        double g = q * q * rest * rest * rest * sqrt(rest);
        if (0.1 * koshu_random_uniform(random) < g) return q;
    }
}

static void
draw(const struct koshu_initial_options *options, struct koshu_body *body)
{
    double X = options->mass_fraction * koshu_random_uniform(&body->position);
    /* 1 / X^(2/3) - 1, without cancellation near X = 1 */
    double r = a / sqrt(expm1(-2.0 / 3.0 * log(X)));
    koshu_random_direction(&body->position, r, body->x);
    double escape = sqrt(2 / sqrt(a * a + r * r));
    double q = relative_speed(&body->velocity);
    koshu_random_direction(&body->velocity, q * escape, body->v);
}

const struct koshu_model_ops koshu_model_plummer = {
        .summary = "Plummer sphere, Hénon units; Aarseth, Hénon & Wielen 1974",
        .check = koshu_check_mass_fraction,
        .draw = draw,
        .equilibrium = true,
};
