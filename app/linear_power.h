/* SPDX-License-Identifier: MIT */
/* The linear spectrum of `koshu init cosmology` and `koshu analyse`. */
#ifndef KOSHU_APP_LINEAR_POWER_H
#define KOSHU_APP_LINEAR_POWER_H

#include <argp.h>

#include <koshu/status.h>

#include "internal.h"

/* Options of the spectrum. */
struct linear_options {
    const char *spectrum; /* NULL: power->transfer */
    const char *table;    /* used instead; NULL: none */
    double sigma_8;       /* 0: 0.81, or that of the table */
    double a_s;           /* used instead; 0: none */
};

/* Ends the program by argp_error() if options contradict each other; sets what
 * the spectrum's name chooses. */
void check_linear_options(struct argp_state *state,
                          const struct linear_options *options,
                          struct koshu_power *power);

/* Sets what is not set in the spectrum yet: matter, table, amplitude. The
 * caller frees it by koshu_power_free(). */
koshu_status choose_linear_power(struct koshu_context *context,
                                 const struct koshu_cosmology *cosmology,
                                 const struct linear_options *options,
                                 struct koshu_power *power);

#endif
