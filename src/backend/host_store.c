/* SPDX-License-Identifier: MIT */
/* j-particle stores in the host's memory: particles, and results of sums. */
#include "backend/host_store.h"

#include <string.h>

#include "base/base.h"

static size_t
blocks_of(size_t capacity)
{
    return capacity / HOST_LANES + (capacity % HOST_LANES != 0);
}

void
koshu_host_store_close(struct koshu_backend_j_store *store)
{
    struct host_store *m = (struct host_store *)store;
    koshu_free(m->blocks);
    koshu_free(m->id);
    koshu_free(m->is_set);
    koshu_free(m->was_set);
    koshu_free(m->i);
    koshu_free(m->result);
}

/* Enlarges an array to n elements; the new ones are zero. */
static koshu_status
enlarge(const struct host_store *m, void *array, size_t before, size_t n,
        size_t size)
{
    void **old = array, *larger = koshu_alloc(n, size);
    if (!larger)
        return koshu_fail_memory(m->base.backend->context, n * size,
                                 "j-particles");
    if (before > 0) memcpy(larger, *old, before * size);
    koshu_free(*old);
    *old = larger;
    return KOSHU_OK;
}

koshu_status
koshu_host_store_reserve(struct koshu_backend_j_store *store, size_t capacity)
{
    struct host_store *m = (struct host_store *)store;
    const size_t now = store->capacity;
    KOSHU_TRY(enlarge(m, &m->blocks, blocks_of(now), blocks_of(capacity),
                      sizeof *m->blocks));
    KOSHU_TRY(enlarge(m, &m->id, now, capacity, sizeof *m->id));
    KOSHU_TRY(enlarge(m, &m->is_set, now, capacity, sizeof *m->is_set));
    KOSHU_TRY(enlarge(m, &m->was_set, now, capacity, sizeof *m->was_set));
    for (size_t k = now; k < capacity; k++) m->id[k] = (int64_t)k;
    return KOSHU_OK;
}

static inline void
set_vector(double to[3][HOST_LANES], size_t lane, const double *x,
           const double *y, const double *z, size_t at)
{
    double vector[3];
    koshu_j_vector(vector, x, y, z, at);
    for (int c = 0; c < 3; c++) to[c][lane] = vector[c];
}

/* Not inlined, because most calls set one particle: in the loop all pointers
 * would be loaded at the start. */
static __attribute__((noinline)) void
set_one(struct host_store *m, size_t index, const struct koshu_j_particles *p,
        size_t at)
{
    struct host_block *b = &m->blocks[index / HOST_LANES];
    const size_t lane = index % HOST_LANES;
    m->id[index] = koshu_j_id(p, at, index);
    m->has_new |= !m->is_set[index];
    m->is_set[index] = true;
    b->time[lane] = p->time ? p->time[at] : 0;
    b->mass[lane] = p->mass[at];
    set_vector(b->x, lane, p->x, p->y, p->z, at);
    set_vector(b->v, lane, p->vx, p->vy, p->vz, at);
    set_vector(b->a, lane, p->ax, p->ay, p->az, at);
    set_vector(b->jerk, lane, p->jx, p->jy, p->jz, at);
    set_vector(b->snap, lane, p->sx, p->sy, p->sz, at);
}

koshu_status
koshu_host_store_set(struct koshu_backend_j_store *store, const uint64_t *index,
                     const struct koshu_j_particles *particles, size_t stride)
{
    struct host_store *m = (struct host_store *)store;
    for (size_t k = 0; k < particles->n; k++)
        set_one(m, koshu_j_index(index, k), particles, k * stride);
    m->predicted_n = 0;
    size_t *to = &m->all_set_to;
    while (*to < store->capacity && m->is_set[*to]) ++*to;
    return KOSHU_OK;
}

int64_t
koshu_host_store_id(const struct koshu_backend_j_store *store, uint64_t index)
{
    return ((const struct host_store *)store)->id[index];
}

/* ---- sums ---------------------------------------------------------------- */

koshu_status
koshu_host_store_start(struct host_store *store,
                       const struct koshu_jerk_task *task, size_t n_j,
                       size_t n_i, const struct koshu_i_particle *i)
{
    struct koshu_context *context = store->base.backend->context;
    KOSHU_TRY(KOSHU_GROW(store, i, n_i, context, "i-particles and results"));
    KOSHU_TRY(
            KOSHU_GROW(store, result, n_i, context, "i-particles and results"));
    memcpy(store->i, i, n_i * sizeof *i);
    store->nearest = task->nearest;
    store->n_i = n_i;
    store->n_j = n_j;
    return KOSHU_OK;
}

koshu_status
koshu_host_store_wait(struct koshu_backend_j_store *base,
                      struct koshu_jerk_result *result)
{
    const struct host_store *store = (const struct host_store *)base;
    for (size_t k = 0; k < store->n_i; k++) {
        const struct koshu_jerk_result before = result[k];
        result[k] = store->result[k];
        if (store->nearest) continue;
        result[k].nearest_r2 = before.nearest_r2;
        result[k].nearest = before.nearest;
    }
    return KOSHU_OK;
}

bool
koshu_host_store_moves(struct host_store *store, double time, size_t n_j)
{
    if (n_j == store->predicted_n && time == store->predicted_time)
        return false;
    store->predicted_n = n_j;
    store->predicted_time = time;
    if (store->has_new)
        memcpy(store->was_set, store->is_set,
               store->base.capacity * sizeof *store->is_set);
    store->has_new = false;
    return true;
}
