/* SPDX-License-Identifier: MIT */
/* koshu bench --papers: the list of reproducible tables and figures. */
#ifndef KOSHU_BENCH_ITEMS_H
#define KOSHU_BENCH_ITEMS_H

#include "bench/bench.h"

/* Prints each table and figure of the papers with its command and its last
 * measurement; as JSON one object per line. Statuses of
 * bench_measured_read(). */
KOSHU_MUST_CHECK koshu_status bench_print_items(
        const struct bench_case *const cases[], size_t n_cases, bool json);

#endif
