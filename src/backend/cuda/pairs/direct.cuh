/* SPDX-License-Identifier: MIT */
/*
 * Direct summation of i-sets against j-sets (Miki13 section 2).
 *
 * Every warp of a CUDA block has the same 32 I i-particles, I in the registers
 * of each lane, and reads its own j-particles through shared memory, a tile at
 * a time; at the end the warps' sums are added. So no warp waits for another.
 * The next tile is loaded into registers while the current one is summed
 * (Miki13 listing 2). Particles past the end have no mass, so that the inner
 * loop has no branch. Sums in float run over one tile, and are added up in
 * double (Hamada07 eq. 2).
 *
 * A CUDA block works on one item: some i-particles against some j-particles of
 * their set. If these are the whole set, its sums are the results; else they go
 * to a partial sum, and the CUDA block that writes the last of an i-particle's
 * partial sums adds them, in an order that depends only on the sizes: a second
 * kernel would cost more than the sums of a few thousand particles.
 */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_DIRECT_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_DIRECT_CUH

#include <cstddef>
#include <cstdint>

#include "backend/cuda/pairs/interact.cuh"
#include "backend/cuda/pairs/cancellation_check.cuh"
#include "backend/cuda/pairs/partials.cuh"
#include "backend/cuda/pairs/tiles.cuh"

namespace koshu {

/* j-particles per tile. */
enum { DIRECT_TILE = LOADED_TILE };

struct direct_item {
    size_t i_first, i_count; /* i_count <= 32 I */
    size_t j_first, j_count; /* j_count < 2^31 */
    size_t partial, block;   /* index of the partial sum; block of its
                              * i-particles */
};

/* One set of n i-particles: block b of them against chunk c of its n_j
 * j-particles writes partial sum b * chunks + c. */
struct direct_grid {
    size_t n, n_j, chunk, chunks;

