/* SPDX-License-Identifier: MIT */
/* Helper threads that move expensive groups while other blocks are computed:
 * see subsystem_ahead.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_AHEAD_H
#define KOSHU_INTEGRATE_SUBSYSTEM_AHEAD_H

#include "integrate/subsystems.h"

/* Hands the expensive groups of the last block to helpers, to be moved to when
 * they are needed next. All particles must have their next steps.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_go_ahead(struct koshu_subsystems *groups);

#endif
