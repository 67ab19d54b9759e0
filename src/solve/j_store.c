/* SPDX-License-Identifier: MIT */
/*
 * koshu_j_store_*: checks arguments, and passes particles and sums to the
 * backend, which takes arrays of structs.
 */
#include <koshu/j_store.h>

#include <math.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "solve/self.h"
#include "solve/solve.h"

struct koshu_j_store {
    struct koshu_context *context;
    struct koshu_backend_j_store *backend;
    double time;

    /* Of the last start: */
    bool started, ended;
    bool nearest;
    size_t n_i, n_j;
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
    size_t capacity_i, capacity_result;
};

/* ---- options ------------------------------------------------------------- */

KOSHU_DEFINE_DEFAULT(koshu_j_store_options, .precision = KOSHU_PRECISION_MIXED)

KOSHU_DEFINE_DEFAULT(koshu_j_store_start_options, 0)

/* ---- creation ------------------------------------------------------------ */

koshu_status
koshu_j_store_create(struct koshu_context *context, size_t capacity,
                     const struct koshu_j_store_options *options,
                     struct koshu_j_store **store)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, store);
    *store = NULL;
    struct koshu_j_store_options all;
    KOSHU_TRY(
            KOSHU_READ_OPTIONS(context, koshu_j_store_options, options, &all));
    KOSHU_TRY(koshu_check_precision(context, all.precision));
    if (capacity == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a j-particle store needs a capacity of at "
                          "least 1");
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    struct koshu_j_store *m = calloc(1, sizeof *m);
    if (!m) return koshu_fail_memory(context, sizeof *m, "j-particle store");
    m->context = context;
    const koshu_status status = koshu_backend_j_store_create(
            backend, all.precision, capacity, &m->backend);
    if (status == KOSHU_OK)
        *store = m;
    else
        koshu_j_store_destroy(m);
    return status;
}

void
koshu_j_store_destroy(struct koshu_j_store *store)
{
    if (!store) return;
    koshu_backend_j_store_destroy(store->backend);
    koshu_free(store->i);
    koshu_free(store->result);
    free(store);
}

size_t
koshu_j_store_capacity(const struct koshu_j_store *store)
{
    return store ? store->backend->capacity : 0;
}

koshu_status
koshu_j_store_reserve(struct koshu_j_store *store, size_t capacity)
{
    KOSHU_REQUIRE(NULL, store);
    return koshu_backend_j_store_reserve(store->backend, capacity);
}

/* ---- particles ----------------------------------------------------------- */

static bool
all_or_none(const double *x, const double *y, const double *z)
{
    return x ? y && z : !y && !z;
}

static koshu_status
check_j_arrays(const struct koshu_j_store *m, const struct koshu_j_particles *p)
{
    if (p->x && p->y && p->z && p->mass && all_or_none(p->vx, p->vy, p->vz) &&
        all_or_none(p->ax, p->ay, p->az) && all_or_none(p->jx, p->jy, p->jz) &&
        all_or_none(p->sx, p->sy, p->sz))
        return KOSHU_OK;
    return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "an array of the j-particles is NULL");
}

static koshu_status
check_indices(const struct koshu_j_store *m, size_t n, const uint64_t *index)
{
    if (!index && n > m->backend->capacity)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%zu j-particles for a store of capacity %zu", n,
                          m->backend->capacity);
    for (size_t k = 0; index && k < n; k++)
        if (index[k] >= m->backend->capacity)
            return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "index[%zu] = %llu is beyond the capacity %zu of "
                              "the store",
                              k, (unsigned long long)index[k],
                              m->backend->capacity);
    return KOSHU_OK;
}

koshu_status
koshu_j_store_set(struct koshu_j_store *store, const uint64_t *index,
                  const struct koshu_j_particles *particles)
{
    KOSHU_REQUIRE(NULL, store);
    KOSHU_REQUIRE(store->context, particles);
    const size_t n = particles->n;
    if (n == 0) return KOSHU_OK;
    KOSHU_TRY(check_indices(store, n, index));
    KOSHU_TRY(check_j_arrays(store, particles));
    KOSHU_TRY(koshu_check_ids(store->context, n, particles->id, true));
    return store->backend->ops->set(store->backend, index, particles, 1);
}

int64_t
koshu_j_store_id(const struct koshu_j_store *store, uint64_t index)
{
    if (!store) return KOSHU_NO_ID;
    return store->backend->ops->id(store->backend, index);
}

/* ---- start --------------------------------------------------------------- */

koshu_status
koshu_j_store_set_time(struct koshu_j_store *store, double time)
{
    KOSHU_REQUIRE(NULL, store);
    if (!isfinite(time))
        return koshu_fail(store->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "time of a j-particle store = %g: it must be "
                          "finite",
                          time);
    store->time = time;
    return KOSHU_OK;
}

static koshu_status
check_start(const struct koshu_j_store *m,
            const struct koshu_j_store_start_options *options, size_t n_j)
{
    KOSHU_TRY(koshu_check_threads(m->context));
    KOSHU_TRY(koshu_check_softening(m->context, options->softening));
    if (n_j > m->backend->capacity)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "sums over %zu j-particles of a store of capacity "
                          "%zu",
                          n_j, m->backend->capacity);
    return KOSHU_OK;
}

