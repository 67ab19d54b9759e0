/* SPDX-License-Identifier: MIT */
/*
 * Few-body groups within block time steps: hard binaries and close encounters
 * without softening.
 *
 * A group is one particle of the block steps, with the mass and at the place of
 * its centre of mass; its index is the lowest of its bodies'. The others keep
 * their indices, with a mass of 0, and make no steps. How the bodies move about
 * the centre of mass is a chain of fewbody/, perturbed by the particles that
 * are near; these and the group see each other body by body, all others see
 * the centre of mass. So it is with external fields: they act on the centre of
 * mass, and where their tide is strong enough on each body.
 *
 * Particles that are single and those of groups are told apart by find, from
 * masses, positions and velocities alone: at times at which all particles stand
 * nothing else is kept, so that a run that is restarted goes on as it would
 * have.
 */
#ifndef KOSHU_INTEGRATE_SUBSYSTEMS_H
#define KOSHU_INTEGRATE_SUBSYSTEMS_H

#include "backend/backend.h"
#include "external/external.h"
#include "fewbody/fewbody.h"
#include "integrate/block_step.h"
#include "integrate/subsystem_cost.h"
#include "integrate/subsystem_find.h"

struct koshu_subsystem_options {
    double distance;  /* that of koshu_grouping */
    double tolerance; /* of the steps of chains */
    /* Perturbers are what pulls the bodies of a group apart by more than this
     * part of their own force. */
    double perturbation;
    double slow_down; /* that of koshu_fewbody_options; 0: none */
    struct koshu_radius_law
            radius; /* of bodies, which merge where they touch */
    const struct koshu_external *external; /* what else acts; NULL: nothing */
    size_t helpers; /* threads for groups that take long; 0: none. Whatever it
                       is, results are the same */
};

/* ---- subsystems.c: groups, and how they move
 * --------------------------------- */

/* A particle that may come near, and no earlier than at that time; while it is
 * of that version. */
struct koshu_subsystem_around {
    uint32_t k, version;
    double from;
};

/* A particle of p, predicted to a time of the store. */
struct koshu_subsystem_place {
    double x[3], v[3], a[3], jerk[3];
};

/* Fields about the centre of mass of a group, from that time on. */
struct koshu_subsystem_field {
    const struct koshu_subsystems *groups;
    double time;
    struct koshu_subsystem_place centre;
};

/* A group of two bodies that perturbs another: as it was at that time, in the
 * axes of chains. */
struct koshu_subsystem_pair {
    size_t j;                         /* which of the perturbers it is */
    double mass[2], x[3], v[3], time; /* of the second from the first */
    double rate;                      /* that of koshu_chain */
};

/* Outside of a group: particles near it, as polynomials, and such fields; and
 * pairs among these that are so near that each of their bodies counts. */
struct koshu_subsystem_outside {
    struct koshu_perturbers perturbers;
    bool in_field;
    struct koshu_subsystem_field field;
    struct koshu_subsystem_pair *pair;
    size_t n_pairs, capacity_pair;
};

