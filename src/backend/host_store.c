/* SPDX-License-Identifier: MIT */
#include "backend/host_store.h"

#include <string.h>

#include "base/base.h"

static size_t
blocks_of(size_t capacity)
{
    return capacity / HOST_LANES + (capacity % HOST_LANES != 0);
}

koshu_status
koshu_host_store_make(struct host_store *store, struct koshu_context *context,
                      size_t capacity)
{
    *store = (struct host_store){.context = context};
    return koshu_host_store_reserve(store, capacity);
}

void
koshu_host_store_free(struct host_store *store)
{
    koshu_free(store->blocks);
    koshu_free(store->id);
    koshu_free(store->is_set);
    koshu_free(store->i);
    koshu_free(store->result);
}

koshu_status
koshu_host_store_reserve(struct host_store *store, size_t capacity)
{
    struct host_store *m = store;
    size_t n = blocks_of(capacity), bytes = n * sizeof *m->blocks;
    struct host_block *blocks = koshu_alloc(n, sizeof *blocks);
    int64_t *id = koshu_alloc(capacity, sizeof *id);
    bool *is_set = koshu_alloc(capacity, sizeof *is_set);
    if (!blocks || !id || !is_set) {
        koshu_free(blocks);
        koshu_free(id);
        koshu_free(is_set);
        return koshu_fail_memory(m->context, bytes, "j-particles");
    }
    if (m->capacity > 0) {
        memcpy(blocks, m->blocks, blocks_of(m->capacity) * sizeof *blocks);
        memcpy(id, m->id, m->capacity * sizeof *id);
        memcpy(is_set, m->is_set, m->capacity * sizeof *is_set);
    }
    for (size_t k = m->capacity; k < capacity; k++) id[k] = (int64_t)k;
    koshu_free(m->blocks);
    koshu_free(m->id);
    koshu_free(m->is_set);
    m->blocks = blocks;
    m->id = id;
    m->is_set = is_set;
    m->capacity = capacity;
    return KOSHU_OK;
}

void
koshu_host_store_set(struct host_store *store, size_t n,
                     const uint64_t *address,
                     const struct koshu_j_particle *particles)
{
    for (size_t k = 0; k < n; k++) {
        const struct koshu_j_particle *p = &particles[k];
        size_t index = address ? (size_t)address[k] : k;
        struct host_block *b = &store->blocks[index / HOST_LANES];
        size_t lane = index % HOST_LANES;
        store->id[index] = p->id;
        store->is_set[index] = true;
        b->time[lane] = p->time;
        b->mass[lane] = p->mass;
        for (int c = 0; c < 3; c++) {
            b->x[c][lane] = p->x[c];
            b->v[c][lane] = p->v[c];
            b->a[c][lane] = p->a[c];
            b->jerk[c][lane] = p->jerk[c];
            b->snap[c][lane] = p->snap[c];
        }
    }
    if (n > 0) store->predicted_n = 0;
    size_t *to = &store->all_set_to;
    while (*to < store->capacity && store->is_set[*to]) ++*to;
}

/* ---- sums ---------------------------------------------------------------- */

static koshu_status
reserve_sums(struct host_store *m, size_t n_i)
{
    if (n_i <= m->capacity_i) return KOSHU_OK;
    struct koshu_i_particle *i = koshu_alloc(n_i, sizeof *i);
    struct koshu_jerk_result *result = koshu_alloc(n_i, sizeof *result);
    if (!i || !result) {
        koshu_free(i);
        koshu_free(result);
        return koshu_fail_memory(m->context, n_i * (sizeof *i + sizeof *result),
                                 "i-particles and results");
    }
    koshu_free(m->i);
    koshu_free(m->result);
    m->i = i;
    m->result = result;
    m->capacity_i = n_i;
    return KOSHU_OK;
}

koshu_status
koshu_host_store_start(struct host_store *store,
                       const struct koshu_jerk_task *task, size_t n_j,
                       size_t n_i, const struct koshu_i_particle *i)
{
    KOSHU_TRY(reserve_sums(store, n_i));
    memcpy(store->i, i, n_i * sizeof *i);
    store->nearest = task->nearest;
    store->n_i = n_i;
    store->n_j = n_j;
    return KOSHU_OK;
}

void
koshu_host_store_results(const struct host_store *store,
                         struct koshu_jerk_result *result)
{
    for (size_t k = 0; k < store->n_i; k++) {
        struct koshu_jerk_result *to = &result[k];
        const struct koshu_jerk_result *from = &store->result[k];
        memcpy(to->a, from->a, sizeof to->a);
        memcpy(to->jerk, from->jerk, sizeof to->jerk);
        to->potential = from->potential;
        if (!store->nearest) continue;
        to->nearest_r2 = from->nearest_r2;
        to->nearest = from->nearest;
    }
}

bool
koshu_host_store_moves(struct host_store *store, double time, size_t n_j)
{
    if (n_j == store->predicted_n && time == store->predicted_time)
        return false;
    store->predicted_n = n_j;
    store->predicted_time = time;
    return true;
}
