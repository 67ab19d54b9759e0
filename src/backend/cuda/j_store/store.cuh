/* SPDX-License-Identifier: MIT */
/*
 * The j-particle store of one device, or the part of one of several
 * (divided.cuh): particles in double on the device, and what the last sum read
 * and wrote. Kernels themselves read i-particles from host memory, and write
 * the results there, followed by a number that marks completion, so that a call
 * for few i-particles waits for no copy and no event.
 */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_STORE_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_STORE_CUH

#include "backend/j_parts.h"

#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/buffer.cuh"
#include "backend/cuda/j_store/functions.cuh"

namespace koshu {

/* Particles per chunk that is sent, and number of chunks that may be under
 * way. */
enum { STAGED = 4096, STAGES = 2 };

/* The host's data of each particle: id, exponent and place. */
enum : size_t {
    J_STORE_HOST_BYTES = sizeof(int64_t) + sizeof(int16_t) + sizeof(uint32_t)
};

/* Particles on their way to their indices, which are all different. */
struct j_stage {
    host_buffer index, particles;
    uint32_t n;
    bool is_sent;    /* and may still be being read */
    uint64_t before; /* number of the sums' chunk that follows */
};

} /* namespace koshu */

struct koshu_cuda_j_store {
    koshu_backend_j_store base; /* first: pointers are cast */
    koshu_cuda *cuda;
    koshu_j_part part; /* of all particles: all of them, or those of this
                        * device */
    koshu::buffer stored_memory;
    koshu::stored held;
    double reach, largest_mass; /* of all particles with mass so far */
    double least_reach;         /* of those not at the origin; infinite: none */
    int16_t *exponent; /* of each particle's reach; see count_near_origin() */

    koshu::j_stage stages[koshu::STAGES];
    int stage; /* the stage in use, which has one particle for each index: that
                * of index s is stages[stage].particles[place[s]], if present */
    uint32_t *place;

    /* The first `entered` ids are in the table. */
    int64_t *ids; /* a copy of all ids */
    uint32_t entered;
    koshu::buffer table;

    /* The packed j-particles, and what they are valid for. */
    koshu::buffer packed_j, id_j;
    bool valid; /* no particle has been set since */
    koshu::j_setup last;

    koshu::buffer packed_i, id_i, own, partial, blocks_done;
    koshu::host_buffer i, result, done, differs;
    uint64_t number;       /* number of chunks started */
    uint64_t first_number; /* first chunk of the last sums, */
    uint32_t chunk;        /* each of this many i-particles */
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

static inline koshu_cuda_j_store *
own(koshu_backend_j_store *store)
{
    return reinterpret_cast<koshu_cuda_j_store *>(store);
}

/* ---- store.cu ------------------------------------------------------------ */

/* Opens a zeroed object, on the current device. The caller closes it in any
 * case. */
cudaError_t open_j_store(koshu_cuda_j_store *m, koshu_cuda *cuda);
/* Frees everything but the object itself. */
void close_j_store(koshu_cuda_j_store *m);

/* Like koshu_j_store_ops.reserve(), on its device. */
cudaError_t grow_j_store(koshu_cuda_j_store *m, size_t capacity);

/* Sets the k-th particle to particle `at` of the arrays. */
cudaError_t set_j_particle(koshu_cuda_j_store *m, size_t k, int64_t id,
                           const koshu_j_particles &particles, size_t at);

/* Sends the particles that were collected. Does not wait. */
cudaError_t send_staged(koshu_cuda_j_store *m);

/* The table of the first n_j ids. (Entries of ids beyond n_j do no harm: their
 * address is not that of a j-particle, and if an id is not unique, the ids of
 * all j-particles are compared.) */
cudaError_t make_table(koshu_cuda_j_store *m, uint32_t n_j, id_table *table);

/* ---- sums.cu ------------------------------------------------------------- */

/* Sums over the j-particles of one device. */
struct j_request {
    koshu_jerk_task task;
    const j_functions *functions;
    double time;
    uint32_t n_i;
    const koshu_i_particle *i;
};

/* How many of the first n_j particles are so near to the origin, relative to
 * the unit of length, that their squared distances underflow a float; 2: two or
 * more. */
unsigned count_near_origin(const koshu_cuda_j_store *m, uint32_t n_j);

/* The functions for sums over n_j particles in total, of which this many are
 * near the origin. */
const j_functions *
functions_for(koshu_precision precision, unsigned near_origin, size_t n_j);

/* Starts sums over n_j >= 1 particles. Does not wait for them. */
cudaError_t
start_j_sums(koshu_cuda_j_store *m, const j_request &request, uint32_t n_j);

/* Waits until the results of the k-th chunk of the last sums, m->chunk
 * i-particles each, are in m->last.result. Any device may be current. */
cudaError_t wait_for_chunk(const koshu_cuda_j_store *m, uint32_t k);

/* ---- neighbours.cu ------------------------------------------------------- */

/* Neighbours of the i-particles of the last sums: m->count[i] is the number of
 * each, and from m->start[i] on *list has the first of them, `max` at most. The
 * caller frees *list, also after an error. */
cudaError_t list_neighbours(koshu_cuda_j_store *m, size_t max, uint32_t **list);

/* ---- store.cu, sums.cu, neighbours.cu: as in struct koshu_j_store_ops ---- */

koshu_status j_store_reserve(koshu_backend_j_store *store, size_t capacity);
koshu_status j_store_set(koshu_backend_j_store *store, const uint64_t *index,
                         const koshu_j_particles *particles, size_t stride);
bool
j_store_can(const koshu_backend_j_store *store, const koshu_jerk_task *task);
koshu_status j_store_start(koshu_backend_j_store *store,
                           const koshu_jerk_task *task, double time, size_t n_j,
                           size_t n_i, const koshu_i_particle *i);
koshu_status
j_store_wait(koshu_backend_j_store *store, koshu_jerk_result *result);
koshu_status j_store_neighbours(koshu_backend_j_store *store, size_t max,
                                uint64_t *count, uint64_t *index);

} /* namespace koshu */

#endif
