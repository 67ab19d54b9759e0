/* SPDX-License-Identifier: MIT */
/* The linear spectrum of `koshu init cosmology` and `koshu analyse`. */
#ifndef KOSHU_APP_LINEAR_POWER_H
#define KOSHU_APP_LINEAR_POWER_H

#include <koshu/status.h>

#include "internal.h"

struct linear_amplitude {
    const char *table; /* of the spectrum; NULL: power->transfer */
    double sigma_8;    /* 0: 0.81, or that of the table */
    double a_s;        /* used instead; 0: none */
};

/* Sets what is not set in the spectrum yet: matter, table, amplitude. The
 * caller frees it by koshu_power_free(). */
koshu_status choose_linear_power(struct koshu_context *context,
                                 const struct koshu_cosmology *cosmology,
                                 const struct linear_amplitude *amplitude,
                                 struct koshu_power *power);

#endif
