/* SPDX-License-Identifier: MIT */
/* Particles for block steps in a test's own arrays. */
#ifndef KOSHU_TESTS_BLOCK_ARRAYS_H
#define KOSHU_TESTS_BLOCK_ARRAYS_H

#include "backend/backend.h"

/* real: 13 arrays (x y z, vx vy vz, ax ay az, jx jy jz, potential) of n
 * numbers, each `stride` numbers after the one before. */
static inline struct koshu_block_particles
block_arrays(size_t n, double *mass, double *real, size_t stride,
             uint64_t *tick, uint64_t *step)
{
    return (struct koshu_block_particles){.n = n,
                                          .mass = mass,
                                          .x = real,
                                          .y = real + stride,
                                          .z = real + 2 * stride,
                                          .vx = real + 3 * stride,
                                          .vy = real + 4 * stride,
                                          .vz = real + 5 * stride,
                                          .ax = real + 6 * stride,
                                          .ay = real + 7 * stride,
                                          .az = real + 8 * stride,
                                          .jx = real + 9 * stride,
                                          .jy = real + 10 * stride,
                                          .jz = real + 11 * stride,
                                          .potential = real + 12 * stride,
                                          .tick = tick,
                                          .step = step};
}

#endif
