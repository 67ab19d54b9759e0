/* SPDX-License-Identifier: MIT */
/*
 * Integrators move the particles of a store with the forces of a solver.
 *
 * KOSHU_SCHEME_LEAPFROG: kick-drift-kick, one time step h for all particles,
 *
 *     v += a h/2;  x += v h;  a = a(x);  v += a h/2
 *
 * with one force evaluation per step. Positions, velocities and accelerations
 * belong to the same time at the end of each step.
 *
 * - KOSHU_STEP_RULE_FIXED: h = dt. Second order, symplectic and
 *   time-reversible: the energy error stays bounded, and a run with -dt
 *   retraces it. The time is t0 + k dt, a product and not a sum of k terms, so
 *   that it does not drift.
 * - KOSHU_STEP_RULE_ACCELERATION: before each step
 *   h = eta min_i sqrt(eps / |a_i|), at most dt. Second order in eta, but
 *   neither symplectic nor time-reversible: a step chosen from where it begins
 *   is not the one chosen on the way back.
 *
 * KOSHU_SCHEME_HERMITE: the fourth-order Hermite scheme (Makino & Aarseth
 * 1992), P(EC)^n. A step of length h of one particle, from the acceleration a
 * and the jerk j at its beginning (0) and end (1):
 *
 *     predict   x = x0 + h v0 + h^2/2 a0 + h^3/6 j0
 *               v = v0 + h a0 + h^2/2 j0
 *     evaluate  a1, j1 from all others, predicted to the same time
 *     correct   v1 = v0 + h/2 (a0 + a1) + h^2/12 (j0 - j1)
 *               x1 = x0 + h/2 (v0 + v1) + h^2/12 (a0 - a1)
 *
 * evaluate and correct are done n = `iterations` times. n = 1 is the usual
 * scheme; for n >= 3 a fixed step is time-symmetric to rounding, and the energy
 * of a periodic orbit does not drift (Hut, Makino & McMillan 1995).
 *
 * - KOSHU_STEP_RULE_FIXED: every particle steps by dt, at the same time.
 * - KOSHU_STEP_RULE_BLOCK: block time steps. A particle's step is dt / 2^k with
 *   the smallest k for which (Aarseth 1985; Makino & Aarseth 1992 eq. 7)
 *
 *     h^2 <= eta (|a| |a2| + |j|^2) / (|j| |a3| + |a2|^2)
 *
 *   a2 and a3 being the second and third derivative of a at the end of the last
 *   step. It is halved whenever this requires it, and doubled, once per step,
 *   when the time is a multiple of the longer step. Particles whose steps end
 *   at the same time form a block. The first step has h <= eta_start |a| / |j|
 *   and, with bodies at rest in mind, h <= eta_start sqrt(|pot|) / |a|. As the
 *   forces on a body may cancel, |a| / |j| counts as no less than
 *   0.01 (sqrt(|pot|) / |j|)^(1/2).
 *
 * Time is counted in ticks, dt / 2^40, so that which steps end at the same time
 * never depends on rounding. At each multiple of dt from the beginning all
 * particles are synchronised, that is, at the same time; in between each is at
 * the end of its own last step. A synchronised step leads from one such time to
 * the next: with the leapfrog, every step does.
 *
 * With `regularisation`, and without softening, hard binaries and close
 * encounters form few-body groups, integrated like those of koshu/fewbody.h. A
 * group is one particle of the block steps, at its centre of mass, and is
 * perturbed by nearby particles; it forms and ends at the end of a block step.
 * A call then goes to the next synchronised time, or to `until`. No step is
 * longer than a particle takes to get half way to its nearest neighbour, at
 * their relative speed or the rms speed: the criterion above would miss two
 * light particles that meet head on in the field of all others. Requires a
 * direct solver, block steps with one iteration, dt > 0 and masses > 0.
 * tests/unit/integrate/test_groups_in_fields compares binaries in external
 * fields with the scheme without groups.
 *
 * KOSHU_SCHEME_ARCHAIN: up to KOSHU_FEWBODY_MAX bodies, by algorithmic
 * regularisation (koshu/fewbody.h) of gravity without softening, in double
 * precision. It chooses its own steps; every dt all bodies are synchronised and
 * written to the store, and continue from what the store then holds. Two bodies
 * move by Kepler's equation. Requires a direct solver with softening 0, one
 * rank and a CPU backend.
 *
 * dt < 0 goes back in time. On one backend results do not depend on the number
 * of threads, bit for bit. tests/physics checks orders of convergence,
 * reversal, symmetry and the conservation of energy.
 *
 * Threads: one thread at a time per integrator, its solver and its particles.
 */
