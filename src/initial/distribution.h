/* SPDX-License-Identifier: MIT */
/* Distributions of one number in segments: masses of stars, periods of
 * binaries.
 */
#ifndef KOSHU_INITIAL_DISTRIBUTION_H
#define KOSHU_INITIAL_DISTRIBUTION_H

#include <koshu/initial.h>

enum koshu_segment_kind {
    KOSHU_SEGMENT_POWER, /* coefficient x^power */
    /* coefficient / x exp(-(log10 x - mean)^2 / (2 sigma^2)) */
    KOSHU_SEGMENT_NORMAL,
    /* coefficient / x l / (45 + l^2), l = log10 x - 1: Kroupa 1995 */
    KOSHU_SEGMENT_BIRTH
};

/* The density between two x. */
struct koshu_segment {
    enum koshu_segment_kind kind;
    double low, high;
    double coefficient, power, mean, sigma;
    double before; /* the probability of smaller x */
};

struct koshu_distribution {
    size_t n;
    struct koshu_segment *segment; /* in ascending order; koshu_free() */
};

/* Cuts the segments at the limits, leaves out those beyond, and normalises;
 * false: nothing is left. */
bool
koshu_distribution_limit(struct koshu_distribution *d, double low, double high);

/* The x below which is the part u in (0, 1). */
double koshu_distribution_at(const struct koshu_distribution *d, double u);

/* The density without regard of the other segments. */
double koshu_segment_density(const struct koshu_segment *segment, double x);

/* ---- mass_function.c ----------------------------------------------------- */

/* That of the options, within their limits, in solar masses; none of equal
 * masses. KOSHU_ERROR_INVALID_ARGUMENT: a limit is missing or out of range, no
 * such law; of a table what koshu_table_read() returns, KOSHU_ERROR_BAD_INPUT:
 * it does not grow; KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_mass_function_make(struct koshu_context *context,
                                      const struct koshu_initial_options *o,
                                      struct koshu_distribution *d);

/* ---- binaries.c ---------------------------------------------------------- */

/* The fraction, the laws and their limits; KOSHU_ERROR_INVALID_ARGUMENT. */
koshu_status koshu_binaries_check(struct koshu_context *context,
                                  const struct koshu_initial_options *o);

/* Periods in days; KOSHU_ERROR_INVALID_ARGUMENT, KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_periods_make(struct koshu_context *context,
                                const struct koshu_initial_options *o,
                                struct koshu_distribution *d);

#endif
