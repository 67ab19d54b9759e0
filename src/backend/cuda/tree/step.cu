/* SPDX-License-Identifier: MIT */
/* One evaluation of the forces by a tree: what it begins with, its stages, and
 * what it took. */
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "backend/cuda/tree/engine.cuh"

namespace koshu {

/* Accelerations of a system of the store's size are floats; others have a unit,
 * of which the fourth root and the fifth are powers of two. */
static void
select_unit_of_a(tree_step *s)
{
    const int step = 20, max_exponent = 60;
    double side = 0;
    for (const extremes &e : s->store->extent.of)
        side = fmax(side, e.high - e.low);
    s->per_a = 1;
    const double mass = s->store->largest_mass;
    if (!(mass > 0 && side > 0 && std::isfinite(mass) && std::isfinite(side)))
        return;
    const int a = ilogb(mass) - 2 * ilogb(side);
    if (abs(a) <= max_exponent) return;
    const int steps = a / step;
    s->per_a = ldexp(1, -step * steps);
    s->criterion.strength_unit =
            ldexp(1, -steps * (s->criterion.quadrupole ? 4 : 5));
}

static cudaError_t
start_step(koshu_tree_engine *t, koshu_cuda_store *store,
           const koshu_force_task &task, const koshu_tree_options &options,
           tree_step *s)
{
    KOSHU_CUDA_TRY(start_tree(store));
    *s = {};
    s->tree = t;
    s->cuda = t->cuda;
    s->store = store;
    s->n = (uint32_t)store->n;
    s->n_leaf = (uint32_t)std::min<uint64_t>(options.n_leaf, store->n);
    s->max_n_leaf = s->n_leaf;
    if (options.n_leaf == 0) {
        s->n_leaf = TREE_N_LEAF;
        s->max_n_leaf = TREE_MAX_N_LEAF;
    }
    s->n_crit = (uint32_t)options.n_crit;
    s->hilbert =
            options.space_filling_curve != KOSHU_SPACE_FILLING_CURVE_MORTON;
    s->potential = task.potential;
    s->criterion.relative =
            options.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE;
    s->criterion.quadrupole =
            options.multipole_order == KOSHU_MULTIPOLE_ORDER_QUADRUPOLE;
    s->criterion.alpha = options.alpha;
    select_unit_of_a(s);
    s->state = t->state.as<tree_state>();
    s->key = reinterpret_cast<uint64_t *>(store->f.a[0]);
    s->spare = reinterpret_cast<uint64_t *>(store->f.a[1]);
    s->order = reinterpret_cast<uint32_t *>(store->f.a[2]);
    s->other = s->order + store->stride;
    return cudaSuccess;
}

static cudaError_t
time_stages(const koshu_tree_engine *t, koshu_tree_report *r)
{
    double *const seconds[TREE_STAGES] = {
            &r->seconds.keys,   &r->seconds.sort,    &r->seconds.build,
            &r->seconds.groups, &r->seconds.moments, &r->seconds.walk};
    for (int stage = 0; stage < TREE_STAGES; stage++) {
        float milliseconds;
        KOSHU_CUDA_TRY(cudaEventElapsedTime(&milliseconds, t->event[stage],
                                            t->event[stage + 1]));
        *seconds[stage] = 1e-3 * milliseconds;
    }
    return cudaSuccess;
}

static cudaError_t
write_report(const tree_step &s, koshu_tree_report *r)
{
    const tree_state &seen = *s.tree->seen;
    *r = {};
    r->evaluations = 1;
    r->particles = s.n;
    r->cells = seen.level[TREE_LEVELS];
    r->groups = seen.groups;
    r->interactions = seen.counts.interactions;
    r->with_cells = seen.counts.with_cells;
    r->cells_tested = seen.counts.cells_tested;
    r->bytes = s.tree->max_bytes;
    r->n_crit = s.n_crit;
    r->n_leaf = s.n_leaf;
    r->space_filling_curve = s.hilbert ? KOSHU_SPACE_FILLING_CURVE_HILBERT
                                       : KOSHU_SPACE_FILLING_CURVE_MORTON;
    return time_stages(s.tree, r);
}

static cudaError_t
do_stages(tree_step *s, const koshu_force_task &task,
          const koshu_tree_options &options, koshu_tree_report *report,
          koshu_status *outcome)
{
    KOSHU_CUDA_TRY(sort_particles(s));
    KOSHU_CUDA_TRY(build_tree(s));
    *outcome = is_finite(*s->tree->seen) ? KOSHU_OK : KOSHU_ERROR_NOT_FINITE;
    if (*outcome != KOSHU_OK) return cudaSuccess;
    KOSHU_CUDA_TRY(sum_forces(s, task, options, outcome));
    if (*outcome != KOSHU_OK) return cudaSuccess;
    note_bytes(s->tree, s->store, 0);
    return write_report(*s, report);
}

/* What the stages left in the memory of the accelerations is none. */
static cudaError_t
forget_accelerations(const koshu_cuda_store *store)
{
    for (double *a : store->f.a)
        KOSHU_CUDA_TRY(cudaMemsetAsync(a, 0, store->n * sizeof *a,
                                       store->cuda->stream));
    return cudaSuccess;
}

cudaError_t
do_step(koshu_tree_engine *t, koshu_cuda_store *store,
        const koshu_force_task &task, const koshu_tree_options &options,
        koshu_tree_report *report, koshu_status *outcome)
{
    tree_step s;
    const int shared_memory = t->cuda->shared_memory;
    t->cuda->shared_memory = -1; /* the stages live on the cache */
    cudaError_t error = start_step(t, store, task, options, &s);
    if (error == cudaSuccess)
        error = do_stages(&s, task, options, report, outcome);
    t->cuda->shared_memory = shared_memory;
    if (error == cudaSuccess && *outcome == KOSHU_OK) return cudaSuccess;
    const cudaError_t forgotten = forget_accelerations(store);
    return error != cudaSuccess ? error : forgotten;
}

} /* namespace koshu */
