/* SPDX-License-Identifier: MIT */
/* Filters a vector field in a periodic box wave by wave. */
#ifndef KOSHU_FIELDS_FILTER_H
#define KOSHU_FIELDS_FILTER_H

#include "vortex/vortex.h"

/* Freed with its own destroy(). Results do not depend on the number of threads.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_wave_filter_create(struct koshu_context *context, size_t n,
                         struct koshu_wave_filter **filter);

#endif
