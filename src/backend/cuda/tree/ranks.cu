/* SPDX-License-Identifier: MIT */
/* The operations of backend/tree_parts.h. */
#include <cstring>

#include "backend/cuda/cuda.h"
#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/object.cuh"
#include "backend/cuda/tree/rank_step.cuh"

using namespace koshu;

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
open(rank_step *r)
{
    KOSHU_CUDA_TRY(open_parts(r, r->engine->cuda, find_part));
    const size_t n = r->members;
    for (event *e : {&r->walking, &r->adding, &r->added})
        KOSHU_CUDA_TRY(e->open(cudaEventDefault));
    for (event *e : {&r->bounded, &r->counted}) KOSHU_CUDA_TRY(e->open());
    KOSHU_CUDA_TRY(r->bounds_on_host.reserve(sizeof(found_bounds)));
    KOSHU_CUDA_TRY(r->counts.reserve(n * sizeof(uint64_t)));
    return r->roots_on_host.reserve(n * sizeof(uint32_t));
}

void
koshu::free_rank_step(rank_step *r)
{
    if (!r) return;
    close_peers(r);
    free_object(r);
}

/* Creates the engine's rank step, if there are several ranks. */
static koshu_status
reserve_step(koshu_tree_engine *t)
{
    koshu_cuda_enter(t->cuda);
    if (t->rank_step) return KOSHU_OK;
    rank_step *r = make_object<rank_step>();
    if (!r)
        return koshu_fail_memory(t->backend->context, sizeof *r,
                                 "trees of ranks");
    t->rank_step = r;
    r->engine = t;
    return status_of(t->cuda, open(r), "making a tree on the device");
}

/* Runs work() as a stage of a tree: stages benefit from the cache, so the
 * driver chooses how much of it is shared memory. */
template <class Work>
static koshu_status
do_stage(koshu_tree_engine *t, const Work &work)
{
    koshu_cuda_enter(t->cuda);
    const int shared_memory = t->cuda->shared_memory;
    t->cuda->shared_memory = -1;
    const cudaError_t error = work();
    t->cuda->shared_memory = shared_memory;
    return status_of_step(t, t->rank_step->step, error, KOSHU_OK);
}

/* ---- the tree ------------------------------------------------------------ */

static koshu_status
make(koshu_tree_engine *t, const koshu_force_task &task,
     const koshu_tree_options &options, koshu_particles *particles,
     unsigned fields)
{
    rank_step *r = t->rank_step;
    koshu_cuda_store *store;
    koshu_status outcome = KOSHU_OK;
    KOSHU_TRY(koshu_cuda_store_of(t->backend, particles, &store));
    KOSHU_TRY(acquire_fields(particles, options, fields));
    KOSHU_TRY(do_stage(t, [&] {
        KOSHU_CUDA_TRY(group_tree(t, store, task, options, &r->common, &r->step,
                                  &outcome));
        if (outcome != KOSHU_OK) return cudaSuccess;
        KOSHU_CUDA_TRY(reserve_for_parts(r));
        KOSHU_CUDA_TRY(bound_groups(r));
        return sum_moments(r->step);
    }));
    if (outcome == KOSHU_ERROR_NOT_FINITE)
        return name_culprit(t->backend->context, particles);
    return status_of_step(t, r->step, cudaSuccess, outcome);
}

static koshu_status
start(koshu_tree_engine *t, const koshu_force_task *task,
      const koshu_tree_options *options, const koshu_tree_common *common,
      koshu_particles *particles, unsigned fields)
{
    const size_t n = koshu_particles_count(particles);
    KOSHU_TRY(koshu_tree_check_size(t->backend->context, n, "device"));
    KOSHU_TRY(reserve_step(t));
    t->rank_step->step = {};
    t->rank_step->common = *common;
    t->rank_step->has_walked = false;
    if (n == 0) return KOSHU_OK;
    return make(t, *task, *options, particles, fields);
}

/* ---- what others need ---------------------------------------------------- */