/* Converts the i-particles to the backend's structs. */
static koshu_status
read_i(struct koshu_j_store *m, const struct koshu_i_particles *i)
{
    if (i->n == 0) return KOSHU_OK;
    if (!i->x || !i->y || !i->z || !all_or_none(i->vx, i->vy, i->vz))
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "an array of the i-particles is NULL");
    KOSHU_TRY(KOSHU_GROW(m, i, i->n, m->context, "i-particles and results"));
    KOSHU_TRY(
            KOSHU_GROW(m, result, i->n, m->context, "i-particles and results"));
    KOSHU_TRY(koshu_check_ids(m->context, i->n, i->id, false));
    for (size_t k = 0; k < i->n; k++) {
        struct koshu_i_particle *to = &m->i[k];
        to->id = i->id ? i->id[k] : KOSHU_NO_ID;
        koshu_j_vector(to->x, i->x, i->y, i->z, k);
        koshu_j_vector(to->v, i->vx, i->vy, i->vz, k);
        to->h2 = i->h2 ? i->h2[k] : 0;
    }
    return KOSHU_OK;
}

static koshu_status
check_can(const struct koshu_j_store *m, const struct koshu_jerk_task *task)
{
    if (koshu_backend_j_store_can(m->backend, task)) return KOSHU_OK;
    return koshu_fail(m->context, KOSHU_ERROR_UNSUPPORTED,
                      "softening %g is beyond this precision; take double "
                      "precision (solver.precision: double)",
                      task->eps);
}

koshu_status
koshu_j_store_start(struct koshu_j_store *store,
                    const struct koshu_i_particles *i, size_t n_j,
                    const struct koshu_j_store_start_options *options)
{
    KOSHU_REQUIRE(NULL, store);
    struct koshu_j_store *m = store;
    KOSHU_REQUIRE(m->context, i);
    struct koshu_j_store_start_options all;
    m->started = m->ended = false;
    KOSHU_TRY(KOSHU_READ_OPTIONS(m->context, koshu_j_store_start_options,
                                 options, &all));
    KOSHU_TRY(check_start(m, &all, n_j));
    const struct koshu_jerk_task task = {all.softening, all.nearest};
    KOSHU_TRY(check_can(m, &task));
    KOSHU_TRY(read_i(m, i));
    if (i->n > 0 && n_j > 0)
        KOSHU_TRY(m->backend->ops->start(m->backend, &task, m->time, n_j, i->n,
                                         m->i));
    m->nearest = all.nearest;
    m->n_i = i->n;
    m->n_j = n_j;
    m->started = true;
    return KOSHU_OK;
}

/* ---- wait ---------------------------------------------------------------- */

static koshu_status
check_result(const struct koshu_j_store *m, const struct koshu_force_result *r)
{
    if (m->n_i == 0) return KOSHU_OK;
    KOSHU_REQUIRE(m->context, r);
    if (!r->ax || !r->ay || !r->az)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "an array of the result is NULL");
    if (!m->nearest && (r->nearest || r->nearest_r2))
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the sums were started without nearest neighbours: "
                          "set the option `nearest`, or give no arrays for "
                          "them");
    return KOSHU_OK;
}

static void
clear_results(struct koshu_j_store *m)
{
    for (size_t k = 0; k < m->n_i; k++)
        m->result[k] = (struct koshu_jerk_result){.nearest_r2 = INFINITY,
                                                  .nearest = KOSHU_NO_INDEX};
}

static void
write_results(const struct koshu_j_store *m, const struct koshu_force_result *r)
{
    for (size_t k = 0; k < m->n_i; k++) {
        const struct koshu_jerk_result *from = &m->result[k];
        r->ax[k] = from->a[0];
        r->ay[k] = from->a[1];
        r->az[k] = from->a[2];
        if (r->potential) r->potential[k] = from->potential;
        if (r->jx) r->jx[k] = from->jerk[0];
        if (r->jy) r->jy[k] = from->jerk[1];
        if (r->jz) r->jz[k] = from->jerk[2];
        if (r->nearest_r2) r->nearest_r2[k] = from->nearest_r2;
        if (r->nearest) r->nearest[k] = from->nearest;
    }
}

koshu_status
koshu_j_store_wait(struct koshu_j_store *store,
                   const struct koshu_force_result *result)
{
    KOSHU_REQUIRE(NULL, store);
    struct koshu_j_store *m = store;
    if (!m->started || m->ended)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "no sums were started that could be waited for");
    KOSHU_TRY(check_result(m, result));
    if (m->n_i > 0 && m->n_j > 0)
        KOSHU_TRY(m->backend->ops->wait(m->backend, m->result));
    else
        clear_results(m);
    write_results(m, result);
    m->ended = true;
    return KOSHU_OK;
}

/* ---- neighbours ---------------------------------------------------------- */

koshu_status
koshu_j_store_neighbours(struct koshu_j_store *store, size_t max,
                         uint64_t *count, uint64_t *index, bool *overflow)
{
    KOSHU_REQUIRE(NULL, store);
    struct koshu_j_store *m = store;
    if (!m->started)
        return koshu_fail(m->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "neighbours are those of sums that were started, "
                          "and none were");
    if (m->n_i > 0) KOSHU_REQUIRE(m->context, count);
    if (m->n_i > 0 && max > 0) KOSHU_REQUIRE(m->context, index);
    KOSHU_TRY(koshu_check_threads(m->context));
    if (m->n_i > 0 && m->n_j > 0)
        KOSHU_TRY(m->backend->ops->neighbours(m->backend, max, count, index));
    bool over = false;
    for (size_t k = 0; k < m->n_i; k++) {
        if (m->n_j == 0) count[k] = 0;
        over = over || count[k] > max;
    }
    if (overflow) *overflow = over;
    return KOSHU_OK;
}
