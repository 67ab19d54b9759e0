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
    t->rank_step->has_walked = t->rank_step->has_added = false;
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

static cudaError_t
walk_own(rank_step *r)
{
    const tree_step &s = r->step;
    const size_t bytes = s.tree->seen->groups * sizeof(uint32_t);
    walked_tree tree = own_tree(s);
    KOSHU_CUDA_TRY(r->work.reserve(bytes));
    tree.work = r->work.as<uint32_t>();
    KOSHU_CUDA_TRY(cudaMemsetAsync(tree.work, 0, bytes, s.cuda->stream));
    KOSHU_CUDA_TRY(cudaEventRecord(r->walking, s.cuda->stream));
    KOSHU_CUDA_TRY(walk_tree(s, tree));
    r->has_walked = true;
    return note_stage(s, STAGE_WALK);
}

static koshu_status
walk(koshu_tree_engine *t)
{
    rank_step *r = t->rank_step;
    if (r->step.n == 0) return KOSHU_OK;
    return do_stage(t, [&] { return walk_own(r); });
}

static cudaError_t
walk_parts(rank_step *r)
{
    walked_tree tree;
    KOSHU_CUDA_TRY(cudaEventRecord(r->adding, r->cuda->stream));
    KOSHU_CUDA_TRY(plant_parts(r, &tree));
    tree.work = r->work.as<uint32_t>();
    KOSHU_CUDA_TRY(walk_tree(r->step, tree));
    KOSHU_CUDA_TRY(cudaEventRecord(r->added, r->cuda->stream));
    r->has_added = true;
    return cudaSuccess;
}

static koshu_status
add(koshu_tree_engine *t)
{
    rank_step *r = t->rank_step;
    return do_stage(t, [&] {
        KOSHU_CUDA_TRY(follow(r, t->cuda->stream, r->in.stream));
        if (r->step.n > 0 && r->n_roots > 0) KOSHU_CUDA_TRY(walk_parts(r));
        KOSHU_CUDA_TRY(follow(r, t->cuda->stream, r->out.stream));
        return note_mark(r, KOSHU_PARTS_USED);
    });
}

/* ---- what it took -------------------------------------------------------- */

/* Writes each particle's work to the memory of its acceleration. */
static cudaError_t
write_work(const rank_step &r)
{
    const tree_step &s = r.step;
    const tree_group *group = s.tree->groups.as<tree_group>();
    const uint32_t *of_group = r.work.as<uint32_t>();
    particle_tag *tag = s.store->tag;
    const uint32_t lanes = 32;
    return for_each(s.cuda, (size_t)s.tree->seen->groups * lanes,
                    [=] __device__(size_t thread) {
                        const tree_group &g = group[thread / lanes];
                        for (uint32_t k = thread % lanes; k < g.n; k += lanes)
                            put_work(&tag[g.first + k],
                                     of_group[thread / lanes]);
                    });
}

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
           koshu_tree_exposed *exposed)
{
    const event *end = r.step.tree->event + 1;
    double own, others = 0;
    KOSHU_CUDA_TRY(
            seconds_between(end[STAGE_MOMENTS], r.walking, &exposed->cut));
    KOSHU_CUDA_TRY(seconds_between(r.walking, end[STAGE_WALK], &own));
    if (r.has_added) {
        KOSHU_CUDA_TRY(
                seconds_between(end[STAGE_WALK], r.adding, &exposed->wait));
        KOSHU_CUDA_TRY(seconds_between(r.adding, r.added, &others));
    }
    report->seconds.walk = own + others;
    return cudaSuccess;
}

static cudaError_t
finish_sums(const rank_step &r, koshu_tree_report *report,
            koshu_tree_exposed *exposed)
{
    KOSHU_CUDA_TRY(write_work(r));
    KOSHU_CUDA_TRY(read_state(r.step));
    KOSHU_CUDA_TRY(write_report(r.step, report));
    return time_walks(r, report, exposed);
}

static koshu_status
finish(koshu_tree_engine *t, koshu_tree_report *report,
       koshu_tree_exposed *exposed)
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
