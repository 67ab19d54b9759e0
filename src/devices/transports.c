/* SPDX-License-Identifier: MIT */
/*
 * Transports between devices, the fastest first:
 *
 *     peer         kernels write into the memory of the other processes, over
 *                  NVLink or PCIe, as they compute; all ranks on one host
 *     cuda-aware   MPI reads and writes the devices' memory
 *     nccl         NCCL's kernels do; each rank has a device of its own
 *     host-staged  through buffers of the host, chunk by chunk: while MPI
 *                  sends one, the next is copied from the device, and the one
 *                  received before is copied to the device
 */
#include "devices/transports.h"

#include "base/base.h"
#include "devices/devices.h"

/* ---- host-staged -------------------------------------------------------- */

static koshu_status
open_staged(struct koshu_traffic *t)
{
    return koshu_ranks_collective_status(t->context,
                                         t->ops->stage->open(t->arrays));
}

/* The part of a range in the k-th buffer. bytes 0: the range ends before. */
static struct koshu_traffic_chunk
chunk_of(const struct koshu_traffic *t, const struct koshu_traffic_range *range,
         size_t k)
{
    struct koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS];
    const size_t n = t->ops->chunks(t->arrays, range, chunks);
    for (size_t c = 0; c < n; c++) {
        struct koshu_traffic_chunk chunk = chunks[c];
        const size_t full =
                (chunk.bytes + KOSHU_TRAFFIC_BUFFER - 1) / KOSHU_TRAFFIC_BUFFER;
        if (k >= full) {
            k -= full;
            continue;
        }
        chunk.memory = (char *)chunk.memory + k * KOSHU_TRAFFIC_BUFFER;
        chunk.bytes -= k * KOSHU_TRAFFIC_BUFFER;
        if (chunk.bytes > KOSHU_TRAFFIC_BUFFER)
            chunk.bytes = KOSHU_TRAFFIC_BUFFER;
        return chunk;
    }
    return (struct koshu_traffic_chunk){0};
}

/* The messages sent and received in a step. */
struct messages {
    struct koshu_message out[KOSHU_TRAFFIC_CHUNKS], in[KOSHU_TRAFFIC_CHUNKS];
};

static koshu_status
start_messages(const struct koshu_traffic *t, const struct messages *m,
               size_t n)
{
    const struct koshu_transfer transfer = {{n, m->out}, {n, m->in}};
    return koshu_transfer_start(t->context, &transfer);
}

/* The messages of the k-th buffers. */
static struct messages
messages_of(const struct koshu_traffic *t, const struct koshu_step *step,
            size_t k)
{
    const struct koshu_traffic_stage_ops *stage = t->ops->stage;
    const int b = (int)(k % KOSHU_TRAFFIC_BUFFERS);
    return (struct messages){
            .out = {{step->to, stage->buffer(t->arrays, true, b),
                     chunk_of(t, &step->send, k).bytes}},
            .in = {{step->from, stage->buffer(t->arrays, false, b),
                    chunk_of(t, &step->receive, k).bytes}}};
}

static koshu_status
begin_copy_out(const struct koshu_traffic *t, const struct koshu_step *step,
               size_t k)
{
    struct koshu_traffic_chunk chunk = chunk_of(t, &step->send, k);
    if (chunk.bytes == 0) return KOSHU_OK;
    return t->ops->stage->copy(t->arrays, true,
                               (int)(k % KOSHU_TRAFFIC_BUFFERS), &chunk);
}

/* Sends and receives the k-th buffers, while the next one is copied from the
 * device. */
static koshu_status
exchange_chunk(const struct koshu_traffic *t, const struct koshu_step *step,
               size_t k, koshu_status *status)
{
    const struct koshu_traffic_stage_ops *stage = t->ops->stage;
    int b = (int)(k % KOSHU_TRAFFIC_BUFFERS);
    const struct messages m = messages_of(t, step, k);
    if (m.out[0].n > 0) koshu_note(status, stage->wait(t->arrays, true, b));
    if (m.in[0].n > 0) koshu_note(status, stage->wait(t->arrays, false, b));
    KOSHU_TRY(start_messages(t, &m, 1));
    koshu_note(status, begin_copy_out(t, step, k + 1));
    KOSHU_TRY(koshu_transfer_wait(t->context));
    struct koshu_traffic_chunk chunk = chunk_of(t, &step->receive, k);
    if (chunk.bytes > 0)
        koshu_note(status, stage->copy(t->arrays, false, b, &chunk));
    return KOSHU_OK;
}