static koshu_status
bounds(koshu_tree_engine *t, size_t *n, koshu_tree_bounds *bounds)
{
    const rank_step *r = t->rank_step;
    const found_bounds *found = r->bounds_on_host.as<found_bounds>();
    *n = 0;
    if (r->step.n == 0) return KOSHU_OK;
    KOSHU_TRY(do_stage(t, [&] { return cudaEventSynchronize(r->bounded); }));
    *n = found->n;
    memcpy(bounds, found->bounds, *n * sizeof *bounds);
    return KOSHU_OK;
}

static koshu_status
arrays(koshu_tree_engine *t, koshu_device_arrays **arrays)
{
    KOSHU_TRY(reserve_step(t));
    *arrays = t->rank_step;
    return KOSHU_OK;
}

/* ---- parts --------------------------------------------------------------- */

static rank_step *
step_of(koshu_device_arrays *arrays)
{
    return static_cast<rank_step *>(arrays);
}

static size_t
cell_bytes(const koshu_device_arrays *)
{
    return PART_CELL_BYTES;
}

static koshu_status
reserve(koshu_device_arrays *arrays, const koshu_part_window *come,
        const koshu_part_window *go)
{
    rank_step *r = step_of(arrays);
    place_parts(r, come, go);
    return do_stage(r->engine, [&] { return reserve_forest(r); });
}

static koshu_status
cut(koshu_device_arrays *arrays, size_t rank, size_t n, const void *targets)
{
    rank_step *r = step_of(arrays);
    const auto bounds = static_cast<const koshu_tree_bounds *>(targets);
    r->counts.as<uint64_t>()[rank] = 0;
    if (r->step.n == 0 || n == 0) return KOSHU_OK;
    return do_stage(r->engine, [&] { return cut_part(r, rank, n, bounds); });
}

static koshu_status
send(koshu_device_arrays *arrays)
{
    rank_step *r = step_of(arrays);
    return do_stage(r->engine, [&] {
        KOSHU_CUDA_TRY(cudaEventRecord(r->counted, r->cuda->stream));
        return send_parts(r);
    });
}

static koshu_status
parts(koshu_device_arrays *arrays, koshu_part *parts)
{
    const rank_step *r = step_of(arrays);
    KOSHU_TRY(do_stage(r->engine,
                       [&] { return cudaEventSynchronize(r->counted); }));
    for (size_t k = 0; k < r->members; k++)
        parts[k] = k == r->place ? koshu_part{} : part_cut(r, k);
    return KOSHU_OK;
}

static koshu_status
expect(koshu_device_arrays *arrays, const koshu_part *come)
{
    rank_step *r = step_of(arrays);
    expect_parts(r, come);
    return do_stage(r->engine, [&] { return list_roots(r); });
}

static const koshu_part_ops part_ops = {.target = sizeof(koshu_tree_bounds),
                                        .max_targets = KOSHU_TREE_BOUNDS,
                                        .particle_bytes = PART_PARTICLE_BYTES,
                                        .cell_bytes = cell_bytes,
                                        .traffic = &part_traffic_ops,
                                        .reserve = reserve,
                                        .cut = cut,
                                        .send = send,
                                        .parts = parts,
                                        .expect = expect};

/* ---- sums ---------------------------------------------------------------- */

/*
 * The last groups walk their own tree while parts are in transit; then all
 * others walk all trees at once, and these add what is in the parts. Where GPUs
 * write to each other's memory, few groups suffice to hide the transfer; else
 * all walk their own tree first.
 */
static uint32_t
groups_ahead(const rank_step *r)
{
    const uint32_t groups = r->step.tree->seen->groups, few = 16;
    return r->connected ? groups / few : groups;
}

static walked_tree
tree_with_tags(const rank_step *r)
{
    walked_tree tree = own_tree(r->step);
    tree.tag = r->step.store->tag;
    return tree;
}

static cudaError_t
walk_ahead(rank_step *r)
{
    walked_tree tree = tree_with_tags(r);
    r->rest = tree.end - groups_ahead(r);
    tree.begin = r->rest;
    KOSHU_CUDA_TRY(cudaEventRecord(r->walking, r->cuda->stream));
    KOSHU_CUDA_TRY(walk_tree(r->step, tree));
    r->has_walked = true;
    return note_stage(r->step, STAGE_WALK);
}

