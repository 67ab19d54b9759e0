/* SPDX-License-Identifier: MIT */
/* Distributions of one number, defined in segments: masses of stars, periods of
 * binaries. */
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

/* The density in an interval of x. */
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

/* Cuts the segments at the limits, drops those outside, and normalises. false:
 * nothing is left. */
bool
koshu_distribution_limit(struct koshu_distribution *d, double low, double high);

/* The quantile: a fraction u in (0, 1) of the distribution is below this x. */
double koshu_distribution_at(const struct koshu_distribution *d, double u);

/* The density of a segment alone, at any x. */
double koshu_segment_density(const struct koshu_segment *segment, double x);

/* ---- mass_function.c ----------------------------------------------------- */

/*
 * The mass function of the options, within their limits, in solar masses; empty
 * for equal masses. KOSHU_ERROR_INVALID_ARGUMENT: a limit is missing or out of
 * range, or there is no such law; KOSHU_ERROR_BAD_INPUT: the masses of a table
 * do not increase; KOSHU_ERROR_OUT_OF_MEMORY; or what koshu_table_read()
 * returns.
 */
koshu_status koshu_mass_function_make(struct koshu_context *context,
                                      const struct koshu_initial_options *o,
                                      struct koshu_distribution *d);

/* ---- binaries.c ---------------------------------------------------------- */

/* Checks the fraction, the laws and their limits.
 * KOSHU_ERROR_INVALID_ARGUMENT. */
koshu_status koshu_binaries_check(struct koshu_context *context,
                                  const struct koshu_initial_options *o);

/* The distribution of periods in days. KOSHU_ERROR_INVALID_ARGUMENT,
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_periods_make(struct koshu_context *context,
                                const struct koshu_initial_options *o,
                                struct koshu_distribution *d);

#endif
