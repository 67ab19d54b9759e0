/* SPDX-License-Identifier: MIT */
/* Interactions of the user's own on a device and on ref, which sums one pair
 * after the other in double precision. */
#ifndef KOSHU_TESTS_GPU_BOTH_H
#define KOSHU_TESTS_GPU_BOTH_H

#include <koshu/interaction.h>
#include <koshu/koshu.h>

#include "check.h"

/* The contexts: of what is tested, and of ref. */
extern struct koshu_context *cuda, *ref;

/* ---- arrays -------------------------------------------------------------- */

/* n + 1 NANs. */
double *poisoned(size_t n);
/* In [-1, 1), as floats round them, so that ref sees what single sees. */
double *random_rows(size_t n, size_t numbers, uint64_t seed);
/* Whole numbers 0 ... most - 1: sums of products are exact in float, and many
 * of them are equal. */
double *whole_rows(size_t n, size_t numbers, uint64_t seed, int max);

/* How many i- and j-particles. */
extern const size_t both_sizes[][2];
enum { N_BOTH_SIZES = 17 };

/* ---- evaluation ---------------------------------------------------------- */

struct koshu_interaction *create(struct koshu_context *context,
                                 const char *text,
                                 enum koshu_precision precision);

/* The same on both, on ref in double always. */
struct both {
    struct koshu_interaction *cuda, *ref;
};

struct both create_both(const char *text, enum koshu_precision precision);
void destroy_both(struct both b);

/* n_i rows, to be freed. */
double *evaluate(struct koshu_context *context, struct koshu_interaction *a,
                 size_t n_i, const double *i, size_t n_j, const double *j);

/* Exactly the same numbers; of sums whose terms and partial sums are exact. */
void check_equal(struct both b, size_t n_i, const double *i, size_t n_j,
                 const double *j);

/* ---- the program --------------------------------------------------------- */

/* What is tested: cuda, or the backend that the command line names; all tests,
 * or the one that it names next. false: no device answers. */
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
