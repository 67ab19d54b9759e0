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

static size_t
chunks(const koshu_device_arrays *arrays, const koshu_traffic_range *range,
       koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS])
{
    const rank_step *r = step_of(arrays);
    const size_t rank = (size_t)range->first;
    const bool goes = range->array == KOSHU_TREE_GO;
    const koshu_tree_part n = goes ? part_cut(r, rank) : part_of(r, rank).in;
    const part_arrays a = goes ? part_to_go(r, rank) : part_come(r, rank);
    chunks[0] = {a.place, n.n_cells * sizeof *a.place};
    chunks[1] = {a.moments, n.n_cells * sizeof *a.moments};
    chunks[2] = {a.cell, n.n_cells * sizeof *a.cell};
    for (int k = 0; k < 4; k++)
        chunks[3 + k] = {a.x[k], n.n_particles * sizeof *a.x[k]};
    return 7;
}

/* What send() was given is to go, beside the walk. */
static koshu_status
wait_for_parts(koshu_device_arrays *arrays)
{
    return status_of(arrays->cuda, cudaEventSynchronize(arrays->here),
                     "cutting parts of a tree");
}

static void *
stream_of(const koshu_device_arrays *arrays)
{
    return arrays->out.stream;
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
