/* SPDX-License-Identifier: MIT */
/* What benchmarks share: `koshu bench WHAT`. */
#ifndef KOSHU_APP_BENCH_H
#define KOSHU_APP_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>
#include <koshu/particles.h>

#include "app.h"

/* The benchmarks; each is a main() of its own. */
int bench_direct(int argc, char **argv);

/* ---- arguments ----------------------------------------------------------- */

enum { BENCH_LIST = 32 };

/* "2048,4096": one to BENCH_LIST whole numbers, 1 or more; how many. */
size_t bench_counts(struct argp_state *state, const char *option,
                    const char *text, size_t list[BENCH_LIST]);

/* "single", "mixed", "double". */
enum koshu_precision
bench_precision(struct argp_state *state, const char *option, const char *text);

/* ---- time ---------------------------------------------------------------- */

struct bench_timing {
    double seconds, least; /* median, smallest */
    size_t repeats;
};

/*
 * Calls `once` one time to warm up, then `repeats` times (0: for half a
 * second, at least 5 times), and takes the median. The first failure ends it.
 */
koshu_status bench_time(koshu_status (*once)(void *user), void *user,
                        size_t repeats, struct bench_timing *timing);

/* ---- errors ---------------------------------------------------------------
 */

/* |a - a_ref| / |a_ref| (Hamada07 eq. 3) over `particles` particles. */
struct bench_errors {
    size_t particles;
    double median, p99, max;
};

/* Accelerations by ref in double, of the particles index[0 ... n-1]. */
struct bench_truth {
    size_t n, *index;
    double *ax, *ay, *az;
};

/*
 * The truth for n of the store's particles (all, or evenly spread). The caller
 * frees it, whatever the status. KOSHU_OUT_OF_MEMORY, and what
 * koshu_force_direct() returns.
 */
koshu_status bench_truth_make(struct koshu_context *ref, double eps,
                              const struct koshu_particle_view *particles,
                              size_t n, struct bench_truth *truth);
void bench_truth_free(struct bench_truth *truth);

/* How far ax, ay, az (of all particles of the store) are from it; false: out
 * of memory. */
bool bench_errors_of(const struct bench_truth *truth, const double *ax,
                     const double *ay, const double *az,
                     struct bench_errors *errors);

/* ---- JSON -----------------------------------------------------------------
 */

/* Prints the object on a line of its own and drops it. */
void bench_print_json(json_t *object);

#endif
