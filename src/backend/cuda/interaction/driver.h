/* SPDX-License-Identifier: MIT */
/*
 * The functions of the CUDA driver that load and launch code made at run time.
 * They are found when they are needed: nothing links libcuda, so that koshu
 * runs without a driver; and the runtime has such functions only from CUDA 12.8
 * on. All work in the current context, that of the runtime.
 */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_DRIVER_H
#define KOSHU_BACKEND_CUDA_INTERACTION_DRIVER_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KOSHU_DRIVER_FUNCTIONS(F)                             \
    F(load, cuModuleLoadData)                                 \
    F(unload, cuModuleUnload)                                 \
    F(function, cuModuleGetFunction)                          \
    F(attribute, cuFuncGetAttribute)                          \
    F(set_attribute, cuFuncSetAttribute)                      \
    F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor) \
    F(launch, cuLaunchKernel)

struct koshu_driver {
#define KOSHU_MEMBER(member, name) __typeof__(name) *member;
    KOSHU_DRIVER_FUNCTIONS(KOSHU_MEMBER)
};

/* false: there is no driver, or it lacks one of them. */
bool koshu_driver_find(struct koshu_driver *driver);

#ifdef __cplusplus
}
#endif

#endif