struct koshu_subsystem {
    struct koshu_chain chain; /* bodies in the order of `body` */
    struct koshu_gbs_step step;
    size_t n;
    size_t *body;  /* their indices, ascending; the first is the group's */
    double span;   /* the radius that koshu_clump has of three and more */
    double radius; /* about how far they come from the centre of mass, */
    double widest; /* and have come since it formed: what perturbs it is no
                      matter of their phase */
    bool is_bound; /* two bodies are a binary */
    bool kepler;   /* it last moved by Kepler's law */
    size_t *near;  /* particles that perturb it, */
    size_t n_near, capacity_near;
    size_t *found; /* and what has been found to be these */
    size_t n_found, capacity_found;
    double tide;                /* of external fields at its centre of mass */
    bool in_field, found_field; /* which perturbs it; has been found to */
    /* pairs among these that are so near that each of their bodies counts, as
     * they were before groups moved last; there are; there may be */
    bool is_beside, found_beside;
    struct koshu_subsystem_pair *pair;
    size_t n_pairs, capacity_pair;
    bool apart, looks; /* at the end of a step: no longer a group, or has to
                          find who is near */
    bool is_wanted;    /* by koshu_subsystems_meet() */
    /* its bodies about the centre of mass, in p's frame, where they were wanted
     * last, and v with the rates of slowed pairs */
    double (*x)[3], (*v)[3];
    struct koshu_subsystem_outside outside;
    struct koshu_subsystem_around *around; /* all there are, until that time, */
    size_t n_around, capacity_around;
    double quiet;        /* none of which is near before this */
    double until, reach; /* where its radius is no larger, */
    double far;          /* so far as this would a mass of 1 perturb it */
    uint64_t work, cost; /* evaluations of its last step, of all */
    struct koshu_subsystem_ahead *ahead; /* NULL: it has never gone there */
    bool is_ahead, is_stale; /* what is ahead knows another outside */
    bool is_other; /* what perturbs it is no longer what did on its last way */
};

/* Two bodies that have touched, and are one. */
struct koshu_merger {
    double time;        /* of the store, as is all below */
    size_t stays, goes; /* indices: the body that is both now, and that of which
                           nothing is left */
    double mass[2], x[2][3], v[2][3]; /* of either before */
    double energy;                    /* that is lost */
};

struct koshu_mergers {
    size_t n, capacity_merger;
    struct koshu_merger *merger;
};

/* The groups that a particle perturbs. */
struct koshu_subsystem_seen {
    struct koshu_subsystem **by;
    size_t n, capacity_by;
};

/* Some that are near each other: where they are, and the largest of their
 * speeds, relative to the mean of all. */
enum { KOSHU_PLACES_CHUNK = 64 };
struct koshu_subsystem_box {
    double low[3], high[3], fastest;
};

/* Of all particles: x, y, z and the velocities, one after the other. */
struct koshu_subsystem_places {
    uint32_t *order; /* of particles */
    double *at;
    size_t capacity_at;
    struct koshu_subsystem_box *box; /* of each chunk of places */
    size_t capacity_box;
    double heaviest; /* mass */
};

/* Two that see each other body by body: a group, and a particle near it. */
struct koshu_subsystem_meeting {
    size_t k, j;
    bool both; /* j is a group, and k perturbs it */
};

/* A particle, where it is and how fast, or relative to another. */
struct koshu_subsystem_approach {
    double mass, root, x[3], v[3], r; /* root: the cube root of the mass */
};

struct koshu_subsystems {
    struct koshu_context *context;
    struct koshu_subsystem_options options;
    struct koshu_block_particles *p; /* the engine's, with groups in it */
    double *mass;                    /* that of p, */
    double usual;                    /* that of koshu_grouping, of bodies */
    double *body_mass; /* and of the bodies themselves; 0: gone in a merger */
    double spacing, speed, mean_v[3]; /* of particles: between them; rms */
    double outside;                   /* so far from any of them is no other */
    struct koshu_mergers *mergers;    /* the caller's */
    struct koshu_group_cost cost;     /* of groups that are gone */
    double omega;                     /* with which the frame of p turns */
    double tick;                      /* the time of one, */
    uint64_t base;                    /* and which of p is time 0 */
    struct koshu_gbs *gbs;            /* of each thread */
    struct koshu_subsystem_helpers *helpers; /* NULL: none */
    struct koshu_subsystem **slow; /* groups whose last steps took long, of a
                                      block, for these */
    size_t n_slow, capacity_slow;
    struct koshu_subsystem **of; /* of each particle; NULL: it is single */
    struct koshu_subsystem **group;
    size_t n, capacity_group;
    struct koshu_subsystem **beside; /* groups that are: see is_beside */
    size_t n_beside, capacity_beside;
    struct koshu_subsystem_seen *seen; /* of each particle */
    struct koshu_subsystem_places places;
    double *root;      /* the cube root of mass, of each particle */
    uint32_t *version; /* how often a particle has become a group, or single */
    size_t *in_block;  /* of each particle: which member of it, and 1; or 0 */
    struct koshu_subsystem_meeting *meeting; /* in a block */
    size_t n_meetings, capacity_meeting;
    struct koshu_subsystem **wanted; /* groups, for a moment */
    size_t n_wanted, capacity_wanted;
    const struct koshu_subsystem_changes *changes; /* for a moment */
    struct koshu_clump *cluster;
    size_t capacity_cluster;
    size_t *next;                           /* see koshu_find_subsystems() */
    struct koshu_subsystem_approach *place; /* of particles that have changed */
    size_t capacity_place;
};

