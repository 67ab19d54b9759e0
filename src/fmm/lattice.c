/* SPDX-License-Identifier: MIT */
/*
 * The operator for all images of a box beyond the near ones, from the box's
 * multipoles to its local expansion. Lengths are in units of the edge.
 *
 * Let H(u) = sum_NM c_NM R_N^M(u) be the potential at u, relative to the
 * source; it is harmonic in the box. The addition theorem for regular
 * harmonics, here for R/A with A_n^m = sqrt((n - m)! (n + m)!), gives in
 * complex form
 *
 *     L_k^l = sum_nm (-1)^n D_(k + n)^(l + m) M_n^m
 *
 * (White & Head-Gordon 1994, J. Chem. Phys. 101, 6593). c_NM are sums of S_N^M
 * over the images, whose symmetry leaves only even N and M = 0, 4, 8, ...
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "fmm/fmm.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define SCALAR double
#define KOSHU_TYPED(name) name
#include "kernels/expansion.h"

static const double pi = 3.14159265358979323846;

enum { MAX_DEGREE = 2 * KOSHU_MAX_ORDER };

struct koshu_lattice {
    int p;
    double sum[EXPANSION_TERMS(MAX_DEGREE)]; /* D_N^M, M >= 0 */
};

static double
norm(int n, int m)
{
    return exp((lgamma(n - m + 1) + lgamma(n + m + 1)) / 2);
}

/* ---- Ewald summation ----------------------------------------------------- */

/*
 * With splitting parameter 1/2, the sum over waves is below 1e-17 but for its
 * constant term. What remains is a sum of S times Q(N + 1/2, x), x = (i / 2)^2,
 * over the images left out, and of -S P(N + 1/2, x) over the near ones; P and Q
 * are incomplete gamma functions (de Leeuw, Perram & Smith 1981). P is small
 * where S is large, so that no digits cancel.
 */
#define SPLITTING 0.5
enum { FAR = 16 };

/* P(n + 1/2, x), n = 0 ... last. */
static void
lower_gammas(int last, double x, double *p)
{
    for (int n = 0; n <= last; n++) {
        double term = exp((n + 0.5) * log(x) - x - lgamma(n + 1.5)), sum = 0;
        for (int k = 1; term > 1e-17 * sum; k++) {
            sum += term;
            term *= x / (n + 0.5 + k);
        }
        p[n] = sum;
    }
}

/* Q(n + 1/2, x), n = 0 ... last. */
static void
upper_gammas(int last, double x, double *q)
{
    double term = exp(0.5 * log(x) - x - lgamma(1.5));
    q[0] = erfc(sqrt(x));
    for (int n = 1; n <= last; n++) {
        q[n] = q[n - 1] + term;
        term *= x / (n + 0.5);
    }
}

