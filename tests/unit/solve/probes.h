/* SPDX-License-Identifier: MIT */
/* Points in a periodic box, and Ewald sums at some of them. */
#ifndef KOSHU_TESTS_PROBES_H
#define KOSHU_TESTS_PROBES_H

#include <math.h>
#include <string.h>

#include <koshu/ewald.h>

#include "fixture.h"
#include "uniform.h"

enum { MAX_N = 32768, MAX_PROBES = 1000 };

static double x[MAX_N], y[MAX_N], z[MAX_N], charge[MAX_N];
static size_t probe[MAX_PROBES], n_probes;
static double is[4][MAX_PROBES]; /* gradients and potential */

static inline struct koshu_laplace_points
points_at(size_t n, const double *px, const double *py, const double *pz)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = n;
    p.x = px;
    p.y = py;
    p.z = pz;
    p.charge = charge;
    return p;
}

/* Sums over n points. */
static inline void
sum_at_probes(size_t n, double box, double eps)
{
    static double at[3][MAX_PROBES];
    const struct koshu_laplace_points from = points_at(n, x, y, z),
                                      to = points_at(n_probes, at[0], at[1],
                                                     at[2]);
    struct koshu_ewald_options o = koshu_ewald_options_default();
    struct koshu_laplace_result result = koshu_laplace_result_default();
    for (size_t k = 0; k < n_probes; k++) {
        at[0][k] = x[probe[k]];
        at[1][k] = y[probe[k]];
        at[2][k] = z[probe[k]];
    }
    o.box = box;
    o.softening = eps;
    result.gradient_x = is[0];
    result.gradient_y = is[1];
    result.gradient_z = is[2];
    result.potential = is[3];
    assert_ok(context, koshu_ewald_sums(context, &from, &to, &o, &result));
}

#endif
