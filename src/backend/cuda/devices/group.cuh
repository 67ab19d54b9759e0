/* SPDX-License-Identifier: MIT */
/*
 * The devices of a backend: one, or several of this process that sum forces
 * jointly (Miki13 section 3). A host thread enqueues the work of each device;
 * for a single device it is the caller.
 */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_GROUP_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_GROUP_CUH

#include "backend/cuda/cuda.h"
#include "devices/devices.h"
#include "backend/cuda/pairs/forces.cuh"

namespace koshu {

enum { LANES = 2 };

/* A device of a group: two streams, each with its own memory for sums; a single
 * device only uses the first. */
struct member {
    koshu_cuda *lane[LANES];
    partition mine; /* of the pairs */
    event sent;     /* its positions have arrived at the other devices */
    event joined;   /* the second lane is done */
};

} /* namespace koshu */

struct koshu_cuda_group {
    koshu_context *context;
    size_t n;
    koshu_team *team; /* NULL: one device */
    bool has_peers;   /* every device can access the memory of all */
    bool direct;      /* and kernels use that */
    size_t failed;    /* the member of the last error */
    koshu::member members[KOSHU_MAX_DEVICES];
    koshu_exchange choice[KOSHU_SHAPE_SETS][KOSHU_SIZE_CLASSES];

    /* Several devices: on the first one; sums start when those of its lane
     * do. */
    koshu::kept_progress progress;
    unsigned long long common_sums; /* enqueued so far */

    /* Completed and enqueued sums: of the single device, or of all. */
    const volatile koshu::sums_done *seen;
    const unsigned long long *sums;
};

namespace koshu {

static inline koshu_cuda_group *
group_of(const koshu_backend *backend)
{
    return reinterpret_cast<const koshu_cuda_backend *>(backend)->group;
}

static inline const koshu_cuda *
device_at(const koshu_cuda_group *group, size_t k)
{
    return group->members[k].lane[0];
}

/* Like status_of(), for the device of the last error. */
static inline koshu_status
status_in(const koshu_cuda_group *group, cudaError_t error, const char *doing)
{
    return status_of(device_at(group, group->failed), error, doing);
}

/* Calls work(k) for the first n members, one or all, in the thread of each
 * member, whose device is current. */
template <class Work>
cudaError_t
by_members(koshu_cuda_group *group, size_t n, const Work &work)
{
    struct call {
        koshu_cuda_group *group;
        const Work *work;
    } c = {group, &work};
    auto one = [](void *user, size_t k) -> int {
        const call *of = static_cast<const call *>(user);
        koshu_cuda_enter(device_at(of->group, k));
        return (int)(*of->work)(k);
    };
    group->failed = 0;
    return (cudaError_t)(n == 1 ? one(&c, 0)
                                : koshu_team_do(group->team, one, &c,
                                                &group->failed));
}

template <class Work>
cudaError_t
by_all(koshu_cuda_group *group, const Work &work)
{
    return by_members(group, group->n, work);
}

/* Waits until all enqueued work is done. */
cudaError_t wait_for_all(koshu_cuda_group *group);

/* Waits until no more than `ahead` sums are enqueued. */
cudaError_t keep_pace(koshu_cuda_group *group, unsigned ahead);

} /* namespace koshu */

#endif
