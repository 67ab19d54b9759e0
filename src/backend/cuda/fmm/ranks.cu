/* SPDX-License-Identifier: MIT */
/* The operations of backend/fmm_parts.h: the FMM over several ranks. */
#include "backend/cuda/fmm/ranks.cuh"

#include <cstdlib>
#include <new>

#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/object.cuh"
#include "particles/particles.h"
#include "tree/tree.h"

using namespace koshu;

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
open(fmm_rank_step *r)
{
    KOSHU_CUDA_TRY(open_parts(r, r->engine->cuda, find_fmm_part));
    KOSHU_CUDA_TRY(r->counts.reserve(sizeof(fmm_counts)));
    KOSHU_CUDA_TRY(r->counts_on_host.reserve(sizeof(fmm_counts)));
    for (event &e : r->at) KOSHU_CUDA_TRY(e.open(cudaEventDefault));
    KOSHU_CUDA_TRY(r->cutting_end.open());
    KOSHU_CUDA_TRY(r->far_end.open());
    return r->beside.open_urgent();
}

koshu::fmm_rank_step::~fmm_rank_step()
{
    for (size_t k = 0; k < ranks; k++) cut[k].~fmm_cut();
    free(cut);
}

void
koshu::free_rank_step(fmm_rank_step *r)
{
    if (!r) return;
    close_peers(r);
    free_object(r);
}

static fmm_rank_step *
make_step(size_t ranks)
{
    fmm_rank_step *r = make_object<fmm_rank_step>();
    if (!r) return nullptr;
    r->cut = static_cast<fmm_cut *>(calloc(ranks, sizeof *r->cut));
    if (!r->cut) {
        free_object(r);
        return nullptr;
    }
    for (; r->ranks < ranks; r->ranks++) new (&r->cut[r->ranks]) fmm_cut();
    return r;
}

/* Allocates the engine's step for several ranks at the first such
 * evaluation. */
static koshu_status
reserve_step(koshu_fmm_engine *f)
{
    if (f->rank_step) return KOSHU_OK;
    fmm_rank_step *r =
            make_step((size_t)koshu_context_ranks(f->backend->context));
    if (!r)
        return koshu_fail_memory(f->backend->context, sizeof *r,
                                 "an FMM over ranks");
    f->rank_step = r;
    r->engine = f;
    koshu_cuda_enter(f->cuda);
    return status_of(f->cuda, open(r), "making an FMM on the device");
}

/* Runs work() as a stage of an FMM, which relies on the L1 cache. */
template <class Work>
static koshu_status
do_stage(koshu_fmm_engine *f, const Work &work)
{
    koshu_status outcome = KOSHU_OK;
    koshu_cuda_enter(f->cuda);
    const int shared_memory = f->cuda->shared_memory;
    f->cuda->shared_memory = -1;
    const cudaError_t error = work(&outcome);
    f->cuda->shared_memory = shared_memory;
    return status_of_fmm(f, f->rank_step->particles, error, outcome);
}

/* The same on a stream of its own, once cells have places: beside the sums
 * enqueued since then, which copy nothing from the host. */
template <class Work>
static koshu_status
do_beside(koshu_fmm_engine *f, const Work &work)
{
    fmm_rank_step *r = f->rank_step;
    return do_stage(f, [&](koshu_status *) {
        KOSHU_CUDA_TRY(cudaEventSynchronize(f->event[FMM_CHARGES]));
        f->cuda->stream.swap(r->beside);
        const cudaError_t error = work();
        f->cuda->stream.swap(r->beside);
        return error;
    });
}

/* ---- the tree ------------------------------------------------------------ */

static cudaError_t
make(koshu_fmm_engine *f, koshu_cuda_store *store, const koshu_force_task &task,
     koshu_status *outcome)
{
    fmm_rank_step *r = f->rank_step;
    fmm_step *s = &r->own;
    KOSHU_CUDA_TRY(prepare_cells(f, store, task, {1, 0, 0, &r->common, false},
                                 s, outcome));
    if (*outcome != KOSHU_OK) return cudaSuccess;
    KOSHU_CUDA_TRY(note(*s, FMM_CHARGES));
    KOSHU_CUDA_TRY(go_up(step_of_set(*s, 0)));
    KOSHU_CUDA_TRY(note(*s, FMM_UP_END));
    KOSHU_CUDA_TRY(note(*r, RANK_LISTS));
    KOSHU_CUDA_TRY(start_lists(*s));
    return note(*r, RANK_LISTS_END);
}

static koshu_status
start(koshu_fmm_engine *f, const koshu_force_task *task,
      const koshu_fmm_common *common, koshu_particles *particles,
      unsigned fields)
{
    const size_t n = koshu_particles_count(particles);
    koshu_cuda_store *store;
    KOSHU_TRY(koshu_tree_check_size(f->backend->context, n, "device"));
    KOSHU_TRY(reserve_step(f));
    fmm_rank_step *r = f->rank_step;
    r->n = (uint32_t)n;
    r->own = {};
    r->particles = particles;
    r->common = *common;
    /* what a step that failed has left there */
    KOSHU_TRY(do_stage(f, [&](koshu_status *) {
        return follow(r, f->cuda->stream, r->beside);
    }));
    if (n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_cuda_store_of(f->backend, particles, &store));
    KOSHU_TRY(acquire_for_fmm(particles, fields));
    return do_stage(f, [&](koshu_status *outcome) {
        return make(f, store, *task, outcome);
    });
}

