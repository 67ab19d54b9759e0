/* SPDX-License-Identifier: MIT */
/*
 * The FMM in a periodic box: wraps positions, and adds the field of the images
 * that are not cells, together with the neutralising background.
 *
 * Summed over the infinite lattice, the background of charge -Q / L^3 adds 2 pi
 * / (3 L^3) |x - y|^2 to the potential of a source. For the sums this is, about
 * the centre of the box,
 *
 *     2 pi / (3 L^3) (Q x^2 - 2 x D + sum_j q_j y_j^2),   D = sum_j q_j y_j
 *
 * With dipoles p_j, D includes their sum and q_j y_j^2 becomes q_j y_j^2 + 2
 * p_j y_j. The last two terms go into the local expansion of the box. (The
 * softening of the images that are not cells has the same form with another
 * factor.) The first term is not harmonic. It is passed down separately: each
 * cell has it about its own centre, the difference from its parent's goes into
 * the local expansion, and it is added where particles get their sums. (The
 * term with D is the surface term of de Leeuw, Perram & Smith 1980, eq. 1.3.)
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "kernels/wrapped.h"
#include "solve/fmm_sides.h"

static const double pi = 3.14159265358979323846;

koshu_status
koshu_fmm_wrap(const struct koshu_fmm *f, struct koshu_fmm_side *side,
               struct koshu_laplace_points *points)
{
    const size_t n = points->n;
    const double *const from[3] = {points->x, points->y, points->z};
    struct koshu_context *context = f->backend->context;
    const int threads = koshu_region_threads(context, n > 1 << 16);
    KOSHU_TRY(KOSHU_GROW(side, wrapped, 3 * n, context, "positions in a box"));
    for (int d = 0; d < 3; d++) {
        double *const to = side->wrapped + (size_t)d * n;
#pragma omp parallel for num_threads(threads)
        for (size_t i = 0; i < n; i++)
            to[i] = koshu_wrapped(from[d][i], f->images.corner[d],
                                  f->images.edge);
    }
    points->x = side->wrapped;
    points->y = side->wrapped + n;
    points->z = side->wrapped + 2 * n;
    return KOSHU_OK;
}

/* Converts an expansion between lengths of its cell and of the box: multiplies
 * degree n by factor ratio^n. */
static void
scale(int p, double *v, double factor, double ratio)
{
    for (int n = 0; n <= p; n++, factor *= ratio)
        for (int k = n * n; k < (n + 1) * (n + 1); k++) v[k] *= factor;
}

/* ---- the lattice --------------------------------------------------------- */

/* The sums over all sources, in edges of the box: the charge, and sum_j q_j
 * y_j^2 + 2 p_j y_j about the centre. */
static void
sum_sources(const struct koshu_fmm_cells *c, size_t rhs, double *total,
            double *second)
{
    const struct koshu_fmm_images *in = &c->images;
    const double *q = c->charge + rhs * c->n;
    const double *p = c->dipole ? c->dipole + 3 * rhs * c->n : NULL;
    const double unit = c->per_charge[rhs];
    *total = *second = 0;
    for (size_t j = 0; j < c->n; j++) {
        const double y[3] = {(c->px[j] - in->middle[0]) / in->edge,
                             (c->py[j] - in->middle[1]) / in->edge,
                             (c->pz[j] - in->middle[2]) / in->edge};
        *total += q[j] * unit;
        for (size_t a = 0; a < 3; a++) *second += q[j] * unit * y[a] * y[a];
        for (size_t a = 0; p && a < 3; a++)
            *second += 2 * p[a * c->n + j] * unit / in->edge * y[a];
    }
}

void
koshu_fmm_sum_root(const struct koshu_fmm *fmm, size_t rhs,
                   struct koshu_fmm_root *root)
{
    const int p = fmm->options.order;
    const size_t terms = (size_t)(p + 1) * (size_t)(p + 1);
    const struct koshu_fmm_cells *c = &fmm->sources.top;
    const double *row = (const double *)c->multipole + rhs * c->stride;
    memcpy(root->multipole, row, terms * sizeof *row);
    scale(p, root->multipole, 1, c->length[0] / c->images.edge);
    sum_sources(&fmm->sources.cells, rhs, &root->total, &root->second);
}

/* Adds the background: its harmonic part to the local expansion, the rest to
 * field->background. */
