/* SPDX-License-Identifier: MIT */
/* Waves of vectors in a periodic box, each times a number. */
#ifndef KOSHU_FIELDS_FILTER_H
#define KOSHU_FIELDS_FILTER_H

#include "vortex/vortex.h"

/* A koshu_wave_filter. Results do not depend on the number of threads. */
KOSHU_MUST_CHECK koshu_status koshu_wave_filter_apply(
        struct koshu_context *context, size_t n, koshu_wave_factor *factor,
        const void *argument, double *field, double *left);

#endif
