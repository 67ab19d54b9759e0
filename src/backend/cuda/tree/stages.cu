/* SPDX-License-Identifier: MIT */
/* The stages of a tree on the device, one after the other. */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "backend/cuda/tree/engine.cuh"
#include "kernels/float_range.h"

namespace koshu {

/* Of the relative criterion: no cell is nearer than l over this (as
 * tree/tree.h). */
static constexpr double largest_theta = 1.25;

/* Rounds of buckets after which origins tell particles apart: each makes them
 * 2^11 times smaller or more, and a double has no more digits than that. */
enum { MAX_PASSES = 200 };

/* ---- what the host knows ------------------------------------------------- */

/* The state as it is after all that was enqueued. */
static cudaError_t
read_state(const tree_step &s)
{
    KOSHU_CUDA_TRY(cudaMemcpyAsync(s.tree->seen, s.state, sizeof(tree_state),
                                   cudaMemcpyDeviceToHost, s.cuda->stream));
    return cudaStreamSynchronize(s.cuda->stream);
}

bool
is_finite(const tree_state &seen)
{
    return !seen.not_finite && std::isfinite(box_of(seen.extent).side);
}

/* Those of a pass's levels that have cells; the end of the last is the
 * beginning of what follows. */
static cudaError_t
add_levels(koshu_tree_engine *t, const tree_pass &r)
{
    tree_levels *to = &t->levels;
    const size_t max_n = to->n + TREE_LEVELS + 2;
    if (max_n > to->capacity) {
        void *larger = realloc(to->first, 2 * max_n * sizeof *to->first);
        if (!larger) return cudaErrorMemoryAllocation;
        to->first = static_cast<uint32_t *>(larger);
        to->capacity = 2 * max_n;
    }
    const uint32_t *level = t->seen->level;
    if (to->n == 0) to->first[to->n++] = 0; /* the root */
    for (int k = 0; k < r.levels; k++)
        if (level[k + 1] > level[k]) to->first[to->n++] = level[k];
    return cudaSuccess;
}

/* ---- stages -------------------------------------------------------------- */

static cudaError_t
note(const tree_step &s, tree_stage stage)
{
    return cudaEventRecord(s.tree->event[stage + 1], s.cuda->stream);
}

cudaError_t
sort_particles(tree_step *s)
{
    KOSHU_CUDA_TRY(cudaEventRecord(s->tree->event[0], s->cuda->stream));
    KOSHU_CUDA_TRY(measure_particles(*s));
    KOSHU_CUDA_TRY(make_keys(*s));
    KOSHU_CUDA_TRY(note(*s, STAGE_KEYS));
    KOSHU_CUDA_TRY(sort_keys(s, s->n, 3 * TREE_LEVELS));
    KOSHU_CUDA_TRY(reorder_particles(s));
    return note(*s, STAGE_SORT);
}

/* Cells of a pass, where there is room for them, and the groups of all cells;
 * the host reads the state once. */
static cudaError_t
try_pass(const tree_step &s, tree_pass *r)
{
    r->cell = s.tree->cell;
    r->capacity = s.tree->cell_capacity;
    KOSHU_CUDA_TRY(mark_cells(s, *r));
    KOSHU_CUDA_TRY(write_cells(s, *r));
    KOSHU_CUDA_TRY(note(s, STAGE_BUILD));
    KOSHU_CUDA_TRY(mark_all_groups(s));
    return read_state(s);
}

/* Again, if there was no room. */
static cudaError_t
finish_pass(const tree_step &s, tree_pass *r)
{
    const uint32_t cells = s.tree->seen->level[TREE_LEVELS];
    if (cells > r->capacity) {
        KOSHU_CUDA_TRY(reserve_cells(s, cells, r->bucket ? r->base : 0));
        KOSHU_CUDA_TRY(try_pass(s, r));
    }
    return add_levels(s.tree, *r);
}

/* With leaves that are as large as the memory asks for, where that is left to
 * the device. */
static cudaError_t
do_first_pass(tree_step *s, tree_pass *r)
{
    *r = pass_of(*s, s->n, TREE_LEVELS, 1);
    KOSHU_CUDA_TRY(try_pass(*s, r));
    while (s->n_leaf < s->max_n_leaf && takes_too_much(*s)) {
        s->n_leaf = std::min(s->n_leaf + s->n_leaf / 4, s->max_n_leaf);
        r->n_leaf = s->n_leaf;
        KOSHU_CUDA_TRY(try_pass(*s, r));
    }
    return finish_pass(*s, r);
}

cudaError_t
build_tree(tree_step *s)
{
    koshu_tree_engine *t = s->tree;
    tree_pass r;
    t->levels.n = 0;
    lay_out_cells(t);
    KOSHU_CUDA_TRY(do_first_pass(s, &r));
    for (int pass = 1; t->seen->buckets > 0 && is_finite(*t->seen); pass++) {
        const uint32_t cells = t->seen->level[TREE_LEVELS];
        KOSHU_CUDA_TRY(start_buckets(s, cells, t->seen->buckets,
                                     pass >= MAX_PASSES, &r));
        KOSHU_CUDA_TRY(try_pass(*s, &r));
        KOSHU_CUDA_TRY(finish_pass(*s, &r));
    }
    t->levels.first[t->levels.n++] = t->seen->level[TREE_LEVELS];
    return cudaSuccess;
}

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

/* Where there is no acceleration yet there is no relative criterion. */
static void
settle_criterion(tree_step *s, const koshu_tree_options &options)
{
    s->criterion.relative = s->criterion.relative && s->tree->seen->accelerated;
    s->criterion.theta = s->criterion.relative ? largest_theta : options.theta;
}

static int
exponent_of(double x)
{
    return koshu_float_range_of(x > 0 ? power_of_two(x) : 0);
}

/* Of the store, from what measure() saw; it stays, as masses do. */
static double
least_mass_of(const tree_step &s)
{
    double *least = &s.store->least_mass;
    const unsigned long long bits = s.tree->seen->least_mass;
    if (*least >= 0) return *least;
    *least = 0;
    if (bits != ~0ull) memcpy(least, &bits, sizeof *least);
    return *least;
}

/* Units in which no power of a distance is out of a float's range. false:
 * there are none; or a cell's reach, which is a float in the caller's units, or
 * the walk's unit itself would be none. */
static bool
settle_units(tree_step *s, double eps)
{
    const int longest = 24, largest = 110, largest_unit = 125;
    /* the largest cell is of the order of sqrt(n), the least particle that
     * matters of its inverse: so are their moments and forces in range */
    s->u.mass = power_of_two(s->store->largest_mass * sqrt((double)s->n));
    const koshu_float_range r = {
            exponent_of(box_of(s->tree->seen->extent).side), exponent_of(eps),
            koshu_float_range_of(least_mass_of(*s) / s->u.mass)};
    int unit;
    if (!koshu_float_range_unit(&r, longest, &unit)) return false;
    s->u.length = ldexp(1, unit);
    return abs(unit) <= largest_unit &&
           (r.length == KOSHU_FLOAT_RANGE_ZERO || abs(r.length) <= largest);
}

static cudaError_t
walk(const tree_step &s, const koshu_force_task &task, double theta)
{
    const fields &f = s.store->f;
    walk_task w = {};
    w.u = s.u;
    w.eps = task.eps;
    w.theta = theta;
    w.potential = task.potential;
    w.monopole = !s.criterion.quadrupole;
    w.fast = task.fast && task.precision == KOSHU_PRECISION_SINGLE;
    w.mixed = task.precision == KOSHU_PRECISION_MIXED;
    w.levels = (unsigned)s.tree->levels.n;
    w.per_a = s.per_a;
    w.out = {f.a[0], f.a[1], f.a[2], f.potential, 0, 0, {}};
    w.counts = &s.state->counts;
    return walk_tree(s.cuda, view_of(s), w, &s.tree->walk);
}

cudaError_t
sum_forces(tree_step *s, const koshu_force_task &task,
           const koshu_tree_options &options, koshu_status *outcome)
{
    koshu_tree_engine *t = s->tree;
    settle_criterion(s, options);
    *outcome = settle_units(s, task.eps) ? KOSHU_OK : KOSHU_ERROR_UNSUPPORTED;
    if (*outcome != KOSHU_OK) return cudaSuccess;
    KOSHU_CUDA_TRY(reserve_groups(t, t->seen->groups));
    KOSHU_CUDA_TRY(make_groups(*s, t->seen->groups));
    KOSHU_CUDA_TRY(note(*s, STAGE_GROUPS));
    KOSHU_CUDA_TRY(sum_cells(*s, view_of(*s)));
    KOSHU_CUDA_TRY(note(*s, STAGE_MOMENTS));
    KOSHU_CUDA_TRY(walk(*s, task, options.theta));
    KOSHU_CUDA_TRY(note(*s, STAGE_WALK));
    KOSHU_CUDA_TRY(read_state(*s));
    if (t->seen->counts.lost) *outcome = KOSHU_ERROR_UNSUPPORTED;
    return cudaSuccess;
}

} /* namespace koshu */
