/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "backend/cuda/interaction/driver.h"

bool
koshu_driver_find(struct koshu_driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) return false;
    const struct {
        const char *name;
        void *function; /* a pointer to a function of driver */
    } wanted[] = {
            {"cuModuleLoadData", &driver->load},
            {"cuModuleUnload", &driver->unload},
            {"cuModuleGetFunction", &driver->function},
            {"cuFuncGetAttribute", &driver->attribute},
            {"cuFuncSetAttribute", &driver->set_attribute},
            {"cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver->occupancy},
            {"cuLaunchKernel", &driver->launch},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        void *function = dlsym(library, wanted[k].name);
        if (!function) return false;
        memcpy(wanted[k].function, &function, sizeof function);
    }
    return true; /* the runtime holds the library, too: it stays */
}
