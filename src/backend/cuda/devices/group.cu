/* SPDX-License-Identifier: MIT */
#include "backend/cuda/devices/group.cuh"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace koshu;

/* ---- opening ------------------------------------------------------------- */

static cudaError_t
open_member(koshu_cuda_group *group, size_t k)
{
    member *m = &group->members[k];
    for (koshu_cuda *&lane : m->lane) {
        KOSHU_CUDA_TRY((cudaError_t)koshu_cuda_open(
                group->context, group->device[k], &lane, &group->names[k]));
        lane->one_of_several = true;
    }
    for (event *e : {&m->packed, &m->sent, &m->summed, &m->joined, &m->done})
        KOSHU_CUDA_TRY(e->open());
    return cudaSuccess;
}

/* Lets a device use the memory of another. Without that copies go by the host,
 * which the driver sees to. */
static cudaError_t
open_peer(koshu_cuda_group *group, size_t k, size_t other, bool *is_peer)
{
    /* once in a process */
    static std::atomic<bool> opened[KOSHU_MAX_DEVICES][KOSHU_MAX_DEVICES];
    const int here = group->device[k], there = group->device[other];
    int can = 1;
    *is_peer = true;
    if (here == there) return cudaSuccess;
    KOSHU_CUDA_TRY(cudaDeviceCanAccessPeer(&can, here, there));
    *is_peer = can != 0;
    if (!can || opened[here][there].exchange(true)) return cudaSuccess;
    cudaError_t error = cudaDeviceEnablePeerAccess(there, 0);
    if (error == cudaSuccess) return error;
    if (error != cudaErrorPeerAccessAlreadyEnabled) {
        opened[here][there] = false;
        return error;
    }
    cudaGetLastError(); /* the program itself has done it */
    return cudaSuccess;
}

/* KOSHU_PEERS=off: copies, as where GPUs cannot. */
static bool
may_be_direct(void)
{
    const char *wanted = getenv("KOSHU_PEERS");
    return !wanted || strcmp(wanted, "off") != 0;
}

static int
open_peers(koshu_cuda_group *group)
{
    bool lacks[KOSHU_MAX_DEVICES] = {};
    int error = by_all(group, [&](size_t k) {
        for (size_t other = 0; other < group->n; other++) {
            bool is_peer;
            KOSHU_CUDA_TRY(open_peer(group, k, other, &is_peer));
            lacks[k] |= !is_peer;
        }
        return cudaSuccess;
    });
    group->has_peers = std::none_of(lacks, lacks + group->n,
                                    [](bool lack) { return lack; });
    group->direct = group->has_peers && may_be_direct();
    return error;
}

/* To each member, of the list of pairs, as its multiprocessors say. */
static void
distribute_parts(koshu_cuda_group *group)
{
    partition all = {};
    all.row_bytes = SIZE_MAX;
    for (size_t k = 0; k < group->n; k++) {
        const koshu_cuda *cuda = group->members[k].lane[0];
        all.all += cuda->multiprocessors;
        all.largest = std::max(all.largest, cuda->multiprocessors);
        all.row_bytes = std::min(all.row_bytes, cuda->row_bytes);
    }
    for (size_t k = 0; k < group->n; k++) {
        all.count = group->members[k].lane[0]->multiprocessors;
        group->members[k].mine = all;
        all.first += all.count;
    }
}

/* Sums of all members end when the first member's part does: they share its
 * beginning, and are counted by themselves. */
static cudaError_t
open_progress(koshu_cuda_group *group)
{
    const koshu_cuda *first = group->members[0].lane[0];
    void *seen;
    koshu_cuda_enter(first);
    KOSHU_CUDA_TRY(group->done_memory.reserve(sizeof(sums_done)));
    sums_done *done = group->done_memory.as<sums_done>();
    KOSHU_CUDA_TRY(cudaMemset(done, 0, sizeof *done));
    KOSHU_CUDA_TRY(
            cudaHostAlloc(&seen, sizeof(sums_done), cudaHostAllocMapped));
    memset(seen, 0, sizeof(sums_done));
    group->progress = {first->progress.begin, done,
                       static_cast<sums_done *>(seen)};
    return cudaSuccess;
}

int
koshu_cuda_group_open(struct koshu_context *context, const int *devices,
                      size_t n, struct koshu_cuda_group **group,
                      struct koshu_cuda_names *names)
{
    void *memory = calloc(1, sizeof(koshu_cuda_group));
    koshu_cuda_group *g = *group = static_cast<koshu_cuda_group *>(memory);
    if (!memory) return cudaErrorMemoryAllocation;
    new (memory) koshu_cuda_group();
    g->context = context;
    g->n = n;
    memcpy(g->device, devices, n * sizeof *devices);
    g->team = koshu_team_create(n);
    if (!g->team) return cudaErrorMemoryAllocation;
    int error = by_all(g, [&](size_t k) { return open_member(g, k); });
    if (error == 0) error = open_peers(g);
    if (error == 0) error = open_progress(g);
    if (error != 0) return error;
    distribute_parts(g);
    *names = g->names[0];
    return 0;
}

