/* SPDX-License-Identifier: MIT */
/* The end of the FMM's downward pass: the particles of a leaf get the sums over
 * the near cells, and the local expansion of the far cells. */
#include "base/base.h"
#include "solve/fmm_sides.h"

static const struct koshu_cell *
cell_of(const struct koshu_fmm_cells *c, uint32_t entry)
{
    return &c->cell[koshu_fmm_cell_of(&c->images, entry)];
}

/* Writes the particles of list entry `entry` of c relative to the centre of
 * cell `about` of `at`, in units of its length, to x[0][begin] ... */
static void
gather(const struct koshu_fmm_cells *c, uint32_t entry,
       const struct koshu_fmm_cells *at, uint32_t about, double *const x[3],
       size_t begin)
{
    const struct koshu_cell *cell = cell_of(c, entry);
    const double *shift = koshu_fmm_shift_of(&c->images, entry);
    const double per_length = 1 / at->length[about];
    const double centre[3] = {at->x[about] - shift[0], at->y[about] - shift[1],
                              at->z[about] - shift[2]};
    for (size_t k = 0; k < cell->n; k++) {
        const size_t i = cell->first + k;
        x[0][begin + k] = (c->px[i] - centre[0]) * per_length;
        x[1][begin + k] = (c->py[i] - centre[1]) * per_length;
        x[2][begin + k] = (c->pz[i] - centre[2]) * per_length;
    }
}

static void
scale(const double *from, size_t n, double factor, double *to)
{
    for (size_t k = 0; k < n; k++) to[k] = from[k] * factor;
}

/* Writes their charges to to[rhs * n + begin] ..., then their dipoles in the
 * same way. */
static void
gather_strengths(const struct koshu_fmm_cells *c, const struct koshu_cell *cell,
                 double per_length, double *to, size_t n, size_t begin)
{
    double *const dipole = to + c->n_rhs * n;
    for (size_t rhs = 0; rhs < c->n_rhs; rhs++)
        scale(c->charge + rhs * c->n + cell->first, cell->n, c->per_charge[rhs],
              to + rhs * n + begin);
    for (size_t k = 0; c->dipole && k < 3 * c->n_rhs; k++)
        scale(c->dipole + k * c->n + cell->first, cell->n,
              c->per_charge[k / 3] * per_length, dipole + k * n + begin);
}

static size_t
count_near(const struct koshu_fmm_cells *c, const struct koshu_fmm_lists *l)
{
    size_t n = 0;
    for (size_t k = 0; k < l->n_near; k++) n += cell_of(c, l->near[k])->n;
    return n;
}

/* Gathers the j-particles of the near cells with the charges of the first
 * right-hand side; those of the others follow in memory. */
static koshu_status
gather_near(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
            uint32_t leaf, struct koshu_force_sources *j)
{
    const struct koshu_fmm_cells *c = &down->sources->cells;
    const struct koshu_fmm_cells *targets = &down->targets->cells;
    const size_t n = count_near(c, &w->lists), kinds = c->dipole ? 4 : 1;
    KOSHU_TRY(KOSHU_GROW(w, near, (3 + kinds * c->n_rhs) * n, NULL, "near"));
    double *const x[3] = {w->near, w->near + n, w->near + 2 * n};
    double *const charge = w->near + 3 * n;
    for (size_t k = 0, at = 0; k < w->lists.n_near; k++) {
        const uint32_t entry = w->lists.near[k];
        gather(c, entry, targets, leaf, x, at);
        gather_strengths(c, cell_of(c, entry), 1 / targets->length[leaf],
                         charge, n, at);
        at += cell_of(c, entry)->n;
    }
    *j = (struct koshu_force_sources){n, x[0], x[1], x[2], charge};
    return KOSHU_OK;
}

