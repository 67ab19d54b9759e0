/* SPDX-License-Identifier: MIT */
/*
 * Direct summation over ranks (Miki13 section 4). Each rank sums the forces on
 * its own particles. The particles of the other ranks arrive in two phases:
 *
 *   accumulation (Figs. 7 and 8): in stage s, ranks r and r XOR 2^s exchange
 *   all particles they have, 2^s slices each, until each rank of a group has
 *   all slices of the group. A group has n_a ranks, a power of two that
 *   divides the number of ranks, as large as the capacity of an array allows;
 *
 *   transfer (Fig. 6): the slices of a group travel around a ring of the n_t
 *   groups, n_t - 1 times to the rank n_a further on.
 *
 * Particles that have arrived are summed while the next are in transit. Array 0
 * holds the rank's own slice first and received ones after it, so that nothing
 * is copied before sending. Array 1 is used by the ring alone.
 *
 * All ranks know all sizes (koshu_slice_of), so no message has to transmit
 * them.
 */
#include "solve/self.h"
#include "solve/solve.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"

enum {
    COLUMNS = 4, /* x y z mass; ax ay az potential */
    DEFAULT_CAPACITY = 1 << 24,
    /* A processor sums about this many pairs between two calls of the network,
     * some 10 ms, on at least FEWEST_I i-particles; a device sums a thousand
     * times as many. */
    PAIRS_AT_ONCE = 1 << 25,
    FEWEST_I = 1024,
    TIMES_ON_A_DEVICE = 1024
};

/* n particles, or the sums on them. */
struct columns {
    size_t n;
    double *at[COLUMNS]; /* one allocation */
};

struct koshu_rank_exchange {
    struct koshu_backend *backend;
    struct koshu_context *context;
    int rank, n_ranks;
    size_t capacity;
    struct columns array[2];
    struct columns sums; /* of a chunk, before they are added */
    uint64_t *self;      /* 0 ... n_self - 1 */
    size_t n_self;
    double *exposed; /* seconds of exposed communication; the caller's */
};

/* Particles that arrived in one transfer. */
struct chunk {
    int array;
    size_t first, n;
    bool own;
};

/* The state of one call. */
struct forces {
    struct koshu_rank_exchange *x;
    const struct koshu_force_task *task;
    struct koshu_particle_view v;
    size_t total;        /* particles of all ranks */
    int group;           /* n_a */
    struct chunk newest; /* arrived, but not yet summed */
    koshu_status status; /* of this rank's part */
};

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_rank_exchange_create(struct koshu_backend *backend, size_t capacity,
                           double *exposed,
                           struct koshu_rank_exchange **exchange)
{
    struct koshu_context *context = backend->context;
    struct koshu_rank_exchange *x = *exchange = calloc(1, sizeof *x);
    if (!x) return koshu_fail_memory(context, sizeof *x, "exchange");
    *x = (struct koshu_rank_exchange){
            .exposed = exposed,
            .backend = backend,
            .context = context,
            .rank = koshu_context_rank(context),
            .n_ranks = koshu_context_ranks(context),
            .capacity = capacity > 0 ? capacity : DEFAULT_CAPACITY};
    return KOSHU_OK;
}

static void
forget_memory(struct koshu_rank_exchange *x)
{
    struct columns *const all[] = {&x->array[0], &x->array[1], &x->sums};
    for (int k = 0; k < 3; k++) {
        koshu_free(all[k]->at[0]);
        *all[k] = (struct columns){0};
    }
    koshu_free(x->self);
    x->self = NULL;
    x->n_self = 0;
}

void
koshu_rank_exchange_destroy(struct koshu_rank_exchange *exchange)
{
    if (!exchange) return;
    forget_memory(exchange);
    free(exchange);
}

/* ---- who has how many ---------------------------------------------------- */

/* Particles of the ranks first ... first + n - 1. */
static size_t
count_of(const struct forces *f, int first, int n)
{
    struct koshu_slice a = koshu_slice_of(f->total, first, f->x->n_ranks);
    struct koshu_slice b =
            koshu_slice_of(f->total, first + n - 1, f->x->n_ranks);
    return b.first + b.n - a.first;
}

/* Particles of the group of `rank`, in groups of n ranks. */
static size_t
count_of_group(const struct forces *f, int rank, int n)
{
    return count_of(f, rank / n * n, n);
}

