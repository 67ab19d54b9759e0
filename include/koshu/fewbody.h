/* SPDX-License-Identifier: MIT */
/*
 * Small systems of bodies that attract each other without softening, through
 * arbitrarily close encounters: hierarchies, binaries among field stars,
 * planets, scattering. (KOSHU_SCHEME_ARCHAIN offers the same as an integrator
 * of a particle store.)
 *
 * The method is the algorithmic regularisation of Mikkola & Tanikawa 1999
 * (MNRAS 310, 745): a leapfrog in the fictitious time s,
 *
 *     dt = ds / (T + B),  x += v dt;   dt = ds / U,  v += a dt
 *
 * T being the kinetic energy about the centre of mass, U = sum m_i m_j / r_ij,
 * and B the initial U - T. It moves two isolated bodies along their exact
 * orbit, with an error in time only, even through a collision. Positions are
 * stored as a chain of vectors, each from a body to a close one (Mikkola &
 * Aarseth 1993), so that a close pair keeps all digits wherever it is. Results
 * are extrapolated to steps of length 0 (Gragg, Bulirsch and Stoer), with step
 * and order controlled by the error. All sums are compensated, so that only
 * rounding errors of the forces remain.
 *
 *     struct koshu_fewbody *f;
 *     koshu_fewbody_create(context, &bodies, NULL, &f);
 *     koshu_fewbody_integrate(f, 60);
 *     koshu_fewbody_bodies(f, &now);
 *
 * An integration ends exactly at the time requested, by extra steps that are
 * discarded afterwards: the orbits do not depend on how often results are
 * requested. One thread computes; every run gives the same bits.
 *
 * Threads: one thread at a time per object; several objects of one context may
 * be integrated at a time, each by a thread of its own.
 */
#ifndef KOSHU_FEWBODY_H
#define KOSHU_FEWBODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of bodies of an object. */
#define KOSHU_FEWBODY_MAX 64

struct koshu_fewbody;

struct koshu_fewbody_options {
    size_t size;
    double time; /* time of the given bodies */
    /* The largest error of a chain vector, or of its rate, per step, relative
     * to its length, estimated from the last two extrapolations; 1e-16 to
     * 1e-3. */
    double tolerance;
    /* Two bodies alone move by Kepler's equation, in one step for any time. */
    bool kepler;
    /*
     * > 0: slow-down (Mikkola & Aarseth 1996, Celest. Mech. 64, 197) of pairs
     * that others perturb weakly. One revolution of such a pair stands for
     * kappa revolutions, kappa being a power of 2. It is chosen such that tides
     * at the pair's apocentre are below this fraction of its force, divided by
     * kappa, and that in kappa periods the perturbers move by less than a
     * twentieth of their distance (for 1e-6; a tenth for 1.6e-5, a fifth from
     * 2.6e-4 on). The secular effect of the perturbers on the orbit is
     * preserved. Within a revolution the pair's energy oscillates by up to
     * kappa times the tide, that is, by this fraction; this is corrected, to
     * second order in the perturbers' motion, when kappa changes and in the
     * bodies returned. The phase on the orbit is lost. 1e-6 to 1e-4 are good
     * values; 0: no slow-down.
     */
    double slow_down;
};

/* Time 0, tolerance 1e-15, with kepler, no slow-down. */
KOSHU_DECLARE_DEFAULT(koshu_fewbody_options)

/* What an object has done since it was created. */
struct koshu_fewbody_report {
    size_t size;
    size_t n;              /* number of bodies */
    double time;           /* current */
    double energy;         /* in all, with G = 1 */
    double energy_error;   /* (E - E0) / |E0|, about the centre of mass */
    double slow_down;      /* the largest kappa of a pair; 1: no slow-down */
    uint64_t steps;        /* steps that converged */
    uint64_t rejected;     /* attempted steps that did not */
    uint64_t interactions; /* pairs evaluated */
};

/*
 * Takes the bodies: their masses, positions and velocities. Options NULL:
 * defaults.
 * Shapes: bodies->n from 2 to KOSHU_FEWBODY_MAX, of the arrays mass, x y z, vx
 *     vy vz; the others are not read, nor is bodies->size.
 * Units: G = 1.
 * Ownership: the caller destroys the object, which keeps no array.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, an array is NULL, too few or too
 *     many bodies, an option out of its range; KOSHU_ERROR_BAD_INPUT: a mass
 *     that is not > 0, two bodies at one place; KOSHU_ERROR_NOT_FINITE;
 *     KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_fewbody_create(struct koshu_context *context,
                     const struct koshu_particle_const_view *bodies,
                     const struct koshu_fewbody_options *options,
                     struct koshu_fewbody **fewbody);

/* Destroys the object; NULL is allowed. */
KOSHU_API void koshu_fewbody_destroy(struct koshu_fewbody *fewbody);

/*
 * Integrates to that time, backwards if it is earlier. After a failure the
 * bodies are unchanged.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, a time that is not finite;
 *   KOSHU_ERROR_NOT_FINITE: no step converges, as when three bodies meet at a
 *   point, or numbers overflow.
 * Error: about 1e-13 of the energy if bodies pass at 1e-4 of their usual
 *   distances (tests/physics/test_fewbody: 5e-12 in the Pythagorean problem).
 * Source: Mikkola & Tanikawa 1999; Mikkola & Merritt 2006 (MNRAS 372, 219).
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_fewbody_integrate(struct koshu_fewbody *fewbody, double time);

/*
 * Writes the current state of the bodies, in the order in which they were
 * given.
 * Shapes: arrays of n that are not NULL, of mass, x y z, vx vy vz, ax ay az and
 *   potential, are written; x y z must be given all or none, and so on.
 *   bodies->n is the number of bodies; bodies->size is not read.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, n is not the number of bodies.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_fewbody_bodies(const struct koshu_fewbody *fewbody,
                     const struct koshu_particle_view *bodies);

/*
 * Reports what the object has done. The caller sets report->size.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, the size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_fewbody_report(const struct koshu_fewbody *fewbody,
                     struct koshu_fewbody_report *report);

#ifdef __cplusplus
}
#endif

#endif
