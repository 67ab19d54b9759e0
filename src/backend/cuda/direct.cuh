/* SPDX-License-Identifier: MIT */
/*
 * Direct summation of i-sets against j-sets (Miki13 section 2).
 *
 * A block of J groups of T threads holds I T i-particles, I in the registers
 * of a thread, and takes the j-particles in tiles of J T through shared memory;
 * each group sums its T of them, and at the end the groups' sums are added.
 * (With few i-particles, many groups keep the slots few.) The next tile is
 * loaded into registers while this one is summed (Miki13 listing 2, here with
 * two buffers and one barrier a tile). Particles past the end have no mass, so
 * the inner loop has no branch. Partial sums of FLUSH j-particles are added up
 * in double (Hamada07 eq. 2).
 *
 * A block works on one item: some i-particles against some j-particles of
 * their set. Its sums go to a slot of its own; finish_direct() adds the slots
 * of an i-particle in a fixed order.
 */
#ifndef KOSHU_BACKEND_CUDA_DIRECT_CUH
#define KOSHU_BACKEND_CUDA_DIRECT_CUH

#include <cstddef>
#include <cstdint>

#include "backend/cuda/progress.cuh"

namespace koshu {

struct direct_item {
    size_t i_first, i_count; /* i_count <= I * T */
    size_t j_first, j_count; /* j_count < 2^31 */
    size_t slot;
};

/* i-particles that share slots: slot ... slot + slots - 1. */
struct direct_block {
    size_t i_first, i_count, slot, slots;
};

/* One set of n particles on itself: block b of the i-particles against chunk c
 * of the j-particles is item b * chunks + c, and its slot. */
struct direct_grid {
    size_t n, chunk, chunks;