/* The largest group that fits; the first group is never smaller than
 * another. */
static int
largest_group(const struct forces *f)
{
    int group = 1;
    while (f->x->n_ranks % (2 * group) == 0 &&
           count_of(f, 0, 2 * group) <= f->x->capacity)
        group *= 2;
    return group;
}

/* ---- memory -------------------------------------------------------------- */

static koshu_status
grow(struct koshu_context *context, struct columns *c, size_t n)
{
    if (n <= c->n) return KOSHU_OK;
    const size_t aligned = (n + 7) / 8 * 8;
    koshu_free(c->at[0]);
    *c = (struct columns){0};
    double *memory = koshu_alloc(aligned, COLUMNS * sizeof *memory);
    if (!memory)
        return koshu_fail_memory(context, COLUMNS * n * sizeof *memory,
                                 "particles of other ranks");
    c->n = n;
    for (size_t k = 0; k < COLUMNS; k++) c->at[k] = memory + k * aligned;
    return KOSHU_OK;
}

/* Reserves what the largest rank needs, so that all ranks reserve at the same
 * time and share the status. */
static koshu_status
reserve(const struct forces *f)
{
    struct koshu_rank_exchange *x = f->x;
    size_t own = count_of(f, 0, 1), group = count_of(f, 0, f->group);
    size_t ring = f->group < x->n_ranks ? group : 0;
    if (group <= x->array[0].n && ring <= x->array[1].n && own <= x->sums.n)
        return KOSHU_OK;
    koshu_status status = grow(x->context, &x->array[0], group);
    if (status == KOSHU_OK) status = grow(x->context, &x->array[1], ring);
    if (status == KOSHU_OK) status = grow(x->context, &x->sums, own);
    if (status == KOSHU_OK)
        status = koshu_self_reserve(x->context, &x->self, &x->n_self, own);
    status = koshu_ranks_collective_status(x->context, status);
    if (status != KOSHU_OK) forget_memory(x); /* lest ranks differ */
    return status;
}

/* ---- sums ---------------------------------------------------------------- */

/* Sums a chunk on the i-particles begin ... end - 1, into `to`. */
static koshu_status
sum_some(const struct forces *f, const struct chunk *chunk, size_t begin,
         size_t end, double *const to[COLUMNS])
{
    const struct koshu_rank_exchange *x = f->x;
    const struct koshu_particle_view *v = &f->v;
    double *const *j = x->array[chunk->array].at;
    const size_t i_offset[2] = {0, end - begin}, j_offset[2] = {0, chunk->n};
    const struct koshu_force_batch batch = {
            .n_sets = 1,
            .i_offset = i_offset,
            .j_offset = j_offset,
            .i = {end - begin, v->x + begin, v->y + begin, v->z + begin,
                  chunk->own ? x->self + begin : NULL},
            .j = {chunk->n, j[0] + chunk->first, j[1] + chunk->first,
                  j[2] + chunk->first, j[3] + chunk->first},
            .result = {to[0] + begin, to[1] + begin, to[2] + begin,
                       to[3] + begin}};
    return x->backend->ops->force(x->backend, f->task, &batch);
}

/* Adds the sums of a received chunk; those of the own chunk were written
 * first. */
static void
add(const struct forces *f, double *const to[COLUMNS])
{
    int columns = f->task->potential ? COLUMNS : COLUMNS - 1;
    for (int k = 0; k < columns; k++)
        for (size_t i = 0; i < f->v.n; i++) to[k][i] += f->x->sums.at[k][i];
}

/* Sums the newest chunk; MPI makes progress meanwhile. */
static koshu_status
sum_newest(struct forces *f)
{
    struct koshu_rank_exchange *x = f->x;
    const struct chunk *chunk = &f->newest;
    double *const result[COLUMNS] = {f->v.ax, f->v.ay, f->v.az, f->v.potential};
    if (chunk->n == 0 || f->v.n == 0) return KOSHU_OK;
    size_t at_once = PAIRS_AT_ONCE;
    if (x->backend->unit[0]) at_once *= TIMES_ON_A_DEVICE;
    size_t some = at_once / chunk->n / FEWEST_I * FEWEST_I;
    if (some < FEWEST_I) some = FEWEST_I;
    for (size_t i = 0; i < f->v.n && f->status == KOSHU_OK; i += some) {
        size_t end = f->v.n - i < some ? f->v.n : i + some;
        f->status =
                sum_some(f, chunk, i, end, chunk->own ? result : x->sums.at);
        KOSHU_TRY(koshu_transfer_progress(x->context));
    }
    if (!chunk->own && f->status == KOSHU_OK) add(f, result);
    return KOSHU_OK;
}

