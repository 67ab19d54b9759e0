/* SPDX-License-Identifier: MIT */
/* Structure functions of a velocity in a periodic box. */
#ifndef KOSHU_FLOW_STRUCTURE_H
#define KOSHU_FLOW_STRUCTURE_H

#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

/*
 * Means over all points x and the three axes a, with d = u(x + r e_a) - u(x):
 *
 *     longitudinal S_2(r) = <d_a^2>,  transverse S_2(r) = <d_b^2>, b != a,
 *     S_3(r) = <d_a^3>
 *
 * In isotropic turbulence, S_3 is -4/5 of dissipation times r where viscosity
 * can be neglected (Kolmogorov 1941), and longitudinal S_2 is 2 (dissipation
 * r)^(2/3).
 */
struct koshu_structure {
    double r, longitudinal, transverse, third;
};

/* Separations are 1, 2, 3, 4, 6, 8, 12 ... steps of the mesh up to n / 2: no
 * more than this many. */
enum { KOSHU_STRUCTURE_MAX = 40 };

/*
 * From a velocity at n^3 points of a box, 3 n^3 numbers. *count of them are
 * written to s. Exact but for rounding; tests/unit/flow/test_structure.c.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_flow_structure(
        struct koshu_context *context, size_t n, double box,
        const double *velocity, struct koshu_structure s[KOSHU_STRUCTURE_MAX],
        size_t *count);

#endif