#ifndef KOSHU_INTEGRATOR_H
#define KOSHU_INTEGRATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/external.h>
#include <koshu/particles.h>
#include <koshu/solver.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_integrator;

enum koshu_scheme {
    KOSHU_SCHEME_LEAPFROG,
    KOSHU_SCHEME_HERMITE,
    KOSHU_SCHEME_ARCHAIN
};

/* How long a step is. */
enum koshu_step_rule {
    KOSHU_STEP_RULE_DEFAULT, /* leapfrog, archain: fixed; hermite: block */
    KOSHU_STEP_RULE_FIXED,
    KOSHU_STEP_RULE_ACCELERATION, /* leapfrog */
    KOSHU_STEP_RULE_BLOCK         /* hermite */
};

/* The name of a scheme, "leapfrog", "hermite" or "archain", and of a step rule,
 * "default", "fixed", "acceleration" or "block"; NULL past the last. */
KOSHU_API const char *koshu_scheme_name(enum koshu_scheme scheme);
KOSHU_API const char *koshu_step_rule_name(enum koshu_step_rule rule);

/*
 * Finds the scheme or step rule with a name. The context, which may be NULL,
 * gets the message of a failure.
 * Status: KOSHU_ERROR_NOT_FOUND: there is no such name;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_scheme_find(struct koshu_context *context, const char *name,
                  enum koshu_scheme *scheme);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_step_rule_find(struct koshu_context *context, const char *name,
                     enum koshu_step_rule *rule);

/* Members that are 0 get the default of the scheme. */
struct koshu_integrator_options {
    size_t size;
    enum koshu_scheme scheme;
    enum koshu_step_rule step_rule;
    double dt;           /* finite. fixed: the step; acceleration, block: the
                            longest step. Negative: back in time (not with
                            acceleration). 0: leapfrog 1/256, others 1/8 */
    double eta;          /* >= 0. acceleration (the softening must be > 0),
                            block. 0: leapfrog 0.1, hermite 0.002 */
    double eta_start;    /* >= 0. block; 0: 0.0005 */
    unsigned iterations; /* hermite: n of P(EC)^n; 0: 1 */
    /* hermite: the maximum number of block steps per
     * koshu_integrator_advance(); 0: as many as take about a tenth of a second,
     * or with millions of particles a second. Results do not depend on it. */
    uint64_t max_block_steps;
    /* archain: as in koshu_fewbody_options; tolerance 0: 1e-15. With
     * regularisation: for the groups; tolerance 0: 1e-12. slow_down > 0 then
     * also replaces pairs by an ellipse of their mass when only the average
     * over a revolution counts: if tides are below sqrt(slow_down) / 2 of the
     * pair's force and its period is below twice what slow-down allows as a
     * fraction of the perturbers' time scale (Tremaine, Touma & Namouni 2009,
     * AJ 137, 3706). */
    double tolerance, slow_down;
    /* hermite, block: > 0: few-body groups; 0: none. Bound pairs that are
     * closer than this distance, or have a smaller semi-major axis, and bodies
     * that pass each other within an eighth of it, are integrated like those of
     * koshu/fewbody.h, as one particle of the block steps. */
    double regularisation;
    /* Particles whose tides exceed this fraction of the force between the
     * bodies of a group perturb it. 0: 1e-6 */
    double perturbation;
    /* With regularisation: bodies are spheres of radius (mass /
     * radius_mass)^radius_exponent times `radius`, and merge when they touch;
     * radius 0: points. radius_mass 0: 1 */
    double radius, radius_mass, radius_exponent;
};

/* Leapfrog, all else 0. */
KOSHU_DECLARE_DEFAULT(koshu_integrator_options)

/* A tick is dt / KOSHU_TICKS. */
#define KOSHU_TICKS (UINT64_C(1) << 40)

