/* SPDX-License-Identifier: MIT */
/* Launches for a j-particle store: a table of functions for each precision. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_FUNCTIONS_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_FUNCTIONS_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/j_store/stored.cuh"

namespace koshu {

/* The sums to be made. All memory is the device's, unless stated otherwise. */
struct j_setup {
    stored from;
    id_table table;
    uint32_t n_j, n_i;
    bool predicts; /* else the packed j-particles are current */
    double time;
    bool to_float; /* round positions to floats */
    double eps;
    bool nearest;
    units u;

    packed_memory packed_j, packed_i;
    int64_t *id_j, *id_i;
    uint32_t *own;
    buffer *memory;                 /* for partial sums */
    const koshu_i_particle *host_i; /* in host memory */
    koshu_jerk_result *result;      /* in host memory */
    uint32_t *blocks_done;          /* 0 before and after */
    volatile uint64_t *done; /* in host memory: set to `number` at the end */
    uint64_t number;
};

/* Neighbours of the i-particles of a setup. */
struct j_neighbours {
    uint32_t slices, span; /* j-particles per slice, whole chunks */
    /* [slice][n_i]: counts of a slice; then of those before it */
    uint32_t *in_slice;
    uint64_t max_listed;
    uint64_t *count;       /* in host memory */
    const uint64_t *start; /* in host memory: start of each list */
    uint32_t *list;
};

struct j_functions {
    size_t quads;
    uint32_t mutual_from; /* number of j-particles from which mutual() pays */

    /* Predicts and packs. */
    cudaError_t (*prepare)(const koshu_cuda *, const j_setup &);
    /* Sums and results of prepared i-particles, of any kind. */
    cudaError_t (*sum)(const koshu_cuda *, const j_setup &);

    /* compare() sets *differs, in host memory, to 1 if an i-particle is not the
     * j-particle of its id, or that id is not unique. If all are, mutual() sums
     * all j-particles on each other into s.partial, and end_mutual() makes the
     * results of the i-particles. */
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
