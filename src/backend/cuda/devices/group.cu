/* SPDX-License-Identifier: MIT */
/* Opens the devices of a backend and names them; selections and exchanges. */
#include "backend/cuda/devices/group.cuh"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "backend/cuda/runtime/object.cuh"

using namespace koshu;

/* ---- opening ------------------------------------------------------------- */

static cudaError_t
open_member(koshu_cuda_group *group, size_t k)
{
    member *m = &group->members[k];
    for (koshu_cuda *lane : m->lane)
        if (lane) KOSHU_CUDA_TRY(open_device(lane));
    KOSHU_CUDA_TRY(m->sent.open());
    return m->joined.open();
}

/* Lets a device access the memory of another. Without that, the driver copies
 * through the host. */
static cudaError_t
open_peer(const koshu_cuda *from, const koshu_cuda *to, bool *is_peer)
{
    /* once per process */
    static std::atomic<bool> opened[KOSHU_MAX_DEVICES][KOSHU_MAX_DEVICES];
    const int here = from->device, there = to->device;
    int can = 1;
    *is_peer = true;
    if (here == there) return cudaSuccess;
    KOSHU_CUDA_TRY(cudaDeviceCanAccessPeer(&can, here, there));
    *is_peer = can != 0;
    if (!can || opened[here][there].exchange(true)) return cudaSuccess;
    cudaError_t error = cudaDeviceEnablePeerAccess(there, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError(); /* the program itself has enabled it */
        return cudaSuccess;
    }
    if (error != cudaSuccess) opened[here][there] = false;
    return error;
}

/* KOSHU_PEERS=off: use copies, as on GPUs without peer access. */
static bool
may_be_direct(void)
{
    const char *wanted = getenv("KOSHU_PEERS");
    return !wanted || strcmp(wanted, "off") != 0;
}

static cudaError_t
open_peers(koshu_cuda_group *group)
{
    bool lacks[KOSHU_MAX_DEVICES] = {};
    const cudaError_t error = by_all(group, [&](size_t k) {
        for (size_t other = 0; other < group->n; other++) {
            bool is_peer;
            KOSHU_CUDA_TRY(open_peer(device_at(group, k),
                                     device_at(group, other), &is_peer));
            lacks[k] |= !is_peer;
        }
        return cudaSuccess;
    });
    group->has_peers = std::none_of(lacks, lacks + group->n,
                                    [](bool lack) { return lack; });
    group->direct = group->has_peers && may_be_direct();
    return error;
}

/* Distributes the list of pairs over the members by their multiprocessors. */
static void
distribute_pairs(koshu_cuda_group *group)
{
    partition all = {};
    all.row_bytes = SIZE_MAX;
    for (size_t k = 0; k < group->n; k++) {
        const koshu_cuda *cuda = device_at(group, k);
        all.all += cuda->multiprocessors;
        all.largest = std::max(all.largest, cuda->multiprocessors);
        all.row_bytes = std::min(all.row_bytes, cuda->row_bytes);
    }
    for (size_t k = 0; k < group->n; k++) {
        all.count = device_at(group, k)->multiprocessors;
        group->members[k].mine = all;
        all.first += all.count;
    }
}

/* Sums of all members end when the first member's part does: progress uses its
 * start, and counts common sums separately. */
static cudaError_t
open_progress(koshu_cuda_group *group)
{
    const koshu_cuda *first = device_at(group, 0);
    koshu_cuda_enter(first);
    KOSHU_CUDA_TRY(group->progress.open());
    group->progress.begin = first->progress.begin;
    group->seen = group->progress.seen;
    group->sums = &group->common_sums;
    return cudaSuccess;
}

static cudaError_t
open_several(koshu_cuda_group *group)
{
    KOSHU_CUDA_TRY(open_peers(group));
    KOSHU_CUDA_TRY(open_progress(group));
    distribute_pairs(group);
    return cudaSuccess;
}

/* The devices of a list, not opened yet. Returns false if there is no memory,
 * or no threads. */
static bool
make_members(koshu_cuda_group *group, const koshu_device_list *list)
{
    const bool several = list->n > 1;
    group->n = list->n;
    if (several && !(group->team = koshu_team_create(list->n))) return false;
    for (size_t k = 0; k < list->n; k++)
        for (int lane = 0; lane < (several ? LANES : 1); lane++) {
            koshu_cuda *made =
                    make_device(group->context, list->number[k], several);
            if (!made) return false;
            group->members[k].lane[lane] = made;
        }
    return true;
}

