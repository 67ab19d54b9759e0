/* SPDX-License-Identifier: MIT */
/*
 * Leapfrog in kick-drift-kick form, one time step h for all particles:
 *
 *     v += a h/2;  x += v h;  a = a(x);  v += a h/2
 *
 * One force evaluation per step; positions, velocities and accelerations
 * belong to the same time at the end of each step.
 *
 * KOSHU_STEP_RULE_FIXED: h = dt. Second order, symplectic and time-reversible:
 * the energy error stays bounded, and a run with -dt retraces it. The time is
 * t0 + k dt, a product and not a sum of k terms, so that it does not drift.
 *
 * KOSHU_STEP_RULE_ACCELERATION: before each step
 *
 *     h = eta min_i sqrt(eps / |a_i|),  at most dt
 *
 * Second order in eta, but neither symplectic nor time-reversible: a step
 * chosen from where it begins is not the one chosen on the way back.
 *
 * The same bits on any number of threads. tests/physics holds the order of
 * convergence, reversal and conservation to this.
 */
#ifndef KOSHU_LEAPFROG_H
#define KOSHU_LEAPFROG_H

#include <stdbool.h>
#include <stdint.h>

#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/solver.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_leapfrog;

enum koshu_step_rule {
    KOSHU_STEP_RULE_FIXED,
    KOSHU_STEP_RULE_ACCELERATION,
    KOSHU_STEP_RULE_BLOCK /* of koshu/hermite.h, which has no ACCELERATION */
};

struct koshu_leapfrog_options {
    enum koshu_step_rule rule;
    double dt;  /* finite. fixed: the step, may be negative, not 0.
                   acceleration: the largest step, > 0 */
    double eta; /* acceleration: > 0; the softening must be > 0 */
};

/* fixed, dt = 1/256, eta = 0.1 */
KOSHU_API struct koshu_leapfrog_options koshu_leapfrog_options_default(void);

/*
 * Where a run stands. With a fixed step the time after k more steps is
 * origin_time + (steps + k - origin_steps) dt; a step that ends off this grid
 * (see koshu_leapfrog_step) begins a new grid.
 */
struct koshu_leapfrog_clock {
    double time;
    uint64_t steps; /* made so far */
    double origin_time;
    uint64_t origin_steps;
};

/*
 * The integrator of one store with one solver; both must outlive it. Computes
 * no force yet. KOSHU_ERROR_INVALID_ARGUMENT: an option out of its range, a
 * time that is not finite; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_leapfrog_create(
        const struct koshu_leapfrog_options *options,
        struct koshu_solver *solver, struct koshu_particles *particles,
        double time, struct koshu_leapfrog **leapfrog);

/* NULL is allowed. */
KOSHU_API void koshu_leapfrog_destroy(struct koshu_leapfrog *leapfrog);

/*
 * One step, that ends no later than `until` (no earlier, where dt < 0). A step
 * that would pass it, or stop less than a thousandth of a step short of it,
 * ends there exactly: the last step before `until` may be a partial one. Where
 * `until` is a whole number of steps away, but for rounding, the step is a
 * whole one too: the orbit does not depend on how often the caller stops.
 * Infinite: no limit. The first step evaluates the accelerations first, where
 * koshu_leapfrog_evaluate() has not. With potential, the potential at the new
 * positions is computed too.
 *
 * KOSHU_ERROR_INVALID_ARGUMENT: `until` does not lie ahead;
 * KOSHU_ERROR_BAD_INPUT: the step is too small to advance the time;
 * KOSHU_ERROR_NOT_FINITE: a position, velocity or acceleration has become
 * infinite or NaN in this step, the message names the particle, the step and
 * the time; what the solver returns. After a failure the clock stands where it
 * stood, but the particles may be in the middle of a step: go back to a
 * checkpoint.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_leapfrog_step(
        struct koshu_leapfrog *leapfrog, double until, bool potential);

/*
 * Accelerations and potentials at the present positions, for a first log line
 * or after the caller moved particles. KOSHU_ERROR_NOT_FINITE; what the solver
 * returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_leapfrog_evaluate(struct koshu_leapfrog *leapfrog);

KOSHU_API double koshu_leapfrog_time(const struct koshu_leapfrog *leapfrog);
KOSHU_API uint64_t koshu_leapfrog_steps(const struct koshu_leapfrog *leapfrog);
KOSHU_API struct koshu_leapfrog_clock
koshu_leapfrog_clock_of(const struct koshu_leapfrog *leapfrog);

/*
 * For a restart: goes on from the clock that koshu_leapfrog_clock_of() gave,
 * with the accelerations that the store holds. With the same particles,
 * options, backend and precision the run then goes on bit for bit.
 */
KOSHU_API void koshu_leapfrog_resume(struct koshu_leapfrog *leapfrog,
                                     const struct koshu_leapfrog_clock *clock);

#ifdef __cplusplus
}
#endif

#endif
