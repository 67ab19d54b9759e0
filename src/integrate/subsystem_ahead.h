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

/* The group has been moved: if that took long, it is to go ahead. By any
 * thread. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_note_work(struct koshu_subsystems *groups,
                                        struct koshu_subsystem *group);

/* Groups that have been moved since the last time, and took long, to when they
 * are wanted next, all particles having the steps that they are to make.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_go_ahead(struct koshu_subsystems *groups);

/* The group is where it has come to, or where two bodies have touched: the link
 * of these. false: it is where it was, as nothing has gone ahead to that time.
 */
bool koshu_subsystem_take_ahead(struct koshu_subsystem *group, double time,
                                size_t *link);

/* What has gone ahead is not wanted. */
void koshu_subsystem_drop_ahead(struct koshu_subsystem *group);

#endif
