/* SPDX-License-Identifier: MIT */
/*
 * Direct sums over the particles of all ranks. Each rank needs all particles,
 * sums an equal part of all pairs (each pair once: Newton's third law is used
 * across ranks, too), and so ends up with partial sums for all particles. The
 * exchanges are
 *
 *     before: in the accumulation phase (Miki13 Figs. 7 and 8), stage s with
 *     rank r XOR 2^s doubles the known particles, as long as the number of
 *     ranks has a factor of 2; then the groups that result pass them round a
 *     ring (Fig. 6);
 *
 *     after: the reverse. First the sums for a group travel round the ring;
 *     each group adds its own, until they arrive at the group they belong to.
 *     Then, in stages that halve what is left, a rank gives the sums for the
 *     other half to rank r XOR 2^s and adds those that it receives.
 *
 * So each of 2^s ranks sends s messages before and s after, and the order of
 * additions depends on the number of ranks alone.
 *
 * Where devices can write into each other's memory, nothing is sent: the
 * kernels write everything where it is needed, and it is added there in the
 * same order.
 */
#include "devices/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "devices/transports.h"

enum {
    /* particles per rank on average; for fewer, sums without the third law are
     * faster */
    FEWEST = 128,
    /* these take at most some 34 GB of a device */
    DEFAULT_CAPACITY = 1 << 28,
    /* MPI counts the doubles of a transfer in an int */
    MAX_PARTICLES = 1 << 28,
    MODEL_NAME = 320
};

/* What each rank tells all others at the start of a call. */
struct metadata {
    int failed, needs_all;
    struct koshu_partition_extent extent;
};

struct koshu_device_exchange {
    const struct koshu_partition_ops *ops;
    struct koshu_backend_partition *partition;
    struct koshu_traffic traffic;                /* of its arrays */
    const struct koshu_transport_ops *transport; /* NULL: none is open */
    enum koshu_transport requested;
    int rank, n_ranks, group; /* group: the power of two in n_ranks */
    size_t capacity, total;
    koshu_status status;        /* of this rank's part of this call */
    double exposed;             /* seconds of communication */
    struct metadata metadata[]; /* of each rank */
};

/* ---- life --------------------------------------------------------------- */

static int
largest_power_of_two_in(int n)
{
    return n & -n;
}

static koshu_status
make(struct koshu_context *context,
     const struct koshu_device_exchange_options *options,
     struct koshu_device_exchange **exchange)
{
    const int n_ranks = koshu_context_ranks(context);
    const size_t bytes = sizeof(struct koshu_device_exchange) +
                         (size_t)n_ranks * sizeof(struct metadata);
    struct koshu_device_exchange *x = *exchange = calloc(1, bytes);
    if (!x) return koshu_fail_memory(context, bytes, "exchange");
    x->rank = koshu_context_rank(context);
    x->n_ranks = n_ranks;
    x->group = largest_power_of_two_in(x->n_ranks);
    x->capacity = options->capacity > 0 ? options->capacity : DEFAULT_CAPACITY;
    x->requested = options->transport;
    x->ops = options->ops;
    KOSHU_TRY(x->ops->create(options->backend, x->rank, x->n_ranks,
                             &x->partition));
    x->traffic = (struct koshu_traffic){.context = context,
                                        .ops = x->ops->traffic,
                                        .arrays = x->ops->arrays(x->partition),
                                        .one_each = options->one_each};
    return KOSHU_OK;
}

static void
close_transport(struct koshu_device_exchange *x)
{
    if (x->transport && x->transport->close) x->transport->close(&x->traffic);
    x->transport = NULL;
}

/* The ranks do not synchronise here, as one that failed may come alone. Another
 * may still have this one's arrays open, but writes nothing to them once a sum
 * has ended. */
void
koshu_device_exchange_destroy(struct koshu_device_exchange *exchange)
{
    if (!exchange) return;
    close_transport(exchange);
    koshu_nccl_leave(&exchange->traffic);
    if (exchange->partition) exchange->ops->destroy(exchange->partition);
    free(exchange);
}

bool
koshu_device_exchange_can(const struct koshu_device_exchange *exchange,
                          size_t total)
{
    return total <= exchange->capacity && total <= MAX_PARTICLES &&
           total / (size_t)exchange->n_ranks >= FEWEST;
}

double
koshu_device_exchange_exposed(const struct koshu_device_exchange *exchange)
{
    return exchange->exposed;
}

/* ---- memory ------------------------------------------------------------- */

