/* SPDX-License-Identifier: MIT */
/* All benchmarks: bench_NAME is defined in bench/cases/NAME.c. */
#ifndef KOSHU_BENCH_CASES_H
#define KOSHU_BENCH_CASES_H

#include "bench/bench.h"

#define BENCH_CASES(CASE) \
    CASE(accuracy)        \
    CASE(analysis)        \
    CASE(chamomile)       \
    CASE(cluster)         \
    CASE(direct)          \
    CASE(fmm)             \
    CASE(gordon_bell)     \
    CASE(hermite)         \
    CASE(interactions)    \
    CASE(jerk)            \
    CASE(launch)          \
    CASE(listings)        \
    CASE(model)           \
    CASE(run)             \
    CASE(scaling)         \
    CASE(step)            \
    CASE(tree)            \
    CASE(turbulence)

#define BENCH_DECLARE(name) extern const struct bench_case bench_##name;
BENCH_CASES(BENCH_DECLARE)

#endif
