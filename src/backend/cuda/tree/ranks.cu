/* SPDX-License-Identifier: MIT */
/* The operations of backend/tree_parts.h. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/object.cuh"
#include "backend/cuda/tree/rank_step.cuh"

using namespace koshu;

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
open(rank_step *r)
{
    for (event *e : {&r->walking, &r->adding, &r->added})
        KOSHU_CUDA_TRY(e->open(cudaEventDefault));
    return cudaSuccess;
}

void
koshu::free_rank_step(rank_step *r)
{
    if (r) free_object(r);
}

/* The engine's, from the first step over ranks on. */
static koshu_status
reserve_step(koshu_tree_engine *t)
{
    if (t->rank_step) return KOSHU_OK;
    rank_step *r = make_object<rank_step>();
    if (!r)
        return koshu_fail_memory(t->backend->context, sizeof *r,
                                 "trees of ranks");
    t->rank_step = r;
    return status_of(t->cuda, open(r), "making a tree on the device");
}

/* work(), as a stage of a tree: these live on the cache. */
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
        return make_tree(t, store, task, options, &r->common, &r->step,
                         &outcome);
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
    t->rank_step->has_added = false;
    if (n == 0) return KOSHU_OK;
    return make(t, *task, *options, particles, fields);
}

/* ---- what others need ---------------------------------------------------- */

static koshu_status
bounds(koshu_tree_engine *t, size_t *n, koshu_tree_bounds *bounds)
{
    rank_step *r = t->rank_step;
    *n = 0;
    if (r->step.n == 0) return KOSHU_OK;
    return do_stage(t, [&] { return bound_groups(r, n, bounds); });
}

static koshu_status
cut(koshu_tree_engine *t, size_t n, const koshu_tree_bounds *bounds,
    koshu_tree_part *part)
{
    rank_step *r = t->rank_step;
    r->cut = {};
    if (r->step.n > 0 && n > 0)
        KOSHU_TRY(do_stage(t, [&] { return cut_part(r, n, bounds); }));
    part->n_cells = r->cut.n_cells;
    part->n_particles = r->cut.n_particles;
    part->levels = r->cut.levels;
    return KOSHU_OK;
}

static koshu_status
fetch(koshu_tree_engine *t, const koshu_tree_part *part)
{
    const rank_step *r = t->rank_step;
    const size_t cell_bytes = r->cut.n_cells * PART_CELL_BYTES,
                 particle_bytes = r->cut.n_particles * PART_PARTICLE_BYTES;
    char *from = r->parts.as<char>();
    const host_copy copies[2] = {
            {from, part->cell, cell_bytes},
            {from + cell_bytes, part->particle, particle_bytes}};
    if (cell_bytes == 0) return KOSHU_OK;
    return do_stage(t, [&] {
        return download(t->cuda, copies, particle_bytes > 0 ? 2 : 1);
    });
}

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
    return note_stage(s, STAGE_WALK);
}

static koshu_status
walk(koshu_tree_engine *t)
{
    rank_step *r = t->rank_step;
    if (r->step.n == 0) return KOSHU_OK;
    return do_stage(t, [&] { return walk_own(r); });
}

static bool
is_walking(const koshu_tree_engine *t)
{
    if (t->rank_step->step.n == 0) return false;
    koshu_cuda_enter(t->cuda);
    return cudaEventQuery(t->event[STAGE_WALK + 1]) == cudaErrorNotReady;
}

static cudaError_t
walk_parts(rank_step *r, size_t n, const koshu_tree_part *parts)
{
    const tree_step &s = r->step;
    walked_tree tree;
    KOSHU_CUDA_TRY(cudaEventRecord(r->adding, s.cuda->stream));
    KOSHU_CUDA_TRY(plant_parts(r, n, parts, &tree));
    tree.work = r->work.as<uint32_t>();
    if (tree.roots > 0) KOSHU_CUDA_TRY(walk_tree(s, tree));
    KOSHU_CUDA_TRY(cudaEventRecord(r->added, s.cuda->stream));
    r->has_added = true;
    return cudaSuccess;
}

static koshu_status
add(koshu_tree_engine *t, size_t n, const koshu_tree_part *parts)
{
    rank_step *r = t->rank_step;
    if (r->step.n == 0) return KOSHU_OK;
    return do_stage(t, [&] { return walk_parts(r, n, parts); });
}

/* ---- what it took -------------------------------------------------------- */

/* Of each particle, in the memory of its acceleration. */
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

/* What was between the stages is not theirs. */
static cudaError_t
time_walks(const rank_step &r, koshu_tree_report *report)
{
    float own, others = 0;
    KOSHU_CUDA_TRY(cudaEventElapsedTime(&own, r.walking,
                                        r.step.tree->event[STAGE_WALK + 1]));
    if (r.has_added)
        KOSHU_CUDA_TRY(cudaEventElapsedTime(&others, r.adding, r.added));
    report->seconds.walk = 1e-3 * ((double)own + others);
    return cudaSuccess;
}

static cudaError_t
finish_sums(const rank_step &r, koshu_tree_report *report)
{
    KOSHU_CUDA_TRY(write_work(r));
    KOSHU_CUDA_TRY(read_state(r.step));
    KOSHU_CUDA_TRY(write_report(r.step, report));
    return time_walks(r, report);
}

static koshu_status
finish(koshu_tree_engine *t, koshu_tree_report *report)
{
    rank_step *r = t->rank_step;
    *report = {};
    report->evaluations = 1;
    if (r->step.n == 0) return KOSHU_OK;
    KOSHU_TRY(do_stage(t, [&] { return finish_sums(*r, report); }));
    return status_of_step(t, r->step, cudaSuccess,
                          t->seen->counts.lost ? KOSHU_ERROR_UNSUPPORTED
                                               : KOSHU_OK);
}

const koshu_tree_parts_ops koshu_cuda_tree_parts_ops = {
        .cell_bytes = PART_CELL_BYTES,
        .particle_bytes = PART_PARTICLE_BYTES,
        .start = start,
        .bounds = bounds,
        .cut = cut,
        .fetch = fetch,
        .walk = walk,
        .is_walking = is_walking,
        .add = add,
        .finish = finish};
