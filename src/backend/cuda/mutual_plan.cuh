/* SPDX-License-Identifier: MIT */
/*
 * Which blocks of particles meet, where each pair is computed once (mutual.cuh
 * has how).
 */
#ifndef KOSHU_BACKEND_CUDA_MUTUAL_PLAN_CUH
#define KOSHU_BACKEND_CUDA_MUTUAL_PLAN_CUH

#include <algorithm>
#include <cstddef>

namespace koshu {

/* The list of tiles for the distances d_first ... d_first + rows - 1. */
struct mutual_plan {
    size_t blocks;  /* of particles */
    size_t d_first; /* 0: begins with the blocks against themselves */
    size_t rows;
    size_t whole;  /* blocks that have all rows; the others have one less */
    size_t tiles;  /* of a pair of blocks: I */
    size_t pieces; /* CUDA blocks; not more than tiles in all */

    /* Of the pieces, those of this device: it keeps rows of the blocks that
     * they begin with, first_block ... first_block + own - 1. */
    size_t first_piece, own_pieces, first_block, own;

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
    __host__ __device__ size_t piece_begin(size_t piece) const
    {
        return all_tiles() * piece / pieces;
    }
    __host__ __device__ size_t piece_of(size_t tile) const
    {
        return ((tile + 1) * pieces - 1) / all_tiles();
    }
    __host__ __device__ bool has_row(size_t b, size_t row) const
    {
        return row + (b >= whole) < rows;
    }
    /* Where the row of a block begins, in rows of one block. */
    __host__ __device__ size_t place(size_t b, size_t row) const
    {
        return row * own + b - first_block;
    }
};

/* What is left to one of several devices: units first ... first + count - 1 of
 * `all` equal ones. It may be nothing, but for the first: own_pieces = 0. */
static inline mutual_plan
mutual_share(mutual_plan plan, size_t first, size_t count, size_t all)
{
    const size_t end_unit = first + count;
    plan.first_piece = (plan.pieces * first + all - 1) / all;
    plan.own_pieces =
            (plan.pieces * end_unit + all - 1) / all - plan.first_piece;
    plan.own = 0;
    if (plan.own_pieces == 0) return plan;
    const size_t end = plan.piece_begin(plan.first_piece + plan.own_pieces);
    plan.first_block = plan.block_of(plan.piece_begin(plan.first_piece));
    plan.own = plan.block_of(end - 1) + 1 - plan.first_block;
    return plan;
}

/* Rows for distances up to this one, exclusive: see mutual.cuh. */
static inline size_t
mutual_d_end(size_t blocks)
{
    return blocks / 2 + 1;
}

/* The rows d_first ..., at most most_rows of them, which are at least 1. */
static inline mutual_plan
mutual_range(size_t blocks, size_t tiles, size_t d_first, size_t most_rows,
             size_t most_pieces)
{
    const size_t d_end = mutual_d_end(blocks);
    mutual_plan plan;
    plan.blocks = blocks;
    plan.d_first = d_first;
    plan.rows = std::min(most_rows, d_end - d_first);
    const bool halved = blocks % 2 == 0 && d_first + plan.rows == d_end;
    plan.whole = halved ? blocks / 2 : blocks;
    plan.tiles = tiles;
    plan.pieces = std::min(most_pieces, plan.all_tiles());
    plan.first_piece = plan.first_block = 0;
    plan.own_pieces = plan.pieces;
    plan.own = blocks;
    return plan;
}

} /* namespace koshu */

#endif
