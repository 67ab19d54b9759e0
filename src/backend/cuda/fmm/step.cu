/* SPDX-License-Identifier: MIT */
/* The stages of the fast multipole method for one or several sets of charges,
 * and their timing. */
#include "backend/cuda/fmm/engine.cuh"

namespace koshu {

/* ---- sets of charges ----------------------------------------------------- */

/* The step restricted to the charges and expansions of one set. */
fmm_step
step_of_set(const fmm_step &s, int set)
{
    fmm_step one = s;
    one.view.mass = s.charge[set];
    one.view.from.particle = {s.view.x, s.view.y, s.view.z, s.charge[set]};
    one.view.multipole =
            static_cast<char *>(s.view.multipole) + set * s.bytes_of_set;
    one.view.local = static_cast<char *>(s.view.local) + set * s.bytes_of_set;
    if (s.view.background) one.view.background = s.view.background + set;
    return one;
}

static cudaError_t
gather_multipoles(const fmm_step &s, const fmm_operators &operators)
{
    for (size_t level = count_levels(s); level-- > 0;)
        KOSHU_CUDA_TRY(operators.m2m(s, level_of(s, level)));
    return cudaSuccess;
}

cudaError_t
go_up(const fmm_step &s)
{
    KOSHU_CUDA_TRY(expand_leaves(s));
    KOSHU_CUDA_TRY(gather_multipoles(s, s.operators));
    if (s.view.softening.order == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(s.softening.p2m(s));
    return gather_multipoles(s, s.softening);
}

cudaError_t
gather_far(const fmm_step &s)
{
    KOSHU_CUDA_TRY(s.operators.m2l(s));
    if (s.view.softening.order == 0) return cudaSuccess;
    return s.softening.m2l(s);
}

static cudaError_t
hand_down_softening(const fmm_step &s)
{
    if (s.view.softening.order == 0) return cudaSuccess;
    for (size_t level = 1; level < count_levels(s); level++)
        KOSHU_CUDA_TRY(s.softening.l2l(s, level_of(s, level)));
    return cudaSuccess;
}

cudaError_t
go_down(const fmm_step &s)
{
    const bool box = s.view.top.n_top > 0;
    if (box) KOSHU_CUDA_TRY(sum_top(s));
    for (size_t level = box ? levels_below_top(s) : 1; level < count_levels(s);
         level++) {
        KOSHU_CUDA_TRY(s.operators.l2l(s, level_of(s, level)));
        if (box) KOSHU_CUDA_TRY(shift_background(s, level_of(s, level)));
    }
    return hand_down_softening(s);
}

cudaError_t
expand_charges(fmm_step *s)
{
    KOSHU_CUDA_TRY(note(*s, FMM_CHARGES));
    for (int set = 0; set < s->sets; set++)
        KOSHU_CUDA_TRY(go_up(step_of_set(*s, set)));
    KOSHU_CUDA_TRY(note(*s, FMM_UP_END));
    KOSHU_CUDA_TRY(settle_lists(s));
    for (int set = 0; set < s->sets; set++) {
        const fmm_step one = step_of_set(*s, set);
        KOSHU_CUDA_TRY(gather_far(one));
        KOSHU_CUDA_TRY(go_down(one));
    }
    return note(*s, FMM_DOWN_END);
}

cudaError_t
sum_forces_of_leaves(const fmm_step &one)
{
    switch (one.tree.task.precision) {
    case KOSHU_PRECISION_DOUBLE: return sum_leaves<double_precision>(one);
    case KOSHU_PRECISION_MIXED: return sum_leaves<mixed_precision>(one);
    /* the raw estimate of 1 / r errs by 1e-7, less than the expansions */
    default: return sum_leaves<fast_precision>(one);
    }
}

cudaError_t
finish_charges(const fmm_step &s)
{
    KOSHU_CUDA_TRY(note(s, FMM_END));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(s.seen, s.counts, sizeof *s.seen,
                                   cudaMemcpyDeviceToHost, s.cuda->stream));
    return cudaStreamSynchronize(s.cuda->stream);
}

/* ---- what it took -------------------------------------------------------- */

/* Adds the time between two marks. */
static cudaError_t
add_seconds(const fmm_step &s, fmm_mark from, fmm_mark to, double *seconds)
{
    float ms = 0;
    const event *const e = s.fmm->event;
    KOSHU_CUDA_TRY(cudaEventElapsedTime(&ms, e[from], e[to]));
    *seconds += 1e-3 * ms;
    return cudaSuccess;
}

cudaError_t
report_preparation(const fmm_step &s, koshu_fmm_engine_report *r)
{
    r->n_leaf = s.n_leaf;
    r->cells = s.view.n_cells;
    r->translations = s.seen->translations;
    r->pairs = s.seen->pairs;
    KOSHU_CUDA_TRY(add_seconds(s, FMM_START, FMM_TREE_END, &r->seconds.tree));
    KOSHU_CUDA_TRY(
            add_seconds(s, FMM_TREE_END, FMM_LISTS_END, &r->seconds.lists));
    return add_seconds(s, FMM_TREE_END, FMM_LISTS_END, &r->seconds.down);
}

cudaError_t
report_charges(const fmm_step &s, koshu_fmm_engine_report *r)
{
    KOSHU_CUDA_TRY(add_seconds(s, FMM_CHARGES, FMM_UP_END, &r->seconds.up));
    KOSHU_CUDA_TRY(add_seconds(s, FMM_UP_END, FMM_END, &r->seconds.down));
    return add_seconds(s, FMM_DOWN_END, FMM_END, &r->seconds.near);
}

/* ---- all of it, of a store ----------------------------------------------- */

static cudaError_t
sum_forces(fmm_step *s, koshu_fmm_engine_report *report, koshu_status *outcome)
{
    *report = {};
    KOSHU_CUDA_TRY(expand_charges(s));
    KOSHU_CUDA_TRY(sum_forces_of_leaves(step_of_set(*s, 0)));
    KOSHU_CUDA_TRY(finish_charges(*s));
    *outcome = s->seen->lost ? KOSHU_ERROR_UNSUPPORTED : KOSHU_OK;
    KOSHU_CUDA_TRY(report_preparation(*s, report));
    return report_charges(*s, report);
}

/* After a failure they may hold entries of lists. */
static cudaError_t
forget_results(const koshu_cuda_store *store, const koshu_force_task &task)
{
    KOSHU_CUDA_TRY(forget_accelerations(store));
    if (!task.potential) return cudaSuccess;
    return cudaMemsetAsync(store->f.potential, 0, store->n * sizeof(double),
                           store->cuda->stream);
}

cudaError_t
do_fmm_step(koshu_fmm_engine *f, koshu_cuda_store *store,
            const koshu_force_task &task, koshu_fmm_engine_report *report,
            koshu_status *outcome)
{
    fmm_step s;
    const int shared_memory = f->cuda->shared_memory;
    f->cuda->shared_memory = -1; /* the stages rely on the L1 cache */
    cudaError_t error =
            prepare_fmm(f, store, task, {1, 0, 0, nullptr, true}, &s, outcome);
    if (error == cudaSuccess && *outcome == KOSHU_OK)
        error = sum_forces(&s, report, outcome);
    f->cuda->shared_memory = shared_memory;
    if (error == cudaSuccess && *outcome == KOSHU_OK) return cudaSuccess;
    const cudaError_t forgotten = forget_results(store, task);
    return error != cudaSuccess ? error : forgotten;
}

} /* namespace koshu */
