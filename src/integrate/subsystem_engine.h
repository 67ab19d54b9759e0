/* SPDX-License-Identifier: MIT */
/* Block steps with few-body groups: what their files share. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_ENGINE_H
#define KOSHU_INTEGRATE_SUBSYSTEM_ENGINE_H

#include "integrate/block_schedule.h"
#include "integrate/subsystems.h"

/* Of a particle, when its nearest neighbour was last found. */
struct koshu_clearance {
    uint64_t tick;
    double half_way; /* ticks from then until half way to it; 0: unknown */
};

struct koshu_subsystem_engine {
    struct koshu_context *context;
    struct koshu_block_task task;
    double eta_start;
    struct koshu_block_particles p;
    double *mass; /* p's */
    struct koshu_block_step step;
    struct koshu_block_schedule schedule;
    struct koshu_subsystems *groups;
    uint64_t now;
    double *time;      /* of each member of a block, in the store */
    uint64_t *changed; /* particles that have become others, */
    size_t n_changed;
    bool *is_changed;                  /* and whether one has */
    struct koshu_clearance *clearance; /* of each particle */
};

/* ---- subsystem_changes.c: groups that form and end ----------------------- */

/* A body of a group that is not the group's own particle, or is gone. */
bool
koshu_subsystem_is_aside(const struct koshu_subsystem_engine *engine, size_t k);

/* The members of the block to the store. */
koshu_status koshu_subsystem_load(struct koshu_subsystem_engine *engine);

/* A group of a cluster, some of whose bodies may be in groups now. */
koshu_status koshu_subsystem_form(struct koshu_subsystem_engine *engine,
                                  const struct koshu_clump *cluster);

/* The bodies of a group become single. */
koshu_status koshu_subsystem_dissolve(struct koshu_subsystem_engine *engine,
                                      struct koshu_subsystem *group);

/* What members of the block have become at its end: groups that form or end are
 * in engine->changed. */
koshu_status koshu_subsystem_change(struct koshu_subsystem_engine *engine);

/* Sums on what has changed, and its first steps; all that has is in the store
 * then, and groups know who is near. KOSHU_ERROR_BAD_INPUT: a step is shorter
 * than a tick. */
koshu_status koshu_subsystem_settle(struct koshu_subsystem_engine *engine);

/* ---- subsystem_steps.c: how long steps are ------------------------------- */

/* Of which members of the block, that ends at that tick, it is known without a
 * search that the next step will not be too long. */
void
koshu_subsystem_look_back(struct koshu_subsystem_engine *engine, uint64_t end);

/* The next steps of the members of the block, which have come to the end of
 * one that is not yet accepted. KOSHU_ERROR_BAD_INPUT: a step is shorter than a
 * tick. */
koshu_status
koshu_subsystem_choose_steps(struct koshu_subsystem_engine *engine);

/* What the sums have found of member m of the block. */
void
koshu_subsystem_note_nearest(struct koshu_subsystem_engine *engine, size_t m);

/* The first step of member m of the block, after the sums where it stands and
 * what they have found is noted; failures as above. */
koshu_status
koshu_subsystem_first_step(struct koshu_subsystem_engine *engine, size_t m);

#endif