static koshu_status
walk(koshu_tree_engine *t)
{
    rank_step *r = t->rank_step;
    if (r->step.n == 0) return KOSHU_OK;
    return do_stage(t, [&] { return walk_ahead(r); });
}

static cudaError_t
walk_rest(rank_step *r)
{
    KOSHU_CUDA_TRY(reserve_for_parts(r)); /* windows may have grown */
    walked_tree tree = tree_with_tags(r);
    KOSHU_CUDA_TRY(cudaEventRecord(r->adding, r->cuda->stream));
    tree.own_end = r->rest;
    if (r->n_roots > 0)
        KOSHU_CUDA_TRY(plant_parts(r, &tree));
    else
        tree.end = r->rest;
    KOSHU_CUDA_TRY(walk_tree(r->step, tree));
    return cudaEventRecord(r->added, r->cuda->stream);
}

static koshu_status
add(koshu_tree_engine *t)
{
    rank_step *r = t->rank_step;
    return do_stage(t, [&] {
        KOSHU_CUDA_TRY(follow(r, t->cuda->stream, r->in.stream));
        if (r->step.n > 0) KOSHU_CUDA_TRY(walk_rest(r));
        KOSHU_CUDA_TRY(follow(r, t->cuda->stream, r->out.stream));
        return note_mark(r, KOSHU_PARTS_USED);
    });
}

/* ---- what it took -------------------------------------------------------- */

static cudaError_t
seconds_between(cudaEvent_t from, cudaEvent_t to, double *seconds)
{
    float milliseconds;
    KOSHU_CUDA_TRY(cudaEventElapsedTime(&milliseconds, from, to));
    *seconds = 1e-3 * milliseconds;
    return cudaSuccess;
}

/* Excludes the time between the walks. */
static cudaError_t
time_walks(const rank_step &r, koshu_tree_report *report,
           koshu_part_exposed *exposed)
{
    const event *end = r.step.tree->event + 1;
    double ahead, rest;
    KOSHU_CUDA_TRY(
            seconds_between(end[STAGE_MOMENTS], r.walking, &exposed->cut));
    KOSHU_CUDA_TRY(seconds_between(r.walking, end[STAGE_WALK], &ahead));
    KOSHU_CUDA_TRY(seconds_between(end[STAGE_WALK], r.adding, &exposed->wait));
    KOSHU_CUDA_TRY(seconds_between(r.adding, r.added, &rest));
    report->seconds.walk = ahead + rest;
    return cudaSuccess;
}

static cudaError_t
finish_sums(const rank_step &r, koshu_tree_report *report,
            koshu_part_exposed *exposed)
{
    KOSHU_CUDA_TRY(read_state(r.step));
    KOSHU_CUDA_TRY(write_report(r.step, report));
    return time_walks(r, report, exposed);
}

static koshu_status
finish(koshu_tree_engine *t, koshu_tree_report *report,
       koshu_part_exposed *exposed)
{
    rank_step *r = t->rank_step;
    *report = {};
    *exposed = {};
    report->evaluations = 1;
    if (r->step.n == 0) return KOSHU_OK;
    KOSHU_TRY(do_stage(t, [&] {
        KOSHU_CUDA_TRY(finish_sums(*r, report, exposed));
        return r->marks.bytes() > 0 ? r->marks.release() : cudaSuccess;
    }));
    return status_of_step(t, r->step, cudaSuccess,
                          t->seen->counts.lost ? KOSHU_ERROR_UNSUPPORTED
                                               : KOSHU_OK);
}

const koshu_tree_parts_ops koshu_cuda_tree_parts_ops = {.arrays = arrays,
                                                        .parts = &part_ops,
                                                        .start = start,
                                                        .bounds = bounds,
                                                        .walk = walk,
                                                        .add = add,
                                                        .finish = finish};
