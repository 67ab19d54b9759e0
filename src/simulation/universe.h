/* SPDX-License-Identifier: MIT */
/* A run in comoving coordinates. */
#ifndef KOSHU_SIMULATION_UNIVERSE_H
#define KOSHU_SIMULATION_UNIVERSE_H

#include <koshu/diagnostics.h>
#include <koshu/snapshot.h>

struct koshu_parameter_values;
struct koshu_simulation;

/* Does the file state a universe where the run is of one, and only there?
 * KOSHU_ERROR_BAD_INPUT. */
koshu_status koshu_universe_check(struct koshu_context *context,
                                  const struct koshu_parameter_values *values,
                                  const struct koshu_snapshot_info *info);

/* In a periodic box: are the masses those of Omega_m? KOSHU_ERROR_BAD_INPUT.
 * Collective. */
koshu_status koshu_universe_check_density(struct koshu_simulation *simulation);

/* The integrator's background, of a run in comoving coordinates. */
void koshu_universe_expand(struct koshu_simulation *simulation);

/* The time later by x, and the x from one to the other: of ln a in comoving
 * coordinates. */
double koshu_time_after(const struct koshu_parameter_values *values,
                        double time, double x);
double koshu_time_between(const struct koshu_parameter_values *values,
                          double from, double to);

/*
 * Energies with T = sum m v^2 / (2 a^2), of the velocities beside the Hubble
 * flow, and U = W / a change in an expanding universe by (Layzer 1963, Irvine
 * 1961)
 *
 *     d(T + U)/da = -(2 T + U) / a,   so that   a (T + U) + int T da
 *
 * is constant: what energy errors are of. The integral is made step by step,
 * after koshu_universe_begin(). Without comoving coordinates nothing is done.
 */
koshu_status koshu_universe_begin(struct koshu_simulation *simulation);
koshu_status
koshu_universe_step(struct koshu_simulation *simulation, double before);

/* ---- comoving_theta.c ---------------------------------------------------- */

/* How far particles have moved, rms of an axis, of the box; of fewer than 64^3
 * less. By the kinetic energy, of so much mass, of the growing mode. */
double
koshu_universe_motion(const struct koshu_simulation *simulation, double mass);

/* theta of the FMM for that. */
double koshu_theta_of_motion(double motion);

/* Of the forces from now on, where solver.theta is 0. A restart finds the same.
 */
void
koshu_universe_choose_theta(struct koshu_simulation *simulation, double mass);

/* Diagnostics at a, from those of velocities a^2 dx/dt and G = 1 at x; outward:
 * the background of struct koshu_universe. */
koshu_status koshu_universe_energies(struct koshu_particles *particles,
                                     double a, double outward,
                                     struct koshu_diagnostics *diagnostics);

/* What is constant: the energy, or the sum above. */
double koshu_universe_invariant(const struct koshu_simulation *simulation,
                                double a, double energy);

/* Is it the kinetic energy that energy errors are relative to? In
 * write.c. */
bool koshu_errors_are_of_kinetic(const struct koshu_simulation *simulation);

#endif
