/* SPDX-License-Identifier: MIT */
/* Makes the particles of initial.components. */
#ifndef KOSHU_SIMULATION_COMPONENTS_H
#define KOSHU_SIMULATION_COMPONENTS_H

#include "parameters/parameters.h"

/* The number of particles of the model, or of all components.
 * KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_initial_count(struct koshu_context *context,
                    const struct koshu_parameter_values *values, size_t *n);

/* koshu_components_create(), with about max particles if there would be
 * more. */
KOSHU_MUST_CHECK koshu_status
koshu_make_components(struct koshu_context *context, const char *text,
                      uint64_t seed, const struct koshu_units *units,
                      size_t max, struct koshu_particles **particles);

#endif
