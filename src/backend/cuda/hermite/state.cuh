/* SPDX-License-Identifier: MIT */
/*
 * Block time steps on the device: their state, and the plan of a block step.
 *
 * One kernel of resident blocks makes many block steps; a block step is
 *
 *     predict   predicts all particles to its time, into packed copies; lists
 * those that are due sum       sums all packed particles on those that are due,
 * in parts correct   adds the parts, corrects, and chooses the next steps
 *
 * with a barrier (grid_barrier.cuh) after each; in P(EC)^n the last two are
 * repeated, alternating between two packed copies. All particles of one level
 * (step 2^level) are at the same time (kernels/steps.h), so the number of
 * particles per level determines the next time, and how many are due.
 */
#ifndef KOSHU_BACKEND_CUDA_HERMITE_STATE_CUH
#define KOSHU_BACKEND_CUDA_HERMITE_STATE_CUH

#include <cstddef>
#include <cstdint>

#include "backend/backend.h"
#include "backend/cuda/hermite/grid_barrier.cuh"
#include "backend/cuda/pairs/jerk_precision.cuh"

namespace koshu {

enum { BLOCK_THREADS = 512, BLOCK_WARPS = BLOCK_THREADS / WARP };
/* Number of levels, and the level of a particle whose step would be shorter
 * than a tick. */
enum { BLOCK_LEVELS = 64, NO_STEP = 255 };

/* The largest number of particles: units of work are counted in 32 bits. */
constexpr size_t BLOCK_MAX_N = (size_t)1 << 28;

/* Flags at the barrier. */
enum { BLOCK_PAUSE = 1, BLOCK_NOT_FINITE = 2, BLOCK_SHORT_STEP = 4 };

/* Fields at the time of the last step of the particle's level. */
struct block_fields {
    double *mass, *x[3], *v[3], *a[3], *j[3], *potential;
    uint8_t *level;
};

enum block_stage { BLOCK_PREDICT, BLOCK_SUM, BLOCK_CORRECT };

/* The progress of the kernel: the same in all threads, and kept between
 * launches. A block step of very many pairs is done in chunks of the due
 * particles. */
struct block_place {
    uint64_t time;          /* of the last block step, in ticks */
    uint64_t blocks, steps; /* since the host last set them to zero */
    block_stage stage;      /* the next one */
    /* of the current block step: */
    uint64_t next;      /* its time */
    unsigned top;       /* levels up to this one are due */
    uint32_t due;       /* number of due particles */
    unsigned iteration; /* of P(EC)^n */
    uint32_t first;     /* start of the chunk among the due particles */
};

/*
 * How the sums on the i-particles of a chunk are distributed: each tile of
 * i-particles has the same number of units of j-particles. Workers take
 * consecutive units, tile after tile, and all the same number, or one more.
 * (The chunk size and BLOCK_MAX_N keep `total` below 2^31.)
 */
struct block_partition {
    uint32_t width; /* i-particles per tile */
    uint32_t tiles, workers;
    uint32_t units, total;   /* units per tile; in total */
    uint32_t each, one_more; /* units per worker; workers with one more */

    __device__ uint32_t begin(uint32_t worker) const
    {
        return worker * each + min(worker, one_more);
    }
    __device__ uint32_t worker(uint32_t unit) const
    {
        const uint32_t longer = one_more * (each + 1);
        return unit < longer ? unit / (each + 1)
                             : one_more + (unit - longer) / each;
    }
    /* Index of the sums of a worker on a tile: from one pair to the next at
     * least one of the two increases, so the sum is unique. */
    __device__ size_t partial_index(uint32_t worker, uint32_t tile) const
    {
        return (size_t)worker + tile;
    }
};

struct block_setup {
    uint32_t n;
    block_fields f;
    uint32_t *list;              /* due particles, by block of the grid */
    uint32_t *listed;            /* length of each part of the list */
    double *partial;             /* [partial sum][7][width] */
    uint32_t chunk;              /* maximum number of i-particles */
    unsigned long long *members; /* [BLOCK_LEVELS], by level */
    barrier_word *barrier;
    block_place place, *left; /* at the start, and where it is written at the
                               * end */

    uint64_t until, max_block_steps; /* of koshu_block_ops' run() */
    unsigned long long nanoseconds;  /* after which the kernel pauses */

    koshu_block_task task;
    double per_length, per_mass;           /* to units of packed particles */
    double a_unit, j_unit, potential_unit; /* from sums to the caller's units */
};

template <class P> struct block_args : block_setup {
    packed<P> packed[2];   /* the second only if iterations > 1 */
    typename P::real eps2; /* in packed units */
};

} /* namespace koshu */

#endif
