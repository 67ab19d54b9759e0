/* SPDX-License-Identifier: MIT */
/* Computes the coefficients of kernels/expansion.h, each kind in the order in
 * which it is read there. */
#include "fmm/fmm.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/base.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define SCALAR double
#define KOSHU_TYPED(name) name
#include "kernels/expansion.h"

static const double pi = 3.14159265358979323846;

/* ---- recursions ---------------------------------------------------------- */

size_t
koshu_expansion_regular(int p, double *c)
{
    double *const begin = c;
    for (int n = 1; n <= p; n++) {
        for (int m = 1 - n; m < n; m++) {
            const double under = n * n - m * m;
            *c++ = (2 * n - 1) / sqrt(under);
            *c++ = sqrt(((n - 1) * (n - 1) - m * m) / under);
        }
        *c++ = n > 1 ? sqrt((2 * n - 1) / (2.0 * n)) : 1;
    }
    return (size_t)(c - begin);
}

static size_t
write_gradient(int p, double *c)
{
    double *const begin = c;
    for (int n = 1; n <= p; n++)
        for (int m = 0; m <= n; m++) {
            *c++ = (m == 1 ? sqrt(2) : 1) / 2 * sqrt((n + m) * (n + m - 1));
            *c++ = (m == 0 ? sqrt(2) : 1) / 2 * sqrt((n - m) * (n - m - 1));
            *c++ = sqrt(n * n - m * m);
        }
    return (size_t)(c - begin);
}

/* log((n - m)! (n + m)!) / 2 */
static double
log_norm(int n, int m)
{
    return (lgamma(n - m + 1) + lgamma(n + m + 1)) / 2;
}

static size_t
write_shift(int p, double *c)
{
    double *const begin = c;
    for (int n = 0; n <= p; n++)
        for (int k = 0; k <= n; k++)
            for (int m = 0; m <= k; m++)
                *c++ = exp(log_norm(n, m) - log_norm(k, m) - lgamma(n - k + 1));
    return (size_t)(c - begin);
}

/* ---- M2L along z --------------------------------------------------------- */

/* m and -m have the same matrix. */
static size_t
write_along(struct koshu_expansion *e, size_t at)
{
    double *c = e->f64 + at;
    for (int m = 0; m <= e->p; m++) {
        for (int sign = -1; sign <= (m > 0); sign += 2) {
            struct koshu_expansion_block *b = &e->along[e->n_along++];
            b->rows = b->columns = (uint8_t)(e->p + 1 - m);
            b->matrix = (uint32_t)(c - e->f64);
            for (int n = m; n <= e->p; n++)
                b->from[n - m] = b->to[n - m] =
                        (uint16_t)EXPANSION_AT(n, sign * m);
        }
        for (int k = m; k <= e->p; k++)
            for (int n = m; n <= e->p; n++)
                *c++ = ((k + m) % 2 ? -1 : 1) *
                       exp(lgamma(n + k + 1) - log_norm(k, m) - log_norm(n, m));
    }
    return (size_t)(c - e->f64);
}

/* ---- the exchange of x and z --------------------------------------------- */

/* Nodes and weights of Gauss-Legendre quadrature in [-1, 1]. */
static void
gauss_legendre(int n, double *node, double *weight)
{
    for (int k = 0; k < n; k++) {
        double x = cos(pi * (k + 0.75) / (n + 0.5)), step = 1, slope = 1;
        while (fabs(step) > 1e-15) {
            double p0 = 1, p1 = x;
            for (int l = 2; l <= n; l++) {
                const double p2 = ((2 * l - 1) * x * p1 - (l - 1) * p0) / l;
                p0 = p1;
                p1 = p2;
            }
            slope = n * (x * p1 - p0) / (x * x - 1);
            step = p1 / slope;
            x -= step;
        }
        node[k] = x;
        weight[k] = 2 / ((1 - x * x) * slope * slope);
    }
}

/* A block of the exchange of x and z at degree n: harmonics even or odd in y,
 * rows with m of this parity. The exchange keeps the parity in y and swaps
 * those in x and z. Returns how many numbers the block's matrix has. */
static size_t
exchange_block(struct koshu_expansion_block *b, int n, bool even, int parity,
               size_t matrix)
{
    const int other = (n % 2 == 0) == even ? parity : 1 - parity;
    const int first = even ? 0 : 1, sign = even ? 1 : -1;
    *b = (struct koshu_expansion_block){.matrix = (uint32_t)matrix};
    for (int m = first; m <= n; m++) {
        const uint16_t at = (uint16_t)EXPANSION_AT(n, sign * m);
        if (m % 2 == parity) b->to[b->rows++] = at;
        if (m % 2 == other) b->from[b->columns++] = at;
    }
    return (size_t)b->rows * b->columns;
}

