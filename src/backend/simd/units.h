/* SPDX-License-Identifier: MIT */
/*
 * The units of sums with jerk: x / length, v / speed and m / mass, where each
 * unit is about the largest value, so that floats stay in range whatever the
 * caller's units are. Units are powers of two, so that no bit of a result
 * depends on them.
 */
#ifndef KOSHU_BACKEND_SIMD_UNITS_H
#define KOSHU_BACKEND_SIMD_UNITS_H

#include <stdbool.h>

#include "backend/j_store.h"

struct simd_units {
    double length, speed, mass;
};

#define SIMD_NO_UNITS ((struct simd_units){1, 1, 1})

/* The largest values of all particles so far; 0: none. Numbers that are not
 * finite are ignored. */
struct simd_extent {
    double reach, speed, mass;
    double least_reach; /* of particles not at the origin */
    bool grown;         /* since the owner last checked */
};

void koshu_simd_extent_add(struct simd_extent *extent, const double x[3],
                           const double v[3], double mass);

/* A softening longer than all distances becomes the unit of length. */
struct simd_units
koshu_simd_units_of(const struct simd_extent *extent, double eps);

/*
 * Squares of distances below this part of the length underflow a float. Two
 * particles so near to each other are both within this distance of the origin,
 * or one is exactly there: elsewhere, rounding keeps positions further apart.
 */
#define SIMD_SMALLEST_REACH 0x1p-60

/* Squares of distances also underflow in a system smaller than this part of the
 * softening. */
#define SIMD_SMALLEST_SYSTEM 0x1p-40

void koshu_simd_scale_i(struct koshu_i_particle *i, size_t n,
                        const struct simd_units *units);

/* Converts results to the caller's units. */
void koshu_simd_scale_results(struct koshu_jerk_result *result, size_t n,
                              const struct simd_units *units, bool nearest);

#endif
