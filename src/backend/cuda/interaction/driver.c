/* SPDX-License-Identifier: MIT */
/* Finds the functions of the CUDA driver. */
#include <dlfcn.h>
#include <stdbool.h>

#include "backend/cuda/interaction/driver.h"
#include "base/base.h"

bool
koshu_driver_find(struct koshu_driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) return false;
#define KOSHU_WANTED(member, name) {#name, &driver->member},
    const struct koshu_function wanted[] = {
            KOSHU_DRIVER_FUNCTIONS(KOSHU_WANTED)};
    /* never unloaded: the runtime uses the library, too */
    return !koshu_find_functions(library, sizeof wanted / sizeof wanted[0],
                                 wanted);
}