    __host__ __device__ direct_item item(size_t b, size_t c, size_t width) const
    {
        const size_t i = b * width, j = c * chunk;
        const size_t n_i = n - i < width ? n - i : width;
        const size_t left = n_j - j < chunk ? n_j - j : chunk;
        return {i, n_i, j, left, b * chunks + c, b};
    }
    __host__ __device__ direct_block block(size_t b, size_t width) const
    {
        const size_t i = b * width;
        return {i, n - i < width ? n - i : width, b * chunks, chunks};
    }
};

template <class P> struct direct_args {
    packed<P> i, j;
    const direct_item *items; /* NULL: items and blocks are those of grid */
    const direct_block *blocks;
    direct_grid grid;
    bool own;             /* i-particle k is j-particle k; else: */
    const uint64_t *self; /* its j index, or KOSHU_NO_SELF; NULL: none */
    double *partial;      /* [partial][4][32 I] */
    unsigned *arrived;    /* number of finished partial sums per block; 0 before
                           * and after */
    softening<P> soft;
    force_out out;
    cancellation_args<P> check; /* for one set on itself; n = 0: no check */
};

/* Loads the next j-particles, from `first` on; those past the end have no
 * mass. */
template <class P> struct direct_loader {
    using quad = typename P::quad;
    static constexpr int quads = P::quads;

    const packed<P> &j;
    size_t first;

    __device__ __forceinline__ void load(quad (*to)[LOADED_EACH], int left)
    {
        const int lane = threadIdx.x % WARP;
        for (int c = 0; c < quads; c++)
            for (int k = 0; k < LOADED_EACH; k++)
                to[c][k] = k * WARP + lane < left
                                   ? j.q[c][first + k * WARP + lane]
                                   : quad{};
        first += DIRECT_TILE;
    }
};

/* A lane's part of a sum: its i-particles, their indices among the warp's
 * j-particles (negative: not there), and their sums, finally in double. */
template <class P, int I, int UNROLL, bool ZERO_SAFE> struct direct_lane {
    const softening<P> &soft;
    typename P::point i[I];
    int self[I];
    double out[4 * I];
    typename P::sum s[I];

    __device__ __forceinline__ void load(const direct_args<P> &a,
                                         const direct_item &item, size_t first,
                                         int left)
    {
        for (int k = 0; k < I; k++) {
            size_t r = (size_t)k * WARP + threadIdx.x % WARP,
                   index = item.i_first + r;
            bool there = r < item.i_count;
            i[k] = load_point<P>(a.i, there ? index : item.i_first);
            size_t own = SIZE_MAX;
            if (there) own = a.own ? index : a.self ? a.self[index] : SIZE_MAX;
            self[k] = own >= first && own - first < (size_t)max(left, 0)
                              ? (int)(own - first)
                              : -1;
        }
    }
    __device__ __forceinline__ void clear()
    {
        for (int k = 0; k < 4 * I; k++) out[k] = 0;
        for (int k = 0; k < I; k++) s[k] = {0, 0, 0, 0};
    }
    __device__ __forceinline__ bool masks(int) const
    {
        bool mine = false;
        for (int k = 0; k < I; k++) mine |= (unsigned)self[k] < DIRECT_TILE;
        return __any_sync(~0u, mine);
    }
    /* Adds the `left` particles of a tile, rounded up. */
    template <bool SELF>
    __device__ __forceinline__ void
    add(const typename P::quad (*tile)[DIRECT_TILE], int left)
    {
        const int count = min(left, (int)DIRECT_TILE);
        constexpr int unroll = SELF ? 2 : UNROLL;
#pragma unroll 1
        for (int first = 0; first < count; first += unroll) {
#pragma unroll
            for (int j = first; j < first + unroll; j++) {
                typename P::quad q[P::quads];
                for (int c = 0; c < P::quads; c++) q[c] = tile[c][j];
                typename P::point pj = P::unpack(q);
#pragma unroll
                for (int k = 0; k < I; k++)
                    interact<P, ZERO_SAFE, SELF>(&s[k], i[k], pj, soft,
                                                 SELF && self[k] == j);
            }
        }
    }
    __device__ __forceinline__ void flush()
    {
        if (in_float<P>) end();
        for (int k = 0; k < I; k++) self[k] -= DIRECT_TILE;
    }
    __device__ __forceinline__ void end()
    {
        for (int k = 0; k < I; k++) {
            out[4 * k + 0] += s[k].ax;
            out[4 * k + 1] += s[k].ay;
            out[4 * k + 2] += s[k].az;
            out[4 * k + 3] += s[k].mr;
            s[k] = {0, 0, 0, 0};
        }
    }
};

template <class P, int I, int J> struct direct_shared {
    union {
        typename P::quad tile[J][P::quads]
                             [DIRECT_TILE]; /* one per warp; later: */
        double by_group[J][4 * I * WARP];
        double by_thread[WARP * J];
    };
    std::conditional_t<recomputes<P>, cancellation_memory<I * WARP, J>,
                       no_cancellation_memory>
            check;
};

/* Writes a lane's sums to the results, or to the item's partial sum; if that
 * was the last one, adds the partial sums up to the results. */
template <class P, int I, int J, int COMPONENTS, bool ZERO_SAFE>
KOSHU_DEVICE void
give_sums(const direct_args<P> &a, const direct_item &item, const double *sums,
          direct_shared<P, I, J> *shared)
{
    constexpr unsigned width = I * WARP;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const direct_block block =
            a.blocks ? a.blocks[item.block] : a.grid.block(item.block, width);
    double *partial = a.partial + 4 * item.partial * width;
    auto give = [&](unsigned c, unsigned r, double sum) {
        put_result(a.out, c, block.i_first + r, sum);
        if constexpr (recomputes<P>)
            if (c < 3) shared->check.force[c][r] = sum;
    };
    auto put = [&](unsigned column, double sum) {
        const unsigned r = column % width;
        if (block.partials > 1)
            partial[column] = sum;
        else if (r < block.i_count)
            give(column / width, r, sum);
    };
    __syncthreads(); /* all warps have finished with their tiles */
    for (int k = 0; k < I; k++)
        for (int c = 0; c < COMPONENTS; c++)
            shared->by_group[warp][(c * I + k) * WARP + lane] = sums[4 * k + c];
    __syncthreads();
    add_groups<WARP * J, J, COMPONENTS * width>(shared->by_group, put);
    if (block.partials > 1) {
        if (!comes_last(a.arrived + item.block, block.partials)) return;
        add_partials<WARP * J, COMPONENTS>(block, a.partial, width,
                                           shared->by_thread, give);
    }
    if constexpr (recomputes<P>)
        if (a.check.n > 0)
            recompute_cancellations<P, ZERO_SAFE>(a.check, block.i_first,
                                                  (unsigned)block.i_count,
                                                  &shared->check);
}

/* J > 1 warps. */
template <class P, int I, int J, int UNROLL, bool POTENTIAL, bool ZERO_SAFE,
          int BLOCKS>
__global__ void
__launch_bounds__(WARP *J, BLOCKS)
        direct(const __grid_constant__ direct_args<P> a)
{
    static_assert(DIRECT_TILE % UNROLL == 0, "tiles are summed to their end");
    __shared__ direct_shared<P, I, J> shared;
    const int warp = threadIdx.x / WARP;
    wait_for_previous_kernel();
    if (blockIdx.y == 0) note_begin(a.out.progress.begin);
    const direct_item item =
            a.items ? a.items[blockIdx.x]
                    : a.grid.item(blockIdx.x, blockIdx.y, (size_t)I * WARP);
    const int n = (int)item.j_count;
    const int part = (n + J * UNROLL - 1) / (J * UNROLL) * UNROLL;
    const int left = min(part, n - warp * part);
    const size_t first = item.j_first + (size_t)warp * part;
    loaded_tiles<direct_loader<P>> stage = {{a.j, first}, shared.tile[warp]};
    stage.start(left);
    direct_lane<P, I, UNROLL, ZERO_SAFE> lane{a.soft};
    lane.load(a, item, first, left);
    if constexpr (recomputes<P>)
        if (a.check.n > 0) take_samples(a.check, lane.i, &shared.check);
    lane.clear();
    sum_tiles(&stage, &lane, left, 0, -(int)DIRECT_TILE);
    lane.end();
    if (threadIdx.x == WARP * J - 1 && in_last_block())
        note_end(a.out.progress);
    give_sums<P, I, J, 3 + POTENTIAL, ZERO_SAFE>(a, item, lane.out, &shared);
}

} /* namespace koshu */

#endif
