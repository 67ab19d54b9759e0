/* SPDX-License-Identifier: MIT */
/* Growth factors of linear perturbations, to second order. */
#include <math.h>

#include "cosmology/cosmology.h"

/* D1 and D2, each followed by its derivative by ln a. */
struct state {
    double y[4];
};

static struct state
derivative(const struct koshu_cosmology *c, double ln_a, struct state s)
{
    const double a = exp(ln_a);
    const double drag = 2 + koshu_hubble_slope(c, a);
    const double source =
            1.5 * c->omega_m / (a * a * a * koshu_expansion2(c, a));
    const double *y = s.y;
    return (struct state){{y[1], source * y[0] - drag * y[1], y[3],
                           source * (y[2] + y[0] * y[0]) - drag * y[3]}};
}

static struct state
moved(struct state s, struct state rate, double h)
{
    for (int k = 0; k < 4; k++) s.y[k] += h * rate.y[k];
    return s;
}

static struct state
step(const struct koshu_cosmology *c, double ln_a, double h, struct state s)
{
    const struct state k1 = derivative(c, ln_a, s);
    const struct state k2 = derivative(c, ln_a + h / 2, moved(s, k1, h / 2));
    const struct state k3 = derivative(c, ln_a + h / 2, moved(s, k2, h / 2));
    const struct state k4 = derivative(c, ln_a + h, moved(s, k3, h));
    s = moved(moved(s, k1, h / 6), k4, h / 6);
    return moved(moved(s, k2, h / 3), k3, h / 3);
}

/* Starts at a = 1e-10; the terms neglected there are 1e-10 of D1. */
struct koshu_growth
koshu_growth_at(const struct koshu_cosmology *c, double a)
{
    enum { STEPS = 16384 };
    const double first = 1e-10, equality = c->omega_r / c->omega_m;
    const double begin = log(first), h = (log(a) - begin) / STEPS;
    struct state s = {{first + 2 * equality / 3, first, 0, 0}};
    if (equality == 0) {
        s.y[2] = 3.0 / 7 * first * first;
        s.y[3] = 2 * s.y[2];
    }
    for (int k = 0; k < STEPS; k++) s = step(c, begin + k * h, h, s);
    return (struct koshu_growth){.d1 = s.y[0],
                                 .d2 = s.y[2],
                                 .f1 = s.y[1] / s.y[0],
                                 .f2 = s.y[3] / s.y[2]};
}
