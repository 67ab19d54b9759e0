/* SPDX-License-Identifier: MIT */
/* A j-particle store divided among ranks: see divided_store.h. */
#include "integrate/divided_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "integrate/partial_sums.h"

/* What rank 0 requests: first set n_set particles, then sum over the first n_j
 * particles at `time` on n_i of them. n_i = 0: no more requests follow. */
struct request {
    uint64_t n_set, n_i, n_j;
    double time;
};

/* A particle and its index in the store. */
struct setting {
    uint64_t index;
    struct koshu_j_particle particle;
};

struct koshu_divided_store {
    struct koshu_backend_j_store of_all; /* the store as rank 0 sees it */
    struct koshu_context *context;
    struct koshu_jerk_task task;
    struct koshu_slice slice; /* the particles of this rank */
    /* the backend's store, which holds them */
    struct koshu_backend_j_store *store;
    koshu_status status; /* of this rank's part */
    bool ended;          /* on rank 0: the other ranks have been told to stop */
    struct request request;     /* the last one */
    struct setting *set;        /* its particles to set */
    struct koshu_i_particle *i; /* its targets */
    uint64_t *index; /* of the settings for this rank: where they go */
    struct koshu_j_particle *particle;
    struct koshu_jerk_result *result;
    struct koshu_partial_sums *mine, *all; /* all: on rank 0 only */
    size_t n;            /* particles in all, the capacity of the arrays */
    size_t capacity_set; /* of `set`, which on rank 0 may be larger */
};

/* ---- what each rank does ------------------------------------------------- */

static koshu_status
set_mine(struct koshu_divided_store *s, size_t n_set, const struct setting *set)
{
    size_t n = 0;
    for (size_t k = 0; k < n_set; k++) {
        const struct setting *of = &set[k];
        if (of->index - s->slice.first >= s->slice.n) continue;
        s->index[n] = of->index - s->slice.first;
        s->particle[n++] = of->particle;
    }
    if (n == 0) return KOSHU_OK;
    return koshu_backend_j_store_set_structs(s->store, n, s->index,
                                             s->particle);
}

/* Receives from rank 0 as much as fits in the arrays at once. A failure of this
 * rank goes to its status. */
static koshu_status
set_all(struct koshu_divided_store *s)
{
    const bool has_all = koshu_is_first_rank(s->context);
    for (size_t first = 0; first < s->request.n_set; first += s->n) {
        const size_t left = s->request.n_set - first,
                     n = left < s->n ? left : s->n;
        struct setting *part = has_all ? s->set + first : s->set;
        KOSHU_TRY(koshu_broadcast(s->context, 0, part, n * sizeof *part));
        if (s->status == KOSHU_OK) s->status = set_mine(s, n, part);
    }
    return KOSHU_OK;
}

/* How many of the first n_j particles are this rank's. */
static size_t
count_mine(const struct koshu_divided_store *s)
{
    const struct koshu_slice asked = {0, s->request.n_j};
    return koshu_slice_common(s->slice, asked).n;
}

/* Starts on this rank the sums that rank 0 has requested. */
static koshu_status
begin(struct koshu_divided_store *s)
{
    const struct request *r = &s->request;
    const size_t n_j = count_mine(s);
    s->status = KOSHU_OK;
    KOSHU_TRY(set_all(s));
    KOSHU_TRY(koshu_broadcast(s->context, 0, s->i, r->n_i * sizeof *s->i));
    if (n_j > 0 && s->status == KOSHU_OK)
        s->status = s->store->ops->start(s->store, &s->task, r->time, n_j,
                                         r->n_i, s->i);
    return KOSHU_OK;
}

static koshu_status
wait_mine(struct koshu_divided_store *s)
{
    KOSHU_TRY(s->status);
    if (count_mine(s) > 0) return s->store->ops->wait(s->store, s->result);
    koshu_partial_sums_none(s->request.n_i, s->result);
    return KOSHU_OK;
}