/* No group yet. p has all particles, mass is p's, and may be changed; both stay
 * the caller's. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_subsystems_create(struct koshu_context *context,
                        const struct koshu_subsystem_options *options,
                        double tick, uint64_t base,
                        struct koshu_block_particles *p, double *mass,
                        struct koshu_subsystems **groups);
/* NULL is allowed. */
void koshu_subsystems_destroy(struct koshu_subsystems *groups);

/* A group of the bodies of a cluster, all of which stand in p, single, at the
 * same tick; in p it takes their place. */
koshu_status koshu_subsystems_form(struct koshu_subsystems *groups,
                                   const struct koshu_clump *cluster);

/* The bodies of a group into p, as single particles at the group's tick, to
 * which it has moved, with the accelerations and jerks that they have there;
 * the group is gone. */
void koshu_subsystems_dissolve(struct koshu_subsystems *groups,
                               struct koshu_subsystem *group);

/* The same bodies into p, which may be another, while the group stays. */
void koshu_subsystems_write(const struct koshu_subsystems *groups,
                            const struct koshu_subsystem *group,
                            const struct koshu_block_particles *p);

/* The time of the store at a tick. */
double
koshu_subsystems_time(const struct koshu_subsystems *groups, uint64_t tick);

struct koshu_subsystem_place
koshu_subsystems_predict(const struct koshu_subsystems *groups, size_t k,
                         double time);

/* By what bodies are grouped; wider: see koshu_grouping. */
static inline struct koshu_grouping
koshu_grouping_of(const struct koshu_subsystems *groups, double wider)
{
    const struct koshu_subsystem_options *o = &groups->options;
    return (struct koshu_grouping){o->distance, wider, groups->usual,
                                   o->slow_down > 0};
}

/* Does anything pull its bodies apart? */
static inline bool
koshu_subsystem_is_perturbed(const struct koshu_subsystem *group)
{
    return group->n_near > 0 || group->in_field;
}

/* ---- subsystem_merge.c: bodies that touch
 * ------------------------------------- */

/* The two of a link of a group's chain become one. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_subsystems_merge(struct koshu_subsystems *groups,
                                    struct koshu_subsystem *group, size_t link);

/* ---- subsystem_motion.c: how groups move --------------------------------- */

/* Work on one group, by a thread. */
typedef koshu_status koshu_subsystem_work(struct koshu_subsystems *groups,
                                          struct koshu_subsystem *group,
                                          double time, size_t thread);

/* On n groups, by all threads, where there are more than a few: to start them
 * takes as long as moving some groups does. A failure, where there are some. */
koshu_status koshu_subsystems_each(struct koshu_subsystems *groups, size_t n,
                                   struct koshu_subsystem **list, double time,
                                   koshu_subsystem_work *work, size_t few);
enum { KOSHU_FEW_MOVES = 3, KOSHU_FEW_LOOKS = 128 };

/* On all groups, each by the thread that worked on it last: what there is of
 * them is in its cache, and to fetch it from another takes longer than the
 * work. */
koshu_status koshu_subsystems_all(struct koshu_subsystems *groups, double time,
                                  koshu_subsystem_work *work);

