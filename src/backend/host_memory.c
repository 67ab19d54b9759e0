/* SPDX-License-Identifier: MIT */
#include "backend/host_memory.h"

#include <string.h>

#include "base/base.h"

static size_t
blocks_of(size_t capacity)
{
    return capacity / HOST_LANES + (capacity % HOST_LANES != 0);
}

koshu_status
koshu_host_memory_make(struct host_memory *memory,
                       struct koshu_context *context, size_t capacity)
{
    *memory = (struct host_memory){.context = context};
    return koshu_host_memory_reserve(memory, capacity);
}

void
koshu_host_memory_free(struct host_memory *memory)
{
    koshu_free(memory->blocks);
    koshu_free(memory->id);
    koshu_free(memory->is_set);
    koshu_free(memory->i);
    koshu_free(memory->result);
}

koshu_status
koshu_host_memory_reserve(struct host_memory *memory, size_t capacity)
{
    struct host_memory *m = memory;
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
koshu_host_memory_set(struct host_memory *memory, size_t n,
                      const uint64_t *address,
                      const struct koshu_j_particle *particles)
{
    for (size_t k = 0; k < n; k++) {
        const struct koshu_j_particle *p = &particles[k];
        size_t slot = address ? (size_t)address[k] : k;
        struct host_block *b = &memory->blocks[slot / HOST_LANES];
        size_t lane = slot % HOST_LANES;
        memory->id[slot] = p->id;
        memory->is_set[slot] = true;
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
    if (n > 0) memory->predicted_n = 0;
    size_t *to = &memory->all_set_to;
    while (*to < memory->capacity && memory->is_set[*to]) ++*to;
}

/* ---- sums ---------------------------------------------------------------- */

static koshu_status
make_room(struct host_memory *m, size_t n_i)
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
koshu_host_memory_begin(struct host_memory *memory,
                        const struct koshu_jerk_task *task, size_t n_j,
                        size_t n_i, const struct koshu_i_particle *i)
{
    KOSHU_TRY(make_room(memory, n_i));
    memcpy(memory->i, i, n_i * sizeof *i);
    memory->nearest = task->nearest;
    memory->n_i = n_i;
    memory->n_j = n_j;
    return KOSHU_OK;
}

void
koshu_host_memory_end(const struct host_memory *memory,
                      struct koshu_jerk_result *result)
{
    for (size_t k = 0; k < memory->n_i; k++) {
        struct koshu_jerk_result *to = &result[k];
        const struct koshu_jerk_result *from = &memory->result[k];
        memcpy(to->a, from->a, sizeof to->a);
        memcpy(to->jerk, from->jerk, sizeof to->jerk);
        to->potential = from->potential;
        if (!memory->nearest) continue;
        to->nearest_r2 = from->nearest_r2;
        to->nearest = from->nearest;
    }
}

bool
koshu_host_memory_moves(struct host_memory *memory, double time, size_t n_j)
{
    if (n_j == memory->predicted_n && time == memory->predicted_time)
        return false;
    memory->predicted_n = n_j;
    memory->predicted_time = time;
    return true;
}
