/* SPDX-License-Identifier: MIT */
/*
 * koshu_j_store_*: checks arguments, collects particles that come one by one,
 * and hands them and the sums to the backend.
 */
#include <koshu/j_store.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "solve/solve.h"

/* Particles collected before they are sent. */
enum { MOST_WAITING = 4096 };

struct koshu_j_store {
    struct koshu_context *context;
    const struct koshu_j_store_ops *ops;
    struct koshu_backend_j_store *slots; /* the backend's */
    size_t capacity;
    int64_t *id;
    double time;

    /* Particles collected, for slots that are all different. Slot s waits
     * where k = place[s] < n_waiting and address[k] == s; else place[s] is any
     * number. */
    size_t n_waiting;
    uint32_t *place;
    uint64_t *address;
    struct koshu_j_particle *waiting;

    /* Of the last begin. */
    bool begun, ended;
    bool nearest;
    size_t n_i, n_j;
};

/* ---- life ---------------------------------------------------------------- */

/* Does the machine have memory for such a capacity? Asked before any is taken:
 * Linux gives it away first, and ends the program when it is used. */
static koshu_status
require(const struct koshu_j_store *m, size_t capacity)
{
    const double bytes =
            (double)capacity *
            (double)(m->ops->slot_bytes + sizeof *m->id + sizeof *m->place);
    char purpose[64];
    snprintf(purpose, sizeof purpose, "a store of %zu j-particles", capacity);
    return koshu_require_memory(
            m->context, bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX - 1,
            purpose, "use lower addresses, or fewer of them");
}

/* Arrays of a new capacity. */
static koshu_status
reserve(struct koshu_j_store *m, size_t capacity)
{
    size_t bytes;
    if (__builtin_mul_overflow(capacity, sizeof *m->id, &bytes))
        return koshu_fail_memory(m->context, SIZE_MAX, "ids of j-particles");
    int64_t *id = realloc(m->id, bytes);
    if (!id) return koshu_fail_memory(m->context, bytes, "ids of j-particles");
    m->id = id;
    uint32_t *place = realloc(m->place, capacity * sizeof *place);
    if (!place)
        return koshu_fail_memory(m->context, capacity * sizeof *place,
                                 "addresses of j-particles");
    m->place = place;
    for (size_t k = m->capacity; k < capacity; k++) {
        m->id[k] = (int64_t)k;
        m->place[k] = 0;
    }
    m->capacity = capacity;
    return KOSHU_OK;
}

static koshu_status
create(struct koshu_j_store *m, enum koshu_precision precision, size_t capacity)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(m->context, &backend));
    m->ops = backend->ops->j_store;
    if (!m->ops)
        return koshu_fail(m->context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s has no j-particle store",
                          backend->ops->name);
    KOSHU_TRY(require(m, capacity));
    m->address = calloc(MOST_WAITING, sizeof *m->address);
    m->waiting = calloc(MOST_WAITING, sizeof *m->waiting);
    if (!m->address || !m->waiting)
        return koshu_fail_memory(m->context, MOST_WAITING * sizeof *m->waiting,
                                 "j-particles that wait");
    KOSHU_TRY(reserve(m, capacity));
    return m->ops->create(backend, precision, capacity, &m->slots);
}

koshu_status
koshu_j_store_create(struct koshu_context *context,
                     enum koshu_precision precision, size_t capacity,
                     struct koshu_j_store **memory)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, memory);
    *memory = NULL;
    KOSHU_TRY(koshu_check_precision(context, precision));
    if (capacity == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a j-particle store needs a capacity of at "
                          "least 1");
    struct koshu_j_store *m = calloc(1, sizeof *m);
    if (!m) return koshu_fail_memory(context, sizeof *m, "j-particle store");
    m->context = context;
    koshu_status status = create(m, precision, capacity);
    if (status != KOSHU_OK) {
        koshu_j_store_destroy(m);
        return status;
    }
    *memory = m;
    return KOSHU_OK;
}

