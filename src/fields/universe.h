/* SPDX-License-Identifier: MIT */
/* Cosmological initial conditions. */
#ifndef KOSHU_FIELDS_UNIVERSE_H
#define KOSHU_FIELDS_UNIVERSE_H

#include <koshu/particles.h>

#include "cosmology/cosmology.h"
#include "fields/initial.h"

struct koshu_universe_options {
    struct koshu_cosmology cosmology; /* hubble0 is 100, see Units */
    const struct koshu_power *power;  /* today */
    struct koshu_phases phases;
    size_t n;      /* particles along an edge of the box, 2 or more */
    double box;    /* its edge */
    double radius; /* 0: none; else the radius, at most box / 2, of the
                      sphere cut from the box */
    double a;      /* initial scale factor */
    int order;     /* of the displacements: 1 (Zel'dovich) or 2 */
};

/* Diagnostics of the initial conditions. */
struct koshu_universe_report {
    double rms;     /* rms displacement along an axis, in units of the
                       lattice spacing */
    double crossed; /* fraction of neighbours on the lattice that have
                       changed places; if large, the run starts too late */
};

/*
 * Particles of equal mass on a lattice q, displaced by Lagrangian perturbation
 * theory,
 *
 *     x = q + Psi1 + Psi2,  Psi1_k = i k / k^2 delta_k,
 *     Psi2_k = D2 / D1^2 i k / k^2 S_k,
 *
 * with S of koshu_second_order_source() and delta the linear field at a. Ids
 * are indices on the lattice. A box is [0, box). A sphere consists of the
 * particles whose q is inside, and is centred on 0.
 * Units: comoving Mpc/h, 1e10 Msun/h; velocities are sqrt(a) dx/dt in km/s, as
 *   in GADGET's files.
 * Ownership: the caller destroys *particles, before the context.
 * Status: KOSHU_ERROR_BAD_INPUT: an option is outside its range, a table of
 *   P(k) is too short; KOSHU_ERROR_UNSUPPORTED: several ranks;
 *   KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status
koshu_universe_create(struct koshu_context *context,
                      const struct koshu_universe_options *options,
                      struct koshu_particles **particles,
                      struct koshu_universe_report *report);

#endif
