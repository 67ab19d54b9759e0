/* SPDX-License-Identifier: MIT */
/*
 * The j-particle store: particles in double on the device, and what the last
 * sum read and wrote. The kernels read i-particles from host memory and write
 * results there themselves, and a number that tells that they are done: a
 * call for few i-particles waits for no copy and no event.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_STORE_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_STORE_CUH

#include "backend/cuda/runtime/host_buffer.cuh"
#include "backend/cuda/j_store/functions.cuh"

namespace koshu {

/* Particles that set() sends in one chunk, and how many of these may be under
 * way. */
enum { STAGED = 4096, STAGES = 2 };

/* Particles on their way to their indices. */
struct j_stage {
    host_buffer address, particles;
    bool busy;
    uint64_t before; /* the chunk of sums that comes after them */
};

} /* namespace koshu */

struct koshu_cuda_j_store {
    koshu_cuda *cuda;
    koshu_precision precision;

    size_t capacity;
    koshu::buffer stored_memory;
    koshu::stored held;
    double reach, largest_mass; /* of all with mass so far */
    double least_reach;         /* of those not at the origin; infinite: none */
    int16_t *exponent; /* of each particle's reach; see near_origin() */

    koshu::j_stage stages[koshu::STAGES];
    int next_stage;

    /* The first `entered` ids are in the table. */
    int64_t *ids; /* of all particles: a copy */
    uint32_t entered;
    koshu::buffer table;

    /* Packed j-particles: what they are. */
    koshu::buffer packed_j, id_j;
    bool valid; /* no particle has been set since */
    koshu::j_setup last;

    koshu::buffer packed_i, id_i, own, partial, blocks_done;
    koshu::host_buffer i, result, done, differs;
    uint64_t number;       /* chunks started */
    uint64_t first_number; /* of the last sums, */
    uint32_t chunk;        /* each of so many i-particles */
    const koshu::j_functions *functions;

    koshu::buffer in_slice, list;
    koshu::host_buffer count, start;
};

namespace koshu {

static inline size_t
whole_lines(size_t n)
{
    const size_t line = 32;
    return (n + line - 1) / line * line;
}

/* Waits until the chunk of this number is done. */
cudaError_t wait_for(koshu_cuda_j_store *m, uint64_t number);

/* The table of the first n_j ids. (Entries of those beyond n_j do no
 * harm: an address there is no j-particle, and where an id is not the only
 * one, the ids of all j-particles are compared.) */
cudaError_t enter(koshu_cuda_j_store *m, uint32_t n_j, id_table *table);

} /* namespace koshu */

#endif
