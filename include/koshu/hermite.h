/* SPDX-License-Identifier: MIT */
/*
 * The fourth-order Hermite scheme (Makino & Aarseth 1992), with block time
 * steps or one fixed step for all, P(EC)^n. A step of length h of one particle,
 * from the acceleration a and the jerk j at its beginning (0) and end (1):
 *
 *     predict   x = x0 + h v0 + h^2/2 a0 + h^3/6 j0
 *               v = v0 + h a0 + h^2/2 j0
 *     evaluate  a1, j1 from all others, predicted to the same time
 *     correct   v1 = v0 + h/2 (a0 + a1) + h^2/12 (j0 - j1)
 *               x1 = x0 + h/2 (v0 + v1) + h^2/12 (a0 - a1)
 *
 * evaluate and correct are done n = `iterations` times. n = 1 is the usual
 * scheme; from n = 3 on a fixed step is time-symmetric to rounding's reach, and
 * the energy of a periodic orbit does not drift (Hut, Makino & McMillan 1995).
 *
 * KOSHU_STEP_RULE_FIXED: every particle steps by dt, together.
 *
 * KOSHU_STEP_RULE_BLOCK: a particle's step is dt / 2^k with the smallest k for
 * which (Aarseth 1985; Makino & Aarseth 1992 eq. 7)
 *
 *     h^2 <= eta (|a| |a2| + |j|^2) / (|j| |a3| + |a2|^2)
 *
 * a2 and a3 being the second and third derivative of a at the end of the last
 * step. It is halved whenever this asks for it, and doubled, once a step, when
 * the time is a multiple of the longer step. Particles whose steps end together
 * form a block. The first step has h <= eta_start |a| / |j|, and
 * h <= eta_start sqrt(|pot|) / |a|, for bodies at rest.
 *
 * Time is counted in ticks, dt / 2^40, so that which steps end together never
 * depends on rounding. All particles stand at the same time, are synchronised,
 * at each multiple of dt past the beginning; at other times each stands at the
 * end of its own last step.
 *
 * dt < 0 goes back in time. The same bits on any number of threads, on one
 * backend. tests/physics/test_collisional holds order, symmetry and energy to
 * this.
 */
#ifndef KOSHU_HERMITE_H
#define KOSHU_HERMITE_H

#include <stdbool.h>
#include <stdint.h>

#include <koshu/export.h>
#include <koshu/leapfrog.h>
#include <koshu/particles.h>
#include <koshu/solver.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_hermite;

/* A tick is dt / KOSHU_TICKS. */
#define KOSHU_TICKS (UINT64_C(1) << 40)

struct koshu_hermite_options {
    enum koshu_step_rule
            rule;          /* KOSHU_STEP_RULE_BLOCK or KOSHU_STEP_RULE_FIXED */
    double dt;             /* finite, not 0. block: the longest step */
    double eta, eta_start; /* block: > 0 */
    unsigned iterations;   /* n of P(EC)^n, >= 1 */
    /* Block steps that one koshu_hermite_advance() makes at most; 0: as many
     * as take about a tenth of a second, with millions of particles a second at
     * most. No result depends on it. */
    uint64_t most_blocks;
};

/* block, dt = 1/8, eta = 0.002, eta_start = 0.0005, 1 iteration */
KOSHU_API struct koshu_hermite_options koshu_hermite_options_default(void);

/* Where a run stands. Particle i stands at origin_time + tick[i] dt /
 * KOSHU_TICKS (the fields KOSHU_FIELD_STEP of the store). */
struct koshu_hermite_clock {
    double time;            /* at which the last block step ended */
    double synchronised;    /* the last time at which all particles stood */
    double origin_time;     /* where ticks count from */
    double dt;              /* that ticks are a part of */
    uint64_t ticks;         /* past origin_time */
    uint64_t blocks;        /* block steps made so far */
    uint64_t steps;         /* of one particle each, in them */
    uint64_t origin_rounds; /* synchronised times up to origin_time */
};

/*
 * The integrator of one store with the precision and softening of one solver;
 * both must outlive it. Uses the store's fields KOSHU_FIELD_JERK and
 * KOSHU_FIELD_STEP. Computes no force yet. single precision is warned of in the
 * log: it keeps the energy to about 1e-6 at best. KOSHU_ERROR_INVALID_ARGUMENT:
 * an option out of its range, a time that is not finite;
 * KOSHU_ERROR_UNSUPPORTED: the backend cannot sum jerks;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_hermite_create(
        const struct koshu_hermite_options *options,
        struct koshu_solver *solver, struct koshu_particles *particles,
        double time, struct koshu_hermite **hermite);

/* NULL is allowed. */
KOSHU_API void koshu_hermite_destroy(struct koshu_hermite *hermite);

/*
 * Block steps up to the next synchronised time, or `until` where that comes
 * first; or fewer (see most_blocks), so that whoever waits for something else
 * need not wait long:
 *
 *     while (koshu_hermite_time(hermite) != until)
 *         koshu_hermite_advance(hermite, until, false);
 *
 * An `until` that is no multiple of dt away is reached by a partial step of
 * every particle, and multiples of dt are counted from there; one that is, but
 * for rounding, is reached without, and changes no orbit. Infinite: no limit.
 * The first call evaluates, where koshu_hermite_evaluate() has not.
 *
 * The store then holds each particle at the end of its last step. At a
 * synchronised time, with potential, the potential is that of these positions;
 * else it is that of the last prediction.
 *
 * KOSHU_ERROR_INVALID_ARGUMENT: `until` does not lie ahead;
 * KOSHU_ERROR_BAD_INPUT: a particle needs a step shorter than a tick;
 * KOSHU_ERROR_NOT_FINITE: a position or velocity has become infinite or NaN
 * (both name the particle and the time); KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_DEVICE. After a failure go back to a checkpoint.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_hermite_advance(
        struct koshu_hermite *hermite, double until, bool potential);

/*
 * Accelerations, jerks, potentials and first steps at the present positions,
 * for a first log line or after the caller moved particles. Particles that are
 * not synchronised make a partial step to the present time first.
 * KOSHU_ERROR_NOT_FINITE; as koshu_hermite_advance().
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_hermite_evaluate(struct koshu_hermite *hermite);

KOSHU_API double koshu_hermite_time(const struct koshu_hermite *hermite);
KOSHU_API struct koshu_hermite_clock
koshu_hermite_clock_of(const struct koshu_hermite *hermite);

/*
 * For a restart: goes on from the clock that koshu_hermite_clock_of() gave,
 * with all fields of the store, KOSHU_FIELD_JERK and KOSHU_FIELD_STEP too, as
 * they were then. With the same options, backend and precision the run goes on
 * bit for bit; with another dt the next call evaluates first.
 */
KOSHU_API void koshu_hermite_resume(struct koshu_hermite *hermite,
                                    const struct koshu_hermite_clock *clock);

/* "host": predictor, corrector and schedule there, sums in the backend;
 * "device": all in the backend. */
KOSHU_API const char *koshu_hermite_engine(const struct koshu_hermite *hermite);

/* Pair interactions evaluated, and seconds spent, in block steps. Those of
 * potentials are the solver's. */
KOSHU_API uint64_t
koshu_hermite_interactions(const struct koshu_hermite *hermite);
KOSHU_API double koshu_hermite_seconds(const struct koshu_hermite *hermite);

#ifdef __cplusplus
}
#endif

#endif
