/* SPDX-License-Identifier: MIT */
/* Sums of 1 / r from and to arrays of the host: what their files share. */
#ifndef KOSHU_BACKEND_CUDA_FMM_LAPLACE_CUH
#define KOSHU_BACKEND_CUDA_FMM_LAPLACE_CUH

#include "backend/cuda/fmm/engine.cuh"

namespace koshu {

/* What sources have and what is requested; hessian: for vortices, the velocity
 * gradient. */
struct field_kind {
    bool vortex, dipole, hessian;
};

/* Potentials and gradients of charges use the kernel of forces. */
static inline bool
are_forces(const field_kind &k)
{
    return !k.vortex && !k.dipole && !k.hessian;
}

/* Sums other than forces: strengths in the order of the tree; fields at the
 * targets (particles with an origin of `skip` or more) in the host's order;
 * NULL: not requested. */
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
    const koshu_fmm_points *sources, *targets; /* targets may be the same as
                                                  sources */
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

/* The operation of koshu_fmm_engine_ops. */
koshu_status
laplace(koshu_fmm_engine *engine, const koshu_force_task *task,
        const koshu_fmm_points *sources, const koshu_fmm_points *targets,
        const koshu_fmm_results *to, koshu_fmm_engine_report *report);

/* ---- copies.cu ----------------------------------------------------------- */

/* Copies to the device and back, counted and timed. */
cudaError_t send(const laplace_call &c, const host_copy *copies, size_t n);
cudaError_t fetch(const laplace_call &c, const host_copy *copies, size_t n);

/* ---- strengths.cu -------------------------------------------------------- */

/* Takes the sources' strengths of right-hand sides from `rhs` on to the device:
 * the sets of charges expanded at once, and dipoles, in the order of the tree
 * and in their unit. Outcome: KOSHU_ERROR_NOT_FINITE. */
cudaError_t take_strengths(laplace_call *c, size_t rhs, field_task *task);

/* The message for that: which strengths or positions are not finite. */
koshu_status name_culprit(const laplace_call &c);

/* ---- results.cu ---------------------------------------------------------- */

/* Reserves memory for what is requested. */
cudaError_t reserve_results(const laplace_call &c, field_task *task);

/* Copies the results of right-hand side `rhs` to the host. */
cudaError_t
fetch_results(const laplace_call &c, const field_task &task, size_t rhs);

/* ---- field_leaves.cu.in -------------------------------------------------- */

/* Evaluates the fields of all targets, other than forces, from the
 * expansions. */
template <class Real>
cudaError_t sum_fields_of_leaves(const fmm_step &s, const field_task &task);

} /* namespace koshu */

#endif
