/* SPDX-License-Identifier: MIT */
/*
 * Direct summation of i-sets against j-sets (Miki13 section 2).
 *
 * Every warp of a CUDA block holds the same 32 I i-particles, I in the
 * registers of a lane, and takes j-particles of its own through shared memory,
 * a bag at a time; at the end the warps' sums are added. So no warp ever waits
 * for another. The next bag is loaded into registers while this one is summed
 * (Miki13 listing 2). Particles past the end have no mass, so that the inner
 * loop has no branch. Sums in float run over one bag, and are added up in
 * double (Hamada07 eq. 2).
 *
 * A CUDA block works on one item: some i-particles against some j-particles of
 * their set. Where these are all of the set, its sums are the results; else
 * they go to a slot of its own, and the CUDA block that fills the last of an
 * i-particle's slots adds them, in an order that depends on the sizes alone: a
 * second kernel would cost more than the sums of a few thousand particles.
 */
#ifndef KOSHU_BACKEND_CUDA_DIRECT_CUH
#define KOSHU_BACKEND_CUDA_DIRECT_CUH

#include <cstddef>
#include <cstdint>

#include "backend/cuda/interact.cuh"
#include "backend/cuda/look.cuh"
#include "backend/cuda/slots.cuh"

namespace koshu {

/* j-particles of a bag. */
enum { BAG = 64 };

struct direct_item {
    size_t i_first, i_count; /* i_count <= 32 I */
    size_t j_first, j_count; /* j_count < 2^31 */
    size_t slot, block;      /* its i-particles are that block's */
};

/* One set of n i-particles: block b of them against chunk c of its n_j
 * j-particles fills slot b * chunks + c. */
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
    const uint64_t *self; /* its j index, or KOSHU_NO_SELF; NULL: nowhere */
    double *partial;      /* [slot][4][32 I] */
    unsigned *arrived;    /* slots of each block that are filled; all 0 before
                             and after */
    softening<P> soft;
    force_out out;
    look_args<P> look; /* of one set on itself; or n = 0: is not looked through
                        */
};

