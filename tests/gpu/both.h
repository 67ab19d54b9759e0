/* SPDX-License-Identifier: MIT */
/* Evaluates user-defined interactions on a device and on ref, which sums pair
 * after pair in double precision. */
#ifndef KOSHU_TESTS_GPU_BOTH_H
#define KOSHU_TESTS_GPU_BOTH_H

#include <koshu/interaction.h>
#include <koshu/koshu.h>

#include "check.h"

/* The contexts of the tested backend and of ref. */
extern struct koshu_context *cuda, *ref;

/* ---- arrays -------------------------------------------------------------- */

/* n + 1 NaNs. */
double *poisoned(size_t n);
/* Random numbers in [-1, 1), rounded to float so that ref gets the numbers that
 * single precision does. */
double *random_rows(size_t n, size_t numbers, uint64_t seed);
/* Whole numbers 0 ... max - 1, many of them equal: sums of products are exact
 * in float. */
double *whole_rows(size_t n, size_t numbers, uint64_t seed, int max);

/* Numbers of i- and j-particles. */
extern const size_t both_sizes[][2];
enum { N_BOTH_SIZES = 17 };

/* ---- evaluation ---------------------------------------------------------- */

struct koshu_interaction *create(struct koshu_context *context,
                                 const char *text,
                                 enum koshu_precision precision);

/* One interaction for both contexts; on ref always in double precision. */
struct both {
    struct koshu_interaction *cuda, *ref;
};

struct both create_both(const char *text, enum koshu_precision precision);
void destroy_both(struct both b);

/* Returns n_i rows; the caller frees them. */
double *evaluate(struct koshu_context *context, struct koshu_interaction *a,
                 size_t n_i, const double *i, size_t n_j, const double *j);

/* Expects exactly equal numbers, for sums whose terms and partial sums are
 * exact. */
void check_equal(struct both b, size_t n_i, const double *i, size_t n_j,
                 const double *j);

/* ---- the program --------------------------------------------------------- */

/* Chooses the tested backend: cuda, or the one named on the command line; the
 * next argument names a single test. Returns false if no device answers. */
bool both_choose(int argc, char **argv);
int both_begin(void **state);
int both_end(void **state);

#define BOTH_MAIN(tests)                                            \
    int main(int argc, char **argv)                                 \
    {                                                               \
        if (!both_choose(argc, argv)) return 77;                    \
        return cmocka_run_group_tests(tests, both_begin, both_end); \
    }

#endif
