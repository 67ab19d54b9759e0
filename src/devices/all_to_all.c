/* SPDX-License-Identifier: MIT */
/* All-to-all exchange between devices: in step s each rank sends to the rank s
 * places after it and receives from the rank s places before it, so that all
 * send and receive at once. */
#include "devices/all_to_all.h"

#include <stdlib.h>

#include "devices/devices.h"
#include "devices/transports.h"

struct koshu_device_all_to_all {
    struct koshu_traffic traffic;
    const struct koshu_transport_ops *transport; /* NULL: none is open */
    enum koshu_transport requested;
};

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_device_all_to_all_create(
        struct koshu_context *context,
        const struct koshu_device_all_to_all_options *options,
        struct koshu_device_all_to_all **all_to_all)
{
    struct koshu_device_all_to_all *a = *all_to_all = calloc(1, sizeof *a);
    if (!a) return koshu_fail_memory(context, sizeof *a, "exchange");
    a->requested = options->transport;
    a->traffic = (struct koshu_traffic){.context = context,
                                        .ops = options->ops,
                                        .arrays = options->arrays,
                                        .one_each = options->one_each};
    return KOSHU_OK;
}

static void
close_transport(struct koshu_device_all_to_all *a)
{
    if (a->transport && a->transport->close) a->transport->close(&a->traffic);
    a->transport = NULL;
}

/* See koshu_device_exchange_destroy(): the ranks do not synchronise here. */
void
koshu_device_all_to_all_destroy(struct koshu_device_all_to_all *a)
{
    if (!a) return;
    close_transport(a);
    koshu_nccl_leave(&a->traffic);
    free(a);
}

koshu_status
koshu_device_all_to_all_close(struct koshu_device_all_to_all *a)
{
    close_transport(a);
    return koshu_ranks_collective_status(a->traffic.context, KOSHU_OK);
}

koshu_status
koshu_device_all_to_all_open(struct koshu_device_all_to_all *a)
{
    const struct koshu_transport_ops *transport;
    KOSHU_TRY(koshu_transport_open(&a->traffic, a->requested, &transport));
    a->transport = transport;
    a->requested = transport->transport; /* later calls keep this choice */
    koshu_transfer_is_by(a->traffic.context, transport->name);
    return KOSHU_OK;
}

/* ---- what goes ----------------------------------------------------------- */

/* An MPI failure ends the call at once; any other is reported at its end. */
static koshu_status
send_to_each(const struct koshu_device_all_to_all *a, int from, int to)
{
    const struct koshu_traffic *t = &a->traffic;
    const int n = koshu_context_ranks(t->context),
              mine = koshu_context_rank(t->context);
    koshu_status status = KOSHU_OK;
    for (int s = 1; s < n; s++) {
        const int next = (mine + s) % n, before = (mine + n - s) % n;
        const struct koshu_step step = {.to = next,
                                        .from = before,
                                        .send = {from, next, 1},
                                        .receive = {to, before, 1}};
        const koshu_status now = a->transport->exchange(t, &step);
        if (now == KOSHU_ERROR_EXTERNAL) return now;
        koshu_note(&status, now);
    }
    return status;
}

koshu_status
koshu_device_all_to_all_move(const struct koshu_device_all_to_all *a, int from,
                             int to, int mark)
{
    const struct koshu_traffic *t = &a->traffic;
    if (a->transport->exchange) return send_to_each(a, from, to);
    const koshu_status status = t->ops->peer->give(t->arrays, from, to, mark);
    KOSHU_TRY(koshu_ranks_collective_status(t->context, status));
    return a->transport->await(t, mark);
}
