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
#include "backend/cuda/particles/store.cuh"

namespace koshu {

/* Copies to or from the host: a stream, with two buffers. */
struct staged_direction {
    host_buffer buffers;
    koshu::stream stream;
    event done[KOSHU_PARTITION_BUFFERS];
};

/* Arrays and marks of a member, as another sees them. */
struct peer {
    int device; /* in one process */
    void *points, *come;
    const void *sums; /* in one process */
    cudaEvent_t mark[KOSHU_PARTITION_MARKS];
};

} /* namespace koshu */

struct koshu_backend_partition {
    koshu_backend *backend; /* of ranks */
    koshu_cuda *cuda;
    size_t place; /* among the members */
    bool in_process;
    koshu::partition mine;      /* of the pairs */
    koshu::distribution slices; /* of all members */
    koshu::buffer points, sums, come;

    /* This call. */
    koshu_force_task task;
    const koshu::precision_functions *functions;
    koshu_cuda_store *store;
    koshu::force_setup setup;
    koshu::progress noted; /* by the kernel that ends it */

    koshu::peer peers[KOSHU_MAX_DEVICES]; /* of each member, where connected */
    bool connected;
    bool writes; /* kernels write into the arrays of peers */
    koshu::event mark[KOSHU_PARTITION_MARKS];

    /* Of ranks: exchange.cu, stage.cu */
    koshu::staged_direction out, in;
    koshu::event here;    /* what a copy waits for */
    koshu::event done[2]; /* the last sums, in turn */
    unsigned sum_number;
};

namespace koshu {

enum { SUM_BYTES = 4 * sizeof(double), QUAD_BYTES = 16 };

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

/* What is enqueued from now on comes after this mark of all others, which have
 * enqueued it. */
cudaError_t
await(const koshu_backend_partition *part, koshu_partition_mark mark);

/* Those of ranks. */
void close_peers(koshu_backend_partition *part);
extern const koshu_partition_stage_ops stage_ops;
extern const koshu_partition_peer_ops peer_ops;

} /* namespace koshu */

#endif