/* ---- parts --------------------------------------------------------------- */

static fmm_rank_step *
step_of(koshu_device_arrays *arrays)
{
    return static_cast<fmm_rank_step *>(arrays);
}

static koshu_status
arrays(koshu_fmm_engine *f, koshu_device_arrays **arrays)
{
    KOSHU_TRY(reserve_step(f));
    *arrays = f->rank_step;
    return KOSHU_OK;
}

static size_t
cell_bytes(const koshu_device_arrays *arrays)
{
    const fmm_rank_step *r = static_cast<const fmm_rank_step *>(arrays);
    return r->n > 0 ? part_cell_bytes(r->own) : 0;
}

static koshu_status
reserve(koshu_device_arrays *arrays, const koshu_part_window *come,
        const koshu_part_window *go)
{
    fmm_rank_step *r = step_of(arrays);
    place_parts(r, come, go);
    return do_stage(r->engine,
                    [&](koshu_status *) { return reserve_forest(r); });
}

/* Into separate memory, which may grow: the windows are the importers'. */
static koshu_status
cut(koshu_device_arrays *arrays, size_t rank, size_t n, const void *targets)
{
    fmm_rank_step *r = step_of(arrays);
    const auto target = static_cast<const koshu_fmm_target *>(targets);
    fmm_cut *to = &r->cut[rank];
    to->numbers = {};
    if (r->n == 0 || n == 0) return KOSHU_OK;
    return do_beside(r->engine, [&] { return cut_part(r, n, target, to); });
}

static koshu_status
send(koshu_device_arrays *arrays)
{
    fmm_rank_step *r = step_of(arrays);
    if (r->n == 0)
        return do_stage(r->engine,
                        [&](koshu_status *) { return send_parts(r); });
    return do_beside(r->engine, [&] {
        KOSHU_CUDA_TRY(cudaEventRecord(r->cutting_end, r->cuda->stream));
        return send_parts(r);
    });
}

static koshu_status
parts(koshu_device_arrays *arrays, koshu_part *parts)
{
    const fmm_rank_step *r = step_of(arrays);
    for (size_t k = 0; k < r->members; k++) parts[k] = r->cut[k].numbers;
    parts[r->place] = {};
    return KOSHU_OK;
}

static koshu_status
expect(koshu_device_arrays *arrays, const koshu_part *come)
{
    expect_parts(step_of(arrays), come);
    return KOSHU_OK;
}

static const koshu_part_ops part_ops = {.target = sizeof(koshu_fmm_target),
                                        .max_targets = KOSHU_FMM_PART_TARGETS,
                                        .particle_bytes =
                                                FMM_PART_PARTICLE_BYTES,
                                        .cell_bytes = cell_bytes,
                                        .traffic = &part_traffic_ops,
                                        .reserve = reserve,
                                        .cut = cut,
                                        .send = send,
                                        .parts = parts,
                                        .expect = expect};

static koshu_status
targets(koshu_fmm_engine *f, size_t *n, koshu_fmm_target *target)
{
    *n = 0;
    if (f->rank_step->n == 0) return KOSHU_OK;
    return do_beside(f, [&] { return bound_leaves(f->rank_step, n, target); });
}

/* ---- sums ---------------------------------------------------------------- */

/* Local expansions are incomplete until other ranks' cells are added. */
static cudaError_t
sum_own(fmm_rank_step *r)
{
    KOSHU_CUDA_TRY(settle_lists(&r->own));
    fmm_step one = step_of_set(r->own, 0);
    one.view.waits = true;
    KOSHU_CUDA_TRY(note(*r, RANK_FAR));
    KOSHU_CUDA_TRY(gather_far(one));
    KOSHU_CUDA_TRY(note(*r, RANK_NEAR));
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(r->cuda->stream, r->cutting_end, 0));
    KOSHU_CUDA_TRY(sum_forces_of_leaves(one));
    return note(*r, RANK_END);
}

static koshu_status
sum(koshu_fmm_engine *f)
{
    if (f->rank_step->n == 0) return KOSHU_OK;
    return do_stage(f, [&](koshu_status *) { return sum_own(f->rank_step); });
}

/* Beside the near pairs of this rank: lists and far cells of the parts that
 * have arrived, and the work of particles. */
static cudaError_t
gather_others(fmm_rank_step *r)
{
    fmm_step *s = &r->others;
    const cudaStream_t stream = r->cuda->stream;
    KOSHU_CUDA_TRY(follow(r, stream, r->in.stream));
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(stream, r->at[RANK_NEAR], 0));
    KOSHU_CUDA_TRY(count_work(r, r->own));
    KOSHU_CUDA_TRY(plant_parts(r));
    KOSHU_CUDA_TRY(start_lists(*s));
    KOSHU_CUDA_TRY(settle_lists(s));
    KOSHU_CUDA_TRY(gather_far(*s));
    KOSHU_CUDA_TRY(cudaEventRecord(r->far_end, stream));
    KOSHU_CUDA_TRY(count_work(r, *s));
    return write_work(r);
}

