/* SPDX-License-Identifier: MIT */
/* A tree on the device: its memory, and its stages one after the other. */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "backend/cuda/tree/engine.cuh"

using namespace koshu;

/* Of the relative criterion: no cell is nearer than l over this (as
 * tree/tree.h). */
static constexpr double largest_theta = 1.25;

/* Rounds of crowds after which origins tell particles apart: each makes them
 * 2^11 times smaller or more, and a double has no more digits than that. */
enum { MOST_ROUNDS = 200 };

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
create(koshu_cuda_tree *t, koshu_cuda *cuda)
{
    void *seen;
    t->cuda = cuda;
    KOSHU_CUDA_TRY(t->state.reserve(sizeof(tree_state)));
    KOSHU_CUDA_TRY(
            cudaHostAlloc(&seen, sizeof(tree_state), cudaHostAllocDefault));
    t->seen = static_cast<tree_state *>(seen);
    for (cudaEvent_t &event : t->event) KOSHU_CUDA_TRY(cudaEventCreate(&event));
    return cudaSuccess;
}

int
koshu_cuda_tree_create(struct koshu_cuda *cuda, struct koshu_cuda_tree **tree)
{
    *tree = nullptr;
    void *memory = calloc(1, sizeof(koshu_cuda_tree));
    if (!memory) return cudaErrorMemoryAllocation;
    koshu_cuda_tree *t = new (memory) koshu_cuda_tree();
    cudaError_t error = create(t, cuda);
    if (error == cudaSuccess)
        *tree = t;
    else
        koshu_cuda_tree_destroy(t);
    return error;
}

void
koshu_cuda_tree_destroy(struct koshu_cuda_tree *tree)
{
    if (!tree) return;
    if (tree->cuda) cudaStreamSynchronize(tree->cuda->stream);
    for (cudaEvent_t event : tree->event)
        if (event) cudaEventDestroy(event);
    if (tree->seen) cudaFreeHost(tree->seen);
    free(tree->levels.first);
    tree->~koshu_cuda_tree();
    free(tree);
}

/* ---- cells' memory ------------------------------------------------------- */

enum {
    CELL_BYTES = sizeof(tree_cell) + sizeof(tree_place) + sizeof(tree_moments)
};

/* The device's memory between steps, for as many cells as it can hold. */
static void
lay_out_cells(koshu_cuda_tree *t)
{
    const size_t even = 2, most = UINT32_MAX - 1;
    size_t room = t->cuda->between_steps.bytes() / CELL_BYTES / even * even;
    if (room > most) room = most;
    t->room_cells = (uint32_t)room;
    t->cell = t->cuda->between_steps.as<tree_cell>();
    t->place = reinterpret_cast<tree_place *>(t->cell + room);
    t->moments = reinterpret_cast<tree_moments *>(t->place + room);
}

/* Room for so many, of which the first `kept` stay: their places and moments
 * are not there yet. */
static cudaError_t
reserve_cells(koshu_cuda_tree *t, uint32_t cells, uint32_t kept)
{
    if (cells <= t->room_cells) return cudaSuccess;
    const size_t spared = cells / 32 + 2;
    buffer larger;
    if (kept == 0) KOSHU_CUDA_TRY(t->cuda->between_steps.release());
    KOSHU_CUDA_TRY(larger.reserve((cells + spared) * CELL_BYTES));
    if (kept > 0)
        KOSHU_CUDA_TRY(cudaMemcpyAsync(
                larger.as<void>(), t->cell, kept * sizeof(tree_cell),
                cudaMemcpyDeviceToDevice, t->cuda->stream));
    larger.swap(t->cuda->between_steps);
    lay_out_cells(t);
    return cudaStreamSynchronize(t->cuda->stream);
}

/* ---- what the host knows ------------------------------------------------- */

/* The state as it is after all that was enqueued. */
static cudaError_t
look(const tree_step &s)
{
    KOSHU_CUDA_TRY(cudaMemcpyAsync(s.tree->seen, s.state, sizeof(tree_state),
                                   cudaMemcpyDeviceToHost, s.cuda->stream));
    return cudaStreamSynchronize(s.cuda->stream);
}

