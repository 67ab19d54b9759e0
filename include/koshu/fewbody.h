/* SPDX-License-Identifier: MIT */
/*
 * A few bodies, with each other's gravity alone and without softening, through
 * encounters as close as they come: hierarchies, binaries among field stars,
 * planets, scattering. (KOSHU_SCHEME_ARCHAIN is the same as an integrator of a
 * particle store.)
 *
 * The method is the algorithmic regularisation of Mikkola & Tanikawa 1999
 * (MNRAS 310, 745): a leapfrog in the fictitious time s,
 *
 *     dt = ds / (T + B),  x += v dt;   dt = ds / U,  v += a dt
 *
 * T being the kinetic energy about the centre of mass, U = sum m_i m_j / r_ij,
 * and B = U - T as it was at the beginning. Two bodies alone move along their
 * orbit without an error but of the time, even where they collide. Where bodies
 * stand is kept as a chain, the vectors from each to a near one (Mikkola &
 * Aarseth 1993), so that a close pair has its digits wherever it is; and
 * results are extrapolated to steps of length 0 (Gragg, Bulirsch and Stoer),
 * with step and order from the error. All sums are compensated, so that what is
 * left is the rounding of forces.
 *
 *     struct koshu_fewbody *f;
 *     koshu_fewbody_create(context, &bodies, NULL, &f);
 *     koshu_fewbody_integrate(f, 60);
 *     koshu_fewbody_bodies(f, &now);
 *
 * An integration to a time ends there exactly, by steps of its own that are
 * forgotten then: where the bodies go does not depend on how often one looks.
 * The same bits on every run; one thread computes.
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

/* Bodies of one object, at most. */
#define KOSHU_FEWBODY_MAX 64

struct koshu_fewbody;

struct koshu_fewbody_options {
    size_t size;
    double time; /* of the bodies as they are given */
    /* Of a step: the largest error of a chain vector, or of its rate, relative
     * to its length, as the last two extrapolations differ; 1e-16 to 1e-3. */
    double tolerance;
    /* Two bodies alone move by Kepler's law, whatever the time, in one step. */
    bool kepler;
    /*
     * > 0: slow-down (Mikkola & Aarseth 1996, Celest. Mech. 64, 197) of pairs
     * that others perturb weakly. One revolution of such a pair stands for
     * kappa of them, a power of 2: their tides, at the pair's apocentre, are
     * less than this part of its force, over kappa, and in kappa periods the
     * others move by less than a twentieth of their distance with 1e-6, a tenth
     * with 1.6e-5, a fifth from 2.6e-4 on. What others do to the orbit is kept
     * on average. Within a revolution its energy swings by up to kappa times
     * the tide, this part of it; where kappa changes, and in the bodies that
     * are given back, that is made good to second order in how far the others
     * move. Where the two are on the orbit is lost. 1e-6 to 1e-4 are good
     * values; 0: none is slowed.
     */
    double slow_down;
};

/* Time 0, tolerance 1e-15, with kepler, no slow-down. */
KOSHU_DECLARE_DEFAULT(koshu_fewbody_options)

/* What an object has done since it was created. */
struct koshu_fewbody_report {
    size_t size;
    size_t n;              /* bodies */
    double time;           /* of the bodies now */
    double energy;         /* of all motion, per G = 1 */
    double energy_error;   /* (E - E0) / |E0|, about the centre of mass */
    double slow_down;      /* the largest kappa of a pair; 1: none is slowed */
    uint64_t steps;        /* that were extrapolated to their tolerance */
    uint64_t rejected;     /* tries that were too long */
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
 * Integrates to that time, which may lie before: then back along the orbit. A
 * failure leaves the bodies where they were.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, a time that is not finite;
 *     KOSHU_ERROR_NOT_FINITE: no step converges, as where three bodies meet in
 *     a point, or numbers run over.
 * Error: of the energy about 1e-13 where bodies pass at 1e-4 of their usual
 *     distances (tests/physics/test_fewbody: 5e-12 in the Pythagorean problem).
 * Source: Mikkola & Tanikawa 1999; Mikkola & Merritt 2006 (MNRAS 372, 219).
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_fewbody_integrate(struct koshu_fewbody *fewbody, double time);

/*
 * Writes the bodies as they are now, in the order in which they were given.
 * Shapes: arrays of n that are not NULL, of mass, x y z, vx vy vz, ax ay az and
 *     potential, are written; x y z come all or none, and so on. bodies->n is
 *     the number of bodies; bodies->size is not read.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, n is another number.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_fewbody_bodies(const struct koshu_fewbody *fewbody,
                     const struct koshu_particle_view *bodies);

/*
 * What the object has done. The caller sets report->size.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, the size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_fewbody_report(const struct koshu_fewbody *fewbody,
                     struct koshu_fewbody_report *report);

#ifdef __cplusplus
}
#endif

#endif
