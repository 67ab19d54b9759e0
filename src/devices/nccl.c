/* SPDX-License-Identifier: MIT */
/*
 * NCCL's send and receive. The library is loaded at run time (libnccl.so.2, as
 * NVIDIA's packages and Python wheels install it), so that a koshu built
 * without NCCL uses it where it is installed, and one built with it runs where
 * it is not. The functions used here have not changed since NCCL 2.7, the first
 * version with send and receive.
 */
#include <dlfcn.h>

#include "devices/devices.h"
#include "devices/transports.h"

/* Declarations of nccl.h, as its binary interface has them. */
typedef struct {
    char bytes[128];
} ncclUniqueId;
enum { NCCL_SUCCESS = 0, NCCL_CHAR = 0 };

static struct {
    int (*get_unique_id)(ncclUniqueId *id);
    int (*comm_init_rank)(struct ncclComm **comm, int n_ranks, ncclUniqueId id,
                          int rank);
    int (*comm_abort)(struct ncclComm *comm);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *memory, size_t count, int type, int to,
                struct ncclComm *comm, void *stream);
    int (*receive)(void *memory, size_t count, int type, int from,
                   struct ncclComm *comm, void *stream);
    const char *(*get_error_string)(int error);
} nccl_of;

/* Once found, the library stays loaded. */
static bool
find(void)
{
    static bool found;
    void *library = found ? NULL : dlopen("libnccl.so.2", RTLD_NOW);
    if (!library) return found;
    const struct koshu_function wanted[] = {
            {"ncclGetUniqueId", &nccl_of.get_unique_id},
            {"ncclCommInitRank", &nccl_of.comm_init_rank},
            {"ncclCommAbort", &nccl_of.comm_abort},
            {"ncclGroupStart", &nccl_of.group_start},
            {"ncclGroupEnd", &nccl_of.group_end},
            {"ncclSend", &nccl_of.send},
            {"ncclRecv", &nccl_of.receive},
            {"ncclGetErrorString", &nccl_of.get_error_string}};
    return found = !koshu_find_functions(
                   library, sizeof wanted / sizeof wanted[0], wanted);
}

static koshu_status
need(struct koshu_context *context)
{
    if (find()) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "run.transport: nccl: there is no libnccl.so.2 where "
                      "libraries are searched (LD_LIBRARY_PATH); install "
                      "NCCL 2.7 or later, or use another transport");
}

static koshu_status
check(struct koshu_context *context, int error, const char *doing)
{
    if (error == NCCL_SUCCESS) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_DEVICE, "NCCL: %s: %s", doing,
                      nccl_of.get_error_string(error));
}

static koshu_status
find_group(struct koshu_context *context, ncclUniqueId *group)
{
    KOSHU_TRY(need(context));
    return check(context, nccl_of.get_unique_id(group), "making a group");
}

/* Joins once; later calls return at once. */
static koshu_status
join(struct koshu_traffic *t, const ncclUniqueId *group)
{
    if (t->nccl) return KOSHU_OK;
    int error =
            nccl_of.comm_init_rank(&t->nccl, koshu_context_ranks(t->context),
                                   *group, koshu_context_rank(t->context));
    if (error == NCCL_SUCCESS) return KOSHU_OK;
    t->nccl = NULL;
    return koshu_fail(t->context, KOSHU_ERROR_UNSUPPORTED,
                      "run.transport: nccl: ranks cannot join: %s; use another "
                      "transport",
                      nccl_of.get_error_string(error));
}

static koshu_status
open_nccl(struct koshu_traffic *t)
{
    ncclUniqueId group = {0};
    KOSHU_TRY(koshu_transport_can(
            t, t->ops->stream && t->one_each,
            "run.transport: nccl: ranks share a GPU, which NCCL does not "
            "allow; start one rank for each GPU"));
    /* every rank looks for NCCL, so that none waits for one that lacks it; the
     * id of rank 0 is used */
    koshu_status status = find_group(t->context, &group);
    KOSHU_TRY(koshu_ranks_collective_status(t->context, status));
    KOSHU_TRY(koshu_broadcast(t->context, 0, &group, sizeof group));
    return koshu_ranks_collective_status(t->context, join(t, &group));
}

static koshu_status
exchange_nccl(const struct koshu_traffic *t, const struct koshu_step *step)
{
    struct koshu_traffic_chunk send[KOSHU_TRAFFIC_CHUNKS],
            receive[KOSHU_TRAFFIC_CHUNKS];
    const size_t n = t->ops->chunks(t->arrays, &step->send, send);
    t->ops->chunks(t->arrays, &step->receive, receive);
    void *stream = t->ops->stream(t->arrays);
    int error = nccl_of.group_start();
    for (size_t k = 0; k < n && error == NCCL_SUCCESS; k++) {
        error = nccl_of.send(send[k].memory, send[k].bytes, NCCL_CHAR, step->to,
                             t->nccl, stream);
        if (error == NCCL_SUCCESS)
            error = nccl_of.receive(receive[k].memory, receive[k].bytes,
                                    NCCL_CHAR, step->from, t->nccl, stream);
    }
    int ended = nccl_of.group_end();
    return check(t->context, error == NCCL_SUCCESS ? ended : error,
                 "exchanging particles");
}

void
koshu_nccl_leave(struct koshu_traffic *traffic)
{
    if (traffic->nccl) nccl_of.comm_abort(traffic->nccl);
    traffic->nccl = NULL;
}

const struct koshu_transport_ops koshu_nccl = {.transport =
                                                       KOSHU_TRANSPORT_NCCL,
                                               .name = "NCCL",
                                               .open = open_nccl,
                                               .exchange = exchange_nccl};
