/* SPDX-License-Identifier: MIT */
/*
 * Which pairs of blocks of particles are computed where, if each pair is
 * computed once (see mutual.cuh).
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_PLAN_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_MUTUAL_PLAN_CUH

#include <algorithm>
#include <cstddef>

namespace koshu {

/* A device's part of the multiprocessors of all devices; `largest`: that of the
 * device with the most. */
struct partition {
    size_t first, count, all, largest;
    size_t row_bytes; /* as in koshu_cuda; the same for all devices */
};

/* The list of tiles for the distances d_first ... d_first + rows - 1. */
struct mutual_plan {
    size_t blocks;  /* of particles */
    size_t d_first; /* 0: starts with the blocks against themselves */
    size_t rows;
    size_t whole;  /* number of blocks with all rows; the others have one
                    * less */
    size_t tiles;  /* per pair of blocks: I */
    size_t chunks; /* CUDA blocks; at most the number of tiles */

    /* This device's chunks. It keeps rows of the blocks in which they begin,
     * first_block ... first_block + own - 1. */
    size_t first_chunk, own_chunks, first_block, own;
    /* The tiles of these chunks: complete blocks except for the first and the
     * last. */
    size_t own_begin, own_end;
    double chunks_per_tile;

    __host__ __device__ size_t first_tile(size_t b) const
    {
        return tiles * (b * rows - (b > whole ? b - whole : 0));
    }
    __host__ __device__ size_t block_of(size_t tile) const
    {
        size_t pair = tile / tiles;
        if (pair < whole * rows) return pair / rows;
        return whole + (pair - whole * rows) / (rows - 1);
    }
    __host__ __device__ size_t all_tiles() const
    {
        return first_tile(blocks);
    }
    __host__ __device__ size_t chunk_begin(size_t chunk) const
    {
        return all_tiles() * chunk / chunks;
    }
    /* The last chunk that does not begin after the tile. (Divisions of long
     * integers take about 100 instructions each.) */
    __host__ __device__ size_t chunk_of(size_t tile) const
    {
        const size_t all = all_tiles(), end = (tile + 1) * chunks;
        size_t p = (size_t)((double)(tile + 1) * chunks_per_tile);
        while (all * p >= end) p--;
        while (all * (p + 1) < end) p++;
        return p;
    }
    __host__ __device__ bool has_tile(size_t tile) const
    {
        return tile >= own_begin && tile < own_end;
    }
    __host__ __device__ bool has_row(size_t b, size_t row) const
    {
        return row + (b >= whole) < rows;
    }
    /* The index of a block's row, in units of rows of one block. */
    __host__ __device__ size_t place(size_t b, size_t row) const
    {
        return row * own + b - first_block;
    }
};

/* Distances low ... low + n - 1. */
struct met_rows {
    long low, n;
};

/* The distances d at which own blocks have rows for tile `which` of block `to`:
 * these are the own blocks to - d. to: the block's number, or that + blocks for
 * blocks that reach it across the end of the list. Only the first and the last
 * of these may lack distances in between: where chunks are divided, and where
 * the last row is left out. */
__host__ __device__ inline met_rows
rows_of(const mutual_plan &plan, size_t to, size_t which)
{
    const long here = (long)to, first = (long)plan.first_block;
    const long last = first + (long)plan.own - 1, d_first = (long)plan.d_first;
    const long last_row = d_first + (long)plan.rows - 1;
    long low = d_first > 1 ? d_first : 1, high = last_row;
    if (low < here - last) low = here - last;
    if (high > here - first) high = here - first;
    auto has = [&](long d) {
        const size_t source = (size_t)(here - d), row = (size_t)(d - d_first);
        return plan.has_row(source, row) &&
               plan.has_tile(plan.first_tile(source) + row * plan.tiles +
                             which);
    };
    if (low <= high && !has(low)) low++;
    if (low <= high && !has(high)) high--;
    return {low, high < low ? 0 : high - low + 1};
}

/* The part of one of several devices: units first ... first + count - 1 of
 * `all` equal ones. It may be empty, own_chunks = 0, except for the first
 * device. */
static inline mutual_plan
mutual_partition(mutual_plan plan, size_t first, size_t count, size_t all)
{
    const size_t end_unit = first + count;
    plan.first_chunk = (plan.chunks * first + all - 1) / all;
    plan.own_chunks =
            (plan.chunks * end_unit + all - 1) / all - plan.first_chunk;
    plan.own = 0;
    plan.own_begin = plan.chunk_begin(plan.first_chunk);
    plan.own_end = plan.chunk_begin(plan.first_chunk + plan.own_chunks);
    if (plan.own_chunks == 0) return plan;
    plan.first_block = plan.block_of(plan.own_begin);
    plan.own = plan.block_of(plan.own_end - 1) + 1 - plan.first_block;
    return plan;
}

/* The end of the distances: see mutual.cuh. */
static inline size_t
mutual_d_end(size_t blocks)
{
    return blocks / 2 + 1;
}

/* The plan of rows from d_first on, at most max_rows >= 1 of them. */
static inline mutual_plan
mutual_range(size_t blocks, size_t tiles, size_t d_first, size_t max_rows,
             size_t max_chunks)
{
    const size_t d_end = mutual_d_end(blocks);
    mutual_plan plan;
    plan.blocks = blocks;
    plan.d_first = d_first;
    plan.rows = std::min(max_rows, d_end - d_first);
    const bool halved = blocks % 2 == 0 && d_first + plan.rows == d_end;
    plan.whole = halved ? blocks / 2 : blocks;
    plan.tiles = tiles;
    plan.chunks = std::min(max_chunks, plan.all_tiles());
    plan.first_chunk = plan.first_block = 0;
    plan.own_chunks = plan.chunks;
    plan.own = blocks;
    plan.own_begin = 0;
    plan.own_end = plan.all_tiles();
    plan.chunks_per_tile = (double)plan.chunks / (double)plan.all_tiles();
    return plan;
}

} /* namespace koshu */

#endif
