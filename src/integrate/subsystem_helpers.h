/* SPDX-License-Identifier: MIT */
/* Threads that move groups which take long while blocks are made: see
 * subsystem_ahead.h. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_HELPERS_H
#define KOSHU_INTEGRATE_SUBSYSTEM_HELPERS_H

#include "integrate/subsystems.h"

/* A copy of a group on its way. */
struct koshu_subsystem_ahead {
    struct koshu_subsystem_helpers *helpers;
    enum { KOSHU_AHEAD_WAITS, KOSHU_AHEAD_MOVES, KOSHU_AHEAD_DONE } state;
    struct koshu_subsystem_ahead *next; /* in the list */
    double time;                        /* to which it moves */
    struct koshu_chain chain;
    struct koshu_subsystem_outside outside;
    struct koshu_gbs_step step;
    struct koshu_gbs gbs;
    struct koshu_contact contact;
    koshu_status status;
};

/* That many helpers, or as many as can be had; parallel regions of the context
 * leave them their processors until they end. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_subsystem_helpers_start(struct koshu_subsystems *groups, size_t n);
void koshu_subsystem_helpers_end(struct koshu_subsystems *groups);
bool koshu_subsystems_have_helpers(const struct koshu_subsystems *groups);

/* To be moved; what is wanted first is moved first. */
void koshu_subsystem_helpers_take(struct koshu_subsystem_ahead *ahead);

/* The group is where it has come to, or where two bodies have touched: the link
 * of these. false: it is where it was, as nothing has gone ahead to that time.
 */
bool koshu_subsystem_take_ahead(struct koshu_subsystem *group, double time,
                                size_t *link);

/* What has gone ahead is not wanted. */
void koshu_subsystem_drop_ahead(struct koshu_subsystem *group);

/* The group has been moved: if that took long, it is to go ahead. By any
 * thread. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_note_work(struct koshu_subsystems *groups,
                                        struct koshu_subsystem *group);

#endif
