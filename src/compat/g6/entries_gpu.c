/* SPDX-License-Identifier: MIT */
/* Entry points of koshu-g6/gpu.h: GPUNAME. */
#include <koshu-g6/gpu.h>

#include "compat/g6/functions.h"

#define ENTRY(name, ...)                                        \
    KOSHU_G6_ENTRY int GPU##name(EACH(C_DECLARES, __VA_ARGS__)) \
    {                                                           \
        return koshu_g6##name(EACH(C_PASSES, __VA_ARGS__));     \
    }

KOSHU_G6_FUNCTIONS(ENTRY)
