/* SPDX-License-Identifier: MIT */
/* Sources with several right-hand sides, targets, and sums of 1 / r by the FMM
 * and directly; one set per test program. */
#ifndef KOSHU_TESTS_FIELDS_H
#define KOSHU_TESTS_FIELDS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/laplace.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "uniform.h"

enum { N = 1500, RHS = 4 };

/* Given quantities and expected results. */
enum { POTENTIAL, GRADIENT, HESSIAN = GRADIENT + 3, FIELDS = HESSIAN + 6 };
static double x[N], y[N], z[N], charge[RHS * N], dipole[3][RHS * N];
static double to_x[N], to_y[N], to_z[N];
static double got[FIELDS][RHS * N], is[FIELDS][RHS * N];

/* Sources denser towards a corner, uniform targets. The charges of right-hand
 * side k are of size 10^(9 k), dipoles are these times some spacings. */
static inline void
fill(void)
{
    for (size_t i = 0; i < N; i++) {
        x[i] = pow(uniform(), 2);
        y[i] = pow(uniform(), 2);
        z[i] = pow(uniform(), 2);
        to_x[i] = uniform();
        to_y[i] = uniform();
        to_z[i] = uniform();
        for (size_t rhs = 0; rhs < RHS; rhs++) {
            const double size = pow(1e9, (double)rhs);
            charge[rhs * N + i] = size * (uniform() - 0.4);
            for (int a = 0; a < 3; a++)
                dipole[a][rhs * N + i] = 0.1 * size * (uniform() - 0.5);
        }
    }
}

static inline struct koshu_laplace_points
sources(size_t n, size_t n_rhs)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = n;
    p.x = x;
    p.y = y;
    p.z = z;
    p.n_rhs = n_rhs;
    p.charge = charge;
    return p;
}

static inline struct koshu_laplace_points
with_dipoles(struct koshu_laplace_points p)
{
    p.dipole_x = dipole[0];
    p.dipole_y = dipole[1];
    p.dipole_z = dipole[2];
    return p;
}

static inline struct koshu_laplace_points
targets(size_t n)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = n;
    p.x = to_x;
    p.y = to_y;
    p.z = to_z;
    return p;
}

/* Results for potentials and gradients in arrays of n. */
static inline struct koshu_laplace_result
gradients_of(double *to, size_t n)
{
    struct koshu_laplace_result r = koshu_laplace_result_default();
    for (size_t k = 0; k < FIELDS * n; k++) to[k] = NAN;
    r.potential = to;
    r.gradient_x = to + GRADIENT * n;
    r.gradient_y = to + (GRADIENT + 1) * n;
    r.gradient_z = to + (GRADIENT + 2) * n;
    return r;
}

static inline struct koshu_laplace_result
all_of(double *to, size_t n)
{
    struct koshu_laplace_result r = gradients_of(to, n);
    r.hessian_xx = to + HESSIAN * n;
    r.hessian_xy = to + (HESSIAN + 1) * n;
    r.hessian_xz = to + (HESSIAN + 2) * n;
    r.hessian_yy = to + (HESSIAN + 3) * n;
    r.hessian_yz = to + (HESSIAN + 4) * n;
    r.hessian_zz = to + (HESSIAN + 5) * n;
    return r;
}

static inline struct koshu_laplace *
laplace_of(enum koshu_precision precision, double tolerance)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = precision;
    o.tolerance = tolerance;
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    return laplace;
}

static inline void
sum(struct koshu_laplace *laplace, const struct koshu_laplace_points *from,
    const struct koshu_laplace_points *at,
    const struct koshu_laplace_result *result)
{
    assert_ok(context, koshu_laplace_sums(laplace, from, at, result));
    koshu_laplace_destroy(laplace);
}

/* ---- direct sums --------------------------------------------------------- */

static inline void
add_charge(const double d[3], double q, double *sum)
{
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = sqrt(r2);
    if (r2 == 0) return;
    sum[POTENTIAL] += q / r;
    for (int a = 0, at = HESSIAN; a < 3; a++) {
        sum[GRADIENT + a] -= q * d[a] / r / r2;
        for (int b = a; b < 3; b++, at++)
            sum[at] += q * (3 * d[a] * d[b] / r2 - (a == b)) / r / r2;
    }
}

static inline void
add_dipole(const double d[3], const double p[3], double *sum)
{
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = sqrt(r2);
    const double along = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
    if (r2 == 0) return;
    sum[POTENTIAL] += along / r / r2;
    for (int a = 0, at = HESSIAN; a < 3; a++) {
        sum[GRADIENT + a] += (p[a] - 3 * along * d[a] / r2) / r / r2;
        for (int b = a; b < 3; b++, at++)
            sum[at] -= 3 *
                       (p[a] * d[b] + p[b] * d[a] + along * (a == b) -
                        5 * along * d[a] * d[b] / r2) /
                       r / r2 / r2;
    }
}

static inline void
sum_directly(const struct koshu_laplace_points *from,
             const struct koshu_laplace_points *at)
{
    for (size_t rhs = 0; rhs < from->n_rhs; rhs++)
        for (size_t i = 0; i < at->n; i++) {
            double sum[FIELDS] = {0};
            for (size_t j = 0; j < from->n; j++) {
                const double d[3] = {at->x[i] - from->x[j],
                                     at->y[i] - from->y[j],
                                     at->z[i] - from->z[j]};
                const size_t k = rhs * from->n + j;
                if (from->charge) add_charge(d, from->charge[k], sum);
                if (!from->dipole_x) continue;
                add_dipole(d,
                           (double[]){from->dipole_x[k], from->dipole_y[k],
                                      from->dipole_z[k]},
                           sum);
            }
            for (int k = 0; k < FIELDS; k++) is[k][rhs * at->n + i] = sum[k];
        }
}

/* Relative L2 error of n fields from `first` on, over elements begin ... end -
 * 1. */
static inline double
error_of(int first, int n, size_t begin, size_t end)
{
    double off = 0, all = 0, largest = 0;
    for (int k = first; k < first + n; k++)
        for (size_t i = begin; i < end; i++)
            largest = fmax(largest, fabs(is[k][i]));
    for (int k = first; k < first + n; k++)
        for (size_t i = begin; i < end; i++) {
            off += pow((got[k][i] - is[k][i]) / largest, 2);
            all += pow(is[k][i] / largest, 2);
        }
    return sqrt(off / all);
}

static inline struct koshu_laplace *
laplace_of_order(unsigned order)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = KOSHU_PRECISION_DOUBLE;
    o.tolerance = 0;
    o.multipole_order = order;
    o.n_leaf = 10; /* expansions make all of the error */
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    return laplace;
}

#endif