/* Where arrays move, the transport is opened anew. */
static koshu_status
reserve(struct koshu_device_exchange *x, const struct koshu_force_task *task)
{
    const struct koshu_traffic *t = &x->traffic;
    if (x->transport && x->ops->has_capacity(x->partition, task, x->total))
        return KOSHU_OK;
    close_transport(x);
    KOSHU_TRY(koshu_ranks_collective_status(t->context, KOSHU_OK));
    koshu_status status = x->ops->reserve(x->partition, task, x->total);
    KOSHU_TRY(koshu_ranks_collective_status(t->context, status));
    const struct koshu_transport_ops *transport;
    KOSHU_TRY(koshu_transport_open(&x->traffic, x->requested, &transport));
    x->transport = transport;
    x->requested = transport->transport; /* later calls keep this choice */
    return KOSHU_OK;
}

/* Selects and names the transport before there are particles. */
static koshu_status
open_first(struct koshu_device_exchange *x, const struct koshu_force_task *task)
{
    x->total = FEWEST * (size_t)x->n_ranks;
    KOSHU_TRY(reserve(x, task));
    koshu_transfer_is_by(x->traffic.context, x->transport->name);
    return KOSHU_OK;
}

/* Do all ranks have a device, and of the same model? Different models would
 * divide the pairs differently. */
static koshu_status
are_alike(struct koshu_context *context,
          const struct koshu_device_exchange_options *options, bool *alike)
{
    char first[MODEL_NAME];
    snprintf(first, sizeof first, "%s", options->model);
    KOSHU_TRY(koshu_broadcast(context, 0, first, sizeof first));
    unsigned unlike = !options->ops || strcmp(first, options->model) != 0;
    KOSHU_TRY(koshu_collective_status(context, KOSHU_OK, &unlike));
    *alike = unlike == 0;
    return KOSHU_OK;
}

koshu_status
koshu_device_exchange_create(
        struct koshu_context *context,
        const struct koshu_device_exchange_options *options,
        struct koshu_device_exchange **exchange)
{
    bool alike;
    *exchange = NULL;
    KOSHU_TRY(are_alike(context, options, &alike));
    if (!alike) return KOSHU_OK;
    koshu_status status = make(context, options, exchange);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = open_first(*exchange, options->task);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_device_exchange_destroy(*exchange);
    *exchange = NULL;
    return status;
}

/* ---- what all ranks know ------------------------------------------------ */

static void
join(struct koshu_partition_extent *all,
     const struct koshu_partition_extent *one)
{
    for (int c = 0; c < 3; c++) {
        all->low[c] = fmin(all->low[c], one->low[c]);
        all->high[c] = fmax(all->high[c], one->high[c]);
    }
    all->largest_mass = fmax(all->largest_mass, one->largest_mass);
}

/* The extent of all particles; *needed: does any rank need it? */
static koshu_status
exchange_metadata(struct koshu_device_exchange *x, const struct metadata *mine,
                  struct koshu_partition_extent *all, bool *needed)
{
    struct koshu_context *context = x->traffic.context;
    bool failed = false;
    KOSHU_TRY(koshu_all_gather(context, mine, sizeof *mine, x->metadata));
    *all = x->metadata[0].extent;
    *needed = false;
    for (int r = 0; r < x->n_ranks; r++) {
        join(all, &x->metadata[r].extent);
        *needed |= x->metadata[r].needs_all != 0;
        failed |= x->metadata[r].failed != 0;
    }
    return failed ? koshu_ranks_collective_status(context, x->status)
                  : KOSHU_OK;
}

/* ---- steps -------------------------------------------------------------- */

/* An MPI failure ends the call at once; any other is reported at its end. */
static koshu_status
take_step(struct koshu_device_exchange *x, const struct koshu_step *step)
{
    koshu_status status = x->transport->exchange(&x->traffic, step);
    if (status == KOSHU_ERROR_EXTERNAL) return status;
    koshu_note(&x->status, status);
    return KOSHU_OK;
}

/* Sends n slices from `mine` on to a rank and receives as many, from `theirs`
 * on. */
static koshu_status
move_points(struct koshu_device_exchange *x, int to, int mine, int from,
            int theirs, int n)
{
    const struct koshu_step step = {
            .to = to,
            .from = from,
            .send = {KOSHU_PARTITION_POINTS, mine, n},
            .receive = {KOSHU_PARTITION_POINTS, theirs, n}};
    return take_step(x, &step);
}

/* Sends sums for n slices, from `theirs` on, to a rank; receives those for as
 * many slices, from `mine` on, and adds them. */
static koshu_status
move_sums(struct koshu_device_exchange *x, int to, int theirs, int from,
          int mine, int n)
{
    const struct koshu_traffic_range sums = {KOSHU_PARTITION_SUMS, mine, n};
    const struct koshu_step step = {.to = to,
                                    .from = from,
                                    .send = {KOSHU_PARTITION_SUMS, theirs, n},
                                    .receive = {KOSHU_PARTITION_COME, mine, n}};
    KOSHU_TRY(take_step(x, &step));
    koshu_note(&x->status, x->ops->add(x->partition, &sums, &step.receive));
    return KOSHU_OK;
}

