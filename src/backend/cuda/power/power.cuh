/* SPDX-License-Identifier: MIT */
/* Power spectra on a device: what its files have in common. */
#ifndef KOSHU_BACKEND_CUDA_POWER_POWER_CUH
#define KOSHU_BACKEND_CUDA_POWER_POWER_CUH

#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/spectral/cufft.h"

namespace koshu {

/* One or two meshes, of grid^2 rows of `row` complex numbers each. */
struct power_meshes {
    koshu_cuda *cuda;
    const koshu_power_task *task;
    size_t row, part; /* part: planes, or rows of each plane, transformed at a
                       * time */
    int n;            /* number of meshes */
    buffer mesh[2], chunk, work, wave_axis, sums; /* chunk: of particles */
    koshu_cufft *cufft;

    size_t cells() const
    {
        return task->grid * task->grid * 2 * row;
    }
};

/* deposit.cu: assigns the masses of all particles, in double. */
cudaError_t deposit_masses(power_meshes *m);

/* waves.cu. plan_transforms() comes first, because cuFFT may be missing;
 * transform_meshes() turns meshes into unscaled waves; sum_waves() writes their
 * sums to the task. */
koshu_status plan_transforms(power_meshes *m);
koshu_status transform_meshes(power_meshes *m);
cudaError_t sum_waves(power_meshes *m);

} /* namespace koshu */

#endif
