/* SPDX-License-Identifier: MIT */
/* Block steps with few-body groups: what their source files share. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_ENGINE_H
#define KOSHU_INTEGRATE_SUBSYSTEM_ENGINE_H

#include "integrate/block_schedule.h"
#include "integrate/subsystems.h"

/* When the nearest neighbour of a particle was last found, and how far it
 * was. */
struct koshu_clearance {
    uint64_t tick;
    double half_way; /* ticks from then until half way to it; 0: unknown */
};

struct koshu_subsystem_engine {
    struct koshu_context *context;
    struct koshu_block_task task;
    double eta_start;
    struct koshu_block_particles p;
    double *mass; /* of the particles of p, and the memory of all its arrays */
    struct koshu_block_step step;
    struct koshu_block_schedule schedule;
    struct koshu_subsystems *groups;
    uint64_t now;
    double *time; /* of each member of a block, in the store's time */
    /* particles that entered or left groups */
    uint64_t *changed;
    size_t n_changed;
    bool *is_changed; /* for each particle: it is in `changed` */
    struct koshu_clearance *clearance; /* one for each particle */
};

/* ---- subsystem_changes.c: groups that form and end ----------------------- */

/* Whether a particle is a body of a group but not the group's own particle, or
 * is gone in a merger. */
bool
koshu_subsystem_is_aside(const struct koshu_subsystem_engine *engine, size_t k);

/* Loads the members of the block into the store. */
koshu_status koshu_subsystem_load(struct koshu_subsystem_engine *engine);

/* Forms a group of a cluster; dissolves the groups that its bodies are in. */
koshu_status koshu_subsystem_form(struct koshu_subsystem_engine *engine,
                                  const struct koshu_clump *cluster);

/* Dissolves a group into single particles. */
koshu_status koshu_subsystem_dissolve(struct koshu_subsystem_engine *engine,
                                      struct koshu_subsystem *group);

/* Forms and dissolves groups at the end of a block; the particles concerned are
 * in engine->changed. */
koshu_status koshu_subsystem_change(struct koshu_subsystem_engine *engine);

/* Computes sums and first steps of the changed particles, loads them into the
 * store and updates the perturbers of groups. KOSHU_ERROR_BAD_INPUT: a step is
 * shorter than a tick. */
koshu_status koshu_subsystem_settle(struct koshu_subsystem_engine *engine);

/* ---- subsystem_steps.c: how long steps are ------------------------------- */

/* Sets, for the block that ends at tick `end`, which members need no search
 * for their nearest neighbour, because the next step is known not to be too
 * long. */
void
koshu_subsystem_look_back(struct koshu_subsystem_engine *engine, uint64_t end);

/* Chooses the next steps of the members of the block, at the end of a step that
 * is not yet accepted. KOSHU_ERROR_BAD_INPUT: a step is shorter than a tick. */
koshu_status
koshu_subsystem_choose_steps(struct koshu_subsystem_engine *engine);

/* Stores the nearest neighbour that the sums have found for member m of the
 * block. */
void
koshu_subsystem_note_nearest(struct koshu_subsystem_engine *engine, size_t m);

/* Chooses the first step of member m of the block from the sums at its
 * position, after koshu_subsystem_note_nearest(). Failures as above. */
koshu_status
koshu_subsystem_first_step(struct koshu_subsystem_engine *engine, size_t m);

#endif
