/* SPDX-License-Identifier: MIT */
/*
 * The functions of the CUDA driver that load and launch code made at run time.
 * They are looked up when needed: koshu does not link libcuda, so that it also
 * runs without a driver, and the runtime has such functions only from CUDA 12.8
 * on. All use the current context, which is the runtime's.
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

/* Returns false if there is no driver, or it lacks one of the functions. */
bool koshu_driver_find(struct koshu_driver *driver);

#ifdef __cplusplus
}
#endif

#endif
