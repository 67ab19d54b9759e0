/* SPDX-License-Identifier: MIT */
/* Ewald's sum in real space: see ewald_pairs.h. */
#include "solve/ewald_pairs.h"

#include <math.h>

#include "solve/ewald_soften.h"

static const double pi = 3.14159265358979323846;

struct ewald_pairs
koshu_ewald_pairs(double a, double eps, double reach)
{
    struct ewald_pairs e = {.a = a, .eps = eps, .reach = reach};
    koshu_ewald_own(a, eps, e.own);
    return e;
}

/* The charge and dipole of a source. */
struct strength {
    double charge, dipole[3];
};

static struct strength
strength_of(const struct ewald_sources *s, size_t j)
{
    struct strength q = {.charge = s->charge[j]};
    for (int k = 0; s->dipole[0] && k < 3; k++) q.dipole[k] = s->dipole[k][j];
    return q;
}

/* B_0 ... B_3 of ewald_pairs.h. */
static void
find_terms(const struct ewald_pairs *e, double s2, double b[4])
{
    const double s = sqrt(s2), a2 = 2 * e->a * e->a;
    double gauss = 2 * e->a / sqrt(pi) * exp(-e->a * e->a * s2);
    b[0] = erfc(e->a * s) / s;
    for (int k = 1; k < 4; k++, gauss *= a2)
        b[k] = ((2 * k - 1) * b[k - 1] + gauss) / s2;
}

/* Adds the terms of a source at distance d. */
static void
add_terms(const double b[4], const struct strength *q, const double d[3],
          struct ewald_sums *sum)
{
    const double *p = q->dipole;
    const double along = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
    const double first = q->charge * b[1] + along * b[2];
    const double second = q->charge * b[2] + along * b[3];
    sum->potential += q->charge * b[0] + along * b[1];
    for (int i = 0, at = 0; i < 3; i++) {
        sum->gradient[i] += p[i] * b[1] - first * d[i];
        for (int k = i; k < 3; k++, at++)
            sum->hessian[at] += second * d[i] * d[k] - (i == k ? first : 0) -
                                b[2] * (p[i] * d[k] + d[i] * p[k]);
    }
}

/* Adds one image at distance d, or the self term at zero distance. */
static void
add_pair(const struct ewald_pairs *e, const struct strength *q,
         const double d[3], struct ewald_sums *sum)
{
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double s2 = r2 + e->eps * e->eps;
    double b[4] = {-e->own[0], -e->own[1]};
    if (s2 > e->reach * e->reach && r2 > 0) return;
    if (r2 > 0) find_terms(e, s2, b);
    add_terms(b, q, d, sum);
}

/* The first and last image within reach along one axis, counted from the
 * nearest, which is always included. */
struct images {
    int first, last;
};

static struct images
images_of(double d, double reach)
{
    return (struct images){-(int)(reach + d), (int)(reach - d)};
}

/* Adds all images of a source. */
static void
add_images(const struct ewald_pairs *e, const struct strength *q,
           const double from[3], struct ewald_sums *sum)
{
    const struct images x = images_of(from[0], e->reach),
                        y = images_of(from[1], e->reach),
                        z = images_of(from[2], e->reach);
    for (int i = x.first; i <= x.last; i++)
        for (int k = y.first; k <= y.last; k++)
            for (int l = z.first; l <= z.last; l++)
                add_pair(e, q,
                         (double[]){from[0] + i, from[1] + k, from[2] + l},
                         sum);
}

void
koshu_ewald_add_pairs(const struct ewald_pairs *e,
                      const struct ewald_sources *sources, const double at[3],
                      struct ewald_sums *sum)
{
    for (size_t j = 0; j < sources->n; j++) {
        const struct strength q = strength_of(sources, j);
        double d[3];
        for (int k = 0; k < 3; k++) {
            d[k] = at[k] - sources->x[k][j];
            d[k] -= rint(d[k]);
        }
        add_images(e, &q, d, sum);
    }
}