void
koshu_j_store_destroy(struct koshu_j_store *memory)
{
    if (!memory) return;
    if (memory->slots) memory->ops->destroy(memory->slots);
    free(memory->id);
    free(memory->place);
    free(memory->address);
    free(memory->waiting);
    free(memory);
}

size_t
koshu_j_store_capacity(const struct koshu_j_store *memory)
{
    if (!memory) return 0;
    return memory->capacity;
}

koshu_status
koshu_j_store_reserve(struct koshu_j_store *memory, size_t capacity)
{
    KOSHU_REQUIRE(NULL, memory);
    if (capacity <= memory->capacity) return KOSHU_OK;
    KOSHU_TRY(require(memory, capacity));
    KOSHU_TRY(memory->ops->reserve(memory->slots, capacity));
    return reserve(memory, capacity);
}

/* ---- particles ----------------------------------------------------------- */

static koshu_status
send_waiting(struct koshu_j_store *m)
{
    if (m->n_waiting == 0) return KOSHU_OK;
    KOSHU_TRY(m->ops->set(m->slots, m->n_waiting, m->address, m->waiting));
    m->n_waiting = 0;
    return KOSHU_OK;
}

/* Where the particle for a slot waits: in the place of an earlier one. */
static size_t
waiting_place(struct koshu_j_store *m, uint64_t address)
{
    size_t k = m->place[address];
    if (k < m->n_waiting && m->address[k] == address) return k;
    k = m->n_waiting++;
    m->place[address] = (uint32_t)k;
    m->address[k] = address;
    return k;
}

static koshu_status
collect(struct koshu_j_store *m, size_t n, const uint64_t *address,
        const struct koshu_j_particle *particles)
{
    for (size_t k = 0; k < n; k++) {
        if (m->n_waiting == MOST_WAITING) KOSHU_TRY(send_waiting(m));
        m->waiting[waiting_place(m, address ? address[k] : k)] = particles[k];
    }
    return KOSHU_OK;
}

static koshu_status
check_addresses(const struct koshu_j_store *m, size_t n,
                const uint64_t *address)
{
    if (!address && n > m->capacity)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%zu j-particles for a memory of %zu slots", n,
                          m->capacity);
    for (size_t k = 0; address && k < n; k++)
        if (address[k] >= m->capacity)
            return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "address[%zu] = %llu is beyond the %zu slots of "
                              "the memory",
                              k, (unsigned long long)address[k], m->capacity);
    return KOSHU_OK;
}

koshu_status
koshu_j_store_set(struct koshu_j_store *memory, size_t n,
                  const uint64_t *address,
                  const struct koshu_j_particle *particles)
{
    KOSHU_REQUIRE(NULL, memory);
    if (n > 0) KOSHU_REQUIRE(memory->context, particles);
    KOSHU_TRY(check_addresses(memory, n, address));
    if (address || n <= MOST_WAITING) {
        KOSHU_TRY(collect(memory, n, address, particles));
    } else {
        KOSHU_TRY(send_waiting(memory));
        KOSHU_TRY(memory->ops->set(memory->slots, n, NULL, particles));
    }
    for (size_t k = 0; k < n; k++)
        memory->id[address ? address[k] : k] = particles[k].id;
    return KOSHU_OK;
}

int64_t
koshu_j_store_id(const struct koshu_j_store *memory, uint64_t address)
{
    if (!memory) return -1;
    return memory->id[address];
}

/* ---- sums ---------------------------------------------------------------- */

koshu_status
koshu_j_store_set_time(struct koshu_j_store *memory, double time)
{
    KOSHU_REQUIRE(NULL, memory);
    if (!isfinite(time))
        return koshu_fail(memory->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "time of a j-particle store = %g: it must be "
                          "finite",
                          time);
    memory->time = time;
    return KOSHU_OK;
}

