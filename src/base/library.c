/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <string.h>

#include "base/base.h"

const char *
koshu_find_functions(void *library, size_t n,
                     const struct koshu_function functions[])
{
    for (size_t k = 0; k < n; k++) {
        void *function = dlsym(library, functions[k].name);
        if (!function) return functions[k].name;
        memcpy(functions[k].pointer, &function, sizeof function);
    }
    return NULL;
}
