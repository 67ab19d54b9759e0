/* SPDX-License-Identifier: MIT */
/* Entry points for C: g6NAME. */
#include <koshu-g6/g6.h>

#include "compat/g6/functions.h"

#define ENTRY(name, ...)                                       \
    KOSHU_G6_ENTRY int g6##name(EACH(C_DECLARES, __VA_ARGS__)) \
    {                                                          \
        return koshu_g6##name(EACH(C_PASSES, __VA_ARGS__));    \
    }

KOSHU_G6_FUNCTIONS(ENTRY)
