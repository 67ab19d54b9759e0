/* SPDX-License-Identifier: MIT */
/* The benchmarks, each defined in a file of bench/cases. */
#ifndef KOSHU_BENCH_CASES_H
#define KOSHU_BENCH_CASES_H

#include "bench/bench.h"

extern const struct bench_case bench_direct;
extern const struct bench_case bench_hermite;
extern const struct bench_case bench_jerk;
extern const struct bench_case bench_launch;
extern const struct bench_case bench_model;
extern const struct bench_case bench_step;
extern const struct bench_case bench_tree;

#endif
