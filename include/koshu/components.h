/* SPDX-License-Identifier: MIT */
/*
 * Initial conditions made of several models, each with its own mass, size,
 * position, velocity and rotation: two clusters that meet, a cluster in a host.
 *
 * A text lists the models (koshu/initial.h), each followed by its values,
 * separated by commas:
 *
 *     plummer n=1000, total_mass=1e4 Msun, virial_radius=1 pc, x=-4 pc,
 *     vx=1 km/s, king n=500, total_mass=5e3 Msun, virial_radius=2 pc, king_w0=7
 *
 * Names are those of the keys of `initial` in a parameter file
 * (docs/parameters.md), with their ranges and defaults. n must be given except
 * for two-body; with units, so must mass and size. A model without a seed gets
 * the common seed plus 0, 1, 2, ... in the order of the models. Further names:
 *
 *     x, y, z            the centre of mass (0)
 *     vx, vy, vz         its velocity (0)
 *     inclination, node  the axis, in degrees (0): the model is rotated by the
 *                        inclination i about the x axis, then by the node N
 *                        about the z axis; its z axis becomes
 *                        (sin i sin N, -sin i cos N, cos i)
 *     rotation_period    P: adds solid-body rotation, v + 2 pi / P axis x r,
 *                        about the centre of mass; of either sign; default:
 *                        no rotation
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
 * Makes the particles of all models listed in a text, one model after the
 * other, with ids 0 ... n-1: the same bits on any number of ranks and threads;
 * collective. Only each model by itself is centred, not the whole.
 * Units: numbers in the text without a unit are in `units`, and so are the
 * resulting positions and velocities; masses are G times those in `units`, as
 * in a run (koshu/simulation.h).
 * Ownership: the caller destroys *particles, before the context.
 * Status: KOSHU_ERROR_BAD_INPUT: an unknown model or name, an invalid or
 * missing value, no model at all; the message names the component and the
 * value; KOSHU_ERROR_INVALID_ARGUMENT: NULL; what koshu_initial_create()
 * returns for a model.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_components_create(
        struct koshu_context *context, const char *text, uint64_t seed,
        const struct koshu_units *units, struct koshu_particles **particles);

#ifdef __cplusplus
}
#endif

#endif
