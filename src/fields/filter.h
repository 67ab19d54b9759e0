/* SPDX-License-Identifier: MIT */
/* Waves of vectors in a periodic box, each times a number. */
#ifndef KOSHU_FIELDS_FILTER_H
#define KOSHU_FIELDS_FILTER_H

#include "vortex/vortex.h"

/* To be given to its destroy() when done. Results do not depend on the number
 * of threads. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_wave_filter_create(struct koshu_context *context, size_t n,
                         struct koshu_wave_filter **filter);

#endif
