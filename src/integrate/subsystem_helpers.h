/* SPDX-License-Identifier: MIT */
/* Helper threads that move expensive groups while blocks are computed: see
 * subsystem_ahead.h. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_HELPERS_H
#define KOSHU_INTEGRATE_SUBSYSTEM_HELPERS_H

#include "integrate/subsystems.h"

/* The copy of a group that a helper moves. */
struct koshu_subsystem_ahead {
    struct koshu_subsystem_helpers *helpers;
    enum { KOSHU_AHEAD_WAITS, KOSHU_AHEAD_MOVES, KOSHU_AHEAD_DONE } state;
    struct koshu_subsystem_ahead *next; /* in the list of those that wait */
    double time;                        /* to which it is moved */
    struct koshu_chain chain;
    struct koshu_subsystem_outside outside;
    struct koshu_gbs_step step;
    struct koshu_gbs gbs;
    struct koshu_contact contact;
    koshu_status status;
};

/* Starts n helpers, or as many as possible. Parallel regions of the context
 * leave them their cores until they end. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_subsystem_helpers_start(struct koshu_subsystems *groups, size_t n);
void koshu_subsystem_helpers_end(struct koshu_subsystems *groups);
bool koshu_subsystems_have_helpers(const struct koshu_subsystems *groups);

/* Queues a copy to be moved; copies needed earlier are moved first. */
void koshu_subsystem_helpers_take(struct koshu_subsystem_ahead *ahead);

/* Gives the group the result of its copy, which may end earlier where two
 * bodies touch: link is theirs. false: there is no valid copy for that time,
 * and the group is unchanged. */
bool koshu_subsystem_take_ahead(struct koshu_subsystem *group, double time,
                                size_t *link);

/* Drops the copy of a group. */
void koshu_subsystem_drop_ahead(struct koshu_subsystem *group);

/* To be called after a group has moved: if that was expensive, it is listed to
 * be moved ahead. Any thread may call it. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_note_work(struct koshu_subsystems *groups,
                                        struct koshu_subsystem *group);

#endif
