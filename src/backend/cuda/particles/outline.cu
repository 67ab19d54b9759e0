/* SPDX-License-Identifier: MIT */
/* Extent, masses and other properties of all particles of a store. */
#include <cmath>

#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/for_each.cuh"
#include "backend/cuda/tree/keys.cuh"

namespace koshu {

/* Stored as integers for the device's atomics; masses are not negative, so they
 * sort like their bits. */
struct seen_particles {
    tree_extent extent;
    unsigned long long largest, least;
    unsigned bad, accelerated;
};

struct outline_args {
    size_t n;
    const double *x[3], *mass, *a[3]; /* a: NULL where not needed */
    seen_particles *seen;
};

struct outlined {
    double low[3], high[3], largest, least;
    bool bad, accelerated;
};

KOSHU_DEVICE void
outline_one(const outline_args &s, size_t k, outlined *o)
{
    for (int c = 0; c < 3; c++) {
        const double x = s.x[c][k];
        if (x < o->low[c]) o->low[c] = x; /* less work than fmin() */
        if (x > o->high[c]) o->high[c] = x;
        o->bad |= !isfinite(x);
        if (s.a[0] && !o->accelerated) o->accelerated = s.a[c][k] != 0;
    }
    const double mass = fabs(s.mass[k]);
    o->bad |= !isfinite(mass);
    if (mass > o->largest) o->largest = mass;
    if (mass > 0 && mass < o->least) o->least = mass;
}

/* Combines a warp's values in lane 0. */
KOSHU_DEVICE void
gather_warp(outlined *o)
{
    for (unsigned by = 16; by > 0; by /= 2) {
        for (int c = 0; c < 3; c++) {
            o->low[c] = fmin(o->low[c], __shfl_down_sync(~0u, o->low[c], by));
            o->high[c] =
                    fmax(o->high[c], __shfl_down_sync(~0u, o->high[c], by));
        }
        o->largest = fmax(o->largest, __shfl_down_sync(~0u, o->largest, by));
        o->least = fmin(o->least, __shfl_down_sync(~0u, o->least, by));
    }
    o->bad = __any_sync(~0u, o->bad);
    o->accelerated = __any_sync(~0u, o->accelerated);
}

KOSHU_DEVICE void
note(seen_particles *to, const outlined &o)
{
    for (int c = 0; c < 3; c++) {
        atomicMin(&to->extent.low[c], ordered(o.low[c]));
        atomicMax(&to->extent.high[c], ordered(o.high[c]));
    }
    atomicMax(&to->largest,
              (unsigned long long)__double_as_longlong(o.largest));
    atomicMin(&to->least, (unsigned long long)__double_as_longlong(o.least));
    if (o.bad) to->bad = 1;
    if (o.accelerated) to->accelerated = 1;
}

KOSHU_DEVICE outlined
outline_of_nothing()
{
    return {{INFINITY, INFINITY, INFINITY},
            {-INFINITY, -INFINITY, -INFINITY},
            0,
            INFINITY,
            false,
            false};
}

/* Combines a block's values in its first thread: atomics on one address are
 * serialised. */
KOSHU_DEVICE void
gather_block(outlined *o)
{
    enum { WARPS = ITEM_THREADS / WARP };
    __shared__ outlined of_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP;
    gather_warp(o);
    if (lane == 0) of_warp[threadIdx.x / WARP] = *o;
    __syncthreads();
    *o = lane < WARPS ? of_warp[lane] : outline_of_nothing();
    gather_warp(o);
}

static __global__ void
__launch_bounds__(ITEM_THREADS) outline(const __grid_constant__ outline_args s)
{
    wait_for_previous_kernel();
    outlined o = outline_of_nothing();
    const size_t step = (size_t)gridDim.x * ITEM_THREADS;
#pragma unroll 4
    for (size_t k = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x; k < s.n;
         k += step)
        outline_one(s, k, &o);
    gather_block(&o);
    if (threadIdx.x == 0) note(s.seen, o);
}

static cudaError_t
launch_outline(koshu_cuda_store *s, bool accelerations, seen_particles *seen)
{
    const size_t max_blocks = s->cuda->multiprocessors * 8;
    const fields &f = s->f;
    KOSHU_CUDA_TRY(s->lists.reserve(sizeof *seen));
    seen_particles *to = s->lists.as<seen_particles>();
    outline_args args = {s->n, {f.x[0], f.x[1], f.x[2]}, f.mass, {}, to};
    for (int c = 0; accelerations && c < 3; c++) args.a[c] = f.a[c];
    const host_copy copy = {to, seen, sizeof *seen};
    *seen = {};
    seen->least = ~0ull;
    for (int c = 0; c < 3; c++) seen->extent.low[c] = ~0ull;
    KOSHU_CUDA_TRY(upload(s->cuda, &copy, 1));
    dim3 blocks = blocks_of(s->n);
    if (blocks.x > max_blocks) blocks.x = (unsigned)max_blocks;
    KOSHU_CUDA_TRY(launch(s->cuda, outline, blocks, ITEM_THREADS, 0, args));
    return download(s->cuda, &copy, 1);
}

static double
number_of(unsigned long long bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

cudaError_t
outline_store(koshu_cuda_store *s, bool accelerations,
              koshu_particle_outline *outline)
{
    seen_particles seen;
    *outline = {{INFINITY, INFINITY, INFINITY},
                {-INFINITY, -INFINITY, -INFINITY},
                0,
                INFINITY,
                true,
                false};
    if (s->n == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(launch_outline(s, accelerations, &seen));
    for (int c = 0; c < 3; c++) {
        outline->low[c] = from_ordered(seen.extent.low[c]);
        outline->high[c] = from_ordered(seen.extent.high[c]);
    }
    outline->largest_mass = number_of(seen.largest);
    outline->least_mass = number_of(seen.least);
    outline->finite = !seen.bad;
    outline->has_accelerations = seen.accelerated;
    return cudaSuccess;
}

} /* namespace koshu */