/*
 * The state of an integration: with the particles, all that is needed to resume
 * it.
 *
 * Leapfrog with a fixed step: the time after k more steps is origin_time +
 * (synchronised_steps + k - origin_steps) dt; a step that ends off this grid
 * (see koshu_integrator_advance) begins a new grid. Hermite: particle i is at
 * time origin_time + tick_i `tick`, where tick_i is in the store
 * (KOSHU_FIELD_STEP).
 */
struct koshu_integrator_clock {
    size_t size;
    double time;                 /* end of the last step, or block step */
    double synchronised;         /* the last time at which all particles were
                                    synchronised */
    uint64_t steps;              /* made so far; hermite: block steps */
    uint64_t particle_steps;     /* hermite: the sum over particles of their
                                    steps */
    uint64_t synchronised_steps; /* made so far */
    double origin_time;          /* where the grid of steps begins, */
    uint64_t origin_steps;       /* and the synchronised steps up to there */
    double tick;                 /* hermite: length of a tick, */
    uint64_t ticks;              /* and the number of them since origin_time */
};

/* What happened to a particle, or to two. */
enum koshu_event_kind {
    KOSHU_EVENT_KIND_MERGER, /* two that touched have merged */
    KOSHU_EVENT_KIND_ESCAPE, /* one is far away and not bound */
    KOSHU_EVENT_KIND_TIDE    /* one is outside the tidal radius */
};

/* "merger", "escape" or "tide"; NULL past the last. */
KOSHU_API const char *koshu_event_kind_name(enum koshu_event_kind kind);

/* Finds the kind with a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has it; KOSHU_ERROR_INVALID_ARGUMENT:
 * NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_event_kind_find(struct koshu_context *context, const char *name,
                      enum koshu_event_kind *kind);

/* A body before the event. Used in arrays, so the struct never grows. */
struct koshu_event_body {
    uint64_t id;
    double mass, radius, x[3], v[3];
};

/* In a merger, the first body is the heavier one. The product has its id, and
 * the total mass, centre of mass and momentum of both. In other events the
 * second body is 0. Used in arrays, so the struct never grows. */
struct koshu_event {
    enum koshu_event_kind kind;
    double time;
    struct koshu_event_body body[2];
    double energy; /* by how much the event decreased T + W of the particles */
};

/* What an integrator has done since it was created, in addition to what its
 * solver reports. */
struct koshu_integrator_report {
    size_t size;
    /* "host": moves particles on the host, with forces from the backend;
     * "device": the backend moves them. */
    const char *engine;
    uint64_t interactions; /* hermite: pairs evaluated; leapfrog: 0, as the
                              solver counts them */
    double seconds;        /* hermite: spent in block steps; leapfrog: 0 */
    /* With regularisation: how often the forces within few-body groups were
     * evaluated, in total; and for the group that took most between two
     * synchronised times: how often, its number of bodies, the id of one of
     * them (on rank 0), and the later of the two times. 0: there was none. */
    uint64_t group_forces, hardest_forces, hardest_bodies;
    uint64_t hardest_id;
    double hardest_time;
};

/*
 * Creates an integrator of one store of particles with one solver. Does not
 * compute forces yet. The Hermite scheme uses the solver's precision and
 * softening, and the store's fields KOSHU_FIELD_JERK and KOSHU_FIELD_STEP; in
 * single precision, which conserves energy to about 1e-6 at best, it logs a
 * warning.
 * Units: time is that of the particles, in which G = 1.
 * Ownership: the caller destroys the integrator; solver and particles must
 * outlive it.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: an option out of its range, a step rule
 * that the scheme does not have, a time that is not finite, NULL;
 * KOSHU_ERROR_UNSUPPORTED: the backend cannot sum jerks; archain with a GPU
 * backend or several ranks; an option that only a later koshu has;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_integrator_create(
        struct koshu_solver *solver, struct koshu_particles *particles,
        double time, const struct koshu_integrator_options *options,
        struct koshu_integrator **integrator);

/* Destroys the integrator, not its solver nor its particles; NULL is allowed.
 */
KOSHU_API void koshu_integrator_destroy(struct koshu_integrator *integrator);

