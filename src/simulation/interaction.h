/* SPDX-License-Identifier: MIT */
/* The user-defined interaction of a run; for src/simulation only. */
#ifndef KOSHU_SIMULATION_INTERACTION_H
#define KOSHU_SIMULATION_INTERACTION_H

#include "simulation/simulation.h"

/* Creates the interaction of solver.interaction with solver.constants; with
 * another method *interaction is NULL. The caller destroys it. Status: as
 * koshu_text_read() and koshu_interaction_create(); KOSHU_ERROR_BAD_INPUT:
 * solver.constants is not "NAME=NUMBER, ...". */
KOSHU_MUST_CHECK koshu_status
koshu_interaction_of(struct koshu_context *context,
                     const struct koshu_parameter_values *values,
                     struct koshu_interaction **interaction);

/* Writes a copy of its kernel source beside the output of a new run. First rank
 * only. */
KOSHU_MUST_CHECK koshu_status
koshu_interaction_keep(const struct koshu_simulation *simulation);

/* Compares the source with that copy. If it differs: KOSHU_ERROR_BAD_INPUT or,
 * with force, a warning and a new copy. First rank only. */
KOSHU_MUST_CHECK koshu_status koshu_interaction_compare(
        const struct koshu_simulation *simulation, bool force);

#endif
