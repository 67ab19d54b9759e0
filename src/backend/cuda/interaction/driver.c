/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdbool.h>

#include "backend/cuda/interaction/driver.h"
#include "base/base.h"

bool
koshu_driver_find(struct koshu_driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) return false;
    const struct koshu_function wanted[] = {
            {"cuModuleLoadData", &driver->load},
            {"cuModuleUnload", &driver->unload},
            {"cuModuleGetFunction", &driver->function},
            {"cuFuncGetAttribute", &driver->attribute},
            {"cuFuncSetAttribute", &driver->set_attribute},
            {"cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver->occupancy},
            {"cuLaunchKernel", &driver->launch},
    };
    /* the runtime holds the library, too: it stays */
    return !koshu_find_functions(library, sizeof wanted / sizeof wanted[0],
                                 wanted);
}
