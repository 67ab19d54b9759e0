/* SPDX-License-Identifier: MIT */
/* The open devices of a group. */
#ifndef KOSHU_BACKEND_CUDA_DEVICES_GROUP_CUH
#define KOSHU_BACKEND_CUDA_DEVICES_GROUP_CUH

#include "backend/cuda/devices/devices.h"
#include "backend/cuda/devices/team.h"
#include "backend/cuda/pairs/forces.cuh"

namespace koshu {

enum { LANES = 2 };

/* An event of a device; other devices' streams wait for it. */
class event {
  public:
    event() = default;
    event(const event &) = delete;
    event &operator=(const event &) = delete;
    ~event()
    {
        if (made) cudaEventDestroy(made);
    }
    cudaError_t open()
    {
        return cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    }
    cudaError_t record(const koshu_cuda *lane)
    {
        return cudaEventRecord(made, lane->stream);
    }
    /* What the lane is given from now on comes after what was recorded. */
    cudaError_t hold(const koshu_cuda *lane) const
    {
        return cudaStreamWaitEvent(lane->stream, made, 0);
    }

  private:
    cudaEvent_t made = nullptr;
};

/* A device of a group: two streams, each with memory of its own for sums. */
struct member {
    koshu_cuda *lane[LANES];
    partition mine;
    event packed; /* its positions are up to date */
    event sent;   /* and at the other devices */
    event summed; /* its parts of other slices are there */
    event joined; /* the second lane has done its part */
    event done;   /* it needs nothing of others any more */
};

} /* namespace koshu */

struct koshu_cuda_group {
    koshu_context *context;
    size_t n;
    koshu_team *team;
    int device[KOSHU_MAX_DEVICES];
    koshu_cuda_names names[KOSHU_MAX_DEVICES];
    bool has_peers; /* all can use the memory of all */
    bool direct;    /* and their kernels do */
    size_t failed;  /* the last member that did */
    koshu::member members[KOSHU_MAX_DEVICES];
    koshu_exchange choice[KOSHU_SHAPE_SETS][KOSHU_SIZE_CLASSES];

    /* On the first device; its sums begin when those of its lane do. */
    koshu::buffer done_memory;
    koshu::progress progress;
    unsigned long long sums; /* enqueued */
};

namespace koshu {

/* work(k) by each member's thread, the device being that thread's. */
template <class Work>
int
by_all(koshu_cuda_group *group, const Work &work)
{
    struct call {
        koshu_cuda_group *group;
        const Work *work;
    } c = {group, &work};
    auto one = [](void *user, size_t k) -> int {
        const call *of = static_cast<const call *>(user);
        const koshu_cuda *lane = of->group->members[k].lane[0];
        if (lane) koshu_cuda_enter(lane);
        return (int)(*of->work)(k);
    };
    return koshu_team_do(group->team, one, &c, &group->failed);
}

/* Has what member k does next wait until no other needs its positions. */
static inline cudaError_t
hold_for_others(koshu_cuda_group *group, size_t k)
{
    for (size_t m = 0; m < group->n; m++)
        if (m != k)
            KOSHU_CUDA_TRY(
                    group->members[m].done.hold(group->members[k].lane[0]));
    return cudaSuccess;
}

} /* namespace koshu */

#endif