/* ---- the two phases ------------------------------------------------------ */

/* The part of an array that is sent to a rank or received from one. */
struct columns_sent {
    int rank;
    double *const *at;
    size_t first, n;
};

static void
write_messages(const struct columns_sent *c, struct koshu_message *to)
{
    for (size_t k = 0; k < COLUMNS; k++)
        to[k] = (struct koshu_message){c->rank, c->at[k] + c->first,
                                       c->n * sizeof(double)};
}

/* Transfers one chunk while summing the one before. */
static koshu_status
stage(struct forces *f, struct columns_sent out, struct columns_sent in)
{
    struct koshu_message to[COLUMNS], from[COLUMNS];
    const struct koshu_transfer transfer = {{COLUMNS, to}, {COLUMNS, from}};
    write_messages(&out, to);
    write_messages(&in, from);
    KOSHU_TRY(koshu_transfer_start(f->x->context, &transfer));
    KOSHU_TRY(sum_newest(f));
    double start = koshu_now();
    koshu_status status = koshu_transfer_wait(f->x->context);
    *f->x->exposed += koshu_now() - start;
    return status;
}

static koshu_status
accumulate(struct forces *f)
{
    struct koshu_rank_exchange *x = f->x;
    double *const *at = x->array[0].at;
    for (int n = 1; n < f->group; n *= 2) {
        const int other = x->rank ^ n;
        const size_t known = count_of_group(f, x->rank, n);
        const size_t more = count_of_group(f, other, n);
        KOSHU_TRY(stage(f, (struct columns_sent){other, at, 0, known},
                        (struct columns_sent){other, at, known, more}));
        f->newest = (struct chunk){0, known, more, false};
    }
    return KOSHU_OK;
}

static koshu_status
transfer(struct forces *f)
{
    struct koshu_rank_exchange *x = f->x;
    const int n = x->n_ranks, to = (x->rank + f->group) % n,
              from = (x->rank + n - f->group) % n;
    int source = x->rank;
    for (int done = f->group, a = 0; done < n; done += f->group, a = !a) {
        const size_t here = count_of_group(f, source, f->group);
        source = (source + n - f->group) % n;
        const size_t next = count_of_group(f, source, f->group);
        KOSHU_TRY(stage(f, (struct columns_sent){to, x->array[a].at, 0, here},
                        (struct columns_sent){from, x->array[!a].at, 0, next}));
        f->newest = (struct chunk){!a, 0, next, false};
    }
    return KOSHU_OK;
}

/* Acquires the store's arrays and copies the own slice to array 0. */
static koshu_status
take_own(struct forces *f, struct koshu_particles *particles, unsigned fields)
{
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ, &f->v));
    KOSHU_TRY(koshu_particles_on_host(particles, fields, KOSHU_ACCESS_WRITE,
                                      &f->v));
    const double *const from[COLUMNS] = {f->v.x, f->v.y, f->v.z, f->v.mass};
    for (int k = 0; k < COLUMNS; k++)
        memcpy(f->x->array[0].at[k], from[k], f->v.n * sizeof *from[k]);
    return KOSHU_OK;
}

koshu_status
koshu_rank_exchange_forces(struct koshu_rank_exchange *exchange,
                           const struct koshu_force_task *task,
                           struct koshu_particles *particles, unsigned fields)
{
    struct forces f = {.x = exchange,
                       .task = task,
                       .total = koshu_particles_total(particles)};
    f.group = largest_group(&f);
    KOSHU_TRY(reserve(&f));
    f.status = take_own(&f, particles, fields);
    f.newest = (struct chunk){0, 0, f.v.n, true};
    KOSHU_TRY(accumulate(&f));
    KOSHU_TRY(transfer(&f));
    KOSHU_TRY(sum_newest(&f));
    return koshu_ranks_collective_status(exchange->context, f.status);
}
