/* SPDX-License-Identifier: MIT */
/*
 * What a member of those that share the pairs keeps: a rank with its device, or
 * a device of this process. All members make the same steps, and each waits for
 * marks of the others:
 *
 *   scatter   packs its particles, into the arrays of all where it can write
 *             there, else into its own; notes that it has SCATTERED them
 *   sum_part  its part of all pairs, from the particles of all; the sums go to
 *             where they are added, or into an array of its own; SUMMED
 *   finish    adds what all have summed for its particles, in an order that
 *             only the number of members decides; DONE
 *
 * Between these, what was not written where it is needed is brought there: by
 * the transports of devices/transports.c between ranks, by copies in one
 * process (forces.cu).
 */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_PARTITION_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_PARTITION_CUH

#include "backend/cuda/cuda.h"
#include "backend/cuda/devices/arrays.cuh"
#include "backend/cuda/particles/store.cuh"

struct koshu_backend_partition : koshu_device_arrays {
    koshu_backend *backend;     /* of ranks */
    koshu::partition mine;      /* of the pairs */
    koshu::distribution slices; /* of all members */
    koshu::buffer points, sums, come;

    /* This call. */
    koshu_force_task task;
    const koshu::precision_functions *functions;
    koshu_cuda_store *store;
    koshu::force_setup setup;
    koshu::progress noted; /* by the kernel that ends it */

    /* Of ranks: exchange.cu */
    koshu::event done[2]; /* the last sums, in turn */
    unsigned sum_number;
};

namespace koshu {

enum { SUM_BYTES = 4 * sizeof(double), QUAD_BYTES = 16 };

/* Of the arrays those that others write to. */
enum { PEER_POINTS, PEER_COME };

/* NULL: no memory on the host. destroy: NULL is allowed. */
koshu_backend_partition *
make_partition(koshu_cuda *cuda, size_t place, const partition &mine);
void destroy_partition(koshu_backend_partition *part);

/* Memory for sums over `total` particles; that of `sums` only where
 * requested. */
bool has_capacity(const koshu_backend_partition *part,
                  const koshu_force_task *task, size_t total);
cudaError_t reserve_memory(koshu_backend_partition *part,
                           const precision_functions &functions, size_t total,
                           bool sums);

/* Before sums over the slices with these functions, where others were before:
 * no particles are there yet. Waits. */
cudaError_t clear_points(koshu_backend_partition *part,
                         const precision_functions &functions,
                         const distribution &slices);

/* The particles of all, or of slice k: quads of 16 bytes. */
packed_memory points_from(const koshu_backend_partition *part, size_t k);

/* Where member `from` leaves what it has summed for slice k, among what comes
 * to that. */
double *come_from(const koshu_backend_partition *part, void *come, size_t from,
                  size_t k);

/* The steps. */
cudaError_t scatter(koshu_backend_partition *part);
cudaError_t sum_part(koshu_backend_partition *part);
cudaError_t finish(koshu_backend_partition *part, const parts_list &parts);

/* The own slice of the sums, or what has come of each member. */
parts_list parts_of(const koshu_backend_partition *part);

} /* namespace koshu */

#endif
