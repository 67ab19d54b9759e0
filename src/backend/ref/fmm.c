/* SPDX-License-Identifier: MIT */
/* The operators of the fast multipole method in double precision, as vectors of
 * one lane. */
#include <math.h>
#include <string.h>

#include "backend/ref/ref.h"
#include "kernels/kernels.h"

/* ---- near leaves --------------------------------------------------------- */

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

/* Adds a charge at displacement d from a target, in units of the leaf's
 * length. */
static void
add_charge(struct gravity_sum_f64 *sum, const double d[3], double charge,
           double eps)
{
    const double r2 = gravity_r2_f64(d[0], d[1], d[2], eps * eps);
    const bool apart = d[0] != 0 || d[1] != 0 || d[2] != 0;
    if (apart && r2 > 0)
        gravity_add_f64(sum, d[0], d[1], d[2], charge, 1 / sqrt(r2));
    else if (!apart && eps > 0) /* eps^2 may be 0 */
        sum->mr += charge / eps;
}

/* Adds an entry's particles to the sums of target particle i. */
static void
add_leaf(struct gravity_sum_f64 *sum, const struct koshu_fmm_near *near,
         uint32_t entry, size_t i)
{
    const struct koshu_fmm_cells *to = near->targets, *from = near->sources;
    const struct koshu_cell *cell =
            &from->cell[koshu_fmm_cell_of(&from->images, entry)];
    const double *shift = koshu_fmm_shift_of(&from->images, entry);
    const double *const charge = from->charge + near->rhs * from->n;
    const double per_length = 1 / to->length[near->leaf];
    const double x[3] = {to->px[i] - shift[0], to->py[i] - shift[1],
                         to->pz[i] - shift[2]};
    for (size_t j = cell->first; j < (size_t)cell->first + cell->n; j++) {
        const double d[3] = {(from->px[j] - x[0]) * per_length,
                             (from->py[j] - x[1]) * per_length,
                             (from->pz[j] - x[2]) * per_length};
        if (to == from && entry == near->leaf && i == j) continue;
        add_charge(sum, d, charge[j] * from->per_charge[near->rhs],
                   near->task->eps * per_length);
    }
}

static void
near_leaves(const struct koshu_fmm_near *near)
{
    const struct koshu_cell *leaf = &near->targets->cell[near->leaf];
    for (size_t k = 0; k < leaf->n; k++) {
        struct gravity_sum_f64 sum = {0};
        for (size_t s = 0; s < near->n; s++)
            add_leaf(&sum, near, near->source[s], leaf->first + k);
        near->sums[k] = sum.mr;
        near->sums[k + leaf->n] = sum.ax;
        near->sums[k + 2 * (size_t)leaf->n] = sum.ay;
        near->sums[k + 3 * (size_t)leaf->n] = sum.az;
    }
}

/* ---- all other operators ------------------------------------------------- */

typedef double one_double __attribute__((vector_size(sizeof(double))));

static one_double
inverse_root(one_double r2)
{
    return (one_double){r2[0] > 0 ? 1 / sqrt(r2[0]) : 0};
}

/* Nothing to do: vectors have one lane. */
static void
transpose(one_double *v)
{
    (void)v;
}

struct expansion_direction;
static void add_m2l(const struct koshu_expansion *e, const double *coefficient,
                    const struct expansion_direction *d, one_double near,
                    one_double far, const one_double *v, one_double *sum);

#define KOSHU_REAL one_double
#define KOSHU_TYPED(name) name
#define SCALAR double
#define LANES 1
#define COEFFICIENTS f64
#define NEAR near_leaves
#define PAIRS pairs
#define CORES koshu_ref_cores
#define GAUSSIANS koshu_ref_gaussians
#define ADD_M2L add_m2l
#include "backend/fmm_operators.h"

static void
add_m2l(const struct koshu_expansion *e, const double *coefficient,
        const struct expansion_direction *d, one_double near, one_double far,
        const one_double *v, one_double *sum)
{
    const size_t terms = EXPANSION_TERMS((size_t)e->p);
    one_double from[max_terms], to[max_terms];
    memcpy(from, v, terms * sizeof *v);
    expansion_m2l(e, coefficient, d, near, far, from, to);
    for (size_t k = 0; k < terms; k++) sum[k] += to[k];
}

const struct koshu_fmm_kernels *
koshu_ref_fmm_kernels(const struct koshu_backend *backend,
                      enum koshu_precision precision)
{
    (void)backend;
    (void)precision;
    return &fmm_kernels;
}
