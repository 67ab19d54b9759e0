/* SPDX-License-Identifier: MIT */
/* Transfers parts of trees to other ranks. */
#include "backend/cuda/devices/parts.cuh"

#include "backend/cuda/cuda.h"

using namespace koshu;

static const device_parts *
parts_of(const koshu_device_arrays *arrays)
{
    return static_cast<const device_parts *>(arrays);
}

/* ---- life ---------------------------------------------------------------- */

cudaError_t
koshu::open_parts(device_parts *p, koshu_cuda *cuda,
                  decltype(device_parts::find) find)
{
    p->cuda = cuda;
    p->find = find;
    p->place = (size_t)koshu_context_rank(cuda->context);
    p->members = (size_t)koshu_context_ranks(cuda->context);
    KOSHU_CUDA_TRY(p->here.open());
    KOSHU_CUDA_TRY(p->out.stream.open());
    KOSHU_CUDA_TRY(p->in.stream.open());
    KOSHU_CUDA_TRY(p->of_ranks.reserve(p->members * sizeof(part_of_rank)));
    for (size_t k = 0; k < p->members; k++) part_of(p, k) = {};
    return cudaSuccess;
}

void
koshu::place_parts(device_parts *p, const koshu_part_window *come,
                   const koshu_part_window *go)
{
    for (size_t k = 0; k < p->members; k++) {
        part_of(p, k).come = come[k];
        part_of(p, k).go = go[k];
    }
}

void
koshu::expect_parts(device_parts *p, const koshu_part *come)
{
    for (size_t k = 0; k < p->members; k++) part_of(p, k).in = come[k];
}

cudaError_t
koshu::send_parts(device_parts *p)
{
    KOSHU_CUDA_TRY(follow(p, p->out.stream, p->cuda->stream));
    return follow(p, p->in.stream, p->cuda->stream);
}

/* ---- copies to other ranks ----------------------------------------------- */

static cudaError_t
give_part(const device_parts *p, size_t rank)
{
    koshu_traffic_chunk from[PART_CHUNKS], to[PART_CHUNKS];
    p->find(p, rank, PART_TO_GO, from);
    p->find(p, rank, PART_AT_IMPORTER, to);
    KOSHU_CUDA_TRY(cudaStreamWaitEvent(
            p->out.stream, p->peers[rank].mark[KOSHU_PARTS_USED], 0));
    for (int k = 0; k < PART_CHUNKS; k++)
        if (from[k].bytes > 0)
            KOSHU_CUDA_TRY(cudaMemcpyAsync(to[k].memory, from[k].memory,
                                           from[k].bytes, cudaMemcpyDefault,
                                           p->out.stream));
    return cudaSuccess;
}

/* Starts with the next rank, so that not all write to the same one. */
static cudaError_t
give_parts(device_parts *p, int mark)
{
    for (size_t s = 1; s < p->members; s++)
        KOSHU_CUDA_TRY(give_part(p, (p->place + s) % p->members));
    return cudaEventRecord(p->mark[mark], p->out.stream);
}

static koshu_status
give(koshu_device_arrays *arrays, int, int, int mark)
{
    koshu_cuda_enter(arrays->cuda);
    return status_of(arrays->cuda,
                     give_parts(static_cast<device_parts *>(arrays), mark),
                     "copying parts of a tree to other GPUs");
}

/* The sums over them wait for this stream. */
static koshu_status
await_parts(koshu_device_arrays *arrays, int mark)
{
    koshu_cuda_enter(arrays->cuda);
    return status_of(arrays->cuda, await(arrays, arrays->in.stream, mark),
                     "waiting for other GPUs");
}

static const koshu_traffic_peer_ops peer_ops = {.handle = handle_of_arrays,
                                                .open = open_peers,
                                                .close = close_peers,
                                                .await = await_parts,
                                                .give = give};

/* ---- messages ------------------------------------------------------------ */

static size_t
chunks(const koshu_device_arrays *arrays, const koshu_traffic_range *range,
       koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS])
{
    const device_parts *p = parts_of(arrays);
    p->find(p, (size_t)range->first, (part_place)range->array, chunks);
    return PART_CHUNKS;
}

/* Waits until the parts given to send_parts() may be sent, while sums run. */
static koshu_status
wait_for_parts(koshu_device_arrays *arrays)
{
    return status_of(arrays->cuda, cudaEventSynchronize(arrays->here),
                     "cutting parts of a tree");
}

/* Parts that arrive on this stream are waited for by the sums over them. */
static void *
stream_of(const koshu_device_arrays *arrays)
{
    return arrays->in.stream;
}

/* The code that sums does this: by send_parts(), and finally a follow(). */
static koshu_status
have_begun(koshu_device_arrays *)
{
    return KOSHU_OK;
}

const koshu_traffic_ops koshu::part_traffic_ops = {.wait = wait_for_parts,
                                                   .chunks = chunks,
                                                   .stream = stream_of,
                                                   .start = have_begun,
                                                   .finish = have_begun,
                                                   .stage = &stage_ops,
                                                   .peer = &peer_ops};
