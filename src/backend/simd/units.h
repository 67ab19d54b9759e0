/* SPDX-License-Identifier: MIT */
/*
 * The units that sums with jerk are taken in: x / length, v / speed and
 * m / mass, each about the largest there is, and a power of two, so that no bit
 * of a result depends on them. Floats are then in their range whatever the
 * caller's units are.
 */
#ifndef KOSHU_BACKEND_SIMD_UNITS_H
#define KOSHU_BACKEND_SIMD_UNITS_H

#include <stdbool.h>

#include "backend/j_store.h"

struct simd_units {
    double length, speed, mass;
};

#define SIMD_NO_UNITS ((struct simd_units){1, 1, 1})

/* The largest of all particles so far; 0: none. Numbers that are not finite do
 * not count. */
struct simd_extent {
    double reach, speed, mass;
    double least_reach; /* of those that are not at the origin */
    bool grown;         /* since the owner looked */
};

void koshu_simd_extent_add(struct simd_extent *extent, const double x[3],
                           const double v[3], double mass);

/* eps: where it is longer than all distances, it is the length. */
struct simd_units
koshu_simd_units_of(const struct simd_extent *extent, double eps);

/*
 * Squares of distances below this part of the length are no floats. Particles
 * that near to each other are both that near to the origin, or one is there: of
 * others the last digits are further apart.
 */
#define SIMD_SMALLEST_REACH 0x1p-60

/* Nor are those of distances in a system that is this part of the softening. */
#define SIMD_SMALLEST_SYSTEM 0x1p-40

void koshu_simd_scale_i(struct koshu_i_particle *i, size_t n,
                        const struct simd_units *units);

/* Results in the caller's units. */
void koshu_simd_scale_results(struct koshu_jerk_result *result, size_t n,
                              const struct simd_units *units, bool nearest);

#endif
