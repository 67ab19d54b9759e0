/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r from and to arrays of the host, as their files share them. */
#ifndef KOSHU_BACKEND_CUDA_FMM_LAPLACE_CUH
#define KOSHU_BACKEND_CUDA_FMM_LAPLACE_CUH

#include "backend/cuda/fmm/engine.cuh"

namespace koshu {

/* What is there and what is requested; hessian: of vortices, the gradient of
 * the velocity. */
struct field_kind {
    bool vortex, dipole, hessian;
};

/* Potentials and gradients of charges: by the kernel of forces. */
static inline bool
are_forces(const field_kind &k)
{
    return !k.vortex && !k.dipole && !k.hessian;
}

/* What leaves sum but forces: strengths in the order of the tree; fields at the
 * targets, which are the particles whose origin is `skip` or more, in the
 * host's order; NULL: not requested. */
struct field_task {
    field_kind kind;
    const double *strength[FMM_MAX_STRENGTHS];
    double *field[FMM_MAX_FIELDS];
    double unit;         /* of all fields */
    koshu_fmm_core core; /* of vortices */
    const particle_tag *tag;
    uint32_t skip;
};

struct laplace_call {
    koshu_fmm_engine *fmm;
    const koshu_force_task *task;
    const koshu_fmm_points *sources, *targets; /* targets: perhaps the same */
    const koshu_fmm_results *to;
    koshu_fmm_engine_report *report;
    field_kind kind;
    fmm_step step;
    koshu_status outcome;
};

static inline bool
is_apart(const laplace_call &c)
{
    return c.targets != c.sources;
}

/* ---- laplace.cu ---------------------------------------------------------- */

/* As of koshu_fmm_engine_ops. */
koshu_status
laplace(koshu_fmm_engine *engine, const koshu_force_task *task,
        const koshu_fmm_points *sources, const koshu_fmm_points *targets,
        const koshu_fmm_results *to, koshu_fmm_engine_report *report);

/* ---- copies.cu ----------------------------------------------------------- */

/* To the device and back: counted, and timed. */
cudaError_t send(const laplace_call &c, const host_copy *copies, size_t n);
cudaError_t fetch(const laplace_call &c, const host_copy *copies, size_t n);

/* ---- strengths.cu -------------------------------------------------------- */

/* Sets of charges that are expanded at once, those of the sources from `rhs`
 * on, and dipoles: on the device, in the order of the tree, with their unit.
 * Outcome: KOSHU_ERROR_NOT_FINITE. */
cudaError_t take_strengths(laplace_call *c, size_t rhs, field_task *task);

/* The message for that: of strengths, or of their places. */
koshu_status name_culprit(const laplace_call &c);

/* ---- results.cu ---------------------------------------------------------- */

/* Memory for what is requested. */
cudaError_t reserve_results(const laplace_call &c, field_task *task);

/* To the host: those of right-hand side `rhs`. */
cudaError_t
fetch_results(const laplace_call &c, const field_task &task, size_t rhs);

/* ---- field_leaves.cu.in -------------------------------------------------- */

/* Fields of all targets, but those that forces are, from the expansions. */
template <class Real>
cudaError_t sum_fields_of_leaves(const fmm_step &s, const field_task &task);

} /* namespace koshu */

#endif
