/* SPDX-License-Identifier: MIT */
/* Hierarchies: a pair with a third body, and two pairs about each other. */
#ifndef KOSHU_TESTS_NESTED_H
#define KOSHU_TESTS_NESTED_H

#include "chain_of.h"

/* A binary of masses 1 and 0.4 with a = 1, and a third body of 0.8 with this
 * pericentre distance. */
static inline struct few_bodies
nested_triple(double nearest)
{
    const struct elements inner = {1.4, 1, 0.3, 1.1, 0.7, 1},
                          outer = {2.2, 2 * nearest, 0.5, 0, 0, 2};
    return few_triple(1, 0.4, 0.8, &inner, &outer);
}

/* Two binaries of mass 0.5 each about each other; bodies in any order. */
static inline struct few_bodies
nested_quadruple(double nearest)
{
    const struct elements first = {0.5, 1, 0.4, 0.6, 0.2, 1},
                          second = {0.5, 1.3, 0.1, 0.2, 2, 3},
                          outer = {1, nearest, 0, 0, 0, 2};
    struct few_bodies b = {.n = 4, .mass = {0.25, 0.3, 0.25, 0.2}};
    double x[2][3], v[2][3], far[3], rate[3];
    few_orbit(&first, x[0], v[0]);
    few_orbit(&second, x[1], v[1]);
    few_orbit(&outer, far, rate);
    for (size_t k = 0; k < 4; k++) {
        const size_t p = k % 2;
        const double part = k < 2 ? -b.mass[k + 2] / 0.5 : b.mass[k - 2] / 0.5;
        for (int d = 0; d < 3; d++) {
            b.x[d][k] = part * x[p][d] + (p ? 0.5 : -0.5) * far[d];
            b.v[d][k] = part * v[p][d] + (p ? 0.5 : -0.5) * rate[d];
        }
    }
    return b;
}

#endif