static koshu_status
exchange_staged(const struct koshu_traffic *t, const struct koshu_step *step)
{
    koshu_status status = t->ops->start(t->arrays);
    koshu_note(&status, begin_copy_out(t, step, 0));
    for (size_t k = 0; chunk_of(t, &step->send, k).bytes > 0 ||
                       chunk_of(t, &step->receive, k).bytes > 0;
         k++)
        KOSHU_TRY(exchange_chunk(t, step, k, &status));
    koshu_note(&status, t->ops->finish(t->arrays));
    return status;
}

static const struct koshu_transport_ops host_staged = {
        .transport = KOSHU_TRANSPORT_HOST,
        .name = KOSHU_HOST_STAGED,
        .open = open_staged,
        .exchange = exchange_staged};

/* ---- CUDA-aware MPI ----------------------------------------------------- */

static koshu_status
open_aware(struct koshu_traffic *t)
{
    return koshu_transport_can(
            t, koshu_transfer_reads_devices(),
            "run.transport: cuda-aware: this MPI does not say that it "
            "reads the memory of devices; use another transport");
}

static koshu_status
exchange_aware(const struct koshu_traffic *t, const struct koshu_step *step)
{
    struct koshu_traffic_chunk send[KOSHU_TRAFFIC_CHUNKS],
            receive[KOSHU_TRAFFIC_CHUNKS];
    size_t n = t->ops->chunks(t->arrays, &step->send, send);
    t->ops->chunks(t->arrays, &step->receive, receive);
    koshu_status status = t->ops->wait(t->arrays);
    struct messages m;
    for (size_t k = 0; k < n; k++) {
        m.out[k] =
                (struct koshu_message){step->to, send[k].memory, send[k].bytes};
        m.in[k] = (struct koshu_message){step->from, receive[k].memory,
                                         receive[k].bytes};
    }
    KOSHU_TRY(start_messages(t, &m, n));
    KOSHU_TRY(koshu_transfer_wait(t->context));
    return status;
}

static const struct koshu_transport_ops cuda_aware = {
        .transport = KOSHU_TRANSPORT_CUDA_AWARE,
        .name = "CUDA-aware MPI",
        .open = open_aware,
        .exchange = exchange_aware};

/* ---- peer --------------------------------------------------------------- */

static void
close_peer(const struct koshu_traffic *t)
{
    t->ops->peer->close(t->arrays);
}

static koshu_status
open_peer(struct koshu_traffic *t)
{
    struct koshu_traffic_handle mine = {0}, all[KOSHU_MAX_DEVICES];
    KOSHU_TRY(koshu_transport_can(
            t, t->ops->peer && koshu_ranks_on_one_host(t->context),
            "run.transport: peer: the ranks are on several hosts; use another "
            "transport"));
    KOSHU_TRY(koshu_transport_can(
            t, koshu_context_ranks(t->context) <= KOSHU_MAX_DEVICES,
            "run.transport: peer: there are more ranks than devices can write "
            "to; use another transport"));
    koshu_status status = t->ops->peer->handle(t->arrays, &mine);
    KOSHU_TRY(koshu_ranks_collective_status(t->context, status));
    KOSHU_TRY(koshu_all_gather(t->context, &mine, sizeof mine, all));
    status = koshu_ranks_collective_status(t->context,
                                           t->ops->peer->open(t->arrays, all));
    if (status != KOSHU_OK) close_peer(t);
    return status;
}

static koshu_status
await_peers(const struct koshu_traffic *t, int mark)
{
    return t->ops->peer->await(t->arrays, mark);
}

static const struct koshu_transport_ops peer = {.transport =
                                                        KOSHU_TRANSPORT_PEER,
                                                .name = "peer access",
                                                .open = open_peer,
                                                .close = close_peer,
                                                .await = await_peers};

/* ---- which -------------------------------------------------------------- */

static const struct koshu_transport_ops *const transports[] = {
        [KOSHU_TRANSPORT_PEER] = &peer,
        [KOSHU_TRANSPORT_CUDA_AWARE] = &cuda_aware,
        [KOSHU_TRANSPORT_NCCL] = &koshu_nccl,
        [KOSHU_TRANSPORT_HOST] = &host_staged};

koshu_status
koshu_transport_open(struct koshu_traffic *traffic,
                     enum koshu_transport transport,
                     const struct koshu_transport_ops **ops)
{
    koshu_status status = KOSHU_ERROR_UNSUPPORTED;
    bool automatic = transport == KOSHU_TRANSPORT_AUTO;
    int first = automatic ? KOSHU_TRANSPORT_PEER : (int)transport;
    int last = automatic ? KOSHU_TRANSPORT_HOST : (int)transport;
    for (int k = first; k <= last && status == KOSHU_ERROR_UNSUPPORTED; k++) {
        *ops = transports[k];
        status = transports[k]->open(traffic);
    }
    return status;
}
