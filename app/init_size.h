/* SPDX-License-Identifier: MIT */
/* The size of the universe of `koshu init cosmology`. */
#ifndef KOSHU_APP_INIT_SIZE_H
#define KOSHU_APP_INIT_SIZE_H

#include <koshu/status.h>

#include "internal.h"

/* The options; if there is a radius, the box is not used. */
struct size_texts {
    const char *box, *radius;
};

/* Sets the edge of the box, and the radius of a sphere, in Mpc/h; the cosmology
 * must be set. KOSHU_ERROR_BAD_INPUT names the option. */
koshu_status init_size(struct koshu_context *context,
                       const struct size_texts *texts,
                       struct koshu_universe_options *universe);

#endif
