/* SPDX-License-Identifier: MIT */
/* Power spectra on a device: what its files share. */
#ifndef KOSHU_BACKEND_CUDA_POWER_POWER_CUH
#define KOSHU_BACKEND_CUDA_POWER_POWER_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/spectral/cufft.h"

namespace koshu {

/* One mesh or two, of grid^2 rows of so many complex numbers each. */
struct power_meshes {
    koshu_cuda *cuda;
    const koshu_power_task *task;
    size_t row, part; /* part: planes, or rows of each, transformed at once */
    int n;            /* meshes */
    buffer mesh[2], chunk, work, wave_axis, sums; /* chunk: of particles */
    koshu_cufft *cufft;

    size_t cells() const
    {
        return task->grid * task->grid * 2 * row;
    }
};

/* deposit.cu: the masses of all particles, of double. */
cudaError_t deposit_masses(power_meshes *m);

/* waves.cu: before all else, as there may be no cuFFT; meshes to waves, not
 * scaled; and their sums, to the task. */
koshu_status plan_transforms(power_meshes *m);
koshu_status transform_meshes(power_meshes *m);
cudaError_t sum_waves(power_meshes *m);

} /* namespace koshu */

#endif
