/* SPDX-License-Identifier: MIT */
/*
 * Leapfrog in kick-drift-kick form, shared time step:
 *
 *     v += a dt/2;  x += v dt;  a = a(x);  v += a dt/2
 *
 * Second order, symplectic and time-reversible for a fixed step. With
 * KOSHU_STEP_ACCELERATION the step is
 *
 *     dt = eta min_i sqrt(eps / |a_i|),  at most dt_max
 *
 * taken at the beginning of each step.
 */
#ifndef KOSHU_LEAPFROG_H
#define KOSHU_LEAPFROG_H

#include <stdint.h>

#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/solver.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_leapfrog;

enum koshu_step_rule { KOSHU_STEP_FIXED, KOSHU_STEP_ACCELERATION };

struct koshu_leapfrog_options {
    enum koshu_step_rule rule;
    double dt;  /* fixed: the step, may be negative, not 0. acceleration:
                   dt_max > 0 */
    double eta; /* acceleration: > 0; the softening must be > 0 */
};

/* fixed, dt = 1/256, eta = 0.1 */
KOSHU_API struct koshu_leapfrog_options koshu_leapfrog_options_default(void);

/*
 * The integrator of one store with one solver; both must outlive it. Computes
 * no force yet. KOSHU_INVALID_ARGUMENT, KOSHU_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_leapfrog_create(
        const struct koshu_leapfrog_options *options,
        struct koshu_solver *solver, struct koshu_particles *particles,
        double time, struct koshu_leapfrog **leapfrog);

/* NULL is allowed. */
KOSHU_API void koshu_leapfrog_destroy(struct koshu_leapfrog *leapfrog);

/*
 * One step, that ends no later than `until` (a step that would pass it, or
 * stop less than a thousandth of a step short of it, ends there exactly).
 * With potential, the potential at the new positions is computed too.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_leapfrog_step(
        struct koshu_leapfrog *leapfrog, double until, bool potential);

/* Accelerations and potentials at the present positions (for a first log
 * line, or after the caller moved particles). */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_leapfrog_evaluate(struct koshu_leapfrog *leapfrog);

KOSHU_API double koshu_leapfrog_time(const struct koshu_leapfrog *leapfrog);
KOSHU_API uint64_t koshu_leapfrog_steps(const struct koshu_leapfrog *leapfrog);

/* For a restart: the number of steps already made. The accelerations in the
 * store are taken as valid when they came with it. */
KOSHU_API void
koshu_leapfrog_resume(struct koshu_leapfrog *leapfrog, uint64_t steps);

#ifdef __cplusplus
}
#endif

#endif
