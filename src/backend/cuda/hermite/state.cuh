/* SPDX-License-Identifier: MIT */
/*
 * Block time steps on the device: what is kept, and the plan of a block step.
 *
 * One kernel of resident blocks makes many block steps; a block step is
 *
 *     predict   all particles to its time, into packed copies; and the list of
 *               those that are due
 *     sum       of all packed particles on those that are due, in parts
 *     correct   adds the parts, corrects, and chooses the next steps
 *
 * with a barrier (grid_barrier.cuh) after each; in P(EC)^n the last two are
 * repeated, from one packed copy to the other. All particles of one level
 * (step 2^level) stand at the same time (kernels/steps.h), so that the count
 * of each level says which time comes next and how many are due.
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
/* Levels, and that of a particle whose step would be shorter than a tick. */
enum { BLOCK_LEVELS = 64, NO_STEP = 255 };

/* The largest number of particles: parts of work are counted in 32 bits. */
constexpr size_t BLOCK_MAX_N = (size_t)1 << 28;

/* Flags at the barrier. */
enum { BLOCK_PAUSE = 1, BLOCK_NOT_FINITE = 2, BLOCK_SHORT_STEP = 4 };

/* All at the time of the last step of the particle's level. */
struct block_fields {
    double *mass, *x[3], *v[3], *a[3], *j[3], *potential;
    uint8_t *level;
};

enum block_stage { BLOCK_PREDICT, BLOCK_SUM, BLOCK_CORRECT };

/* Where the kernel is: the same in all its threads, and from launch to launch.
 * A block step of very many pairs is done in chunks of those that are due. */
struct block_place {
    uint64_t time;          /* of the last block step, in ticks */
    uint64_t blocks, steps; /* made since the host last set them to zero */
    block_stage stage;      /* the next one */
    /* of the block step that is being made: */
    uint64_t next;      /* its time */
    unsigned top;       /* levels up to this one are due */
    uint32_t due;       /* particles */
    unsigned iteration; /* of P(EC)^n */
    uint32_t first;     /* of the chunk, among those that are due */
};

/*
 * How the sums on the i-particles of a chunk are distributed: each tile of
 * them needs all units of j-particles. Worker after worker takes as many units
 * as the others, or one more, of one tile after the other. (The chunk, and
 * BLOCK_MAX_N, keep `total` to 2^31.)
 */
struct block_partition {
    uint32_t width; /* i-particles of a tile */
    uint32_t tiles, workers;
    uint32_t units, total;   /* of a tile; of all */
    uint32_t each, one_more; /* units; how many workers have one more */

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
    /* Of the sums of a worker on a tile: both only ever increase, and never
     * neither, so that no two share one. */
    __device__ size_t partial_index(uint32_t worker, uint32_t tile) const
    {
        return (size_t)worker + tile;
    }
};

struct block_setup {
    uint32_t n;
    block_fields f;
    uint32_t *list;              /* those that are due, by block of the grid */
    uint32_t *listed;            /* how many in each part of the list */
    double *partial;             /* [partial sum][7][width] */
    uint32_t chunk;              /* i-particles at most */
    unsigned long long *members; /* [BLOCK_LEVELS], by level */
    barrier_word *barrier;
    block_place place, *left; /* at the beginning, and where it goes */

    uint64_t until, max_block_steps; /* of koshu_block_ops' run() */
    unsigned long long nanoseconds;  /* after which the kernel pauses */

    koshu_block_task task;
    double per_length, per_mass; /* to the units of packed particles */
    double a_unit, j_unit, potential_unit; /* of the sums, to the caller's */
};

template <class P> struct block_args : block_setup {
    packed<P> packed[2];   /* the second only where iterations > 1 */
    typename P::real eps2; /* in packed units */
};

} /* namespace koshu */

#endif
