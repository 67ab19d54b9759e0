/* SPDX-License-Identifier: MIT */
/*
 * The state of a member of those that divide the pairs: a rank with its device,
 * or a device of this process. All members do the same steps, and each waits
 * for marks of the others:
 *
 * scatter   packs its particles, into the arrays of all members if it can write
 *             there, else into its own; sets the mark SCATTERED
 * sum_part  computes its part of all pairs from the particles of all; writes
 *             the sums to where they are added, or into its own array; SUMMED
 * finish    adds what all members have summed for its particles, in an order
 *             that depends only on the number of members; DONE
 *
 * In between, data that were not written directly to their destination are
 * copied: by the transports of devices/transports.c between ranks, by copies
 * within one process (forces.cu).
 */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_PARTITION_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_PARTITION_CUH

#include "backend/cuda/cuda.h"
#include "backend/cuda/devices/arrays.cuh"
#include "backend/cuda/particles/store.cuh"

struct koshu_backend_partition : koshu_device_arrays {
    koshu_backend *backend;     /* only for ranks */
    koshu::partition mine;      /* of the pairs */
    koshu::distribution slices; /* of all members */
    koshu::buffer points, sums, come;

    /* The current call. */
    koshu_force_task task;
    const koshu::precision_functions *functions;
    koshu_cuda_store *store;
    koshu::force_setup setup;
    koshu::progress noted; /* by the last kernel */

    /* Only for ranks: exchange.cu */
    koshu::event done[2]; /* the last sums, alternating */
    unsigned sum_number;
};

namespace koshu {

enum { SUM_BYTES = 4 * sizeof(double), QUAD_BYTES = 16 };

/* The arrays that others write to. */
enum { PEER_POINTS, PEER_COME };

/* make_partition() returns NULL without host memory; destroy_partition()
 * accepts NULL. */
koshu_backend_partition *
make_partition(koshu_cuda *cuda, size_t place, const partition &mine);
void destroy_partition(koshu_backend_partition *part);

/* Memory for sums over `total` particles; that of `sums` only if requested. */
bool has_capacity(const koshu_backend_partition *part,
                  const koshu_force_task *task, size_t total);
cudaError_t reserve_memory(koshu_backend_partition *part,
                           const precision_functions &functions, size_t total,
                           bool sums);

/* Clears the points before sums over these slices with these functions, if
 * there were others before. Waits. */
cudaError_t clear_points(koshu_backend_partition *part,
                         const precision_functions &functions,
                         const distribution &slices);

/* The particles of slice k and those after it: quads of 16 bytes. */
packed_memory points_from(const koshu_backend_partition *part, size_t k);

/* Where member `from` puts what it has summed for slice k, within `come` of
 * that slice's member. */
double *come_from(const koshu_backend_partition *part, void *come, size_t from,
                  size_t k);

/* The steps. */
cudaError_t scatter(koshu_backend_partition *part);
cudaError_t sum_part(koshu_backend_partition *part);
cudaError_t finish(koshu_backend_partition *part, const parts_list &parts);

/* The own slice of the sums, or what has come from each member. */
parts_list parts_of(const koshu_backend_partition *part);

} /* namespace koshu */

#endif
