/* SPDX-License-Identifier: MIT */
/* backend/partition.h for a CUDA device: the tables of operations. */
#include <stdlib.h>

#include "backend/cuda/internal.h"
#include "backend/cuda/ranks/nccl.h"
#include "backend/cuda/ranks/ranks.h"
#include "base/base.h"
#include "particles/particles.h"

struct koshu_backend_partition {
    struct koshu_backend *backend;
    struct koshu_context *context;
    struct koshu_cuda_partition *cuda;
    struct koshu_nccl nccl;
};

static koshu_status
check(const struct koshu_backend_partition *s, int error, const char *doing)
{
    return koshu_cuda_check(s->context, error, doing);
}

/* ---- life and capacity ----------------------------------------------------
 */

static void
destroy(struct koshu_backend_partition *s)
{
    if (!s) return;
    koshu_nccl_leave(&s->nccl);
    koshu_cuda_partition_destroy(s->cuda);
    free(s);
}

static koshu_status
create(struct koshu_backend *backend, int rank, int n_ranks,
       struct koshu_backend_partition **partition)
{
    struct koshu_backend_partition *s = *partition = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(backend->context, sizeof *s, "partition");
    s->backend = backend;
    s->context = backend->context;
    koshu_status status =
            check(s,
                  koshu_cuda_partition_create(
                          ((struct koshu_cuda_backend *)backend)->cuda, rank,
                          n_ranks, &s->cuda),
                  "sharing sums with other ranks");
    if (status == KOSHU_OK) return KOSHU_OK;
    destroy(s);
    *partition = NULL;
    return status;
}

static bool
has_capacity(const struct koshu_backend_partition *s,
             const struct koshu_force_task *task, size_t total)
{
    return koshu_cuda_partition_has_capacity(s->cuda, task, total);
}

static koshu_status
reserve(struct koshu_backend_partition *s, const struct koshu_force_task *task,
        size_t total)
{
    return check(s, koshu_cuda_partition_reserve(s->cuda, task, total),
                 "making room for the particles of all ranks");
}

/* ---- sums -----------------------------------------------------------------
 */

static koshu_status
measure(struct koshu_backend_partition *s, const struct koshu_force_task *task,
        struct koshu_particles *particles, unsigned fields,
        struct koshu_partition_extent *extent, bool *needs_all)
{
    struct koshu_cuda_store *store;
    KOSHU_TRY(koshu_cuda_store_of(s->backend, particles, &store));
    KOSHU_TRY(koshu_cuda_start_forces(particles, fields));
    return check(s,
                 koshu_cuda_partition_measure(s->cuda, task, store,
                                              koshu_particles_total(particles),
                                              extent, needs_all),
                 "making ready for the particles of all ranks");
}

static koshu_status
start(struct koshu_backend_partition *s,
      const struct koshu_partition_extent *all)
{
    return check(s, koshu_cuda_partition_start(s->cuda, all),
                 "packing particles");
}

static koshu_status
sum(struct koshu_backend_partition *s)
{
    return check(s, koshu_cuda_partition_sum(s->cuda), "summing forces");
}

static koshu_status
add(struct koshu_backend_partition *s, const struct koshu_partition_range *to,
    const struct koshu_partition_range *come)
{
    return check(s, koshu_cuda_partition_add(s->cuda, to, come),
                 "adding sums of other ranks");
}

static koshu_status
finish(struct koshu_backend_partition *s)
{
    return check(s, koshu_cuda_partition_finish(s->cuda), "summing forces");
}

static koshu_status
wait_partition(struct koshu_backend_partition *s)
{
    return check(s, koshu_cuda_partition_wait(s->cuda),
                 "waiting for the device");
}

static size_t
chunks(const struct koshu_backend_partition *s,
       const struct koshu_partition_range *range,
       struct koshu_partition_chunk chunks[KOSHU_PARTITION_CHUNKS])
{
    return koshu_cuda_partition_chunks(s->cuda, range, chunks);
}

/* ---- by the host ----------------------------------------------------------
 */

static const char by_host[] = "copying particles to and from the host";

static koshu_status
stage_open(struct koshu_backend_partition *s)
{
    return check(s, koshu_cuda_stage_open(s->cuda),
                 "making room for copies on the host");
}

static void *
stage_buffer(const struct koshu_backend_partition *s, bool out, int k)
{
    return koshu_cuda_stage_buffer(s->cuda, out, k);
}