/* Adds far to near and converts to the caller's units. */
static void
add_up(const struct koshu_fmm_down *down, uint32_t leaf, size_t rhs,
       double *near, const double *far)
{
    const struct koshu_fmm_cells *c = &down->targets->cells;
    const size_t n = c->cell[leaf].n;
    const size_t end = (down->hessian ? KOSHU_FMM_FIELDS : KOSHU_FMM_HESSIAN);
    const double per_length = 1 / c->length[leaf];
    double unit = per_length / down->sources->cells.per_charge[rhs];
    for (size_t field = 0; field < end; field++, near += n, far += n) {
        if (field == KOSHU_FMM_GRADIENT || field == KOSHU_FMM_HESSIAN)
            unit *= per_length;
        if (field < KOSHU_FMM_GRADIENT && !down->task->potential) continue;
        for (size_t k = 0; k < n; k++) near[k] = (near[k] + far[k]) * unit;
    }
}

/* Writes the last component of the Hessian: the trace is 0, or that of the
 * background. */
static void
scatter_zz(const struct koshu_fmm_down *down, const struct koshu_cell *cell,
           size_t rhs, const double *sums)
{
    const double trace = koshu_fmm_trace(down->fmm, rhs);
    const double *xx = sums + KOSHU_FMM_HESSIAN * cell->n;
    const double *yy = xx + 3 * (size_t)cell->n;
    const uint32_t *order = down->targets->tree.order + cell->first;
    double *zz = down->to->field[KOSHU_FMM_FIELDS];
    for (size_t k = 0; zz && k < cell->n; k++)
        zz[rhs * down->targets->tree.n + order[k]] = trace - (xx[k] + yy[k]);
}

static void
write(double *to, size_t n, const uint32_t *order, const double *from,
      bool adds)
{
    for (size_t k = 0; k < n; k++)
        to[order[k]] = adds ? to[order[k]] + from[k] : from[k];
}

/* Writes or adds the sums to the particles. */
static void
scatter(const struct koshu_fmm_down *down, uint32_t leaf, size_t rhs,
        const double *sums)
{
    const struct koshu_fmm_side *t = down->targets;
    const struct koshu_cell *cell = &t->cells.cell[leaf];
    const uint32_t *order = t->tree.order + cell->first;
    const bool adds = down->pass->adds;
    for (size_t field = 0; field < KOSHU_FMM_FIELDS; field++) {
        double *to = down->to->field[field];
        const double *from = sums + field * cell->n;
        if (to) write(to + rhs * t->tree.n, cell->n, order, from, adds);
    }
    scatter_zz(down, cell, rhs, sums);
}

/* Moves the leaf itself to the front of the list. */
static void
put_first(struct koshu_fmm_lists *l, uint32_t leaf)
{
    for (size_t k = 0; k < l->n_near; k++)
        if (l->near[k] == leaf) {
            l->near[k] = l->near[0];
            l->near[0] = leaf;
        }
}

/* Sums potentials and gradients of near charges. */
static void
sum_charges(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
            uint32_t leaf, double *sums)
{
    const struct koshu_fmm_cells *targets = &down->targets->cells;
    struct koshu_fmm_near near = {.task = down->task,
                                  .targets = targets,
                                  .sources = &down->sources->cells,
                                  .leaf = leaf,
                                  .n = w->lists.n_near,
                                  .source = w->lists.near,
                                  .sums = sums};
    const size_t fields = KOSHU_FMM_FIELDS * targets->cell[leaf].n;
    if (near.targets == near.sources) put_first(&w->lists, leaf);
    for (; near.rhs < targets->n_rhs; near.rhs++, near.sums += fields)
        down->fmm->kernels->near(&near);
}

/* Sums near pairs with dipoles or Hessians. */
static koshu_status
sum_pairs(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
          uint32_t leaf, const struct koshu_force_targets *i, double *sums)
{
    const struct koshu_fmm_cells *c = &down->sources->cells;
    struct koshu_force_sources j;
    KOSHU_TRY(gather_near(down, w, leaf, &j));
    const struct koshu_fmm_pairs pairs = {
            .n_i = i->n,
            .n_j = j.n,
            .n_rhs = c->n_rhs,
            .i = {i->x, i->y, i->z},
            .j = {j.x, j.y, j.z},
            .charge = j.mass,
            .dipole = c->dipole ? j.mass + c->n_rhs * j.n : NULL,
            .hessian = down->hessian,
            .sums = sums};
    down->fmm->kernels->pairs(&pairs);
    return KOSHU_OK;
}