static bool
is_finite(const tree_state &seen)
{
    return !seen.not_finite && std::isfinite(box_of(seen.extent).side);
}

/* Those of a round's levels that have cells; the end of the last is the
 * beginning of what follows. */
static cudaError_t
add_levels(koshu_cuda_tree *t, const tree_round &r)
{
    tree_levels *to = &t->levels;
    const size_t most = to->n + TREE_LEVELS + 2;
    if (most > to->room) {
        void *larger = realloc(to->first, 2 * most * sizeof *to->first);
        if (!larger) return cudaErrorMemoryAllocation;
        to->first = static_cast<uint32_t *>(larger);
        to->room = 2 * most;
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

static cudaError_t
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

/* Cells of a round, and the groups of all cells; the host looks once where
 * there is room. */
static cudaError_t
do_round(const tree_step &s, tree_round *r)
{
    koshu_cuda_tree *t = s.tree;
    KOSHU_CUDA_TRY(mark_cells(s, *r));
    for (;;) {
        r->cell = t->cell;
        r->room = t->room_cells;
        KOSHU_CUDA_TRY(write_cells(s, *r));
        KOSHU_CUDA_TRY(note(s, STAGE_BUILD));
        KOSHU_CUDA_TRY(mark_all_groups(s));
        KOSHU_CUDA_TRY(look(s));
        const uint32_t cells = t->seen->level[TREE_LEVELS];
        if (cells <= t->room_cells) return add_levels(t, *r);
        KOSHU_CUDA_TRY(reserve_cells(t, cells, r->crowd ? r->base : 0));
    }
}

static cudaError_t
build(tree_step *s)
{
    koshu_cuda_tree *t = s->tree;
    t->levels.n = 0;
    lay_out_cells(t);
    tree_round r = round_of(*s, s->n, TREE_LEVELS, 1);
    KOSHU_CUDA_TRY(do_round(*s, &r));
    for (int round = 1; t->seen->crowds > 0 && is_finite(*t->seen); round++) {
        const uint32_t cells = t->seen->level[TREE_LEVELS];
        KOSHU_CUDA_TRY(begin_crowds(s, cells, t->seen->crowds,
                                    round >= MOST_ROUNDS, &r));
        KOSHU_CUDA_TRY(do_round(*s, &r));
    }
    t->levels.first[t->levels.n++] = t->seen->level[TREE_LEVELS];
    return cudaSuccess;
}

static tree_view
view_of(const tree_step &s)
{
    const koshu_cuda_tree *t = s.tree;
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

/* Where there is no acceleration yet there is no relative criterion; and units
 * in which no power of a distance is out of a float's range. */
static void
settle(tree_step *s, const koshu_tree_options &options)
{
    const tree_state &seen = *s->tree->seen;
    const double smallest = 0x1p-400;
    s->criterion.relative = s->criterion.relative && seen.accelerated;
    s->criterion.theta = s->criterion.relative ? largest_theta : options.theta;
    s->u.length = power_of_two(box_of(seen.extent).side) * 0x1p-24;
    s->u.length = fmin(fmax(s->u.length, smallest), 1 / smallest);
    s->u.mass = power_of_two(s->store->largest_mass);
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
    w.fast = task.fast && task.precision == KOSHU_SINGLE;
    w.mixed = task.precision == KOSHU_MIXED;
    w.levels = (unsigned)s.tree->levels.n;
    w.out = {f.a[0], f.a[1], f.a[2], f.potential, 0, 0, {}};
    w.counts = &s.state->counts;
    return walk_tree(s.cuda, view_of(s), w, &s.tree->walk);
}

static cudaError_t
sum(tree_step *s, const koshu_force_task &task, double theta)
{
    koshu_cuda_tree *t = s->tree;
    const size_t groups = t->seen->groups;
    if (!t->groups.has(groups * sizeof(tree_group)))
        KOSHU_CUDA_TRY(
                t->groups.reserve((groups + groups / 32) * sizeof(tree_group)));
    KOSHU_CUDA_TRY(make_groups(*s, t->seen->groups));
    KOSHU_CUDA_TRY(note(*s, STAGE_GROUPS));
    KOSHU_CUDA_TRY(sum_cells(*s, view_of(*s)));
    KOSHU_CUDA_TRY(note(*s, STAGE_MOMENTS));
    KOSHU_CUDA_TRY(walk(*s, task, theta));
    KOSHU_CUDA_TRY(note(*s, STAGE_WALK));
    return look(*s);
}

/* ---- a step -------------------------------------------------------------- */

static cudaError_t
begin_step(koshu_cuda_tree *t, koshu_cuda_store *store,
           const koshu_force_task &task, const koshu_tree_options &options,
           tree_step *s)
{
    KOSHU_CUDA_TRY(begin_tree(store));
    *s = {};
    s->tree = t;
    s->cuda = t->cuda;
    s->store = store;
    s->n = (uint32_t)store->n;
    s->n_leaf = (uint32_t)std::min<uint64_t>(options.n_leaf, store->n);
    s->n_crit = (uint32_t)options.n_crit;
    s->hilbert = options.curve == KOSHU_CURVE_HILBERT;
    s->potential = task.potential;
    s->criterion.relative = options.criterion == KOSHU_CRITERION_RELATIVE;
    s->criterion.quadrupole = options.order == KOSHU_ORDER_QUADRUPOLE;
    s->criterion.alpha = options.alpha;
    s->state = t->state.as<tree_state>();
    s->key = reinterpret_cast<uint64_t *>(store->f.a[0]);
    s->spare = reinterpret_cast<uint64_t *>(store->f.a[1]);
    s->order = reinterpret_cast<uint32_t *>(store->f.a[2]);
    s->other = s->order + store->stride;
    return cudaSuccess;
}

static cudaError_t
time_stages(const koshu_cuda_tree *t, koshu_tree_report *r)
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
    r->visits = seen.counts.visits;
    r->n_crit = s.n_crit;
    r->n_leaf = s.n_leaf;
    r->curve = s.hilbert ? KOSHU_CURVE_HILBERT : KOSHU_CURVE_MORTON;
    return time_stages(s.tree, r);
}

static cudaError_t
do_step(tree_step *s, const koshu_force_task &task,
        const koshu_tree_options &options, koshu_tree_report *report,
        koshu_status *outcome)
{
    KOSHU_CUDA_TRY(sort_particles(s));
    KOSHU_CUDA_TRY(build(s));
    *outcome = is_finite(*s->tree->seen) ? KOSHU_OK : KOSHU_NOT_FINITE;
    if (*outcome != KOSHU_OK) return cudaSuccess;
    settle(s, options);
    KOSHU_CUDA_TRY(sum(s, task, options.theta));
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

int
koshu_cuda_tree_forces(struct koshu_cuda_tree *tree,
                       struct koshu_cuda_store *store,
                       const struct koshu_force_task *task,
                       const struct koshu_tree_options *options,
                       struct koshu_tree_report *report, koshu_status *outcome)
{
    tree_step s;
    const int shared_memory = tree->cuda->shared_memory;
    tree->cuda->shared_memory = -1; /* the stages live on the cache */
    cudaError_t error = begin_step(tree, store, *task, *options, &s);
    if (error == cudaSuccess)
        error = do_step(&s, *task, *options, report, outcome);
    tree->cuda->shared_memory = shared_memory;
    if (error == cudaSuccess && *outcome == KOSHU_OK) return cudaSuccess;
    const cudaError_t forgotten = forget_accelerations(store);
    return error != cudaSuccess ? error : forgotten;
}

uint64_t
koshu_cuda_tree_bytes(const struct koshu_cuda_tree *tree,
                      const struct koshu_cuda_store *store)
{
    const koshu_cuda_tree *t = tree;
    const buffer *const held[] = {&store->memory,    &store->tag_memory,
                                  &store->packed,    &t->cuda->between_steps,
                                  &t->temporary,     &t->state,
                                  &t->groups,        &t->ranges,
                                  &t->crowds,        &t->crowd_offsets,
                                  &t->crowd_extents, &t->walk.stacks,
                                  &t->walk.next,     &t->walk.partial,
                                  &t->walk.arrived};
    uint64_t bytes = 0;
    for (const buffer *b : held) bytes += b->bytes();
    return bytes;
}
