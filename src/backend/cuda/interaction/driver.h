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

struct koshu_driver {
    CUresult (*load)(CUmodule *module, const void *image);
    CUresult (*unload)(CUmodule module);
    CUresult (*function)(CUfunction *function, CUmodule module,
                         const char *name);
    CUresult (*attribute)(int *value, CUfunction_attribute attribute,
                          CUfunction function);
    CUresult (*set_attribute)(CUfunction function,
                              CUfunction_attribute attribute, int value);
    CUresult (*occupancy)(int *blocks, CUfunction function, int threads,
                          size_t shared);
    CUresult (*launch)(CUfunction function, unsigned x, unsigned y, unsigned z,
                       unsigned block_x, unsigned block_y, unsigned block_z,
                       unsigned shared, CUstream stream, void **arguments,
                       void **extra);
};

/* false: there is no driver, or it lacks one of them. */
bool koshu_driver_find(struct koshu_driver *driver);

#ifdef __cplusplus
}
#endif

#endif