static koshu_status
check_begin(const struct koshu_j_store *m,
            const struct koshu_jerk_options *options, size_t n_j)
{
    KOSHU_TRY(koshu_check_softening(m->context, options->softening));
    if (n_j > m->capacity)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "sums over %zu j-particles of a memory of %zu slots",
                          n_j, m->capacity);
    return KOSHU_OK;
}

/* Of the particles that the backend has: what waits is to be sent before. */
static koshu_status
check_can(const struct koshu_j_store *m, const struct koshu_jerk_task *task)
{
    if (m->ops->can(m->slots, task)) return KOSHU_OK;
    return koshu_fail(m->context, KOSHU_ERROR_UNSUPPORTED,
                      "this j-particle store cannot do softening %g; "
                      "double precision can",
                      task->eps);
}

koshu_status
koshu_j_store_start(struct koshu_j_store *memory,
                    const struct koshu_jerk_options *options, size_t n_j,
                    size_t n_i, const struct koshu_i_particle *i)
{
    KOSHU_REQUIRE(NULL, memory);
    if (n_i > 0) KOSHU_REQUIRE(memory->context, i);
    const struct koshu_jerk_options by_default = {0};
    if (!options) options = &by_default;
    struct koshu_j_store *m = memory;
    m->begun = m->ended = false;
    KOSHU_TRY(koshu_check_threads(m->context));
    KOSHU_TRY(check_begin(m, options, n_j));
    KOSHU_TRY(send_waiting(m));
    const struct koshu_jerk_task task = {options->softening, options->nearest};
    KOSHU_TRY(check_can(m, &task));
    if (n_i > 0 && n_j > 0)
        KOSHU_TRY(m->ops->begin(m->slots, &task, m->time, n_j, n_i, i));
    m->nearest = options->nearest;
    m->n_i = n_i;
    m->n_j = n_j;
    m->begun = true;
    return KOSHU_OK;
}

/* Sums of nothing. */
static void
write_zeros(const struct koshu_j_store *m, struct koshu_jerk_result *result)
{
    for (size_t k = 0; k < m->n_i; k++) {
        struct koshu_jerk_result *r = &result[k];
        memset(r->a, 0, sizeof r->a);
        memset(r->jerk, 0, sizeof r->jerk);
        r->potential = 0;
        if (!m->nearest) continue;
        r->nearest_r2 = INFINITY;
        r->nearest = KOSHU_NO_INDEX;
    }
}

koshu_status
koshu_j_store_wait(struct koshu_j_store *memory,
                   struct koshu_jerk_result *result)
{
    KOSHU_REQUIRE(NULL, memory);
    struct koshu_j_store *m = memory;
    if (!m->begun || m->ended)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "no sums were begun that could end");
    if (m->n_i > 0) KOSHU_REQUIRE(m->context, result);
    if (m->n_i == 0 || m->n_j == 0)
        write_zeros(m, result);
    else
        KOSHU_TRY(m->ops->end(m->slots, result));
    m->ended = true;
    return KOSHU_OK;
}

/* ---- neighbours ---------------------------------------------------------- */

koshu_status
koshu_j_store_neighbours(struct koshu_j_store *memory, size_t most,
                         uint64_t *count, uint64_t *address, bool *overflow)
{
    KOSHU_REQUIRE(NULL, memory);
    struct koshu_j_store *m = memory;
    if (!m->begun)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "neighbours are those of sums begun, and none were");
    KOSHU_TRY(koshu_check_threads(m->context));
    if (m->n_i > 0 && m->n_j > 0)
        KOSHU_TRY(m->ops->neighbours(m->slots, most, count, address));
    bool over = false;
    for (size_t k = 0; k < m->n_i; k++) {
        if (m->n_j == 0) count[k] = 0;
        over = over || count[k] > most;
    }
    if (overflow) *overflow = over;
    return KOSHU_OK;
}
