/* SPDX-License-Identifier: MIT */
/* Hermite with block time steps: the operations of the CUDA backend. */
#include <stdlib.h>

#include "backend/cuda/hermite/block.h"
#include "backend/cuda/internal.h"
#include "base/base.h"

struct koshu_block_engine {
    struct koshu_context *context;
    struct koshu_cuda *cuda;
    struct koshu_cuda_block *device;
    size_t n;
    uint8_t *level;       /* room for n */
    koshu_status outcome; /* of the last run */
};

static bool
can(const struct koshu_backend *backend, const struct koshu_block_task *task,
    size_t n)
{
    (void)backend;
    return n <= KOSHU_CUDA_BLOCK_MAX_N &&
           koshu_cuda_can_soften(task->precision, task->eps);
}

/* Levels of the steps, and the time at which all particles of a step stand
 * where it says. */
static koshu_status
find_levels(struct koshu_context *context,
            const struct koshu_block_particles *p, uint8_t *level,
            uint64_t *time)
{
    *time = 0;
    for (size_t k = 0; k < p->n; k++)
        if (p->tick[k] > *time) *time = p->tick[k];
    for (size_t k = 0; k < p->n; k++) {
        uint64_t step = p->step[k];
        if (step == 0 || (step & (step - 1)) != 0 ||
            p->tick[k] != (*time & ~(step - 1)))
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "cuda: particle %zu at tick %llu with a step of "
                              "%llu ticks is not in block steps at tick %llu",
                              k, (unsigned long long)p->tick[k],
                              (unsigned long long)step,
                              (unsigned long long)*time);
        level[k] = (uint8_t)__builtin_ctzll(step);
    }
    return KOSHU_OK;
}

static void
destroy(struct koshu_block_engine *engine)
{
    if (!engine) return;
    koshu_cuda_block_destroy(engine->device);
    koshu_free(engine->level);
    free(engine);
}

static koshu_status
create(struct koshu_backend *backend, const struct koshu_block_task *task,
       const struct koshu_block_particles *particles,
       struct koshu_block_engine **engine)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    struct koshu_block_engine *e = calloc(1, sizeof *e);
    koshu_status status;
    uint64_t time;
    if (!e) return koshu_fail_memory(backend->context, sizeof *e, "engine");
    e->context = backend->context;
    e->cuda = b->cuda;
    koshu_cuda_enter(e->cuda);
    e->n = particles->n;
    e->level = koshu_alloc(e->n, sizeof *e->level);
    if (!e->level) {
        status = koshu_fail_memory(e->context, e->n, "block time steps");
        goto cleanup;
    }
    KOSHU_TRY_CLEANUP(find_levels(e->context, particles, e->level, &time));
    KOSHU_TRY_CLEANUP(koshu_cuda_check(
            e->context,
            koshu_cuda_block_create(b->cuda, task, particles, e->level, time,
                                    &e->device),
            "making room for block time steps on the device"));
    *engine = e;
    return KOSHU_OK;
cleanup:
    destroy(e);
    return status;
}

static koshu_status
run(struct koshu_block_engine *engine, uint64_t until, uint64_t max_block_steps,
    struct koshu_block_progress *progress)
{
    koshu_cuda_enter(engine->cuda);
    KOSHU_TRY(koshu_cuda_check(engine->context,
                               koshu_cuda_block_run(engine->device, until,
                                                    max_block_steps, progress,
                                                    &engine->outcome),
                               "making block time steps"));
    return engine->outcome;
}

static koshu_status
read_back(struct koshu_block_engine *engine,
          const struct koshu_block_particles *particles)
{
    uint64_t time;
    koshu_cuda_enter(engine->cuda);
    KOSHU_TRY(koshu_cuda_check(engine->context,
                               koshu_cuda_block_read(engine->device, particles,
                                                     engine->level, &time),
                               "copying particles from the device"));
    for (size_t k = 0; k < engine->n; k++) {
        bool none = engine->level[k] == KOSHU_CUDA_BLOCK_NO_STEP;
        particles->step[k] = none ? 0 : (uint64_t)1 << engine->level[k];
        particles->tick[k] = none ? time : time & ~(particles->step[k] - 1);
    }
    return KOSHU_OK;
}

const struct koshu_block_ops koshu_cuda_block = {.can = can,
                                                 .create = create,
                                                 .destroy = destroy,
                                                 .run = run,
                                                 .read = read_back};
