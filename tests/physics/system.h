/* SPDX-License-Identifier: MIT */
/* A system of particles with its solver and integrator, for physics tests: any
 * error from koshu fails the test. */
#ifndef KOSHU_TESTS_SYSTEM_H
#define KOSHU_TESTS_SYSTEM_H

#include <koshu/koshu.h>

#include "check.h"

struct system {
    struct koshu_context *context;
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *leapfrog;
    struct koshu_integrator_options options; /* of the leapfrog */
};

/* The model on the fastest backend, at time 0, with a leapfrog of step 1/256;
 * accelerations and potentials have been computed. */
struct system system_create(const struct koshu_initial_options *initial,
                            enum koshu_precision precision, double eps);

/* A Plummer sphere in Hénon units, in double precision. */
struct system system_plummer(size_t n, double eps);

/* Two masses of 1/2 at apocentre, semi-major axis 1, no softening, in double
 * precision; period 2 pi. */
struct system system_two_body(double eccentricity);

void system_destroy(struct system *s);

/* Replaces the integrator by one with this step rule that starts at this
 * time. */
void system_integrate_by(struct system *s, enum koshu_step_rule rule, double dt,
                         double eta, double time);

double system_time(const struct system *s);

/* A view of all fields on the host. After changing them, call evaluate. */
struct koshu_particle_view system_view(struct system *s);

/* A copy of one array, to compare with later; the caller frees it. */
double *system_copy(const double *array, size_t n);

struct koshu_diagnostics system_diagnostics(struct system *s);

/* Takes one step and computes the potential. */
void system_step(struct system *s, double until);

/* Steps until then; returns the largest |E - E0| / |E0| after any step. */
double system_run(struct system *s, double until);

/* The exponent p of error = c dt^p, by least squares in the logarithms. */
double fitted_order(size_t n, const double *dt, const double *error);

/* printf(), if KOSHU_PHYSICS_VERBOSE is set in the environment. */
void measured(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
