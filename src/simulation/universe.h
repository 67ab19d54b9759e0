/* SPDX-License-Identifier: MIT */
/* Runs in comoving coordinates. */
#ifndef KOSHU_SIMULATION_UNIVERSE_H
#define KOSHU_SIMULATION_UNIVERSE_H

#include <koshu/diagnostics.h>
#include <koshu/snapshot.h>

#include "solve/solve.h"

struct koshu_parameter_values;
struct koshu_simulation;

/* Checks that the file states a cosmology if and only if the run is comoving.
 * KOSHU_ERROR_BAD_INPUT. */
koshu_status koshu_universe_check(struct koshu_context *context,
                                  const struct koshu_parameter_values *values,
                                  const struct koshu_snapshot_info *info);

/* Checks that the masses in a periodic box agree with Omega_m.
 * KOSHU_ERROR_BAD_INPUT. Collective. */
koshu_status koshu_universe_check_density(struct koshu_simulation *simulation);

/* Makes the integrator of a comoving run expand. */
void koshu_universe_expand(struct koshu_simulation *simulation);

/* The time that is x after `time`, and the x between two times; x is in ln a in
 * comoving coordinates. */
double koshu_time_after(const struct koshu_parameter_values *values,
                        double time, double x);
double koshu_time_between(const struct koshu_parameter_values *values,
                          double from, double to);

/*
 * Energies in comoving coordinates: T = sum m v^2 / (2 a^2), of peculiar
 * velocities, and U = W / a change in an expanding universe by (Layzer 1963,
 * Irvine 1961)
 *
 *     d(T + U)/da = -(2 T + U) / a,   so that   a (T + U) + int T da
 *
 * is constant. Energy errors are those of this sum. The integral is computed
 * step by step after koshu_universe_begin(). In other coordinates these
 * functions do nothing.
 */
koshu_status koshu_universe_begin(struct koshu_simulation *simulation);
koshu_status
koshu_universe_step(struct koshu_simulation *simulation, double before);

/* ---- comoving_theta.c ---------------------------------------------------- */

/* The rms displacement of particles per axis, in edges of the box, reduced for
 * fewer than 64^3 particles; from the kinetic energy about the centre of mass
 * of particles with that total mass and momentum, assuming the growing mode. */
double koshu_universe_motion(const struct koshu_simulation *simulation,
                             double mass, const double momentum[3]);

/* theta of the FMM for that displacement. */
double koshu_theta_of_motion(double motion);

/* The same by the size of cells, for n particles along each edge of the box:
 * smaller cells, and above all leaves, have that of a larger displacement. */
struct koshu_opening
koshu_opening_of_motion(double motion, double n, double box);

/* Sets it for the following forces, if solver.theta is 0. A restart finds the
 * same. */
void koshu_universe_choose_theta(struct koshu_simulation *simulation,
                                 double mass, const double momentum[3]);

/* Diagnostics at a, from those with velocities a^2 dx/dt and G = 1 at x;
 * outward: the background of struct koshu_universe. */
koshu_status koshu_universe_energies(struct koshu_particles *particles,
                                     double a, double outward,
                                     struct koshu_diagnostics *diagnostics);

/* The conserved quantity: the energy, or the sum above. */
double koshu_universe_invariant(const struct koshu_simulation *simulation,
                                double a, double energy);

/* Whether energy errors are relative to the kinetic energy. In write.c. */
bool koshu_errors_are_of_kinetic(const struct koshu_simulation *simulation);

#endif
