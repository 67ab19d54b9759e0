/* SPDX-License-Identifier: MIT */
/*
 * Plummer softening in the FMM. Pairs of particles are softened exactly. Pairs
 * of cells interact by expansions of 1 / r, and a Cartesian expansion adds the
 * softening, a relative difference of 1.5 (eps / d)^2 in the force at distance
 * d. Its order is chosen for the distance. Where no order suffices, the cells
 * are too near for expansions.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "solve/fmm_sides.h"

/* In a periodic box near a grid, forces cancel to a hundredth, but the
 * truncation errors of the softening do not; nor do the rounding errors of
 * single precision. A theta that follows the motion is larger, the less they
 * cancel; errors with that are in docs/cosmology.md. */
static double
part_of_error(const struct koshu_fmm *f, bool follows)
{
    const struct koshu_fmm_options *o = &f->options;
    const double least = o->precision == KOSHU_PRECISION_DOUBLE ? 0.01 : 0.1;
    if (o->box.edge == 0) return 1;
    if (!follows) return least;
    return fmin(fmax(2 * least * pow(f->opening.theta[0] / 0.5, 6), least), 1);
}

/* The error allowed to the softening expansions; it matters for the smallest
 * cells. */
static double
error_of_expansions(const struct koshu_fmm *f, bool follows)
{
    const struct koshu_fmm_options *o = &f->options;
    const double floor = o->precision == KOSHU_PRECISION_DOUBLE ? 0 : 1e-7,
                 theta = koshu_opening_of_small(&f->opening);
    return part_of_error(f, follows) *
           fmax(koshu_fmm_error(o->order, theta), floor);
}

/*
 * The error of the softening expansion of order k at distance eps. It decreases
 * less from one order to the next than that of 1 / r, because derivatives of 1
 * / r^3 grow faster and terms are truncated by total degree. With these factors
 * softening adds as much to the errors in tests/unit/solve/test_fmm.c as they
 * are without it.
 */
static double
error_of_difference(int order, double theta)
{
    return 4 * pow(1.3, order) * koshu_fmm_error(order, theta);
}

/* Orders up to where expansions are not needed any nearer, or where the next
 * order reaches hardly nearer: for a large theta they hardly converge, and
 * direct sums cost less than their terms. */
static struct koshu_fmm_softening
choose_orders(const struct koshu_fmm *f, bool follows, int max)
{
    static const double near = 6, hardly = 0.85;
    const double wanted = error_of_expansions(f, follows),
                 theta = koshu_opening_of_small(&f->opening);
    struct koshu_fmm_softening s = {.order = 0};
    for (int k = 0; k <= max; k++) {
        s.reach[k] = sqrt(error_of_difference(k, theta) / wanted);
        if (k > 0 && s.reach[k] > hardly * s.reach[k - 1]) break;
        s.order = k;
        if (s.reach[k] <= near) break;
    }
    return s;
}

koshu_status
koshu_fmm_prepare_softening(struct koshu_fmm *fmm)
{
    const size_t p = (size_t)fmm->options.order;
    fmm->softening = choose_orders(fmm, false, KOSHU_MAX_CARTESIAN_ORDER);
    return koshu_cartesian_create(fmm->backend->context, fmm->softening.order,
                                  (p + 1) * (p + 1), &fmm->cartesian);
}

/* Up to the order for the smallest theta, that of the table. */
void
koshu_fmm_follow_softening(struct koshu_fmm *fmm)
{
    if (!fmm->cartesian) return;
    fmm->softening = choose_orders(fmm, true, fmm->cartesian->order);
}

int
koshu_fmm_soft_terms(const struct koshu_fmm *fmm)
{
    const int n = fmm->softening.order;
    return fmm->cartesian && n > 0 ? koshu_cartesian_terms(n) : 0;
}

/* The order for a pair of cells at distance d, in units of eps. */
static int
order_at(const struct koshu_fmm_softening *s, double d)
{
    int order = 0;
    while (order < s->order && d < s->reach[order]) order++;
    return order;
}

/* ---- up and down --------------------------------------------------------- */

void
koshu_fmm_set_softening(struct koshu_fmm *fmm, double eps)
{
    fmm->per_reach = 1 / (koshu_opening_of_small(&fmm->opening) * eps);
}

