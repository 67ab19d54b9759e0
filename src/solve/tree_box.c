/* SPDX-License-Identifier: MIT */
/*
 * A tree in a periodic box. Groups walk the box and its near images; the FMM
 * adds the field of all other images and of the background, which are so far
 * away that the expansions of a few large cells suffice.
 */
#include <stdlib.h>

#include "base/base.h"
#include "kernels/wrapped.h"
#include "devices/devices.h"
#include "solve/fmm_ranks.h"
#include "solve/treecode.h"

/* Images up to two boxes away are walked. The error of the others is then 1e-6
 * of the force of the total mass at a distance of one edge. */
#define THETA 0.6
enum { ORDER = 8, N_LEAF = 512 };

struct koshu_tree_box_sums {
    struct koshu_context *context;
    struct koshu_fmm *beyond;
    double *wrapped; /* wrapped positions */
    double *sums;    /* by the far images: accelerations, potentials */
    size_t capacity_wrapped, capacity_sums;
};

/* ---- life ---------------------------------------------------------------- */

static struct koshu_fmm_options
beyond_options(const struct koshu_tree_options *o)
{
    return (struct koshu_fmm_options){
            .precision = KOSHU_PRECISION_DOUBLE,
            .order = ORDER,
            .theta = THETA,
            .n_leaf = N_LEAF,
            .box = {.edge = o->box,
                    .corner = {o->corner[0], o->corner[1], o->corner[2]}},
            .beyond = true};
}

static koshu_status
refuse(const struct koshu_backend *backend)
{
    return koshu_fail(backend->context, KOSHU_ERROR_UNSUPPORTED,
                      "backend %s has no tree in a periodic box by lists of "
                      "the host; take solver.traversal: auto, on hosts that "
                      "all have GPUs, or --backend cpu",
                      backend->ops->name);
}

koshu_status
koshu_tree_box_create(struct koshu_backend *backend,
                      const struct koshu_solver_options *options,
                      bool by_engine, struct koshu_tree_box_sums **box)
{
    const struct koshu_fmm_options fmm = beyond_options(options->tree);
    *box = NULL;
    if (by_engine ? !backend->ops->fmm_engine : !backend->ops->fmm)
        return refuse(backend);
    struct koshu_tree_box_sums *b = calloc(1, sizeof *b);
    if (!b) return koshu_fail_memory(backend->context, sizeof *b, "a box");
    b->context = backend->context;
    const koshu_status status = koshu_fmm_create(backend, &fmm, &b->beyond);
    if (status == KOSHU_OK)
        *box = b;
    else
        koshu_tree_box_destroy(b);
    return status;
}

void
koshu_tree_box_destroy(struct koshu_tree_box_sums *box)
{
    if (!box) return;
    koshu_fmm_destroy(box->beyond);
    koshu_free(box->wrapped);
    koshu_free(box->sums);
    free(box);
}

struct koshu_tree_images
koshu_tree_box_images(const struct koshu_tree_box_sums *box)
{
    if (!box) return (struct koshu_tree_images){0};
    const struct koshu_fmm_images *in = koshu_fmm_images(box->beyond);
    return (struct koshu_tree_images){.n = in->n,
                                      .shift = (const double(*)[3])in->shift,
                                      .edge = in->edge,
                                      .extent = (2 * in->reach + 1) * in->edge};
}

/* ---- sums ---------------------------------------------------------------- */

static void
wrap(const struct koshu_fmm_images *in, int d, size_t n, const double *from,
     int threads, double *to)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        to[i] = koshu_wrapped(from[i], in->corner[d], in->edge);
}

koshu_status
koshu_tree_box_wrap(struct koshu_tree_box_sums *box,
                    struct koshu_particle_view *particles)
{
    const size_t n = particles->n;
    double **const x[3] = {&particles->x, &particles->y, &particles->z};
    if (!box) return KOSHU_OK;
    const struct koshu_fmm_images *in = koshu_fmm_images(box->beyond);
    const int threads = koshu_region_threads(box->context, n > 1 << 14);
    KOSHU_TRY(KOSHU_GROW(box, wrapped, 3 * n, box->context,
                         "positions in a box"));
    for (int d = 0; d < 3; d++) {
        double *const to = box->wrapped + (size_t)d * n;
        wrap(in, d, n, *x[d], threads, to);
        *x[d] = to;
    }
    return KOSHU_OK;
}

static void
add(size_t n, const double *from, int threads, double *to)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) to[i] += from[i];
}

static struct koshu_force_task
in_double(const struct koshu_force_task *task)
{
    struct koshu_force_task own = *task;
    own.precision = KOSHU_PRECISION_DOUBLE;
    own.fast = false;
    return own;
}

/* Over several ranks, by the particles of all. */
static koshu_status
sum_beyond(struct koshu_tree_box_sums *box, const struct koshu_force_task *task,
           double mass, const struct koshu_particle_view *v)
{
    const struct koshu_force_task beyond = in_double(task);
    double *const sums = box->sums;
    const struct koshu_force_sources j = {v->n, v->x, v->y, v->z, v->mass};
    const struct koshu_force_sums result = {sums, sums + v->n, sums + 2 * v->n,
                                            task->potential ? sums + 3 * v->n
                                                            : NULL};
    if (koshu_context_ranks(box->context) > 1)
        return koshu_fmm_sums_beyond(box->beyond, &beyond, mass, &j, &result);
    return koshu_fmm_sums(box->beyond, &beyond, &j, NULL, &result);
}

koshu_status
koshu_tree_box_add(struct koshu_tree_box_sums *box,
                   const struct koshu_force_task *task, double mass,
                   const struct koshu_particle_view *particles)
{
    const struct koshu_particle_view *v = particles;
    const size_t n = v->n, fields = task->potential ? 4 : 3;
    double *const to[4] = {v->ax, v->ay, v->az, v->potential};
    if (!box) return KOSHU_OK;
    const int threads = koshu_region_threads(box->context, n > 1 << 14);
    const koshu_status status =
            KOSHU_GROW(box, sums, 4 * n, box->context, "sums in a box");
    KOSHU_TRY(koshu_ranks_collective_status(box->context, status));
    KOSHU_TRY(sum_beyond(box, task, mass, v));
    for (size_t k = 0; k < fields; k++)
        add(n, box->sums + k * n, threads, to[k]);
    return KOSHU_OK;
}

koshu_status
koshu_tree_box_add_store(struct koshu_tree_box_sums *box,
                         const struct koshu_force_task *task,
                         struct koshu_particles *particles, unsigned fields,
                         struct koshu_tree_report *report)
{
    const double start = koshu_now();
    if (!box) return KOSHU_OK;
    KOSHU_TRY(koshu_fmm_engine_beyond(box->beyond, task, particles, fields));
    report->seconds.moments += koshu_now() - start;
    return KOSHU_OK;
}