static koshu_status
stage_start(struct koshu_backend_partition *s)
{
    return check(s, koshu_cuda_stage_start(s->cuda), by_host);
}

static koshu_status
stage_out(struct koshu_backend_partition *s, int k,
          const struct koshu_partition_chunk *from)
{
    return check(s, koshu_cuda_stage_out(s->cuda, k, from), by_host);
}

static koshu_status
stage_in(struct koshu_backend_partition *s, int k,
         const struct koshu_partition_chunk *to)
{
    return check(s, koshu_cuda_stage_in(s->cuda, k, to), by_host);
}

static koshu_status
stage_wait(struct koshu_backend_partition *s, bool out, int k)
{
    return check(s, koshu_cuda_stage_wait(s->cuda, out, k), by_host);
}

static koshu_status
stage_finish(struct koshu_backend_partition *s)
{
    return check(s, koshu_cuda_stage_finish(s->cuda), by_host);
}

static const struct koshu_partition_stage_ops stage_ops = {
        .open = stage_open,
        .buffer = stage_buffer,
        .start = stage_start,
        .out = stage_out,
        .in = stage_in,
        .wait = stage_wait,
        .finish = stage_finish};

/* ---- to peers -------------------------------------------------------------
 */

/* Where another process's memory cannot be opened this transport cannot be
 * used. */
static koshu_status
unsupported(const struct koshu_backend_partition *s, int error)
{
    if (error == 0) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_UNSUPPORTED,
                      "run.transport: peer: the memory of another rank's GPU "
                      "cannot be opened: %s; use another transport",
                      koshu_cuda_error(error));
}

static koshu_status
peer_handle(struct koshu_backend_partition *s,
            struct koshu_partition_handle *handle)
{
    return unsupported(s, koshu_cuda_peer_handle(s->cuda, handle));
}

static koshu_status
peer_open(struct koshu_backend_partition *s,
          const struct koshu_partition_handle handles[])
{
    return unsupported(s, koshu_cuda_peer_open(s->cuda, handles));
}

static void
peer_close(struct koshu_backend_partition *s)
{
    koshu_cuda_peer_close(s->cuda);
}

static koshu_status
peer_await(struct koshu_backend_partition *s, enum koshu_partition_mark mark)
{
    return check(s, koshu_cuda_peer_await(s->cuda, mark),
                 "waiting for other GPUs");
}

static const struct koshu_partition_peer_ops peer_ops = {.handle = peer_handle,
                                                         .open = peer_open,
                                                         .close = peer_close,
                                                         .await = peer_await};

/* ---- by NCCL --------------------------------------------------------------
 */

static koshu_status
nccl_group(struct koshu_backend_partition *s,
           struct koshu_partition_group *group)
{
    return koshu_nccl_group(s->context, &s->nccl, group);
}

static koshu_status
nccl_join(struct koshu_backend_partition *s,
          const struct koshu_partition_group *group)
{
    return koshu_nccl_join(s->context, &s->nccl, koshu_context_rank(s->context),
                           koshu_context_ranks(s->context), group);
}

static koshu_status
nccl_exchange(struct koshu_backend_partition *s, int to,
              const struct koshu_partition_range *send, int from,
              const struct koshu_partition_range *receive)
{
    struct koshu_partition_chunk out[KOSHU_PARTITION_CHUNKS],
            in[KOSHU_PARTITION_CHUNKS];
    size_t n = koshu_cuda_partition_chunks(s->cuda, send, out);
    koshu_cuda_partition_chunks(s->cuda, receive, in);
    return koshu_nccl_exchange(s->context, &s->nccl, n, to, out, from, in,
                               koshu_cuda_partition_stream(s->cuda));
}

static const struct koshu_partition_nccl_ops nccl_ops = {
        .group = nccl_group, .join = nccl_join, .exchange = nccl_exchange};

/* ---- the table ------------------------------------------------------------
 */

const struct koshu_partition_ops koshu_cuda_partition = {.create = create,
                                                         .destroy = destroy,
                                                         .has_capacity =
                                                                 has_capacity,
                                                         .reserve = reserve,
                                                         .measure = measure,
                                                         .start = start,
                                                         .sum = sum,
                                                         .add = add,
                                                         .finish = finish,
                                                         .wait = wait_partition,
                                                         .chunks = chunks,
                                                         .stage = &stage_ops,
                                                         .peer = &peer_ops,
                                                         .nccl = &nccl_ops};
