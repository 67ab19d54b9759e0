/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same in each run of a test program. */
#ifndef KOSHU_TESTS_UNIFORM_H
#define KOSHU_TESTS_UNIFORM_H

#include <stdint.h>

/* Uniform in [0, 1). */
static inline double
uniform(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

#endif
