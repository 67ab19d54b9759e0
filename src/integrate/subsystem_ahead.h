/* SPDX-License-Identifier: MIT */
/* Groups that take long are moved by helpers, threads of their own, while other
 * blocks are made: see subsystem_ahead.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_AHEAD_H
#define KOSHU_INTEGRATE_SUBSYSTEM_AHEAD_H

#include "integrate/subsystems.h"

/* That many helpers, or as many as can be had; parallel regions of the context
 * leave them their processors until they end. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_subsystem_helpers_start(struct koshu_subsystems *groups, size_t n);
void koshu_subsystem_helpers_end(struct koshu_subsystems *groups);

/* Those of groups->wanted which take long, and which nothing perturbs, to the
 * end of the steps that they have now. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_go_ahead(struct koshu_subsystems *groups);

/* The group is where it has come to, with what koshu_chain_move() has returned;
 * false: it is where it was, as nothing has gone ahead to that time. */
bool koshu_subsystem_take_ahead(struct koshu_subsystem *group, double time,
                                struct koshu_contact *contact,
                                koshu_status *status);

/* What has gone ahead is not wanted. */
void koshu_subsystem_drop_ahead(struct koshu_subsystem *group);

#endif
