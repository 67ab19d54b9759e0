/* SPDX-License-Identifier: MIT */
/* The interaction of the user's own that a run evaluates; for src/simulation
 * only. */
#ifndef KOSHU_SIMULATION_INTERACTION_H
#define KOSHU_SIMULATION_INTERACTION_H

#include "simulation/simulation.h"

/* What solver.interaction names, with solver.constants; *interaction is NULL
 * with another method. The caller destroys it. Status: as koshu_text_read() and
 * koshu_interaction_create(); KOSHU_ERROR_BAD_INPUT: solver.constants is not
 * "NAME=NUMBER, ...". */
KOSHU_MUST_CHECK koshu_status
koshu_interaction_of(struct koshu_context *context,
                     const struct koshu_parameter_values *values,
                     struct koshu_interaction **interaction);

/* Its kernel source beside the output of a new run. On the first rank. */
KOSHU_MUST_CHECK koshu_status
koshu_interaction_keep(const struct koshu_simulation *simulation);

/* Is it the same still? Else KOSHU_ERROR_BAD_INPUT, or a warning where another
 * is accepted, and kept. On the first rank. */
KOSHU_MUST_CHECK koshu_status koshu_interaction_compare(
        const struct koshu_simulation *simulation, bool force);

#endif
