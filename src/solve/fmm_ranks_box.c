/* SPDX-License-Identifier: MIT */
/* Periodic boxes over ranks: what the images do that are no cells, by the
 * multipoles of all. Each rank's root fills the box, so they add up. */
#include "base/base.h"
#include "devices/devices.h"
#include "solve/fmm_ranks.h"

static void
add_root(const struct koshu_fmm *f, const struct koshu_fmm_root *from,
         struct koshu_fmm_root *to)
{
    const int terms = (f->options.order + 1) * (f->options.order + 1);
    for (int k = 0; k < terms; k++) to->multipole[k] += from->multipole[k];
    to->total += from->total;
    to->second += from->second;
}

/* In their order. */
koshu_status
koshu_fmm_sum_roots(const struct koshu_fmm *fmm, koshu_status status,
                    const struct koshu_fmm_root *mine,
                    struct koshu_fmm_root *all)
{
    struct koshu_context *context = fmm->backend->context;
    const size_t ranks = (size_t)koshu_context_ranks(context);
    struct koshu_fmm_root *each = koshu_alloc(ranks, sizeof *each);
    if (status == KOSHU_OK && !each)
        status = koshu_fail_memory(context, ranks * sizeof *each,
                                   "multipoles of ranks");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK)
        status = koshu_all_gather(context, mine, sizeof *mine, each);
    *all = (struct koshu_fmm_root){.total = 0};
    for (size_t r = 0; status == KOSHU_OK && r < ranks; r++)
        add_root(fmm, &each[r], all);
    koshu_free(each);
    return status;
}

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

/* ---- by these images alone ----------------------------------------------- */

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
