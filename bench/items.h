/* SPDX-License-Identifier: MIT */
/* koshu bench --papers */
#ifndef KOSHU_BENCH_ITEMS_H
#define KOSHU_BENCH_ITEMS_H

#include "bench/bench.h"

/* Each table and figure of the papers with its command, and what that measured
 * last; as JSON an object to a line. The statuses of bench_measured_read(). */
KOSHU_MUST_CHECK koshu_status bench_print_items(
        const struct bench_case *const cases[], size_t n_cases, bool json);

#endif