/* Lists the blocks, without their matrices. */
static size_t
list_exchange(struct koshu_expansion *e, size_t at)
{
    for (int n = 0; n <= e->p; n++)
        for (int kind = 0; kind < 4; kind++) {
            struct koshu_expansion_block *b = &e->exchange[e->n_exchange];
            at += exchange_block(b, n, kind < 2, kind % 2, at);
            if (b->rows > 0) e->n_exchange++;
        }
    return at;
}

/* Adds (2 n + 1) / 4 pi R(z, y, x) R(x, y, z), times a weight, at a point of
 * the unit sphere. */
static void
add_point(struct koshu_expansion *e, const double *regular, double x, double y,
          double z, double weight)
{
    double r[EXPANSION_TERMS(KOSHU_MAX_ORDER)];
    double exchanged[EXPANSION_TERMS(KOSHU_MAX_ORDER)];
    expansion_regular(e->p, regular, x, y, z, r);
    expansion_regular(e->p, regular, z, y, x, exchanged);
    for (int k = 0; k < e->n_exchange; k++) {
        const struct koshu_expansion_block *b = &e->exchange[k];
        const int n = (int)sqrt(b->to[0] + 0.5);
        const double norm = weight * (2 * n + 1) / (4 * pi);
        double *c = e->f64 + b->matrix;
        for (int row = 0; row < b->rows; row++)
            for (int column = 0; column < b->columns; column++)
                *c++ += norm * exchanged[b->to[row]] * r[b->from[column]];
    }
}

/* Harmonics of one degree are orthogonal on the sphere: a quadrature with
 * enough points gives the matrix exactly. */
static void
write_exchange(struct koshu_expansion *e)
{
    enum { POINTS = KOSHU_MAX_ORDER + 1 };
    double node[POINTS], weight[POINTS];
    const int circle = 2 * e->p + 1;
    gauss_legendre(e->p + 1, node, weight);
    for (int k = 0; k <= e->p; k++)
        for (int l = 0; l < circle; l++) {
            const double phi = 2 * pi * l / circle;
            const double rho = sqrt(1 - node[k] * node[k]);
            add_point(e, e->f64 + e->regular, rho * cos(phi), rho * sin(phi),
                      node[k], weight[k] * 2 * pi / circle);
        }
}

/* ---- all of it ----------------------------------------------------------- */

/* An upper bound on the number of coefficients for order p. */
static size_t
capacity(int p)
{
    const size_t n = (size_t)p + 1;
    return 3 * n * n + n * n * n + n * n * n + n * n * n;
}

static koshu_status
reserve(struct koshu_context *context, struct koshu_expansion *e)
{
    const size_t blocks = 4 * (size_t)(e->p + 1), n = capacity(e->p);
    e->exchange = calloc(2 * blocks, sizeof *e->exchange);
    e->along = e->exchange ? e->exchange + blocks : NULL;
    e->f64 = koshu_alloc(n, sizeof *e->f64);
    e->f32 = koshu_alloc(n, sizeof *e->f32);
    if (e->exchange && e->f64 && e->f32) return KOSHU_OK;
    return koshu_fail_memory(context, n * (sizeof *e->f64 + sizeof *e->f32),
                             "coefficients of expansions");
}

static void
write_all(struct koshu_expansion *e)
{
    e->gradient =
            e->regular + koshu_expansion_regular(e->p, e->f64 + e->regular);
    e->shift = e->gradient + write_gradient(e->p, e->f64 + e->gradient);
    e->n = e->shift + write_shift(e->p, e->f64 + e->shift);
    e->n = write_along(e, e->n);
    e->n = list_exchange(e, e->n);
    write_exchange(e);
    for (size_t k = 0; k < e->n; k++) e->f32[k] = (float)e->f64[k];
}

koshu_status
koshu_expansion_create(struct koshu_context *context, int p,
                       struct koshu_expansion **expansion)
{
    *expansion = NULL;
    struct koshu_expansion *e = calloc(1, sizeof *e);
    if (!e) return koshu_fail_memory(context, sizeof *e, "expansions");
    e->p = p;
    const koshu_status status = reserve(context, e);
    if (status != KOSHU_OK) {
        koshu_expansion_destroy(e);
        return status;
    }
    write_all(e);
    *expansion = e;
    return KOSHU_OK;
}

void
koshu_expansion_destroy(struct koshu_expansion *expansion)
{
    if (!expansion) return;
    free(expansion->exchange);
    koshu_free(expansion->f64);
    koshu_free(expansion->f32);
    free(expansion);
}