/* ---- before, and after -------------------------------------------------- */

static koshu_status
accumulate(struct koshu_device_exchange *x)
{
    for (int n = 1; n < x->group; n *= 2) {
        int other = x->rank ^ n;
        KOSHU_TRY(move_points(x, other, x->rank / n * n, other, other / n * n,
                              n));
    }
    return KOSHU_OK;
}

/* The rank at the same place in the k-th group after this one. */
static int
rank_in_group(const struct koshu_device_exchange *x, int k)
{
    return (x->rank + (k + x->n_ranks / x->group) * x->group) % x->n_ranks;
}

/* The first rank of the k-th group after this one. */
static int
group_at(const struct koshu_device_exchange *x, int k)
{
    return rank_in_group(x, k) / x->group * x->group;
}

static koshu_status
go_round(struct koshu_device_exchange *x)
{
    int to = rank_in_group(x, 1), from = rank_in_group(x, -1);
    for (int s = 0; s + 1 < x->n_ranks / x->group; s++)
        KOSHU_TRY(move_points(x, to, group_at(x, -s), from, group_at(x, -s - 1),
                              x->group));
    return KOSHU_OK;
}

static koshu_status
go_back_round(struct koshu_device_exchange *x)
{
    int to = rank_in_group(x, 1), from = rank_in_group(x, -1);
    for (int s = 0; s + 1 < x->n_ranks / x->group; s++)
        KOSHU_TRY(move_sums(x, to, group_at(x, -s - 1), from,
                            group_at(x, -s - 2), x->group));
    return KOSHU_OK;
}

static koshu_status
give_back(struct koshu_device_exchange *x)
{
    for (int n = x->group / 2; n > 0; n /= 2) {
        int other = x->rank ^ n;
        KOSHU_TRY(
                move_sums(x, other, other / n * n, other, x->rank / n * n, n));
    }
    return KOSHU_OK;
}

/* ---- the call ----------------------------------------------------------- */

/* A failure of one rank ends the call on all. */
static koshu_status
meet(struct koshu_device_exchange *x, enum koshu_partition_mark mark)
{
    const struct koshu_traffic *t = &x->traffic;
    KOSHU_TRY(koshu_ranks_collective_status(t->context, x->status));
    x->status = x->transport->await(t, mark);
    return KOSHU_OK;
}

/* Devices write where others need it: the ranks only have to synchronise. */
static koshu_status
meet_and_sum(struct koshu_device_exchange *x)
{
    double start = koshu_now();
    KOSHU_TRY(meet(x, KOSHU_PARTITION_SCATTERED));
    x->exposed += koshu_now() - start;
    koshu_note(&x->status, x->ops->sum(x->partition));
    KOSHU_TRY(meet(x, KOSHU_PARTITION_SUMMED));
    koshu_note(&x->status, x->ops->finish(x->partition));
    return KOSHU_OK;
}

static koshu_status
exchange_and_sum(struct koshu_device_exchange *x)
{
    double start = koshu_now();
    KOSHU_TRY(accumulate(x));
    KOSHU_TRY(go_round(x));
    x->exposed += koshu_now() - start;
    koshu_note(&x->status, x->ops->sum(x->partition));
    KOSHU_TRY(go_back_round(x));
    KOSHU_TRY(give_back(x));
    koshu_note(&x->status, x->ops->finish(x->partition));
    return KOSHU_OK;
}

koshu_status
koshu_device_exchange_forces(struct koshu_device_exchange *exchange,
                             const struct koshu_force_task *task,
                             struct koshu_particles *particles, size_t total,
                             unsigned fields)
{
    struct koshu_device_exchange *x = exchange;
    const struct koshu_traffic *t = &x->traffic;
    struct metadata mine = {0};
    struct koshu_partition_extent all;
    bool needed = false;
    x->total = total;
    KOSHU_TRY(reserve(x, task));
    koshu_transfer_is_by(t->context, x->transport->name);
    x->status = x->ops->measure(x->partition, task, particles, fields,
                                &mine.extent, &needed);
    mine.needs_all = needed;
    mine.failed = x->status != KOSHU_OK;
    KOSHU_TRY(exchange_metadata(x, &mine, &all, &needed));
    x->status = x->ops->start(x->partition, needed ? &all : NULL);
    KOSHU_TRY(x->transport->exchange ? exchange_and_sum(x) : meet_and_sum(x));
    return koshu_ranks_collective_status(t->context, x->status);
}
