/* SPDX-License-Identifier: MIT */
/* The j-particle store in the table of the CUDA backend. */
#include "backend/cuda/j_store/j_store.h"

#include <stdlib.h>

#include "backend/cuda/internal.h"
#include "base/base.h"

struct koshu_backend_j_store {
    struct koshu_context *context;
    struct koshu_cuda *cuda;
    enum koshu_precision precision;
    struct koshu_cuda_j_store *device;
};

static void
destroy(struct koshu_backend_j_store *memory)
{
    koshu_cuda_j_store_destroy(memory->device);
    free(memory);
}

static koshu_status
create(struct koshu_backend *backend, enum koshu_precision precision,
       size_t capacity, struct koshu_backend_j_store **memory)
{
    struct koshu_cuda *cuda = ((struct koshu_cuda_backend *)backend)->cuda;
    struct koshu_backend_j_store *m = calloc(1, sizeof *m);
    if (!m)
        return koshu_fail_memory(backend->context, sizeof *m,
                                 "j-particle store");
    m->context = backend->context;
    m->cuda = cuda;
    m->precision = precision;
    koshu_cuda_enter(cuda);
    koshu_status status = koshu_cuda_check(
            m->context,
            koshu_cuda_j_store_create(cuda, precision, capacity, &m->device),
            "making room for j-particles on the device");
    if (status != KOSHU_OK) {
        destroy(m);
        return status;
    }
    *memory = m;
    return KOSHU_OK;
}

static bool
can(const struct koshu_backend_j_store *memory,
    const struct koshu_jerk_task *task)
{
    const double max_eps =
            0x1p40; /* beside it squares of distances are floats */
    const double eps = task->eps / koshu_cuda_j_store_length(memory->device);
    return koshu_cuda_can_soften(memory->precision, eps) &&
           (memory->precision == KOSHU_PRECISION_DOUBLE || eps <= max_eps);
}

static koshu_status
reserve(struct koshu_backend_j_store *memory, size_t capacity)
{
    koshu_cuda_enter(memory->cuda);
    return koshu_cuda_check(
            memory->context,
            koshu_cuda_j_store_reserve(memory->device, capacity),
            "making room for j-particles on the device");
}

static koshu_status
set(struct koshu_backend_j_store *memory, size_t n, const uint64_t *address,
    const struct koshu_j_particle *particles)
{
    koshu_cuda_enter(memory->cuda);
    return koshu_cuda_check(
            memory->context,
            koshu_cuda_j_store_set(memory->device, n, address, particles),
            "copying j-particles to the device");
}

static koshu_status
start(struct koshu_backend_j_store *memory, const struct koshu_jerk_task *task,
      double time, size_t n_j, size_t n_i, const struct koshu_i_particle *i)
{
    koshu_cuda_enter(memory->cuda);
    return koshu_cuda_check(
            memory->context,
            koshu_cuda_j_store_start(memory->device, task, time, n_j, n_i, i),
            "beginning sums over j-particles");
}

static koshu_status
wait_for(struct koshu_backend_j_store *memory, struct koshu_jerk_result *result)
{
    koshu_cuda_enter(memory->cuda);
    return koshu_cuda_check(memory->context,
                            koshu_cuda_j_store_wait(memory->device, result),
                            "summing over j-particles");
}

static koshu_status
neighbours(struct koshu_backend_j_store *memory, size_t max, uint64_t *count,
           uint64_t *address)
{
    koshu_cuda_enter(memory->cuda);
    return koshu_cuda_check(
            memory->context,
            koshu_cuda_j_store_neighbours(memory->device, max, count, address),
            "listing neighbours");
}

const struct koshu_j_store_ops koshu_cuda_j_store = {
        .bytes_per_particle = sizeof(int64_t) + sizeof(int16_t),
        .create = create,
        .destroy = destroy,
        .can = can,
        .reserve = reserve,
        .set = set,
        .start = start,
        .wait = wait_for,
        .neighbours = neighbours,
};
