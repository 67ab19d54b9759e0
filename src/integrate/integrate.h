/* SPDX-License-Identifier: MIT */
/*
 * Integrators as the public interface and a run see them, and what they share.
 */
#ifndef KOSHU_INTEGRATE_INTEGRATE_H
#define KOSHU_INTEGRATE_INTEGRATE_H

#include <koshu/integrator.h>

/* A scheme. The functions do what those of koshu/integrator.h do. */
struct koshu_integrator_ops {
    /* The options are complete; dt, eta, eta_start and time are checked. */
    koshu_status (*create)(const struct koshu_integrator_options *options,
                           struct koshu_solver *solver,
                           struct koshu_particles *particles, double time,
                           void **self);
    void (*destroy)(void *self);
    koshu_status (*evaluate)(void *self);
    koshu_status (*advance)(void *self, double until, bool potential);
    struct koshu_integrator_clock (*clock)(const void *self);
    koshu_status (*resume)(void *self,
                           const struct koshu_integrator_clock *clock);
    struct koshu_integrator_report (*report)(const void *self);
};

extern const struct koshu_integrator_ops koshu_leapfrog, koshu_hermite;

/* The options of a scheme with nothing left to a default. */
struct koshu_integrator_options
koshu_integrator_defaults(enum koshu_scheme scheme);

/* koshu_integrator_clock() and koshu_integrator_report() where the integrator
 * is known to be there. */
struct koshu_integrator_clock
koshu_integrator_clock_of(const struct koshu_integrator *integrator);
struct koshu_integrator_report
koshu_integrator_report_of(const struct koshu_integrator *integrator);

/* ---- finite.c ------------------------------------------------------------ */

/* KOSHU_ERROR_NOT_FINITE, naming the first particle that is not finite: where
 * there is a bad position, it is the cause of every bad acceleration, so fields
 * go before particles. KOSHU_OK: all are. Collective. */
koshu_status koshu_find_not_finite(struct koshu_particles *particles,
                                   uint64_t step, double time);

/* ---- block_host.c -------------------------------------------------------- */

/* Block time steps with any backend that has a j-particle store. */
struct koshu_block_ops;
extern const struct koshu_block_ops koshu_block_host;

#endif