/* Two cells interact by expansions if they are farther apart than the sum of
 * their radii over theta. */
int
koshu_fmm_soft_order(const struct koshu_fmm *fmm,
                     const struct koshu_fmm_cells *cells, uint32_t cell)
{
    const double rounding = 1 - 1e-12;
    if (!fmm->cartesian) return 0;
    return order_at(&fmm->softening,
                    rounding * cells->radius[cell] * fmm->per_reach);
}

void
koshu_fmm_soften_up(const struct koshu_fmm *fmm, uint32_t cell)
{
    const struct koshu_fmm_cells *c = &fmm->sources.cells;
    const struct koshu_softening_kernels *kernels = fmm->kernels->softening;
    const int order = koshu_fmm_soft_order(fmm, c, cell);
    if (order == 0) return;
    if (c->cell[cell].children == 0)
        kernels->p2m(fmm->cartesian, order, c, cell);
    else
        kernels->m2m(fmm->cartesian, order, c, cell);
}

/* Clears a child's softening terms, of which it may have more than its parent
 * passes down. */
static void
clear(const struct koshu_fmm *f, const struct koshu_fmm_cells *t, uint32_t cell)
{
    const size_t real = f->kernels->real, row = t->n_rhs * t->stride * real;
    char *const to = (char *)t->local + cell * row + f->cartesian->begin * real;
    if (koshu_fmm_soft_order(f, t, cell) > 0)
        memset(to, 0, (size_t)koshu_fmm_soft_terms(f) * real);
}

void
koshu_fmm_soften_children(const struct koshu_fmm *fmm,
                          const struct koshu_fmm_cells *targets, uint32_t cell)
{
    const struct koshu_cell *parent = &targets->cell[cell];
    const int order = koshu_fmm_soft_order(fmm, targets, cell);
    if (!fmm->cartesian) return;
    for (uint32_t k = parent->child; k < parent->child + parent->children; k++)
        clear(fmm, targets, k);
    if (order > 0)
        fmm->kernels->softening->l2l(fmm->cartesian, order, targets, cell);
}

void
koshu_fmm_soften_leaf(const struct koshu_fmm *fmm,
                      const struct koshu_fmm_cells *targets, uint32_t leaf,
                      double *const *to)
{
    const int order = koshu_fmm_soft_order(fmm, targets, leaf);
    if (order > 0)
        fmm->kernels->softening->l2p(fmm->cartesian, order, targets, leaf, to);
}

/* ---- from cell to cell --------------------------------------------------- */

/* Finds the order for each far cell of the lists. */
static koshu_status
find_orders(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
            uint32_t target)
{
    const struct koshu_fmm_cells *t = &down->targets->cells;
    const struct koshu_fmm_cells *s = &down->sources->cells;
    const double per_eps = 1 / down->task->eps;
    const struct koshu_fmm_lists *l = &w->lists;
    KOSHU_TRY(KOSHU_GROW(w, order, l->n_far, NULL, "orders"));
    KOSHU_TRY(KOSHU_GROW(w, soft, l->n_far, NULL, "orders"));
    for (size_t k = 0; k < l->n_far; k++) {
        double at[3];
        koshu_fmm_centre(s, l->far[k], at);
        const double x = t->x[target] - at[0], y = t->y[target] - at[1],
                     z = t->z[target] - at[2];
        w->order[k] = (uint8_t)order_at(&down->fmm->softening,
                                        sqrt(x * x + y * y + z * z) * per_eps);
    }
    return KOSHU_OK;
}

koshu_status
koshu_fmm_soften(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
                 uint32_t target)
{
    const struct koshu_fmm *f = down->fmm;
    const struct koshu_fmm_lists *l = &w->lists;
    KOSHU_TRY(find_orders(down, w, target));
    for (int order = 1; order <= f->softening.order; order++) {
        size_t n = 0;
        for (size_t k = 0; k < l->n_far; k++)
            if (w->order[k] == order) w->soft[n++] = l->far[k];
        f->kernels->softening->m2l(f->cartesian, order, down->task->eps,
                                   &down->targets->cells, target,
                                   &down->sources->cells, n, w->soft);
    }
    return KOSHU_OK;
}