static koshu_status
make_group(koshu_cuda_backend *b, const koshu_device_list *list)
{
    koshu_cuda_group *group = b->group = make_object<koshu_cuda_group>();
    if (group) group->context = b->base.context;
    if (!group || !make_members(group, list))
        return koshu_fail_memory(b->base.context, sizeof *group,
                                 "cuda backend");
    b->cuda = group->members[0].lane[0];
    group->sums = &b->cuda->sums;
    return KOSHU_OK;
}

/* Writes "2 x NVIDIA H200, 132 multiprocessors, 139 GiB" and the devices'
 * numbers. */
static void
name_several(koshu_backend *base, const koshu_device_list *list)
{
    char one[sizeof base->device];
    memcpy(one, base->device, sizeof one);
    const size_t size = sizeof base->device;
    int n = snprintf(base->device, size, "%zu x %.80s; GPUs", list->n, one);
    for (size_t k = 0; k < list->n && n > 0 && (size_t)n < size; k++)
        n += snprintf(base->device + n, size - (size_t)n, "%s %d", k ? "," : "",
                      list->number[k]);
    snprintf(base->group_model, sizeof base->group_model, "%zu x %s", list->n,
             base->model);
}

koshu_status
koshu_cuda_group_open(struct koshu_cuda_backend *backend,
                      const struct koshu_device_list *list)
{
    KOSHU_TRY(make_group(backend, list));
    koshu_cuda_group *g = backend->group;
    cudaError_t error = by_all(g, [&](size_t k) { return open_member(g, k); });
    if (error == cudaSuccess)
        error = name_device(g->members[0].lane[0], &backend->base);
    g->seen = g->members[0].lane[0]->progress.seen;
    if (error == cudaSuccess && g->n > 1) error = open_several(g);
    KOSHU_TRY(status_in(g, error, "opening the device"));
    if (g->n == 1) return KOSHU_OK;
    name_several(&backend->base, list);
    if (!g->has_peers)
        koshu_log(g->context, KOSHU_LOG_LEVEL_WARNING,
                  "these GPUs cannot read each other's memory: particles "
                  "between them pass through the host");
    return KOSHU_OK;
}

void
koshu_cuda_group_close(struct koshu_cuda_group *group)
{
    if (!group) return;
    for (size_t k = 0; k < group->n; k++)
        for (koshu_cuda *lane : group->members[k].lane) close_device(lane);
    koshu_team_destroy(group->team);
    free_object(group);
}

/* ---- selections and exchanges -------------------------------------------- */

void
koshu_cuda_select_shape(struct koshu_backend *backend, enum koshu_shape_set set,
                        unsigned size_class, size_t k, int shared_memory)
{
    koshu_cuda_group *group = group_of(backend);
    for (size_t m = 0; m < group->n; m++)
        for (koshu_cuda *lane : group->members[m].lane)
            if (lane) select_shape(lane, set, size_class, k, shared_memory);
}

enum koshu_exchange
koshu_cuda_exchange(const struct koshu_backend *backend,
                    const struct koshu_force_task *task, size_t n)
{
    const koshu_cuda_group *group = group_of(backend);
    const koshu_exchange given = koshu_context_exchange(group->context);
    if (given != KOSHU_EXCHANGE_AUTO) return given;
    const precision_functions &functions = functions_of(*task, n);
    const koshu_exchange selected =
            group->choice[functions.set][koshu_size_class(n)];
    if (selected > KOSHU_EXCHANGE_AUTO) return selected;
    /* particles per device; measured on two H200 */
    const size_t by_copies = &functions == &functions_double ? 12288 : 20480;
    const size_t mutual_from = group->direct ? 8192 : by_copies;
    return n >= mutual_from * group->n ? KOSHU_EXCHANGE_MUTUAL
                                       : KOSHU_EXCHANGE_SEND_SYNC;
}

void
koshu_cuda_select_exchange(struct koshu_backend *backend,
                           enum koshu_shape_set set, unsigned size_class,
                           enum koshu_exchange scheme)
{
    group_of(backend)->choice[set][size_class] = scheme;
}