    __host__ __device__ direct_item item(size_t k, size_t width) const
    {
        size_t i = k / chunks * width, j = k % chunks * chunk;
        return {i, n - i < width ? n - i : width, j,
                n - j < chunk ? n - j : chunk, k};
    }
    __host__ __device__ direct_block block(size_t k, size_t width) const
    {
        size_t i = k * width;
        return {i, n - i < width ? n - i : width, k * chunks, chunks};
    }
};

template <class P> struct direct_args {
    packed<P> i, j;
    const direct_item *items; /* NULL: those of grid */
    direct_grid grid;
    bool own;             /* i-particle k is j-particle k; else: */
    const uint64_t *self; /* its j index, or KOSHU_NO_SELF; NULL: nowhere */
    double *partial;      /* [slot][4][I * T] */
    softening<P> soft;
    unsigned long long *begin; /* see progress.cuh */
};

/* SELF: leave the pair out where self. */
template <class P, bool GUARDED, bool SELF>
KOSHU_DEVICE void
interact(typename P::sum *s, const typename P::point &i,
         const typename P::point &j, const softening<P> &soft, bool self)
{
    typename P::vector d = P::difference(j, i);
    typename P::real r2 = P::r2(d, soft.eps2);
    typename P::real rinv = P::rinv(r2);
    if (GUARDED && r2 <= soft.eps2) {
        s->mr += SELF && self ? 0 : j.m * soft.coincident;
        rinv = 0;
    }
    if (SELF && self) rinv = 0;
    P::add(s, d, j.m, r2, rinv);
}

/* The sums of one thread: in double in the end. */
template <class P, int I> struct thread_sums {
    double out[4 * I];
    typename P::sum s[I];

    __device__ __forceinline__ thread_sums()
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

/* The thread's group on its part of a tile, count particles of it. self: where
 * in this part each i-particle is. */
template <class P, int I, int FLUSH, int UNROLL, bool GUARDED, bool SELF>
KOSHU_DEVICE void
sum_tile(thread_sums<P, I> *sums, const typename P::point *pi,
         const typename P::quad *const *tile, int count,
         const softening<P> &soft, const int *self)
{
    for (int first = 0; first < count; first += FLUSH) {
#pragma unroll UNROLL
        for (int j = first; j < first + FLUSH; j++) {
            typename P::quad q[P::quads];
            for (int c = 0; c < P::quads; c++) q[c] = tile[c][j];
            typename P::point pj = P::unpack(q);
#pragma unroll
            for (int k = 0; k < I; k++)
                interact<P, GUARDED, SELF>(&sums->s[k], pi[k], pj, soft,
                                           SELF && self[k] == j);
        }
        if (in_float<P>) sums->flush();
    }
}

/* Adds the sums of the groups to those of the first. */
template <int J, int T, int SUMS>
KOSHU_DEVICE void
add_groups(double *out, int group, int t)
{
    __shared__ double part[J][SUMS][T];
    for (int k = 0; k < SUMS; k++) part[group][k][t] = out[k];
    __syncthreads();
    if (group > 0) return;
    for (int g = 1; g < J; g++)
        for (int k = 0; k < SUMS; k++) out[k] += part[g][k][t];
}

template <class P, int I, int T>
KOSHU_DEVICE void
load_i(typename P::point *pi, int *self, const direct_args<P> &a,
       const direct_item &item, int t)
{
    for (int k = 0; k < I; k++) {
        size_t r = (size_t)k * T + t, index = item.i_first + r;
        bool there = r < item.i_count;
        pi[k] = load_point<P>(a.i, there ? index : item.i_first);
        size_t own = SIZE_MAX;
        if (there) own = a.own ? index : a.self ? a.self[index] : SIZE_MAX;
        self[k] = own - item.j_first < item.j_count ? (int)(own - item.j_first)
                                                    : INT32_MIN;
    }
}

template <class P, int I, int T, int J, int FLUSH, int UNROLL, bool POTENTIAL,
          bool GUARDED, int BLOCKS>
__global__ void
__launch_bounds__(T *J, BLOCKS) direct(const __grid_constant__ direct_args<P> a)
{
    static_assert(T % 32 == 0 && T % FLUSH == 0, "groups are whole warps");
    using quad = typename P::quad;
    __shared__ quad tile[2][P::quads][T * J];
    const int t = threadIdx.x % T, group = threadIdx.x / T;
    wait_for_previous_kernel();
    note_begin(a.begin);
    const direct_item item = a.items ? a.items[blockIdx.x]
                                     : a.grid.item(blockIdx.x, (size_t)I * T);
    const int n = (int)item.j_count;
    quad next[P::quads];
    for (int c = 0; c < P::quads; c++)
        next[c] = (int)threadIdx.x < n ? a.j.q[c][item.j_first + threadIdx.x]
                                       : quad{};
    typename P::point pi[I];
    int self[I]; /* counted from the group's present tile */
    load_i<P, I, T>(pi, self, a, item, t);
    for (int k = 0; k < I; k++)
        self[k] = self[k] < 0 ? INT32_MIN : self[k] - group * T;
    thread_sums<P, I> sums;
    for (int first = 0, buffer = 0; first < n; first += T * J, buffer ^= 1) {
        const quad *part[P::quads];
        bool mine = false;
        for (int c = 0; c < P::quads; c++) {
            tile[buffer][c][threadIdx.x] = next[c];
            part[c] = &tile[buffer][c][group * T];
        }
        for (int k = 0; k < I; k++) mine |= (unsigned)self[k] < T;
        __syncthreads();
        bool any = __any_sync(~0u, mine);
        int after = first + T * J + (int)threadIdx.x;
        for (int c = 0; c < P::quads; c++)
            next[c] = after < n ? a.j.q[c][item.j_first + after] : quad{};
        int count = min(n - first - group * T, T);
        if (any)
            sum_tile<P, I, FLUSH, 2, GUARDED, true>(&sums, pi, part, count,
                                                    a.soft, self);
        else
            sum_tile<P, I, FLUSH, UNROLL, GUARDED, false>(&sums, pi, part,
                                                          count, a.soft, self);
        for (int k = 0; k < I; k++)
            self[k] = self[k] < 0 ? INT32_MIN : self[k] - T * J;
    }
    sums.flush();
    if (J > 1) add_groups<J, T, 4 * I>(sums.out, group, t);
    if (group > 0) return;

    double *partial = a.partial + item.slot * 4 * I * T + t;
    for (int k = 0; k < I; k++)
        for (int c = 0; c < 3 + POTENTIAL; c++)
            partial[(c * I + k) * T] = sums.out[4 * k + c];
}

} /* namespace koshu */

#endif
