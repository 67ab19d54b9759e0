/* SPDX-License-Identifier: MIT */
/* Parts of trees as transports see them: arrays of a part are chunks. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/tree/rank_step.cuh"

using namespace koshu;

static const rank_step *
step_of(const koshu_device_arrays *arrays)
{
    return static_cast<const rank_step *>(arrays);
}

koshu_tree_part
koshu::part_cut(const rank_step *r, size_t rank)
{
    const uint64_t all = r->counts.as<uint64_t>()[rank];
    const bool any = cells_in(all) > 0;
    return {cells_in(all), particles_in(all), any ? r->step.tree->levels.n : 0};
}

enum { CHUNKS = 7 };

static void
find_chunks(const part_arrays &a, const koshu_tree_part &n,
            koshu_traffic_chunk chunks[CHUNKS])
{
    chunks[0] = {a.place, n.n_cells * sizeof *a.place};
    chunks[1] = {a.moments, n.n_cells * sizeof *a.moments};
    chunks[2] = {a.cell, n.n_cells * sizeof *a.cell};
    for (int k = 0; k < 4; k++)
        chunks[3 + k] = {a.x[k], n.n_particles * sizeof *a.x[k]};
}

static size_t
chunks(const koshu_device_arrays *arrays, const koshu_traffic_range *range,
       koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS])
{
    const rank_step *r = step_of(arrays);
    const size_t rank = (size_t)range->first;
    if (range->array == KOSHU_TREE_GO)
        find_chunks(part_to_go(r, rank), part_cut(r, rank), chunks);
    else
        find_chunks(part_come(r, rank), part_of(r, rank).in, chunks);
    return CHUNKS;
}

/* ---- copies to others ---------------------------------------------------- */

static cudaError_t
give_part(const rank_step *r, size_t rank)
{
    const koshu_tree_part n = part_cut(r, rank);
    koshu_traffic_chunk from[CHUNKS], to[CHUNKS];
    find_chunks(part_to_go(r, rank), n, from);
    find_chunks(part_at_importer(r, rank), n, to);
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(
            r->out.stream, r->peers[rank].mark[KOSHU_TREE_WALKED], 0));
    for (int k = 0; k < CHUNKS; k++)
        if (from[k].bytes > 0)
            KOSHU_CUDA_TRY(cudaMemcpyAsync(to[k].memory, from[k].memory,
                                           from[k].bytes, cudaMemcpyDefault,
                                           r->out.stream));
    return cudaSuccess;
}

/* The next rank first, so that not all write to the same. */
static cudaError_t
give_parts(rank_step *r, int mark)
{
    for (size_t s = 1; s < r->members; s++)
        KOSHU_CUDA_TRY(give_part(r, (r->place + s) % r->members));
    return cudaEventRecord(r->mark[mark], r->out.stream);
}

static koshu_status
give(koshu_device_arrays *arrays, int, int, int mark)
{
    koshu_cuda_enter(arrays->cuda);
    return status_of(arrays->cuda,
                     give_parts(static_cast<rank_step *>(arrays), mark),
                     "copying parts of a tree to other GPUs");
}

static const koshu_traffic_peer_ops peer_ops = {.handle = handle_of_arrays,
                                                .open = open_peers,
                                                .close = close_peers,
                                                .await = await_peers,
                                                .give = give};

/* ---- messages ------------------------------------------------------------ */

/* What send() was given is to go, beside the walk. */
static koshu_status
wait_for_parts(koshu_device_arrays *arrays)
{
    return status_of(arrays->cuda, cudaEventSynchronize(arrays->here),
                     "cutting parts of a tree");
}

/* What comes on it is there for the walk of what came. */
static void *
stream_of(const koshu_device_arrays *arrays)
{
    return arrays->in.stream;
}

/* As send() and add() do it. */
static koshu_status
have_begun(koshu_device_arrays *)
{
    return KOSHU_OK;
}

const koshu_traffic_ops koshu::tree_traffic_ops = {.wait = wait_for_parts,
                                                   .chunks = chunks,
                                                   .stream = stream_of,
                                                   .start = have_begun,
                                                   .finish = have_begun,
                                                   .stage = &stage_ops,
                                                   .peer = &peer_ops};
