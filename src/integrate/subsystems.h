/* SPDX-License-Identifier: MIT */
/*
 * Few-body groups within block time steps: hard binaries and close encounters
 * without softening.
 *
 * In the block steps a group is one particle, with the mass and the position of
 * its centre of mass. Its index is the lowest of its bodies' indices. The other
 * bodies keep their indices, with mass 0, and take no steps. The bodies move
 * about the centre of mass as a chain of fewbody/, perturbed by nearby
 * particles. The group and its perturbers exert forces on each other body by
 * body; all other particles see the group as a point. External fields likewise
 * act on the centre of mass, and on each body if their tide is strong enough.
 *
 * Groups are found from masses, positions and velocities alone. No other state
 * is kept at synchronised times, so a restarted run continues exactly as the
 * original would have.
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
    double distance;  /* as in koshu_grouping */
    double tolerance; /* of the steps of chains */
    /* A particle perturbs a group if it pulls the bodies apart by more than
     * this fraction of their mutual force. */
    double perturbation;
    double slow_down; /* as in koshu_fewbody_options; 0: none */
    struct koshu_radius_law
            radius; /* of bodies, which merge as soon as they touch */
    const struct koshu_external *external; /* external fields; NULL: none */
    size_t helpers; /* threads for groups that take long; 0: none */
};

/* ---- subsystems.c: groups, and how they move ----------------------------- */

/* A particle that may come near, but not before time `from`. The entry holds as
 * long as the particle's version is `version`. */
struct koshu_subsystem_around {
    uint32_t k, version;
    double from;
};

/* The state of a particle of p, predicted to a time of the store. */
struct koshu_subsystem_place {
    double x[3], v[3], a[3], jerk[3];
};

/* External fields about the centre of mass of a group, from `time` on. */
struct koshu_subsystem_field {
    const struct koshu_subsystems *groups;
    double time;
    struct koshu_subsystem_place centre;
};

/* A group of two bodies that perturbs another group: its state at `time`, in
 * the axes of chains. */
struct koshu_subsystem_pair {
    size_t j; /* its index among the perturbers */
    /* x, v: of the second relative to the first */
    double mass[2], x[3], v[3], time;
    double rate; /* as in koshu_chain */
};

/* The surroundings of a group: nearby particles as polynomials, external
 * fields, and pairs among the particles so close that each of their bodies
 * counts. */
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
    size_t *body;  /* indices, ascending; the first is the group's */
    double span;   /* the radius in koshu_clump, for three or more bodies */
    double radius; /* about how far a body may come from the centre */
    /* the largest radius since the group formed, so that the set of perturbers
     * does not depend on the orbital phase */
    double widest;
    bool is_bound; /* its two bodies are a binary */
    bool kepler;   /* its last motion was a Kepler orbit */
    size_t *near;  /* indices of the particles that perturb it */
    size_t n_near, capacity_near;
    size_t *found; /* the new ones, not yet in `near` */
    size_t n_found, capacity_found;
    double tide;                /* of external fields at the centre of mass */
    bool in_field, found_field; /* fields perturb it; found to */
    /* Pairs among the perturbers so close that each of their bodies counts, as
     * they were before groups last moved. is_beside: there are such pairs;
     * found_beside: there may be. */
    bool is_beside, found_beside;
    struct koshu_subsystem_pair *pair;
    size_t n_pairs, capacity_pair;
    /* at the end of a step: it is no longer a group; it must update its
     * perturbers */
    bool apart, looks;
    bool is_wanted; /* set within koshu_subsystems_meet() */
    /* Its bodies about the centre of mass, in the frame of p, when last
     * requested; v includes the slow-down rates of pairs. */
    double (*x)[3], (*v)[3];
    struct koshu_subsystem_outside outside;
    struct koshu_subsystem_around *around; /* may come near */
    size_t n_around, capacity_around;
    double quiet;        /* none of them is near before this time */
    double until, reach; /* up to which time and radius `around` is valid */
    /* distance within which a particle of mass 1 perturbs a group of radius
     * `reach` */
    double far;
    uint64_t work, cost; /* evaluations: of the last step, of all steps */
    struct koshu_subsystem_ahead *ahead; /* NULL: never moved ahead */
    /* a copy is being moved ahead; its surroundings are out of date */
    bool is_ahead, is_stale;
    bool is_other; /* its perturbers have changed since it moved */
};

