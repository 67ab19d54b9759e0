/* SPDX-License-Identifier: MIT */
/* The waves of a power spectrum on the first device of a backend. */
#include "backend/cuda/power/power.cuh"

#include "backend/cuda/cuda.h"

using namespace koshu;

static koshu_status
compute(power_meshes *m)
{
    KOSHU_TRY(plan_transforms(m));
    KOSHU_TRY(status_of(m->cuda, deposit_masses(m),
                        "the mesh of a power spectrum"));
    KOSHU_TRY(transform_meshes(m));
    return status_of(m->cuda, sum_waves(m), "the waves of a power spectrum");
}

koshu_status
koshu_cuda_power(struct koshu_backend *backend,
                 const struct koshu_power_task *task)
{
    power_meshes m = {};
    m.cuda = enter(backend);
    m.task = task;
    m.row = task->grid / 2 + 1;
    m.n = task->interlaced ? 2 : 1;
    const koshu_status status = compute(&m);
    cudaStreamSynchronize(m.cuda->stream); /* also after an error */
    koshu_cufft_destroy(m.cufft);
    return status;
}