/* Gathers the partial sums of all ranks on rank 0. */
static koshu_status
gather(struct koshu_divided_store *s)
{
    const size_t bytes = s->request.n_i * sizeof *s->mine;
    koshu_partial_sums_take(s->request.n_i, s->result, s->slice.first, s->mine);
    if (!koshu_is_first_rank(s->context))
        return koshu_send(s->context, 0, s->mine, bytes);
    memcpy(s->all, s->mine, bytes);
    for (int r = 1; r < koshu_context_ranks(s->context); r++)
        KOSHU_TRY(koshu_receive(s->context, r,
                                s->all + (size_t)r * s->request.n_i, bytes));
    return KOSHU_OK;
}

/* ---- rank 0 -------------------------------------------------------------- */

static struct koshu_divided_store *
divided(struct koshu_backend_j_store *store)
{
    return (struct koshu_divided_store *)store;
}

/* The settings are sent to the ranks with the next request. */
static koshu_status
set(struct koshu_backend_j_store *store, const uint64_t *index,
    const struct koshu_j_particles *p, size_t stride)
{
    struct koshu_divided_store *s = divided(store);
    const size_t before = s->request.n_set;
    KOSHU_TRY(KOSHU_GROW(s, set, before + p->n, s->context,
                         "particles of a block"));
    for (size_t k = 0, at = 0; k < p->n; k++, at += stride)
        s->set[before + k] = (struct setting){
                .index = index[k],
                .particle = {.id = p->id[at],
                             .time = p->time[at],
                             .mass = p->mass[at],
                             .x = {p->x[at], p->y[at], p->z[at]},
                             .v = {p->vx[at], p->vy[at], p->vz[at]},
                             .a = {p->ax[at], p->ay[at], p->az[at]},
                             .jerk = {p->jx[at], p->jy[at], p->jz[at]},
                             .snap = {p->sx[at], p->sy[at], p->sz[at]}}};
    s->request.n_set += p->n;
    return KOSHU_OK;
}

static koshu_status
start_all(struct koshu_divided_store *s, const struct koshu_i_particle *i)
{
    KOSHU_TRY(koshu_broadcast(s->context, 0, &s->request, sizeof s->request));
    memcpy(s->i, i, s->request.n_i * sizeof *i);
    KOSHU_TRY(begin(s));
    s->request.n_set = 0;
    return KOSHU_OK;
}

/* A failure here is a failure of all ranks, and the others have stopped
 * serving. */
static koshu_status
start(struct koshu_backend_j_store *store, const struct koshu_jerk_task *task,
      double time, size_t n_j, size_t n_i, const struct koshu_i_particle *i)
{
    struct koshu_divided_store *s = divided(store);
    (void)task; /* already given at creation */
    s->request = (struct request){s->request.n_set, n_i, n_j, time};
    const koshu_status status = start_all(s, i);
    s->ended = status != KOSHU_OK;
    return status;
}

static koshu_status
wait_for_all(struct koshu_backend_j_store *store,
             struct koshu_jerk_result *result)
{
    struct koshu_divided_store *s = divided(store);
    koshu_status status =
            koshu_ranks_collective_status(s->context, wait_mine(s));
    if (status == KOSHU_OK) status = gather(s);
    s->ended = status != KOSHU_OK;
    KOSHU_TRY(status);
    koshu_partial_sums_add(s->request.n_i, koshu_context_ranks(s->context),
                           s->all, result);
    return KOSHU_OK;
}

static bool
can(const struct koshu_backend_j_store *store,
    const struct koshu_jerk_task *task)
{
    const struct koshu_divided_store *s =
            divided((struct koshu_backend_j_store *)store);
    return task->eps == s->task.eps && task->nearest == s->task.nearest;
}

/* What block steps call. The capacity is fixed at creation. */
static const struct koshu_j_store_ops of_all = {
        .can = can, .set = set, .start = start, .wait = wait_for_all};

struct koshu_backend_j_store *
koshu_divided_store_of_all(struct koshu_divided_store *store)
{
    return &store->of_all;
}

