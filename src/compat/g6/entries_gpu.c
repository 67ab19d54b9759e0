/* SPDX-License-Identifier: MIT */
#include <koshu-g6/gpu.h>

#include "compat/g6/functions.h"

#define ENTRY(name, parameters, arguments)  \
    KOSHU_G6_ENTRY int GPU##name parameters \
    {                                       \
        return koshu_g6##name arguments;    \
    }

KOSHU_G6_FUNCTIONS(ENTRY)