void
koshu_cuda_group_close(struct koshu_cuda_group *group)
{
    if (!group) return;
    for (size_t k = 0; k < group->n; k++)
        for (koshu_cuda *lane : group->members[k].lane) koshu_cuda_close(lane);
    if (group->progress.seen) cudaFreeHost((void *)group->progress.seen);
    koshu_team_destroy(group->team);
    group->~koshu_cuda_group();
    free(group);
}

int
koshu_cuda_group_failed(const struct koshu_cuda_group *group)
{
    return group->device[group->failed];
}

bool
koshu_cuda_group_has_peers(const struct koshu_cuda_group *group)
{
    return group->has_peers;
}

struct koshu_cuda *
koshu_cuda_group_first(struct koshu_cuda_group *group)
{
    return group->members[0].lane[0];
}

void
koshu_cuda_group_select_shape(struct koshu_cuda_group *group,
                              enum koshu_shape_set set, unsigned size_class,
                              size_t k, int shared_memory)
{
    for (size_t m = 0; m < group->n; m++)
        for (koshu_cuda *lane : group->members[m].lane)
            koshu_cuda_select_shape(lane, set, size_class, k, shared_memory);
}

size_t
koshu_cuda_group_devices(const struct koshu_cuda_group *group)
{
    return group->n;
}

enum koshu_exchange
koshu_cuda_group_exchange(const struct koshu_cuda_group *group,
                          const struct koshu_force_task *task, size_t n)
{
    const precision_functions &functions = functions_of(*task, n);
    /* particles of a device; seen on two H200 */
    const size_t by_copies = &functions == &functions_double ? 12288 : 20480;
    const size_t mutual_from = group->direct ? 8192 : by_copies;
    const koshu_exchange selected =
            group->choice[functions.set][koshu_size_class(n)];
    if (selected > KOSHU_EXCHANGE_AUTO) return selected;
    return n >= mutual_from * group->n ? KOSHU_EXCHANGE_MUTUAL
                                       : KOSHU_EXCHANGE_SEND_SYNC;
}

void
koshu_cuda_group_select_exchange(struct koshu_cuda_group *group,
                                 enum koshu_shape_set set, unsigned size_class,
                                 enum koshu_exchange scheme)
{
    group->choice[set][size_class] = scheme;
}

/* ---- time ---------------------------------------------------------------- */

double
koshu_cuda_group_seconds(const struct koshu_cuda_group *group)
{
    const volatile sums_done *seen = group->progress.seen;
    const unsigned long long count = seen->count;
    if (count == 0) return 0;
    return 1e-9 * (double)seen->nanoseconds * (double)group->sums /
           (double)count;
}

/* What has gone wrong on a device, without waiting for it. */
static cudaError_t
check_devices(koshu_cuda_group *group)
{
    for (size_t k = 0; k < group->n; k++)
        for (const koshu_cuda *lane : group->members[k].lane) {
            cudaError_t error = cudaStreamQuery(lane->stream);
            if (error == cudaSuccess || error == cudaErrorNotReady) continue;
            group->failed = k;
            return error;
        }
    return cudaSuccess;
}

int
koshu_cuda_group_keep_pace(struct koshu_cuda_group *group, unsigned ahead)
{
    const unsigned long long interval = 4096;
    const volatile sums_done *seen = group->progress.seen;
    unsigned long long polls = 0;
    while (group->sums > seen->count + ahead)
        if (++polls % interval == 0) KOSHU_CUDA_TRY(check_devices(group));
    return cudaSuccess;
}

int
koshu_cuda_group_wait(struct koshu_cuda_group *group)
{
    return by_all(group, [&](size_t k) {
        for (const koshu_cuda *lane : group->members[k].lane)
            KOSHU_CUDA_TRY(cudaStreamSynchronize(lane->stream));
        return cudaSuccess;
    });
}

int
koshu_cuda_group_waits(struct koshu_cuda_group *group, size_t n)
{
    for (size_t k = 0; k < n; k++)
        KOSHU_CUDA_TRY((cudaError_t)by_all(group, [&](size_t m) {
            return cudaStreamSynchronize(group->members[m].lane[0]->stream);
        }));
    return cudaSuccess;
}

int
koshu_cuda_group_copies(struct koshu_cuda_group *group, size_t bytes)
{
    int error = by_all(group, [&](size_t k) {
        for (koshu_cuda *lane : group->members[k].lane)
            KOSHU_CUDA_TRY(lane->batch_packed_i.reserve(bytes));
        return cudaSuccess;
    });
    if (error != 0) return error;
    return by_all(group, [&](size_t k) {
        const size_t next = (k + 1) % group->n;
        const member *here = &group->members[k], *there = &group->members[next];
        const cudaStream_t stream = here->lane[0]->stream;
        KOSHU_CUDA_TRY(cudaMemcpyPeerAsync(
                here->lane[0]->batch_packed_i.as<void>(), group->device[k],
                there->lane[1]->batch_packed_i.as<void>(), group->device[next],
                bytes, stream));
        return cudaStreamSynchronize(stream);
    });
}