/* Two bodies that have touched and become one. */
struct koshu_merger {
    double time; /* in the store's time, as everything below */
    /* indices: of the merged body, and of the body that is gone */
    size_t stays, goes;
    double mass[2], x[2][3], v[2][3]; /* of the two bodies before */
    double energy;                    /* energy lost */
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

/* The bounding box of a chunk of neighbouring particles, and their largest
 * speed relative to the mean velocity of all. */
enum { KOSHU_PLACES_CHUNK = 64 };
struct koshu_subsystem_box {
    double low[3], high[3], fastest;
};

/* Positions and velocities of all particles at one time, component by
 * component. */
struct koshu_subsystem_places {
    uint32_t *order; /* particles in the order of a space-filling curve */
    double *at;
    size_t capacity_at;
    struct koshu_subsystem_box *box; /* one for each chunk */
    size_t capacity_box;
    double heaviest; /* mass */
};

/* A group and a particle near it that act on each other body by body. */
struct koshu_subsystem_meeting {
    size_t k, j;
    bool both; /* j is a group too, perturbed by k */
};

/* The state of a particle, absolute or relative to another. */
struct koshu_subsystem_approach {
    double mass, root, x[3], v[3], r; /* root: the cube root of the mass */
};

struct koshu_subsystems {
    struct koshu_context *context;
    struct koshu_subsystem_options options;
    struct koshu_block_particles *p; /* the engine's, with groups in it */
    double *mass;                    /* of the particles of p */
    double usual;                    /* as in koshu_grouping, of bodies */
    double *body_mass; /* of the bodies themselves; 0: gone in a merger */
    double spacing, speed, mean_v[3]; /* separation; rms; mean */
    double outside;                   /* how far bodies are put aside */
    struct koshu_mergers *mergers;    /* the caller's */
    struct koshu_group_cost cost;     /* of groups that no longer exist */
    double omega;                     /* rotation of the frame of p */
    double tick;                      /* the length of one tick */
    uint64_t base;                    /* the tick of p that is time 0 */
    struct koshu_gbs *gbs;            /* one for each thread */
    struct koshu_subsystem_helpers *helpers; /* NULL: none */
    struct koshu_subsystem **slow;           /* groups for helpers */
    size_t n_slow, capacity_slow;
    struct koshu_subsystem **of; /* the group of each particle; NULL: single */
    struct koshu_subsystem **group;
    size_t n, capacity_group;
    struct koshu_subsystem **beside; /* groups with is_beside */
    size_t n_beside, capacity_beside;
    struct koshu_subsystem_seen *seen; /* one for each particle */
    struct koshu_subsystem_places places;
    double *root;      /* the cube root of the mass of each particle */
    uint32_t *version; /* times a particle has become a group or single */
    size_t *in_block; /* each particle's number in the block, plus 1; 0: none */
    struct koshu_subsystem_meeting *meeting; /* in a block */
    size_t n_meetings, capacity_meeting;
    struct koshu_subsystem **wanted; /* temporary list of groups */
    size_t n_wanted, capacity_wanted;
    /* set only during koshu_subsystems_renew_near() */
    const struct koshu_subsystem_changes *changes;
    struct koshu_clump *cluster;
    size_t capacity_cluster;
    size_t *next;                           /* see koshu_find_subsystems() */
    struct koshu_subsystem_approach *place; /* of changed ones */
    size_t capacity_place;
};

/* Creates an empty set of groups. p holds all particles and mass their masses;
 * groups will change p. Both remain the caller's. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_subsystems_create(struct koshu_context *context,
                        const struct koshu_subsystem_options *options,
                        double tick, uint64_t base,
                        struct koshu_block_particles *p, double *mass,
                        struct koshu_subsystems **groups);
/* NULL is allowed. */
void koshu_subsystems_destroy(struct koshu_subsystems *groups);

/* Forms a group of the bodies of a cluster, which are single in p and
 * synchronised. The group replaces them in p. */
koshu_status koshu_subsystems_form(struct koshu_subsystems *groups,
                                   const struct koshu_clump *cluster);

/* Ends a group. Its bodies become single particles of p at the group's tick, to
 * which the group must have been moved, with the accelerations and jerks that
 * they have there. */
void koshu_subsystems_dissolve(struct koshu_subsystems *groups,
                               struct koshu_subsystem *group);

/* Writes the same bodies to p, which may be another; the group continues. */
void koshu_subsystems_write(const struct koshu_subsystems *groups,
                            const struct koshu_subsystem *group,
                            const struct koshu_block_particles *p);

/* The time of the store at a tick. */
double
koshu_subsystems_time(const struct koshu_subsystems *groups, uint64_t tick);

struct koshu_subsystem_place
koshu_subsystems_predict(const struct koshu_subsystems *groups, size_t k,
                         double time);

/* The criteria for groups; wider: see koshu_grouping. */
static inline struct koshu_grouping
koshu_grouping_of(const struct koshu_subsystems *groups, double wider)
{
    const struct koshu_subsystem_options *o = &groups->options;
    return (struct koshu_grouping){o->distance, wider, groups->usual,
                                   o->slow_down > 0};
}

/* Whether particles or fields perturb the motion of its bodies. */
static inline bool
koshu_subsystem_is_perturbed(const struct koshu_subsystem *group)
{
    return group->n_near > 0 || group->in_field;
}

/* ---- subsystem_merge.c: bodies that touch -------------------------------- */

/* Merges the two bodies of a link of a group's chain.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_merge(struct koshu_subsystems *groups,
                                    struct koshu_subsystem *group, size_t link);

/* ---- subsystem_motion.c: how groups move --------------------------------- */

/* Work that a thread does on one group. */
typedef koshu_status koshu_subsystem_work(struct koshu_subsystems *groups,
                                          struct koshu_subsystem *group,
                                          double time, size_t thread);

/* Does the work on n groups. Uses all threads if there are more than a few
 * groups: starting threads takes as long as moving several groups. If several
 * fail, returns one of the failures. */
koshu_status koshu_subsystems_each(struct koshu_subsystems *groups, size_t n,
                                   struct koshu_subsystem **list, double time,
                                   koshu_subsystem_work *work, size_t few);
enum { KOSHU_FEW_MOVES = 3, KOSHU_FEW_LOOKS = 128 };

/* Does the work on all groups, each by the thread that last worked on it: the
 * group's data are in that thread's cache, and fetching them from another takes
 * longer than the work. */
koshu_status koshu_subsystems_all(struct koshu_subsystems *groups, double time,
                                  koshu_subsystem_work *work);

/* Moves the bodies of a group about their centre of mass to a time of the
 * store, no earlier than the last. Bodies that touch on the way merge, which
 * may leave a group of one body. thread: 0, outside of koshu_subsystems_each().
 * KOSHU_ERROR_NOT_FINITE. */
koshu_status koshu_subsystems_move(struct koshu_subsystems *groups,
                                   struct koshu_subsystem *group, double time,
                                   size_t thread);

/* Sets group->apart, if the group in its present state no longer is one, and
 * its span. */
koshu_status koshu_subsystems_is_apart(struct koshu_subsystems *groups,
                                       struct koshu_subsystem *group);

/* ---- subsystem_gauge.c: typical scales ----------------------------------- */

/* Computes groups->spacing, groups->speed and the order of places from the
 * present particles. */
koshu_status koshu_subsystems_gauge(struct koshu_subsystems *groups);

/* A distance beyond the reach of any particle before the next call. */
double koshu_subsystems_distance_outside(const struct koshu_subsystems *groups);

/* ---- subsystem_around.c, subsystem_near.c: what is near groups ----------- */

/* For n groups at the end of a step: finds whether each has come apart
 * (group->apart), and the perturbers of those that have not. */
koshu_status koshu_subsystems_look(struct koshu_subsystems *groups, size_t n,
                                   struct koshu_subsystem **list, double time);

/* Finds the particles that perturb a group at `time`. */
koshu_status koshu_subsystems_find_near(struct koshu_subsystems *groups,
                                        struct koshu_subsystem *group,
                                        double time);

/* Removes all perturbers of the group. */
void koshu_subsystems_forget(struct koshu_subsystems *groups,
                             struct koshu_subsystem *group);

/* Particles that entered or left groups. */
struct koshu_subsystem_changes {
    size_t n;
    const uint64_t *changed;
    const bool *is_changed; /* of all particles */
};

/* Updates the perturbers of all groups after some particles have changed. */
koshu_status
koshu_subsystems_renew_near(struct koshu_subsystems *groups,
                            const struct koshu_subsystem_changes *changes,
                            double time);

/* ---- subsystem_resolve.c: forces body by body ---------------------------- */

/* For the members of a block, whose step ends at `time` of the store: finds
 * which forces must be computed body by body, and moves the bodies there. Runs
 * while the sums are computed. */
koshu_status koshu_subsystems_meet(struct koshu_subsystems *groups,
                                   const struct koshu_block_step *step,
                                   double time);

/* Afterwards: replaces point-mass forces between groups and their perturbers by
 * those of the bodies. */
void koshu_subsystems_resolve(struct koshu_subsystems *groups,
                              struct koshu_block_step *step, double time);

/* ---- subsystem_engine.c: block steps with groups ------------------------- */

/*
 * Block steps over one longest step. The particles begin synchronised at a tick
 * that is a multiple of the longest step, and end synchronised. Their steps are
 * as in koshu_block_particles; the bodies of a group have the step of its
 * centre of mass. Bodies that are gone in a merger are put where no other
 * particle is. New mergers are appended to `mergers`.
 */
struct koshu_subsystem_run {
    struct koshu_block_task task;
    double eta_start;
    struct koshu_subsystem_options options;
    struct koshu_block_particles particles;
    struct koshu_mergers *mergers;
    struct koshu_block_progress *progress;
    struct koshu_group_cost *cost; /* output; on rank 0 only */
};

/* Failures: those of koshu_block_ops.run. */
koshu_status koshu_subsystems_run(struct koshu_backend *backend,
                                  const struct koshu_subsystem_run *run);

/* ---- subsystem_ranks.c: the same over ranks ------------------------------ */

/* For n particles, all on rank 0, as the mergers; progress is the same on all
 * ranks. Collective. */
koshu_status
koshu_subsystems_run_on_ranks(struct koshu_backend *backend, size_t n,
                              const struct koshu_subsystem_run *run);

#endif