static cudaError_t
sum_others(fmm_rank_step *r)
{
    const fmm_step &s = r->others;
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(r->cuda->stream, r->far_end, 0));
    KOSHU_CUDA_TRY(note(*r, RANK_OTHERS_DOWN));
    KOSHU_CUDA_TRY(go_down(s));
    KOSHU_CUDA_TRY(note(*r, RANK_OTHERS_NEAR));
    KOSHU_CUDA_TRY(sum_forces_of_leaves(s));
    KOSHU_CUDA_TRY(note(*r, RANK_OTHERS_END));
    return follow(r, r->cuda->stream, r->beside);
}

static koshu_status
add(koshu_fmm_engine *f)
{
    fmm_rank_step *r = f->rank_step;
    if (r->n > 0) KOSHU_TRY(do_beside(f, [&] { return gather_others(r); }));
    return do_stage(f, [&](koshu_status *) {
        KOSHU_CUDA_TRY(follow(r, f->cuda->stream, r->in.stream));
        if (r->n > 0) KOSHU_CUDA_TRY(sum_others(r));
        KOSHU_CUDA_TRY(follow(r, f->cuda->stream, r->out.stream));
        return note_mark(r, KOSHU_PARTS_USED);
    });
}

/* ---- what it took -------------------------------------------------------- */

static cudaError_t
add_seconds(cudaEvent_t from, cudaEvent_t to, double *seconds)
{
    float ms = 0;
    KOSHU_CUDA_TRY(cudaEventElapsedTime(&ms, from, to));
    *seconds += 1e-3 * ms;
    return cudaSuccess;
}

/* Excludes the time between the stages, and what is done beside them. */
static cudaError_t
time_stages(const koshu_fmm_engine *f, koshu_fmm_engine_report *report,
            koshu_part_exposed *exposed)
{
    const event *const own = f->event, *const at = f->rank_step->at;
    auto &to = report->seconds;
    KOSHU_CUDA_TRY(
            add_seconds(at[RANK_LISTS_END], at[RANK_FAR], &exposed->cut));
    KOSHU_CUDA_TRY(
            add_seconds(at[RANK_END], at[RANK_OTHERS_DOWN], &exposed->wait));
    KOSHU_CUDA_TRY(add_seconds(own[FMM_START], own[FMM_TREE_END], &to.tree));
    KOSHU_CUDA_TRY(add_seconds(own[FMM_CHARGES], own[FMM_UP_END], &to.up));
    KOSHU_CUDA_TRY(add_seconds(at[RANK_LISTS], at[RANK_LISTS_END], &to.lists));
    KOSHU_CUDA_TRY(add_seconds(at[RANK_NEAR], at[RANK_END], &to.near));
    KOSHU_CUDA_TRY(
            add_seconds(at[RANK_OTHERS_NEAR], at[RANK_OTHERS_END], &to.near));
    to.down = to.lists + to.near;
    KOSHU_CUDA_TRY(add_seconds(at[RANK_FAR], at[RANK_NEAR], &to.down));
    return add_seconds(at[RANK_OTHERS_DOWN], at[RANK_OTHERS_NEAR], &to.down);
}

static cudaError_t
read_counts(const fmm_step &s)
{
    return cudaMemcpyAsync(s.seen, s.counts, sizeof *s.seen,
                           cudaMemcpyDeviceToHost, s.cuda->stream);
}

static cudaError_t
finish_sums(const koshu_fmm_engine *f, koshu_fmm_engine_report *report,
            koshu_part_exposed *exposed, koshu_status *outcome)
{
    fmm_rank_step *r = f->rank_step;
    KOSHU_CUDA_TRY(read_counts(r->own));
    KOSHU_CUDA_TRY(read_counts(r->others));
    KOSHU_CUDA_TRY(cudaStreamSynchronize(f->cuda->stream));
    const fmm_counts *const seen[] = {r->own.seen, r->others.seen};
    for (const fmm_counts *counts : seen) {
        report->translations += counts->translations;
        report->pairs += counts->pairs;
        if (counts->lost) *outcome = KOSHU_ERROR_UNSUPPORTED;
    }
    report->n_leaf = r->own.n_leaf;
    report->cells = r->own.view.n_cells;
    return time_stages(f, report, exposed);
}

static koshu_status
finish(koshu_fmm_engine *f, koshu_fmm_engine_report *report,
       koshu_part_exposed *exposed)
{
    *report = {};
    *exposed = {};
    if (f->rank_step->n == 0) return KOSHU_OK;
    return do_stage(f, [&](koshu_status *outcome) {
        return finish_sums(f, report, exposed, outcome);
    });
}

const koshu_fmm_parts_ops koshu::fmm_parts_ops = {.arrays = arrays,
                                                  .parts = &part_ops,
                                                  .start = start,
                                                  .targets = targets,
                                                  .sum = sum,
                                                  .add = add,
                                                  .finish = finish};
