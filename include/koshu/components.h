/* SPDX-License-Identifier: MIT */
/*
 * Particles of several models, each of which has a mass, a size, a place, a
 * velocity and a rotation of its own: two clusters that meet, a cluster in a
 * host.
 *
 * A text has the models (koshu/initial.h), each with its values behind it,
 * separated by commas:
 *
 *     plummer n=1000, total_mass=1e4 Msun, virial_radius=1 pc, x=-4 pc,
 *     vx=1 km/s, king n=500, total_mass=5e3 Msun, virial_radius=2 pc, king_w0=7
 *
 * Names are those of the keys of `initial` in a parameter file
 * (docs/parameters.md), with their ranges and defaults; n is to be given, but
 * for two-body, and so are mass and size in units. The seed, where none is
 * given, is that of all, plus 0, 1, 2, ... in the order of the models. Beside
 * them:
 *
 *     x, y, z           the centre of mass (0)
 *     vx, vy, vz        its velocity (0)
 *     inclination, node the axis, in degrees (0): the model is turned by the
 *                       inclination i about the x axis, then by the node N
 * about the z axis, so that what was its z axis is (sin i sin N, -sin i cos N,
 * cos i) rotation_period   P: v + 2 pi / P axis x r, a solid body's rotation,
 * is added to the velocities about the centre of mass; of either sign; without
 * it, none
 *
 * Threads: a context, and the particles made with it, are used by one thread at
 * a time.
 */
#ifndef KOSHU_COMPONENTS_H
#define KOSHU_COMPONENTS_H

#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/units.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes the particles of all models of a text, one model behind the other, with
 * ids 0 ... n-1: the same bits on any number of ranks and threads; collective.
 * Nothing is centred but each model by itself.
 * Units: numbers of the text without a unit are in `units`, and so are
 * positions and velocities; masses are G times those in them, as a run has
 * them (koshu/simulation.h).
 * Ownership: the caller destroys *particles, before the context.
 * Status: KOSHU_ERROR_BAD_INPUT: no such model or name, a value that is none,
 * one that is missing, no model at all; the message names the component and the
 * value; KOSHU_ERROR_INVALID_ARGUMENT: NULL; what koshu_initial_create()
 * returns of one of them.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_components_create(
        struct koshu_context *context, const char *text, uint64_t seed,
        const struct koshu_units *units, struct koshu_particles **particles);

#ifdef __cplusplus
}
#endif

#endif
