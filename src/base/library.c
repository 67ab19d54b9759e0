/* SPDX-License-Identifier: MIT */
/* Loads libraries and their functions at run time. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void *
koshu_open_library(const char *variable, const char *const names[])
{
    const char *named = getenv(variable);
    void *library = NULL;
    if (named) return dlopen(named, RTLD_NOW);
    for (; !library && *names; names++) library = dlopen(*names, RTLD_NOW);
    return library;
}

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
