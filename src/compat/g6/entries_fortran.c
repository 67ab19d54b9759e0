/* SPDX-License-Identifier: MIT */
/* Entry points for Fortran: g6NAME_. */
#include <koshu-g6/fortran.h>

#include "compat/g6/functions.h"

#define ENTRY(name, ...)                                                \
    KOSHU_G6_ENTRY int g6##name##_(EACH(FORTRAN_DECLARES, __VA_ARGS__)) \
    {                                                                   \
        return koshu_g6##name(EACH(FORTRAN_PASSES, __VA_ARGS__));       \
    }

KOSHU_G6_FUNCTIONS(ENTRY)