/* Sums over the near cells, for all right-hand sides. */
static koshu_status
sum_near(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
         uint32_t leaf, const struct koshu_force_targets *i, double *sums)
{
    const double start = koshu_now();
    w->pairs += i->n * count_near(&down->sources->cells, &w->lists);
    if (down->hessian || down->sources->cells.dipole)
        KOSHU_TRY(sum_pairs(down, w, leaf, i, sums));
    else
        sum_charges(down, w, leaf, sums);
    w->near_seconds += koshu_now() - start;
    return KOSHU_OK;
}

/* Adds the far field to the near field and writes the result to the
 * particles. */
static void
add_far(const struct koshu_fmm_down *down, uint32_t leaf,
        const struct koshu_force_targets *i, double *near, double *far)
{
    const struct koshu_fmm *f = down->fmm;
    const struct koshu_fmm_cells *c = &down->targets->cells;
    double *to[KOSHU_FMM_FIELDS];
    for (size_t k = 0; k < KOSHU_FMM_FIELDS; k++) to[k] = far + k * i->n;
    for (size_t rhs = 0; rhs < c->n_rhs; rhs++) {
        f->kernels->l2p(f->expansion, c, leaf, rhs, down->hessian, to);
        koshu_fmm_soften_leaf(f, c, leaf, to);
        if (f->background) koshu_fmm_add_background(f, c, leaf, rhs, i, to);
        double *const sums = near + rhs * KOSHU_FMM_FIELDS * i->n;
        add_up(down, leaf, rhs, sums, far);
        scatter(down, leaf, rhs, sums);
    }
    koshu_fmm_scatter_curl(down, leaf, near);
}

/* Gathers the i-particles of a leaf about its centre, and reserves memory for
 * `fields` numbers of each. */
static koshu_status
gather_leaf(const struct koshu_fmm_cells *c, struct koshu_fmm_worker *w,
            uint32_t leaf, size_t fields, struct koshu_force_targets *i)
{
    const size_t n = c->cell[leaf].n;
    KOSHU_TRY(KOSHU_GROW(w, sums, (3 + fields) * n, NULL, "sums"));
    double *const x[3] = {w->sums, w->sums + n, w->sums + 2 * n};
    gather(c, leaf, c, leaf, x, 0);
    *i = (struct koshu_force_targets){n, x[0], x[1], x[2], NULL};
    return KOSHU_OK;
}

/* Adds the work to each particle of the leaf. */
static void
add_work(const struct koshu_fmm_down *down, const struct koshu_fmm_worker *w,
         uint32_t leaf, double work)
{
    const struct koshu_cell *cell = &down->targets->cells.cell[leaf];
    const uint32_t *order = down->targets->tree.order + cell->first;
    double *const to = down->pass->work;
    if (!to) return;
    work += (double)count_near(&down->sources->cells, &w->lists);
    for (size_t k = 0; k < cell->n; k++) to[order[k]] += work;
}

koshu_status
koshu_fmm_finish_leaf(const struct koshu_fmm_down *down,
                      struct koshu_fmm_worker *w, uint32_t leaf, double work)
{
    const struct koshu_fmm_cells *c = &down->targets->cells;
    const size_t fields = KOSHU_FMM_FIELDS * c->n_rhs;
    struct koshu_force_targets i;
    KOSHU_TRY(gather_leaf(c, w, leaf, fields + KOSHU_FMM_FIELDS, &i));
    double *const near = w->sums + 3 * i.n;
    KOSHU_TRY(sum_near(down, w, leaf, &i, near));
    add_work(down, w, leaf, work);
    add_far(down, leaf, &i, near, near + fields * i.n);
    return KOSHU_OK;
}
