/* SPDX-License-Identifier: MIT */
/* Launches for a j-particle store: one table for each precision. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_FUNCTIONS_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_FUNCTIONS_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/j_store/stored.cuh"

namespace koshu {

/* Sums to be made. All memory is the device's, but where it says so. */
struct j_setup {
    stored from;
    id_table table;
    uint32_t n_j, n_i;
    bool predicts; /* else the packed j-particles are those wanted */
    double time;
    bool to_float; /* positions to floats */
    double eps;
    bool nearest;
    units u;

    packed_memory packed_j, packed_i;
    int64_t *id_j, *id_i;
    uint32_t *own;
    buffer *memory;                 /* of partial sums */
    const koshu_i_particle *host_i; /* the host's */
    koshu_jerk_result *result;      /* the host's */
    uint32_t *blocks_done;          /* 0, and again in the end */
    volatile uint64_t *done; /* the host's: becomes `number` in the end */
    uint64_t number;
};

/* Neighbours of the i-particles of a setup. */
struct j_neighbours {
    uint32_t slices, span; /* j-particles of a slice, whole chunks */
    /* [slice][n_i]: what it has; then what those before it have */
    uint32_t *in_slice;
    uint64_t max_listed;
    uint64_t *count;       /* the host's */
    const uint64_t *start; /* the host's: where each list begins */
    uint32_t *list;
};

struct j_functions {
    size_t quads;
    uint32_t mutual_from; /* j-particles for which mutual() pays */

    /* Predicts and packs. */
    cudaError_t (*prepare)(const koshu_cuda *, const j_setup &);
    /* Sums and results of prepared i-particles, whatever they are. */
    cudaError_t (*sum)(const koshu_cuda *, const j_setup &);

    /* *differs, which is the host's, becomes 1 where an i-particle is not the
     * j-particle of its id, or that is not the only one. Otherwise mutual()
     * makes the sums of all j-particles, in s.partial, and end_mutual() the
     * results of i-particles. */
    cudaError_t (*compare)(const koshu_cuda *, const j_setup &,
                           uint32_t *differs);
    cudaError_t (*mutual)(koshu_cuda *, const j_setup &);
    cudaError_t (*end_mutual)(const koshu_cuda *, const j_setup &);

    cudaError_t (*count)(const koshu_cuda *, const j_setup &,
                         const j_neighbours &);
    cudaError_t (*list)(const koshu_cuda *, const j_setup &,
                        const j_neighbours &);
};

extern const j_functions j_functions_single, j_functions_mixed,
        j_functions_double;

} /* namespace koshu */

#endif
