/* SPDX-License-Identifier: MIT */
/* Evaluates a compiled interaction: runs the items of a plan on the context's
 * threads. */
#include <string.h>

#include "backend/compiled/program.h"
#include "base/base.h"

static double *
result_of_item(const struct koshu_interaction_program *p,
               const struct simd_item *item, double *out)
{
    return item->partial == SIMD_NOT_CUT ? out + item->i_first * p->n_outputs
                                         : p->plan.partial + item->partial;
}

/* Does the value of a later chunk replace that of earlier ones? */
static bool
replaces(enum koshu_reduction reduction, double later, double earlier)
{
    return reduction == KOSHU_REDUCE_MIN ? later < earlier : later > earlier;
}

/* Combines the results of later j-particles with those of earlier ones. */
static void
join(const struct koshu_kernel_source *s, double *to, const double *from)
{
    const size_t n_outputs = s->list[KOSHU_LIST_OUT].n;
    for (size_t k = 0; k < n_outputs; k++) {
        const size_t value = s->index_of[k];
        if (s->reduction[k] == KOSHU_REDUCE_SUM)
            to[k] += from[k];
        else if (s->reduction[k] == KOSHU_REDUCE_INDEX &&
                 replaces(s->reduction[value], from[value], to[value]))
            to[k] = from[k];
    }
    for (size_t k = 0; k < n_outputs; k++)
        if ((s->reduction[k] == KOSHU_REDUCE_MIN ||
             s->reduction[k] == KOSHU_REDUCE_MAX) &&
            replaces(s->reduction[k], from[k], to[k]))
            to[k] = from[k];
}

/* If item q is the first of a row of chunks, combines their results in
 * order. */
static void
fold(const struct koshu_interaction_program *p, size_t q, double *out)
{
    const struct simd_item *item = &p->plan.items[q];
    if (item->partial == SIMD_NOT_CUT || item->j_first > 0) return;
    const size_t n = item->i_n * p->n_outputs;
    const double *from = p->plan.partial + item->partial;
    double *to = out + item->i_first * p->n_outputs;
    memcpy(to, from, n * sizeof *to);
    for (size_t c = 1; q + c < p->plan.n_items && item[c].j_first > 0; c++)
        for (size_t k = 0; k < n; k += p->n_outputs)
            join(p->source, to + k, from + c * n + k);
}

koshu_status
koshu_compiled_evaluate(struct koshu_interaction_program *p, size_t n_i,
                        const double *i, size_t n_j, const double *j,
                        double *out)
{
    const size_t i_offset[2] = {0, n_i}, j_offset[2] = {0, n_j};
    const struct koshu_force_batch sets = {.n_sets = 1,
                                           .i_offset = i_offset,
                                           .j_offset = j_offset,
                                           .i.n = n_i,
                                           .j.n = n_j};
    const struct simd_plan *plan = &p->plan;
    KOSHU_TRY(koshu_simd_plan_make(p->context, &p->plan, &sets, p->n_outputs));
    const int threads = koshu_region_threads(p->context, !plan->alone);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, plan->at_once)
        for (size_t q = 0; q < plan->n_items; q++) {
            const struct simd_item *item = &plan->items[q];
            const struct compiled_job job = {
                    .i_first = item->i_first,
                    .n_i = item->i_n,
                    .i = i,
                    .j_first = item->j_first,
                    .n_j = item->j_last - item->j_first,
                    .j = j,
                    .constants = p->constants,
                    .out = result_of_item(p, item, out),
            };
            p->function(&job);
        }
        if (plan->cut) {
#pragma omp for schedule(static)
            for (size_t q = 0; q < plan->n_items; q++) fold(p, q, out);
        }
    }
    return KOSHU_OK;
}