static void
add_background(const struct koshu_fmm *f, double eps,
               const struct koshu_fmm_root *root,
               struct koshu_fmm_box_field *field)
{
    const struct koshu_lattice_softening far =
            koshu_lattice_soften(&f->images, eps / f->images.edge);
    const double factor = 4 * pi / 3 - far.curvature;
    double *const local = field->local;
    field->background = factor * root->total;
    local[0] += factor / 2 * root->second + far.mean * root->total;
    for (int k = 1; k < 4; k++) local[k] -= factor * root->multipole[k];
}

void
koshu_fmm_box_field_of(const struct koshu_fmm *fmm, double eps,
                       const struct koshu_fmm_root *root,
                       struct koshu_fmm_box_field *field)
{
    field->background = 0;
    koshu_lattice_apply(fmm->lattice, root->multipole, field->local);
    if (fmm->options.box.depth == 0) add_background(fmm, eps, root, field);
}

koshu_status
koshu_fmm_reserve_background(struct koshu_fmm *fmm, size_t n_rhs)
{
    if (fmm->options.box.depth > 0) return KOSHU_OK;
    return KOSHU_GROW(fmm, background, n_rhs, fmm->backend->context,
                      "background");
}

void
koshu_fmm_add_lattice(struct koshu_fmm *fmm, double eps, size_t rhs,
                      const struct koshu_fmm_root *root,
                      const struct koshu_fmm_side *targets)
{
    struct koshu_fmm_box_field field;
    const int p = fmm->options.order;
    const size_t terms = (size_t)(p + 1) * (size_t)(p + 1);
    const struct koshu_fmm_cells *c = &targets->top;
    const double ratio = c->length[0] / c->images.edge;
    double *const to = (double *)c->local + rhs * c->stride;
    koshu_fmm_box_field_of(fmm, eps, root, &field);
    if (fmm->background) fmm->background[rhs] = field.background;
    scale(p, field.local, ratio, ratio);
    for (size_t k = 0; k < terms; k++) to[k] += field.local[k];
}

/* ---- the background ------------------------------------------------------ */

/* The terms of a child's local expansion, in its lengths, for a background of
 * 1. */
static void
shift_to(const struct koshu_fmm_cells *c, double edge, uint32_t parent,
         uint32_t child, double add[4])
{
    const double length = c->length[child] / edge;
    const double x = (c->x[child] - c->x[parent]) / edge,
                 y = (c->y[child] - c->y[parent]) / edge,
                 z = (c->z[child] - c->z[parent]) / edge;
    add[0] = length * (x * x + y * y + z * z) / 2;
    add[1] = length * length * y;
    add[2] = length * length * z;
    add[3] = length * length * x;
}

void
koshu_fmm_shift_background(const struct koshu_fmm *f,
                           const struct koshu_fmm_cells *to, size_t real,
                           uint32_t parent)
{
    const struct koshu_cell *cell = &to->cell[parent];
    for (uint32_t c = cell->child; c < cell->child + cell->children; c++) {
        double add[4];
        shift_to(to, f->images.edge, parent, c, add);
        for (size_t rhs = 0; rhs < to->n_rhs; rhs++) {
            const double b = f->background[rhs];
            const size_t row = (c * to->n_rhs + rhs) * to->stride;
            for (size_t k = 0; k < 4; k++)
                if (real == sizeof(float))
                    ((float *)to->local)[row + k] += (float)(b * add[k]);
                else
                    ((double *)to->local)[row + k] += b * add[k];
        }
    }
}

void
koshu_fmm_add_background(const struct koshu_fmm *f,
                         const struct koshu_fmm_cells *to, uint32_t leaf,
                         size_t rhs, const struct koshu_force_targets *i,
                         double *const *field)
{
    double *const *gradient = field + KOSHU_FMM_GRADIENT;
    double *const *hessian = field + KOSHU_FMM_HESSIAN;
    const double b =
            f->background[rhs] * pow(to->length[leaf] / f->images.edge, 3);
    for (size_t k = 0; k < i->n; k++) {
        const double x = i->x[k], y = i->y[k], z = i->z[k];
        field[KOSHU_FMM_POTENTIAL][k] += b / 2 * (x * x + y * y + z * z);
        gradient[0][k] += b * x;
        gradient[1][k] += b * y;
        gradient[2][k] += b * z;
        hessian[0][k] += b;
        hessian[3][k] += b;
    }
}

double
koshu_fmm_trace(const struct koshu_fmm *f, size_t rhs)
{
    const double edge = f->images.edge;
    if (!f->background) return 0;
    return 3 * f->background[rhs] / f->sources.cells.per_charge[rhs] / edge /
           edge / edge;
}
