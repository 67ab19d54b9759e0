/* SPDX-License-Identifier: MIT */
/* j-particle stores: what all backends have in common. */
#include "backend/j_store.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"

_Static_assert(sizeof(struct koshu_j_particle) % sizeof(double) == 0 &&
                       sizeof(int64_t) == sizeof(double),
               "structs are a number of doubles apart");

/* Does the machine have memory for this capacity? Tested before allocation:
 * Linux grants any memory at first, and kills the program when it is used. */
static koshu_status
require(const struct koshu_backend_j_store *store, size_t capacity)
{
    const double bytes =
            (double)capacity * (double)store->ops->bytes_per_particle;
    char purpose[64];
    snprintf(purpose, sizeof purpose, "a store of %zu j-particles", capacity);
    return koshu_require_memory(store->backend->context,
                                bytes < 0x1p63 ? (uint64_t)bytes
                                               : UINT64_MAX - 1,
                                purpose, "use lower indices, or fewer of them");
}

koshu_status
koshu_backend_j_store_create(struct koshu_backend *backend,
                             enum koshu_precision precision, size_t capacity,
                             struct koshu_backend_j_store **store)
{
    const struct koshu_j_store_ops *ops = backend->ops->j_store;
    if (!ops)
        return koshu_fail(backend->context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s has no j-particle store",
                          backend->ops->name);
    struct koshu_backend_j_store *m = calloc(1, ops->size);
    if (!m)
        return koshu_fail_memory(backend->context, ops->size,
                                 "j-particle store");
    *m = (struct koshu_backend_j_store){
            .backend = backend, .ops = ops, .precision = precision};
    koshu_status status = ops->open ? ops->open(m) : KOSHU_OK;
    if (status == KOSHU_OK) status = koshu_backend_j_store_reserve(m, capacity);
    if (status == KOSHU_OK)
        *store = m;
    else
        koshu_backend_j_store_destroy(m);
    return status;
}

void
koshu_backend_j_store_destroy(struct koshu_backend_j_store *store)
{
    if (!store) return;
    store->ops->close(store);
    free(store);
}

koshu_status
koshu_backend_j_store_reserve(struct koshu_backend_j_store *store,
                              size_t capacity)
{
    if (capacity <= store->capacity) return KOSHU_OK;
    KOSHU_TRY(require(store, capacity));
    KOSHU_TRY(store->ops->reserve(store, capacity));
    store->capacity = capacity;
    return KOSHU_OK;
}

koshu_status
koshu_backend_j_store_set_structs(struct koshu_backend_j_store *store, size_t n,
                                  const uint64_t *index,
                                  const struct koshu_j_particle *p)
{
    const struct koshu_j_particles first = {.n = n,
                                            .x = &p->x[0],
                                            .y = &p->x[1],
                                            .z = &p->x[2],
                                            .mass = &p->mass,
                                            .id = &p->id,
                                            .vx = &p->v[0],
                                            .vy = &p->v[1],
                                            .vz = &p->v[2],
                                            .ax = &p->a[0],
                                            .ay = &p->a[1],
                                            .az = &p->a[2],
                                            .jx = &p->jerk[0],
                                            .jy = &p->jerk[1],
                                            .jz = &p->jerk[2],
                                            .sx = &p->snap[0],
                                            .sy = &p->snap[1],
                                            .sz = &p->snap[2],
                                            .time = &p->time};
    return store->ops->set(store, index, &first, sizeof *p / sizeof(double));
}

bool
koshu_backend_j_store_can(const struct koshu_backend_j_store *store,
                          const struct koshu_jerk_task *task)
{
    return !store->ops->can || store->ops->can(store, task);
}

koshu_status
koshu_backend_j_store_require(const struct koshu_backend_j_store *store,
                              const struct koshu_jerk_task *task)
{
    if (koshu_backend_j_store_can(store, task)) return KOSHU_OK;
    return koshu_fail(store->backend->context, KOSHU_ERROR_UNSUPPORTED,
                      "backend %s cannot sum jerks in %s precision with "
                      "softening %g; use double precision, or units in which "
                      "it is nearer to 1",
                      store->backend->ops->name,
                      koshu_precision_name(store->precision), task->eps);
}
