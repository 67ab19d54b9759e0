/* SPDX-License-Identifier: MIT */
/* Results of sums on the device, put in the host's order and copied to it. */
#include "backend/cuda/fmm/laplace.cuh"

namespace koshu {

/* Where the fields of right-hand side `rhs` go on the host; NULL: not
 * requested. */
static void
list_results(const laplace_call &c, size_t rhs, double *(&to)[FMM_MAX_FIELDS])
{
    const koshu_fmm_results &r = *c.to;
    const size_t begin = rhs * c.targets->n;
    for (double *&field : to) field = nullptr;
    if (c.kind.vortex) {
        for (int i = 0; i < 3; i++) to[i] = r.velocity[i];
        for (int i = 0; i < 9; i++) to[3 + i] = r.velocity_gradient[i];
        return;
    }
    for (int f = 0; f <= KOSHU_FMM_FIELDS; f++)
        if (r.field[f]) to[f] = r.field[f] + begin;
}

cudaError_t
reserve_results(const laplace_call &c, field_task *task)
{
    double *to[FMM_MAX_FIELDS];
    size_t n = 0;
    list_results(c, 0, to);
    for (const double *field : to) n += field != nullptr;
    KOSHU_CUDA_TRY(c.fmm->results.reserve(n * c.targets->n * sizeof(double)));
    double *next = c.fmm->results.as<double>();
    for (int f = 0; f < FMM_MAX_FIELDS; f++) {
        task->field[f] = to[f] ? next : nullptr;
        if (to[f]) next += c.targets->n;
    }
    return cudaSuccess;
}

/* Turns the store's forces into fields. */
static cudaError_t
forces_to_fields(const laplace_call &c, const field_task &task)
{
    const fields &f = c.fmm->points->f;
    const double *const from[KOSHU_FMM_HESSIAN] = {f.potential, f.a[0], f.a[1],
                                                   f.a[2]};
    const particle_tag *tag = task.tag;
    const uint32_t skip = task.skip;
    for (int k = 0; k < KOSHU_FMM_HESSIAN; k++) {
        const double *here = from[k];
        const double sign = k == KOSHU_FMM_POTENTIAL ? -1 : 1;
        double *const to = task.field[k];
        if (!to) continue;
        KOSHU_CUDA_TRY(
                for_each(c.fmm->cuda, c.step.view.n, [=] __device__(size_t at) {
                    const uint32_t origin = tag[at].origin;
                    if (origin >= skip) to[origin - skip] = sign * here[at];
                }));
    }
    return cudaSuccess;
}

cudaError_t
fetch_results(const laplace_call &c, const field_task &task, size_t rhs)
{
    double *to[FMM_MAX_FIELDS];
    host_copy copies[FMM_MAX_FIELDS];
    size_t n = 0;
    list_results(c, rhs, to);
    if (are_forces(task.kind)) KOSHU_CUDA_TRY(forces_to_fields(c, task));
    for (int f = 0; f < FMM_MAX_FIELDS; f++)
        if (to[f])
            copies[n++] = {task.field[f], to[f], c.targets->n * sizeof(double)};
    return fetch(c, copies, n);
}

} /* namespace koshu */
