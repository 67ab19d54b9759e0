/* SPDX-License-Identifier: MIT */
/* One evaluation of the forces by a tree: its preparation and its stages. */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "backend/cuda/tree/engine.cuh"
#include "kernels/float_range.h"
#include "tree/tree.h"

namespace koshu {

/* ---- preparation --------------------------------------------------------- */

static tree_criterion
criterion_of(const koshu_tree_options &o, const koshu_tree_images &images)
{
    tree_criterion c = {o.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE,
                        o.multipole_order == KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                        o.theta, o.alpha};
    if (images.edge > 0) c.longest = images.edge / 2;
    return c;
}

static double
side_of(const koshu_cuda_store &store)
{
    double side = 0;
    for (const extremes &e : store.extent.of) side = fmax(side, e.high - e.low);
    return side;
}

static double
largest_mass_of(const tree_step &s)
{
    return s.common ? s.common->largest_mass : s.store->largest_mass;
}

/* Accelerations of a system of moderate size fit floats; for others they have a
 * unit, whose fourth and fifth root are powers of two. */
static void
select_unit_of_a(tree_step *s)
{
    const int step = 20, max_exponent = 60;
    const double side = s->common ? s->common->side : side_of(*s->store);
    const double mass = largest_mass_of(*s);
    s->per_a = 1;
    if (!(mass > 0 && side > 0 && std::isfinite(mass) && std::isfinite(side)))
        return;
    const int a = ilogb(mass) - 2 * ilogb(side);
    if (abs(a) <= max_exponent) return;
    const int steps = a / step;
    s->per_a = ldexp(1, -step * steps);
    s->criterion.strength_unit =
            ldexp(1, -steps * (s->criterion.quadrupole ? 4 : 5));
}

/* s must be {} except for `common`. */
static cudaError_t
start_step(koshu_tree_engine *t, koshu_cuda_store *store,
           const koshu_force_task &task, const koshu_tree_options &options,
           tree_step *s)
{
    KOSHU_CUDA_TRY(start_tree(store));
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
    s->task = task;
    s->criterion = criterion_of(options, t->images);
    select_unit_of_a(s);
    s->state = t->state.as<tree_state>();
    s->key = reinterpret_cast<uint64_t *>(store->f.a[0]);
    s->spare = reinterpret_cast<uint64_t *>(store->f.a[1]);
    s->order = reinterpret_cast<uint32_t *>(store->f.a[2]);
    s->other = s->order + store->stride;
    return cudaSuccess;
}

/* ---- what follows from the particles ------------------------------------- */

static tree_view
view_of(const tree_step &s)
{
    const koshu_tree_engine *t = s.tree;
    const fields &f = s.store->f;
    return {s.n,
            f.x[0],
            f.x[1],
            f.x[2],
            f.mass,
            t->seen->level[TREE_LEVELS],
            t->seen->groups,
            t->cell,
            t->place,
            t->moments,
            t->groups.as<tree_group>()};
}

walked_tree
own_tree(const tree_step &s)
{
    const uint32_t none = UINT32_MAX, groups = s.tree->seen->groups;
    walked_tree tree = {};
    tree.view = view_of(s);
    tree.others.first_cell = tree.others.first_particle = none;
    tree.levels = (unsigned)s.tree->levels.n;
    tree.end = tree.own_end = groups;
    return tree;
}

/* Without accelerations the relative criterion cannot be used. */
static void
settle_criterion(tree_step *s)
{
    const bool accelerated = s->common ? s->common->has_accelerations
                                       : s->tree->seen->accelerated != 0;
    s->criterion.relative = s->criterion.relative && accelerated;
    if (s->criterion.relative) s->criterion.theta = KOSHU_LARGEST_THETA;
}

static int
exponent_of(double x)
{
    return koshu_float_range_of(x > 0 ? power_of_two(x) : 0);
}

/* The store's smallest mass, as found by measure_particles(); it is kept,
 * because masses do not change. */
static double
least_mass_of(const tree_step &s)
{
    if (s.common) return s.common->least_mass;
    double *least = &s.store->least_mass;
    const unsigned long long bits = s.tree->seen->least_mass;
    if (*least >= 0) return *least;
    *least = 0;
    if (bits != ~0ull) memcpy(least, &bits, sizeof *least);
    return *least;
}

/* Chooses units in which no power of a distance overflows a float. Returns
 * false if there are none, or if a cell's opening distance, a float in the
 * caller's units, or the unit of the walk itself would overflow. */
static bool
settle_units(tree_step *s)
{
    const int longest = 24, largest = 110, largest_unit = 125;
    /* the largest cell has a mass of about sqrt(n), the least particle that
     * matters one of its inverse: so their moments and forces are in range */
    const uint64_t n = s->common ? s->common->n : s->n;
    const double side = fmax(s->common ? s->common->side
                                       : box_of(s->tree->seen->extent).side,
                             s->tree->images.extent);
    s->u.mass = power_of_two(largest_mass_of(*s) * sqrt((double)n));
    const koshu_float_range r = {
            exponent_of(side), exponent_of(s->task.eps),
            koshu_float_range_of(least_mass_of(*s) / s->u.mass)};
    int unit;
    if (!koshu_float_range_unit(&r, longest, &unit)) return false;
    s->u.length = ldexp(1, unit);
    return abs(unit) <= largest_unit &&
           (r.length == KOSHU_FLOAT_RANGE_ZERO || abs(r.length) <= largest);
}

/* ---- what it took -------------------------------------------------------- */

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

cudaError_t
write_report(const tree_step &s, koshu_tree_report *r)
{
    const tree_state &seen = *s.tree->seen;
    note_bytes(s.tree, s.store, 0);
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

/* ---- stages -------------------------------------------------------------- */

static cudaError_t
sort_particles(tree_step *s)
{
    KOSHU_CUDA_TRY(cudaEventRecord(s->tree->event[0], s->cuda->stream));
    KOSHU_CUDA_TRY(measure_particles(*s));
    KOSHU_CUDA_TRY(make_keys(*s));
    KOSHU_CUDA_TRY(note_stage(*s, STAGE_KEYS));
    KOSHU_CUDA_TRY(sort_keys(s, s->n, 3 * TREE_LEVELS));
    KOSHU_CUDA_TRY(reorder_particles(s));
    return note_stage(*s, STAGE_SORT);
}

cudaError_t
walk_tree(const tree_step &s, const walked_tree &tree)
{
    if (s.task.precision == KOSHU_PRECISION_MIXED)
        return launch_walks<mixed_precision>(s, tree);
    if (s.task.fast) return launch_walks<fast_precision>(s, tree);
    return launch_walks<single_precision>(s, tree);
}

static cudaError_t
cut(koshu_tree_engine *t, koshu_cuda_store *store, const koshu_force_task &task,
    const koshu_tree_options &options, tree_step *s, koshu_status *outcome)
{
    KOSHU_CUDA_TRY(start_step(t, store, task, options, s));
    KOSHU_CUDA_TRY(sort_particles(s));
    KOSHU_CUDA_TRY(build_tree(s));
    *outcome = is_finite(*t->seen) ? KOSHU_OK : KOSHU_ERROR_NOT_FINITE;
    return cudaSuccess;
}

cudaError_t
cut_tree(koshu_tree_engine *t, koshu_cuda_store *store,
         const koshu_force_task &task, const koshu_tree_options &options,
         const koshu_tree_extent *root, tree_step *s, koshu_status *outcome)
{
    *s = {};
    s->root = root;
    return cut(t, store, task, options, s, outcome);
}

cudaError_t
group_tree(koshu_tree_engine *t, koshu_cuda_store *store,
           const koshu_force_task &task, const koshu_tree_options &options,
           const koshu_tree_common *common, tree_step *s, koshu_status *outcome)
{
    *s = {};
    s->common = common;
    if (common) s->root = &common->extent;
    KOSHU_CUDA_TRY(cut(t, store, task, options, s, outcome));
    if (*outcome != KOSHU_OK) return cudaSuccess;
    settle_criterion(s);
    *outcome = KOSHU_ERROR_UNSUPPORTED;
    if (!settle_units(s)) return cudaSuccess;
    *outcome = KOSHU_OK;
    KOSHU_CUDA_TRY(make_groups(*s));
    return note_stage(*s, STAGE_GROUPS);
}

cudaError_t
sum_moments(const tree_step &s)
{
    KOSHU_CUDA_TRY(sum_cells(s, view_of(s)));
    return note_stage(s, STAGE_MOMENTS);
}

/* Computes moments, and the sums of groups over a tree. */
static cudaError_t
sum_forces(const tree_step &s, koshu_tree_report *report, koshu_status *outcome)
{
    KOSHU_CUDA_TRY(sum_moments(s));
    KOSHU_CUDA_TRY(walk_tree(s, own_tree(s)));
    KOSHU_CUDA_TRY(note_stage(s, STAGE_WALK));
    KOSHU_CUDA_TRY(read_state(s));
    *outcome = s.tree->seen->counts.lost ? KOSHU_ERROR_UNSUPPORTED : KOSHU_OK;
    if (*outcome != KOSHU_OK) return cudaSuccess;
    return write_report(s, report);
}

cudaError_t
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
    t->cuda->shared_memory = -1; /* the stages benefit from the cache */
    cudaError_t error =
            group_tree(t, store, task, options, nullptr, &s, outcome);
    if (error == cudaSuccess && *outcome == KOSHU_OK)
        error = sum_forces(s, report, outcome);
    t->cuda->shared_memory = shared_memory;
    if (error == cudaSuccess && *outcome == KOSHU_OK) return cudaSuccess;
    const cudaError_t forgotten = forget_accelerations(store);
    return error != cudaSuccess ? error : forgotten;
}

} /* namespace koshu */