koshu_status
koshu_divided_store_end(struct koshu_divided_store *s)
{
    const struct request end = {0};
    if (s->ended) return KOSHU_OK;
    s->request = end;
    return koshu_broadcast(s->context, 0, &s->request, sizeof s->request);
}

/* ---- the others ---------------------------------------------------------- */

static koshu_status
serve_one(struct koshu_divided_store *s)
{
    KOSHU_TRY(begin(s));
    KOSHU_TRY(koshu_ranks_collective_status(s->context, wait_mine(s)));
    return gather(s);
}

koshu_status
koshu_divided_store_serve(struct koshu_divided_store *s)
{
    for (;;) {
        KOSHU_TRY(
                koshu_broadcast(s->context, 0, &s->request, sizeof s->request));
        if (s->request.n_i == 0) return KOSHU_OK;
        KOSHU_TRY(serve_one(s));
    }
}

/* ---- life ---------------------------------------------------------------- */

/* Allocates everything at creation, so that a block step allocates only when
 * more settings come. */
static koshu_status
allocate(struct koshu_divided_store *s)
{
    const size_t n = s->n, ranks = (size_t)koshu_context_ranks(s->context);
    const size_t n_all = koshu_is_first_rank(s->context) ? n * ranks : 0;
    s->set = koshu_alloc(n, sizeof *s->set);
    s->i = koshu_alloc(n, sizeof *s->i);
    s->index = koshu_alloc(n, sizeof *s->index);
    s->particle = koshu_alloc(n, sizeof *s->particle);
    s->result = koshu_alloc(n, sizeof *s->result);
    s->mine = koshu_alloc(n, sizeof *s->mine);
    s->all = koshu_alloc(n_all, sizeof *s->all);
    s->capacity_set = n;
    if (s->set && s->i && s->index && s->particle && s->result && s->mine &&
        s->all)
        return KOSHU_OK;
    const size_t each = sizeof *s->set + sizeof *s->i + sizeof *s->index +
                        sizeof *s->particle + sizeof *s->result +
                        sizeof *s->mine;
    return koshu_fail_memory(s->context, n * each + n_all * sizeof *s->all,
                             "sums over ranks");
}

static koshu_status
open_mine(struct koshu_divided_store *s, struct koshu_backend *backend,
          enum koshu_precision precision)
{
    const size_t n = s->slice.n > 0 ? s->slice.n : 1;
    KOSHU_TRY(koshu_backend_j_store_create(backend, precision, n, &s->store));
    return koshu_backend_j_store_require(s->store, &s->task);
}

static koshu_status
create(struct koshu_backend *backend, enum koshu_precision precision,
       const struct koshu_jerk_task *task, size_t n,
       struct koshu_divided_store **store)
{
    struct koshu_context *context = backend->context;
    struct koshu_divided_store *s = *store = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(context, sizeof *s, "sums over ranks");
    s->context = context;
    s->n = n;
    s->task = *task;
    s->slice = koshu_slice_of(n, koshu_context_rank(context),
                              koshu_context_ranks(context));
    s->of_all = (struct koshu_backend_j_store){.backend = backend,
                                               .ops = &of_all,
                                               .precision = precision,
                                               .capacity = n};
    KOSHU_TRY(allocate(s));
    return open_mine(s, backend, precision);
}

koshu_status
koshu_divided_store_create(struct koshu_backend *backend,
                           enum koshu_precision precision,
                           const struct koshu_jerk_task *task, size_t n,
                           struct koshu_divided_store **store)
{
    const koshu_status status = koshu_ranks_collective_status(
            backend->context, create(backend, precision, task, n, store));
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_divided_store_destroy(*store);
    *store = NULL;
    return status;
}

void
koshu_divided_store_destroy(struct koshu_divided_store *s)
{
    if (!s) return;
    koshu_backend_j_store_destroy(s->store);
    koshu_free(s->set);
    koshu_free(s->i);
    koshu_free(s->index);
    koshu_free(s->particle);
    koshu_free(s->result);
    koshu_free(s->mine);
    koshu_free(s->all);
    free(s);
}