/*
 * Sets external fields that act on the particles in addition to the solver's
 * forces, from the beginning on; NULL: none. Potentials of the particles remain
 * those of the solver: koshu_external_energy() gives what is to be added to an
 * energy. With the leapfrog, which adds the fields in its kicks, so do
 * accelerations; with the Hermite scheme accelerations and jerks include the
 * fields.
 * Ownership: the fields must outlive the integrator.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a step has been made, or forces have
 * been evaluated; a periodic box; integrator is NULL; KOSHU_ERROR_UNSUPPORTED:
 * the scheme does not support external fields.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_integrator_set_external(struct koshu_integrator *integrator,
                              const struct koshu_external *external);

/*
 * Advances to the next synchronised time at most: one step of the leapfrog;
 * with the Hermite scheme the block steps to that time, or fewer of them (see
 * max_block_steps), so that a caller with other work need not wait long:
 *
 *     while (koshu_integrator_time(integrator) != until)
 *         koshu_integrator_advance(integrator, until, false);
 *
 * It goes no further than `until` (if dt < 0: no earlier) and reaches it
 * exactly, if necessary by a partial step of every particle; the grid of steps
 * then begins there. If `until` lies on the grid, but for rounding, it is
 * reached by a whole step: the orbit does not depend on how often the caller
 * stops. A leapfrog step that would stop less than a thousandth of a step short
 * of it is extended to it. Infinite: no limit.
 *
 * The first call evaluates the forces, unless koshu_integrator_evaluate() has
 * done so. With potential, the potential at a synchronised time is that of the
 * positions there; otherwise it is that of an earlier time or, with the Hermite
 * scheme, of the last prediction.
 *
 * After a failure the particles may be in the middle of a step: go back to a
 * checkpoint.
 * Units: until is a time of the particles, in which G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: `until` does not lie ahead, NULL;
 * KOSHU_ERROR_BAD_INPUT: the step is too small to advance the time, or a
 * particle needs a step shorter than a tick; KOSHU_ERROR_NOT_FINITE: a
 * position, velocity or acceleration has become infinite or NaN (both name the
 * particle and the time); KOSHU_ERROR_UNSUPPORTED: regularisation would put
 * more than 64 bodies in one group; what koshu_solver_forces() returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_integrator_advance(
        struct koshu_integrator *integrator, double until, bool potential);

/*
 * Returns the mergers of the last koshu_integrator_advance(), in the order in
 * which groups found them. *n: their number; n may be NULL. NULL, and 0 events,
 * if integrator is NULL. Merged particles are removed from the store, in which
 * the others keep their order. With several ranks, events are returned on rank
 * 0 only.
 * Units: of the particles, in which G = 1.
 * Ownership: the integrator's, until the next call of it.
 */
KOSHU_API const struct koshu_event *
koshu_integrator_events(const struct koshu_integrator *integrator, size_t *n);

/*
 * Computes accelerations and potentials, and with the Hermite scheme jerks and
 * first steps, at the present positions: for a first log line, or after the
 * caller moved particles. Particles that are not synchronised make a partial
 * step to the present time first. The grid of steps begins here.
 * Status: as koshu_integrator_advance().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_integrator_evaluate(struct koshu_integrator *integrator);

/* The time at which the last step, or block step, ended; 0 for NULL.
 * Units: a time of the particles, in which G = 1. */
KOSHU_API double
koshu_integrator_time(const struct koshu_integrator *integrator);

/*
 * Writes the state of the integration.
 * Units: times are those of the particles, in which G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, clock->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_integrator_clock(const struct koshu_integrator *integrator,
                       struct koshu_integrator_clock *clock);

/*
 * For a restart: continues from a clock that koshu_integrator_clock() gave,
 * with all fields of the store as they were then. With the same options,
 * backend and precision the integration then goes on bit for bit. Where the
 * forces or the step have changed, call koshu_integrator_evaluate() next.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a clock without a size or with a time
 * that is not finite, one that is not synchronised for the leapfrog, NULL;
 * KOSHU_ERROR_UNSUPPORTED: a clock of a later koshu.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_integrator_resume(struct koshu_integrator *integrator,
                        const struct koshu_integrator_clock *clock);

/*
 * Writes the options that the integrator was created with, defaults filled in.
 * The caller sets options->size.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, or the size is not
 * set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_integrator_options_of(const struct koshu_integrator *integrator,
                            struct koshu_integrator_options *options);

/*
 * Writes what the integrator has done.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, report->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_integrator_report(const struct koshu_integrator *integrator,
                        struct koshu_integrator_report *report);

#ifdef __cplusplus
}
#endif

#endif