/* The bodies of a group about their centre of mass at a time of the store,
 * which is no earlier than the last; those that touch on the way merge, and a
 * group may be of one body then. thread: 0, outside of
 * koshu_subsystems_each(). KOSHU_ERROR_NOT_FINITE. */
koshu_status koshu_subsystems_move(struct koshu_subsystems *groups,
                                   struct koshu_subsystem *group, double time,
                                   size_t thread);

/* Whether a group, as it is now, is no longer one: group->apart; its span. */
koshu_status koshu_subsystems_is_apart(struct koshu_subsystems *groups,
                                       struct koshu_subsystem *group);

/* ---- subsystem_gauge.c: what is usual ------------------------------------ */

/* For the particles as they now stand: groups->spacing, speed; and the order of
 * places. */
koshu_status koshu_subsystems_gauge(struct koshu_subsystems *groups);

/* Further than any particle goes meanwhile. */
double koshu_subsystems_distance_outside(const struct koshu_subsystems *groups);

/* ---- subsystem_around.c, subsystem_near.c: what is near groups ----------- */

/* Of n groups at the end of a step: whether each is no longer one
 * (group->apart), and who is near the others. */
koshu_status koshu_subsystems_look(struct koshu_subsystems *groups, size_t n,
                                   struct koshu_subsystem **list, double time);

/* The particles that perturb a group, as they are at that time. */
koshu_status koshu_subsystems_find_near(struct koshu_subsystems *groups,
                                        struct koshu_subsystem *group,
                                        double time);

/* Nothing perturbs the group. */
void koshu_subsystems_forget(struct koshu_subsystems *groups,
                             struct koshu_subsystem *group);

/* Particles that have become groups or single ones, or bodies of groups. */
struct koshu_subsystem_changes {
    size_t n;
    const uint64_t *changed;
    const bool *is_changed; /* of all particles */
};

/* Of all groups, where some particles have changed. */
koshu_status
koshu_subsystems_renew_near(struct koshu_subsystems *groups,
                            const struct koshu_subsystem_changes *changes,
                            double time);

/* ---- subsystem_resolve.c: forces body by body
 * -------------------------------- */

/* Of the members of a block, before the end of their step at `time` of the
 * store: who meets whom body by body, and where the bodies are then; while the
 * sums are made. */
koshu_status koshu_subsystems_meet(struct koshu_subsystems *groups,
                                   const struct koshu_block_step *step,
                                   double time);

/* Then: sums with groups and of groups that are near become those of their
 * bodies. */
void koshu_subsystems_resolve(struct koshu_subsystems *groups,
                              struct koshu_block_step *step, double time);

/* ---- subsystem_engine.c: block steps with groups
 * ----------------------------- */

/*
 * Block steps of particles that all stand at one tick, a multiple of the
 * longest step, for as long as that; they then stand there. What particles have
 * as steps is what koshu_block_particles says; those of a group have that of
 * its centre of mass. Bodies that are gone in a merger are where nothing else
 * is; mergers are added to those given.
 */
struct koshu_subsystem_run {
    struct koshu_block_task task;
    double eta_start;
    struct koshu_subsystem_options options;
    struct koshu_block_particles particles;
    struct koshu_mergers *mergers;
    struct koshu_block_progress *progress;
    struct koshu_group_cost *cost; /* written; where there are ranks, by the
                                      first */
};

/* Failures: those of koshu_block_ops.run. */
koshu_status koshu_subsystems_run(struct koshu_backend *backend,
                                  const struct koshu_subsystem_run *run);

/* ---- subsystem_ranks.c: the same over ranks
 * ---------------------------------- */

/* Of n particles, all of which are on rank 0, with its mergers; progress is
 * that of all. Collective. */
koshu_status
koshu_subsystems_run_on_ranks(struct koshu_backend *backend, size_t n,
                              const struct koshu_subsystem_run *run);

#endif
