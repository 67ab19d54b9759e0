/* SPDX-License-Identifier: MIT */
/* The names of the choices of flows. */
#include "base/base.h"
#include "parameters/parameters.h"

#define NAMES(what, ...)                                            \
    const char *koshu_flow_##what##_name(int k)                     \
    {                                                               \
        static const char *const names[] = {__VA_ARGS__};           \
        return koshu_enum_name(names, sizeof names / sizeof *names, \
                               (unsigned)k);                        \
    }
NAMES(method, "none", "vortex", "spectral")
NAMES(initial, "rings", "taylor-green", "turbulence")
NAMES(precision, "single", "double")
NAMES(dealiasing, "3/2", "2/3")
