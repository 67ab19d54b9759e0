/* SPDX-License-Identifier: MIT */
/* What koshu init prints of the model that it has made. */
#ifndef KOSHU_APP_INIT_SUMMARY_H
#define KOSHU_APP_INIT_SUMMARY_H

#include "init_scale.h"

/* One line: name, size, seed, file, and for up to 65,536 particles energy,
 * virial ratio and half-mass radius. */
koshu_status
init_summarize(struct koshu_context *context, const struct init_arguments *a,
               const struct init_scale *s, struct koshu_particles *particles);

#endif