/* The factors of an image in the sums of degree 0, 1, ... */
static void
factors(const struct koshu_fmm_images *images, const int at[3], unsigned depth,
        int degree, double *factor)
{
    const int far = at[0] > at[1] ? at[0] : at[1];
    const bool out = (far > at[2] ? far : at[2]) > images->reach;
    const double x = SPLITTING * SPLITTING *
                     (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    if (depth > 0)
        for (int n = 0; n <= degree; n++) factor[n] = out;
    else if (out)
        upper_gammas(degree, x, factor);
    else
        lower_gammas(degree, x, factor);
    double weight = out || depth > 0 ? 1 : -1;
    for (int d = 0; d < 3; d++) {
        if (at[d] > 0) weight *= 2; /* for its reflection */
        if (depth > 0 && at[d] == 1 << (depth - 1)) weight /= 2;
    }
    for (int n = 0; n <= degree; n++) factor[n] *= weight;
}

/* Adds an image and its reflections. */
static void
add_image(struct koshu_lattice *l, const struct koshu_fmm_images *images,
          unsigned depth, const double *regular, const int at[3])
{
    const int degree = 2 * l->p;
    const double r2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    double r[EXPANSION_TERMS(MAX_DEGREE)], factor[MAX_DEGREE + 1];
    double power = 1 / sqrt(r2);
    expansion_regular(degree, regular, at[0] / r2, at[1] / r2, at[2] / r2, r);
    factors(images, at, depth, degree, factor);
    for (int n = 0; n <= degree; n += 2)
        for (int m = 0; m <= n; m += 4)
            l->sum[EXPANSION_AT(n, m)] +=
                    factor[n] * power * r[EXPANSION_AT(n, m)];
}

static void
sum_images(struct koshu_lattice *l, const struct koshu_fmm_images *images,
           unsigned depth, const double *regular)
{
    const int last = depth > 0 ? 1 << (depth - 1) : FAR;
    for (int x = 0; x <= last; x++)
        for (int y = 0; y <= last; y++)
            for (int z = 0; z <= last; z++)
                if (x + y + z > 0)
                    add_image(l, images, depth, regular, (int[]){x, y, z});
    if (depth == 0)
        l->sum[0] -= 2 * SPLITTING / sqrt(pi) + pi / (SPLITTING * SPLITTING);
    /* 0 by symmetry; remove the rounding error */
    l->sum[EXPANSION_AT(2, 0)] = 0;
    for (int n = 0; n <= 2 * l->p; n += 2)
        for (int m = 0; m <= n; m += 4)
            l->sum[EXPANSION_AT(n, m)] *= norm(n, m) / (m > 0 ? sqrt(2) : 1);
}

koshu_status
koshu_lattice_create(struct koshu_context *context, int p,
                     const struct koshu_fmm_images *images, unsigned depth,
                     struct koshu_lattice **lattice)
{
    const size_t n = EXPANSION_TERMS(MAX_DEGREE);
    struct koshu_lattice *l = calloc(1, sizeof *l);
    double *regular = koshu_alloc(3 * n, sizeof *regular);
    *lattice = l;
    if (!l || !regular) {
        koshu_free(regular);
        return koshu_fail_memory(context, sizeof *l, "sums over a lattice");
    }
    l->p = p;
    koshu_expansion_regular(2 * p, regular);
    sum_images(l, images, depth, regular);
    koshu_free(regular);
    return KOSHU_OK;
}

void
koshu_lattice_destroy(struct koshu_lattice *lattice)
{
    free(lattice);
}

/* ---- the operator -------------------------------------------------------- */

/* Complex coefficients of R_n^m / A_n^m for all m, from the real ones. */
static void
as_complex(int p, const double *v, double complex *c)
{
    for (int n = 0; n <= p; n++) {
        c[EXPANSION_AT(n, 0)] = v[EXPANSION_AT(n, 0)] / norm(n, 0);
        for (int m = 1; m <= n; m++) {
            const double complex of =
                    (v[EXPANSION_AT(n, m)] + I * v[EXPANSION_AT(n, -m)]) /
                    (sqrt(2) * norm(n, m));
            c[EXPANSION_AT(n, m)] = of;
            c[EXPANSION_AT(n, -m)] = (m % 2 ? -1 : 1) * conj(of);
        }
    }
}

static double complex
local_of(const struct koshu_lattice *l, const double complex *multipole, int k,
         int of)
{
    double complex sum = 0;
    for (int n = k % 2; n <= l->p; n += 2)
        for (int m = -n; m <= n; m++) {
            const int both = abs(of + m);
            if (both % 4 == 0 && both <= k + n)
                sum += l->sum[EXPANSION_AT(k + n, both)] *
                       multipole[EXPANSION_AT(n, m)];
        }
    return k % 2 ? -sum : sum;
}

void
koshu_lattice_apply(const struct koshu_lattice *lattice,
                    const double *multipole, double *local)
{
    const int p = lattice->p;
    double complex c[EXPANSION_TERMS(KOSHU_MAX_ORDER)];
    as_complex(p, multipole, c);
    for (int k = 0; k <= p; k++)
        for (int m = 0; m <= k; m++) {
            const double complex sum = local_of(lattice, c, k, m) *
                                       (m > 0 ? sqrt(2) : 1) / norm(k, m);
            local[EXPANSION_AT(k, m)] = creal(sum);
            if (m > 0) local[EXPANSION_AT(k, -m)] = -cimag(sum);
        }
}

koshu_status
koshu_lattice_matrix(struct koshu_context *context,
                     const struct koshu_lattice *lattice, double **matrix)
{
    const size_t terms = (size_t)EXPANSION_TERMS(lattice->p);
    double unit[EXPANSION_TERMS(KOSHU_MAX_ORDER)] = {0};
    *matrix = koshu_alloc(terms * terms, sizeof **matrix);
    if (!*matrix)
        return koshu_fail_memory(context, terms * terms * sizeof **matrix,
                                 "sums over a lattice");
    for (size_t n = 0; n < terms; n++) {
        unit[n] = 1;
        koshu_lattice_apply(lattice, unit, *matrix + n * terms);
        unit[n] = 0;
    }
    return KOSHU_OK;
}

/* ---- softening ----------------------------------------------------------- */

/* Sums over all images: lim sum_(n < R) n^-3 - 4 pi log R, and sum n^-5; from
 * the functional equation of Epstein's zeta function. */
static const double all_cubes = 3.82192350394063580;
static const double all_fifths = 10.37752483084708386;

/*
 * For an image, 1 / s - 1 / r is -eps^2 / (2 r^3) + 3 eps^4 / (8 r^5), and to
 * second order in the distance -eps^2 u^2 / (2 r^5), since cubic symmetry
 * leaves only the mean over directions. Its integral out to R is pi eps^2 (1 -
 * 2 log(2 R / eps)), which the mean over the box takes away.
 */
struct koshu_lattice_softening
koshu_lattice_soften(const struct koshu_fmm_images *images, double eps)
{
    const double eps2 = eps * eps;
    double cubes = all_cubes, fifths = all_fifths;
    if (eps == 0) return (struct koshu_lattice_softening){0};
    for (size_t k = 1; k < images->n; k++) {
        const double *shift = images->shift[k];
        const double r = hypot(hypot(shift[0], shift[1]), shift[2]);
        cubes -= pow(r / images->edge, -3);
        fifths -= pow(r / images->edge, -5);
    }
    return (struct koshu_lattice_softening){
            .mean = eps2 * (2 * pi * log(2 / eps) - pi - cubes / 2 +
                            3 * eps2 * fifths / 8),
            .curvature = eps2 * fifths};
}
