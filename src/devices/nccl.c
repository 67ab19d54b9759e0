/* SPDX-License-Identifier: MIT */
#include "devices/nccl.h"

#include <dlfcn.h>
#include <string.h>

#include "base/base.h"

/* Of nccl.h, as its binary interface has them. */
typedef struct koshu_nccl_group ncclUniqueId;
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

/* A library that was found stays. */
static bool
find(void)
{
    static bool found;
    void *library = found ? NULL : dlopen("libnccl.so.2", RTLD_NOW);
    if (!library) return found;
    const struct {
        const char *name;
        void *function; /* a pointer to a function of nccl_of */
    } wanted[] = {{"ncclGetUniqueId", &nccl_of.get_unique_id},
                  {"ncclCommInitRank", &nccl_of.comm_init_rank},
                  {"ncclCommAbort", &nccl_of.comm_abort},
                  {"ncclGroupStart", &nccl_of.group_start},
                  {"ncclGroupEnd", &nccl_of.group_end},
                  {"ncclSend", &nccl_of.send},
                  {"ncclRecv", &nccl_of.receive},
                  {"ncclGetErrorString", &nccl_of.get_error_string}};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        void *function = dlsym(library, wanted[k].name);
        if (!function) return false;
        memcpy(wanted[k].function, &function, sizeof function);
    }
    return found = true;
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

koshu_status
koshu_nccl_group(struct koshu_context *context, struct koshu_nccl_group *group)
{
    KOSHU_TRY(need(context));
    return check(context, nccl_of.get_unique_id(group), "making a group");
}

koshu_status
koshu_nccl_join(struct koshu_context *context, struct koshu_nccl *nccl,
                const struct koshu_nccl_group *group)
{
    KOSHU_TRY(need(context));
    if (nccl->comm) return KOSHU_OK;
    int error =
            nccl_of.comm_init_rank(&nccl->comm, koshu_context_ranks(context),
                                   *group, koshu_context_rank(context));
    if (error == NCCL_SUCCESS) return KOSHU_OK;
    nccl->comm = NULL;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "run.transport: nccl: ranks cannot join: %s; use another "
                      "transport",
                      nccl_of.get_error_string(error));
}

koshu_status
koshu_nccl_exchange(struct koshu_context *context, struct koshu_nccl *nccl,
                    size_t n, int to, const struct koshu_partition_chunk *send,
                    int from, const struct koshu_partition_chunk *receive,
                    void *stream)
{
    int error = nccl_of.group_start();
    for (size_t k = 0; k < n && error == NCCL_SUCCESS; k++) {
        error = nccl_of.send(send[k].memory, send[k].bytes, NCCL_CHAR, to,
                             nccl->comm, stream);
        if (error == NCCL_SUCCESS)
            error = nccl_of.receive(receive[k].memory, receive[k].bytes,
                                    NCCL_CHAR, from, nccl->comm, stream);
    }
    int ended = nccl_of.group_end();
    return check(context, error == NCCL_SUCCESS ? ended : error,
                 "exchanging particles");
}

void
koshu_nccl_leave(struct koshu_nccl *nccl)
{
    if (nccl->comm) nccl_of.comm_abort(nccl->comm);
    nccl->comm = NULL;
}
