/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r from and to arrays of the host. Positions are copied and made
 * into a tree once; then for each right-hand side strengths are copied in and
 * results out. */
#include <cstdio>

#include "backend/cuda/fmm/laplace.cuh"
#include "base/base.h"
#include "tree/tree.h"

namespace koshu {

/* ---- places -------------------------------------------------------------- */

static size_t
count_points(const laplace_call &c)
{
    return c.sources->n + (is_apart(c) ? c.targets->n : 0);
}

/* Restores a store's arrays that trees have swapped. */
static cudaError_t
restore_order(koshu_cuda_store *points)
{
    particle_tag *tag = points->tag;
    if (!tag) return cudaSuccess;
    return for_each(points->cuda, points->n, [=] __device__(size_t k) {
        tag[k] = {(uint32_t)k, 0};
    });
}

/* Makes a store of n particles in the host's order; its masses are not read. */
static cudaError_t
hold_points(koshu_fmm_engine *f, size_t n)
{
    if (f->points && n > f->points->stride) {
        destroy_store(f->points);
        f->points = nullptr;
    }
    if (!f->points) KOSHU_CUDA_TRY(create_store(f->cuda, n, n, &f->points));
    f->points->n = n;
    f->points->places_alone = true;
    f->points->largest_mass = f->points->least_mass = 0;
    return restore_order(f->points);
}

/* Copies sources, then targets. */
static cudaError_t
send_points(const laplace_call &c)
{
    host_copy copies[6];
    size_t n = 0;
    for (int d = 0; d < 3; d++) {
        double *to = c.fmm->points->f.x[d];
        copies[n++] = {to, const_cast<double *>(c.sources->x[d]),
                       c.sources->n * sizeof *to};
        if (is_apart(c))
            copies[n++] = {to + c.sources->n,
                           const_cast<double *>(c.targets->x[d]),
                           c.targets->n * sizeof *to};
    }
    return send(c, copies, n);
}

static cudaError_t
prepare(laplace_call *c)
{
    koshu_force_task task = *c->task;
    task.potential = c->to->field[KOSHU_FMM_POTENTIAL] != nullptr;
    KOSHU_CUDA_TRY(hold_points(c->fmm, count_points(*c)));
    KOSHU_CUDA_TRY(send_points(*c));
    const koshu_fmm_core &core = c->to->core;
    const fmm_shape shape = {c->kind.vortex ? FMM_MAX_SETS : 1,
                             is_apart(*c) ? (uint32_t)c->sources->n : 0,
                             core.reach * core.radius, nullptr, false};
    return prepare_fmm(c->fmm, c->fmm->points, task, shape, &c->step,
                       &c->outcome);
}

/* ---- right-hand sides ---------------------------------------------------- */

static cudaError_t
sum_fields(const laplace_call &c, const field_task &task)
{
    const fmm_step &s = c.step;
    if (!are_forces(task.kind))
        return s.real == sizeof(double) ? sum_fields_of_leaves<double>(s, task)
                                        : sum_fields_of_leaves<float>(s, task);
    return sum_forces_of_leaves(step_of_set(s, 0));
}

/* Sums one right-hand side, or the three of vortices. */
static cudaError_t
sum_charges(laplace_call *c, size_t rhs)
{
    field_task task = {};
    fmm_step *s = &c->step;
    KOSHU_CUDA_TRY(take_strengths(c, rhs, &task));
    if (c->outcome != KOSHU_OK) return cudaSuccess;
    KOSHU_CUDA_TRY(reserve_results(*c, &task));
    KOSHU_CUDA_TRY(expand_charges(s));
    KOSHU_CUDA_TRY(sum_fields(*c, task));
    KOSHU_CUDA_TRY(finish_charges(*s));
    if (rhs == 0) KOSHU_CUDA_TRY(report_preparation(*s, c->report));
    KOSHU_CUDA_TRY(report_charges(*s, c->report));
    c->outcome = s->seen->lost ? KOSHU_ERROR_UNSUPPORTED : KOSHU_OK;
    return fetch_results(*c, task, rhs);
}

static cudaError_t
do_all(laplace_call *c)
{
    const size_t n_rhs = c->kind.vortex ? 1 : c->sources->n_rhs;
    KOSHU_CUDA_TRY(prepare(c));
    for (size_t rhs = 0; rhs < n_rhs && c->outcome == KOSHU_OK; rhs++)
        KOSHU_CUDA_TRY(sum_charges(c, rhs));
    return cudaSuccess;
}

/* ---- the operation ------------------------------------------------------- */

static koshu_status
tell_outcome(const laplace_call &c, cudaError_t error)
{
    koshu_context *context = c.fmm->backend->context;
    const size_t n = count_points(c);
    if (error != cudaSuccess) {
        char what[64];
        snprintf(what, sizeof what, "sums of 1 / r of %zu points", n);
        return status_of(c.fmm->cuda, error, what);
    }
    if (c.outcome == KOSHU_OK) return KOSHU_OK;
    if (c.outcome == KOSHU_ERROR_NOT_FINITE) return name_culprit(c);
    return koshu_fail(context, c.outcome,
                      "an FMM of %zu points on the device: floats do not hold "
                      "the sums; take double precision",
                      n);
}

static field_kind
kind_of(const koshu_fmm_points &sources, const koshu_fmm_results &to)
{
    field_kind k = {};
    k.vortex = to.velocity[0] || to.velocity_gradient[0];
    k.dipole = sources.dipole[0];
    k.hessian = to.field[KOSHU_FMM_HESSIAN] || to.velocity_gradient[0];
    return k;
}

koshu_status
laplace(koshu_fmm_engine *engine, const koshu_force_task *task,
        const koshu_fmm_points *sources, const koshu_fmm_points *targets,
        const koshu_fmm_results *to, koshu_fmm_engine_report *report)
{
    laplace_call c = {engine,
                      task,
                      sources,
                      targets ? targets : sources,
                      to,
                      report,
                      kind_of(*sources, *to),
                      {},
                      KOSHU_OK};
    koshu_cuda *const cuda = enter(engine->backend);
    const int shared_memory = cuda->shared_memory;
    *report = {};
    KOSHU_TRY(koshu_tree_check_size(engine->backend->context, count_points(c),
                                    "device"));
    cuda->shared_memory = -1; /* the stages rely on the L1 cache */
    const cudaError_t error = do_all(&c);
    cuda->shared_memory = shared_memory;
    return tell_outcome(c, error);
}

} /* namespace koshu */
