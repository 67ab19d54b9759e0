/* SPDX-License-Identifier: MIT */
/* Periodic boxes over ranks: adds the images that are not cells, from the
 * multipoles of all ranks. */
#include "base/base.h"
#include "devices/devices.h"
#include "solve/fmm_ranks.h"

koshu_status
koshu_fmm_add_lattice_of_all(struct koshu_fmm *fmm, double eps)
{
    struct koshu_fmm_root mine = {.total = 0}, all;
    if (!fmm->lattice) return KOSHU_OK;
    if (fmm->sources.cells.n > 0) koshu_fmm_sum_root(fmm, 0, &mine);
    const koshu_status status = koshu_fmm_reserve_background(fmm, 1);
    KOSHU_TRY(koshu_fmm_sum_roots(fmm, status, &mine, &all));
    if (fmm->sources.cells.n > 0)
        koshu_fmm_add_lattice(fmm, eps, 0, &all, &fmm->sources);
    return KOSHU_OK;
}

/* ---- the images that are not cells --------------------------------------- */

static koshu_status
make_sources(struct koshu_fmm *f, double eps,
             const struct koshu_force_sources *j)
{
    const struct koshu_laplace_points points = {.n = j->n,
                                                .x = j->x,
                                                .y = j->y,
                                                .z = j->z,
                                                .n_rhs = 1,
                                                .charge = j->mass};
    f->sources.cells.n = f->sources.tree.n = 0;
    if (j->n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_fmm_make_trees(f, &points, NULL));
    return koshu_fmm_rise(f, eps, &f->sources);
}

static koshu_status
descend(struct koshu_fmm *f, const struct koshu_force_task *task, size_t n,
        const struct koshu_force_sums *result)
{
    const struct koshu_fmm_pass pass = {
            .sources = &f->sources, .targets = &f->sources, .roots = 1};
    const struct koshu_fmm_results to = {
            .field = {result->potential, result->ax, result->ay, result->az}};
    if (n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_fmm_descend(f, task, &pass, &to));
    for (size_t k = 0; result->potential && k < n; k++)
        result->potential[k] = -result->potential[k];
    return KOSHU_OK;
}

koshu_status
koshu_fmm_sums_beyond(struct koshu_fmm *fmm,
                      const struct koshu_force_task *task, double mass,
                      const struct koshu_force_sources *j,
                      const struct koshu_force_sums *result)
{
    struct koshu_context *context = fmm->backend->context;
    fmm->whole.charge = mass;
    koshu_status status = make_sources(fmm, task->eps, j);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(koshu_fmm_add_lattice_of_all(fmm, task->eps));
    status = descend(fmm, task, j->n, result);
    return koshu_ranks_collective_status(context, status);
}
