/* SPDX-License-Identifier: MIT */
/* Collective functions: their form for a single rank, and those that are
 * composed of others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/communicator.h"

/* ---- a context of one rank has no communicator -------------------------- */

koshu_status
koshu_all_gather(struct koshu_context *context, const void *mine, size_t bytes,
                 void *all)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    if (c) return c->ops->all_gather(c, mine, bytes, all);
    memcpy(all, mine, bytes);
    return KOSHU_OK;
}

koshu_status
koshu_all_gather_parts(struct koshu_context *context, const void *mine,
                       size_t item, const size_t n[], void *all)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    if (c) return c->ops->move_parts(c, mine, item, n, all, false);
    memcpy(all, mine, n[0] * item);
    return KOSHU_OK;
}

koshu_status
koshu_all_to_all(struct koshu_context *context, const void *mine, size_t item,
                 const size_t n[], void *all)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    if (c) return c->ops->move_parts(c, mine, item, n, all, true);
    memcpy(all, mine, n[0] * item);
    return KOSHU_OK;
}

koshu_status
koshu_sum_counts(struct koshu_context *context, uint64_t *counts, size_t n)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c ? c->ops->sum_counts(c, counts, n) : KOSHU_OK;
}

koshu_status
koshu_broadcast(struct koshu_context *context, int from, void *bytes, size_t n)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c ? c->ops->move(c, KOSHU_MOVE_BROADCAST, from, bytes, n) : KOSHU_OK;
}

koshu_status
koshu_split(struct koshu_context *whole, int group,
            struct koshu_context *context)
{
    struct koshu_communicator *c = koshu_communicator_of(whole);
    return c ? c->ops->split(c, group, context) : KOSHU_OK;
}

koshu_status
koshu_ranks_hosts(struct koshu_context *context, int *host)
{
    const struct koshu_communicator *c = koshu_communicator_of(context);
    const int first = c ? c->host_first : 0;
    return koshu_all_gather(context, &first, sizeof first, host);
}

koshu_status
koshu_wait_for_all(struct koshu_context *context)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c ? c->ops->wait(c) : KOSHU_OK;
}

koshu_status
koshu_send(struct koshu_context *context, int to, const void *bytes, size_t n)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c->ops->move(c, KOSHU_MOVE_SEND, to, (void *)bytes, n);
}

koshu_status
koshu_receive(struct koshu_context *context, int from, void *bytes, size_t n)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c->ops->move(c, KOSHU_MOVE_RECEIVE, from, bytes, n);
}

koshu_status
koshu_transfer_start(struct koshu_context *context,
                     const struct koshu_transfer *transfer)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c ? c->ops->transfer_start(c, transfer) : KOSHU_OK;
}

koshu_status
koshu_transfer_progress(struct koshu_context *context)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c ? c->ops->transfer_progress(c) : KOSHU_OK;
}

koshu_status
koshu_transfer_wait(struct koshu_context *context)
{
    struct koshu_communicator *c = koshu_communicator_of(context);
    return c ? c->ops->transfer_wait(c) : KOSHU_OK;
}

/* ---- composed of them ---------------------------------------------------- */

/* What one rank contributes; all votes are gathered. */
struct vote {
    int32_t status;
    uint32_t flags;
};

/* The lowest rank that failed, or -1; and the flags of all ranks, or-ed. */
static int
count_votes(const struct vote *votes, int n, unsigned *flags)
{
    int failed = -1;
    *flags = 0;
    for (int r = n - 1; r >= 0; r--) {
        *flags |= votes[r].flags;
        if (votes[r].status != KOSHU_OK) failed = r;
    }
    return failed;
}

/* Copies the message of the rank that failed to the contexts of all ranks. */
static koshu_status
broadcast_failure(struct koshu_context *context, int failed,
                  koshu_status status)
{
    struct {
        bool memory_refused;
        char message[1024];
    } f = {.memory_refused = koshu_memory_was_refused(context)};
    snprintf(f.message, sizeof f.message, "%s", koshu_context_message(context));
    KOSHU_TRY(koshu_broadcast(context, failed, &f, sizeof f));
    koshu_context_refuse_memory(context, f.memory_refused);
    if (failed == 0) return koshu_fail(context, status, "%s", f.message);
    return koshu_fail(context, status, "rank %d: %s", failed, f.message);
}

koshu_status
koshu_collective_status(struct koshu_context *context, koshu_status status,
                        unsigned *flags)
{
    struct vote mine = {(int32_t)status, *flags}, few[KOSHU_FEW_RANKS],
                *votes = few;
    int n = koshu_context_ranks(context);
    if (n == 1) return status;
    if (n > KOSHU_FEW_RANKS) votes = calloc((size_t)n, sizeof *votes);
    if (!votes)
        return koshu_fail_memory(context, (size_t)n * sizeof *votes,
                                 "states of ranks");
    koshu_status gathered =
            koshu_all_gather(context, &mine, sizeof mine, votes);
    int failed = gathered == KOSHU_OK ? count_votes(votes, n, flags) : -1;
    if (failed >= 0) status = (koshu_status)votes[failed].status;
    if (n > KOSHU_FEW_RANKS) free(votes);
    KOSHU_TRY(gathered);
    return failed < 0 ? KOSHU_OK : broadcast_failure(context, failed, status);
}

koshu_status
koshu_ranks_collective_status(struct koshu_context *context,
                              koshu_status status)
{
    KOSHU_REQUIRE(context, context);
    unsigned flags = 0;
    return koshu_collective_status(context, status, &flags);
}

koshu_status
koshu_gather_ranks(struct koshu_context *context, koshu_status status,
                   const void *mine, size_t bytes, const char *purpose,
                   void **all)
{
    const size_t ranks = (size_t)koshu_context_ranks(context);
    *all = koshu_alloc(ranks, bytes);
    if (status == KOSHU_OK && !*all)
        status = koshu_fail_memory(context, ranks * bytes, purpose);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_all_gather(context, mine, bytes, *all);
}

koshu_status
koshu_largest(struct koshu_context *context, double *number)
{
    double few[KOSHU_FEW_RANKS], *all = few;
    int n = koshu_context_ranks(context);
    if (n == 1) return KOSHU_OK;
    if (n > KOSHU_FEW_RANKS) all = calloc((size_t)n, sizeof *all);
    if (!all)
        return koshu_fail_memory(context, (size_t)n * sizeof *all,
                                 "numbers of ranks");
    koshu_status status =
            koshu_all_gather(context, number, sizeof *number, all);
    for (int r = 0; r < n && status == KOSHU_OK; r++)
        if (all[r] > *number) *number = all[r];
    if (n > KOSHU_FEW_RANKS) free(all);
    return status;
}