/* The sums of one lane: in double in the end. */
template <class P, int I> struct lane_sums {
    double out[4 * I];
    typename P::sum s[I];

    __device__ __forceinline__ lane_sums()
    {
        for (int k = 0; k < 4 * I; k++) out[k] = 0;
        for (int k = 0; k < I; k++) s[k] = {0, 0, 0, 0};
    }
    __device__ __forceinline__ void flush()
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

/* The first `count` of a bag, rounded up. self: where in it each i-particle
 * is. */
template <class P, int I, int UNROLL, bool GUARDED, bool SELF>
KOSHU_ERROR_DEVICE void
sum_bag(lane_sums<P, I> *sums, const typename P::point *pi,
        const typename P::quad (*bag)[BAG], int count, const softening<P> &soft,
        const int *self)
{
#pragma unroll 1
    for (int first = 0; first < count; first += UNROLL) {
#pragma unroll
        for (int j = first; j < first + UNROLL; j++) {
            typename P::quad q[P::quads];
            for (int c = 0; c < P::quads; c++) q[c] = bag[c][j];
            typename P::point pj = P::unpack(q);
#pragma unroll
            for (int k = 0; k < I; k++)
                interact<P, GUARDED, SELF>(&sums->s[k], pi[k], pj, soft,
                                           SELF && self[k] == j);
        }
    }
    if (in_float<P>) sums->flush();
}

/* What a lane loads of a bag of which `left` are there. */
template <class P> struct bag_part {
    typename P::quad q[P::quads][BAG / WARP];

    __device__ __forceinline__ void
    load(const packed<P> &from, size_t first, int left, int lane)
    {
        for (int c = 0; c < P::quads; c++)
            for (int k = 0; k < BAG / WARP; k++)
                q[c][k] = k * WARP + lane < left
                                  ? from.q[c][first + k * WARP + lane]
                                  : typename P::quad{};
    }
    __device__ __forceinline__ void
    store(typename P::quad (*bag)[BAG], int lane) const
    {
        for (int c = 0; c < P::quads; c++)
            for (int k = 0; k < BAG / WARP; k++)
                bag[c][k * WARP + lane] = q[c][k];
    }
};

/* A lane's i-particles, and where each is among the j-particles first ...
 * first + count - 1: its index there, or negative. */
template <class P, int I>
KOSHU_ERROR_DEVICE void
load_i(typename P::point *pi, int *self, const direct_args<P> &a,
       const direct_item &item, int lane, size_t first, int count)
{
    for (int k = 0; k < I; k++) {
        size_t r = (size_t)k * WARP + lane, index = item.i_first + r;
        bool there = r < item.i_count;
        pi[k] = load_point<P>(a.i, there ? index : item.i_first);
        size_t own = SIZE_MAX;
        if (there) own = a.own ? index : a.self ? a.self[index] : SIZE_MAX;
        self[k] = own >= first && own - first < (size_t)max(count, 0)
                          ? (int)(own - first)
                          : -1;
    }
}

template <class P, int I, int J> struct direct_shared {
    union {
        typename P::quad bag[J][P::quads][BAG]; /* one for each warp; then */
        double by_group[J][J > 1 ? 4 * I *WARP : 1];
        double by_thread[WARP * J];
    };
    std::conditional_t<sums_again<P>, look_memory<I * WARP, J>, no_look_memory>
            look;
};

/* A lane's sums to the results, or to the item's slot, and the slots to the
 * results where this is the last of them. */
template <class P, int I, int J, int COMPONENTS, bool GUARDED>
KOSHU_ERROR_DEVICE void
give_sums(const direct_args<P> &a, const direct_item &item, const double *sums,
          direct_shared<P, I, J> *shared)
{
    constexpr unsigned width = I * WARP;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const direct_block block =
            a.blocks ? a.blocks[item.block] : a.grid.block(item.block, width);
    double *slot = a.partial + 4 * item.slot * width;
    auto give = [&](unsigned c, unsigned r, double sum) {
        put_result(a.out, c, block.i_first + r, sum);
        if constexpr (sums_again<P>)
            if (c < 3) shared->look.force[c][r] = sum;
    };
    auto put = [&](unsigned column, double sum) {
        const unsigned r = column % width;
        if (block.slots > 1)
            slot[column] = sum;
        else if (r < block.i_count)
            give(column / width, r, sum);
    };
    if constexpr (J == 1) {
        for (int k = 0; k < I; k++)
            for (int c = 0; c < COMPONENTS; c++)
                put((c * I + k) * WARP + lane, sums[4 * k + c]);
    } else {
        __syncthreads(); /* all have done with their bags */
        for (int k = 0; k < I; k++)
            for (int c = 0; c < COMPONENTS; c++)
                shared->by_group[warp][(c * I + k) * WARP + lane] =
                        sums[4 * k + c];
        __syncthreads();
        add_groups<WARP * J, J, COMPONENTS * width>(shared->by_group, put);
    }
    if (block.slots > 1) {
        if (!comes_last(a.arrived + item.block, block.slots)) return;
        add_slots<WARP * J, COMPONENTS>(block, a.partial, width,
                                        shared->by_thread, give);
    }
    if constexpr (sums_again<P>)
        if (a.look.n > 0)
            sum_cancelled<P, GUARDED>(a.look, block.i_first,
                                      (unsigned)block.i_count, &shared->look);
}

/* J warps. */
template <class P, int I, int J, int UNROLL, bool POTENTIAL, bool GUARDED,
          int BLOCKS>
__global__ void
__launch_bounds__(WARP *J, BLOCKS)
        direct(const __grid_constant__ direct_args<P> a)
{
    static_assert(BAG % UNROLL == 0, "bags are summed to their end");
    __shared__ direct_shared<P, I, J> shared;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    wait_for_previous_kernel();
    if (blockIdx.y == 0) note_begin(a.out.progress.begin);
    const direct_item item =
            a.items ? a.items[blockIdx.x]
                    : a.grid.item(blockIdx.x, blockIdx.y, (size_t)I * WARP);
    const int n = (int)item.j_count;
    const int part = (n + J * UNROLL - 1) / (J * UNROLL) * UNROLL;
    int left = min(part, n - warp * part);
    size_t first = item.j_first + (size_t)warp * part;
    bag_part<P> next;
    next.load(a.j, first, left, lane);
    typename P::point pi[I];
    int self[I]; /* counted from the present bag */
    load_i<P, I>(pi, self, a, item, lane, first, left);
    if constexpr (sums_again<P>)
        if (a.look.n > 0) take_samples(a.look, pi, &shared.look);
    lane_sums<P, I> sums;
    auto bag = shared.bag[warp];
    for (; left > 0; left -= BAG) {
        __syncwarp(); /* all have done with the bag before */
        next.store(bag, lane);
        __syncwarp();
        next.load(a.j, first += BAG, left - BAG, lane);
        bool mine = false;
        for (int k = 0; k < I; k++) mine |= (unsigned)self[k] < BAG;
        const int count = min(left, (int)BAG);
        if (__any_sync(~0u, mine))
            sum_bag<P, I, 2, GUARDED, true>(&sums, pi, bag, count, a.soft,
                                            self);
        else
            sum_bag<P, I, UNROLL, GUARDED, false>(&sums, pi, bag, count, a.soft,
                                                  self);
        for (int k = 0; k < I; k++) self[k] -= BAG;
    }
    sums.flush();
    if (threadIdx.x == WARP * J - 1 && in_last_block())
        note_end(a.out.progress);
    give_sums<P, I, J, 3 + POTENTIAL, GUARDED>(a, item, sums.out, &shared);
}

} /* namespace koshu */

#endif
