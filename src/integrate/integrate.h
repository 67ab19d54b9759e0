/* SPDX-License-Identifier: MIT */
/*
 * Integrators as a run sees them, and what schemes share.
 *
 * Whatever the scheme, an integrator is one struct with one clock, which is the
 * public one: checkpoints keep it as it is, and logs read it. A scheme is a
 * table of functions on that struct.
 */
#ifndef KOSHU_INTEGRATE_INTEGRATE_H
#define KOSHU_INTEGRATE_INTEGRATE_H

#include <koshu/integrator.h>

struct koshu_integrator {
    const struct koshu_integrator_scheme *scheme;
    struct koshu_context *context;
    struct koshu_backend *backend; /* the context's */
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    struct koshu_integrator_options options; /* nothing left to a default */
    struct koshu_integrator_clock clock;
    struct koshu_integrator_report work;
    bool evaluated; /* the store has what the next step begins with */
};

/* The functions do what those of koshu/integrator.h do. */
struct koshu_integrator_scheme {
    size_t size; /* of its struct, which begins with the integrator; zeros */
    /* The options, and the backend; fills in what work.engine is. */
    koshu_status (*check)(struct koshu_integrator *integrator);
    void (*destroy)(struct koshu_integrator *integrator); /* OPTIONAL */
    koshu_status (*evaluate)(struct koshu_integrator *integrator);
    /* `until` lies ahead, and integrator->evaluated. */
    koshu_status (*advance)(struct koshu_integrator *integrator, double until,
                            bool potential);
    koshu_status (*resume)(struct koshu_integrator *integrator,
                           const struct koshu_integrator_clock *clock);
};

extern const struct koshu_integrator_scheme koshu_leapfrog, koshu_hermite;

/* The options of a scheme with nothing left to a default. */
struct koshu_integrator_options
koshu_integrator_defaults(enum koshu_scheme scheme);

/* ---- time ---------------------------------------------------------------- */

/* 1, or -1 where time runs back. */
double koshu_integrator_forward(const struct koshu_integrator *integrator);

/* By how much two times may differ that are the same but for rounding. */
double koshu_time_rounding(double a, double b);

/* The grid of steps begins where all particles stand now. */
void koshu_clock_new_origin(struct koshu_integrator_clock *clock);

/* ---- finite.c ------------------------------------------------------------ */

/* KOSHU_ERROR_NOT_FINITE, naming the first particle that is not finite: where
 * there is a bad position, it is the cause of every bad acceleration, so fields
 * go before particles. KOSHU_OK: all are. Collective. */
koshu_status koshu_find_not_finite(const struct koshu_integrator *integrator,
                                   uint64_t step, double time);

/* The same after the step that ends at `time`, of which `what` ("a kick or
 * drift") reports that there is one: KOSHU_ERROR_INTERNAL where there is none.
 */
koshu_status koshu_name_not_finite(const struct koshu_integrator *integrator,
                                   double time, const char *what);

/* ---- kick_drift.c -------------------------------------------------------- */

/*
 * What a leapfrog does to the particles of a store: by the backend, where it
 * keeps them on its device, else by the host. KOSHU_ERROR_NOT_FINITE, without a
 * message: a result is infinite or NaN.
 */

/* v += a dt, and x += v dt. */
koshu_status koshu_kick(struct koshu_backend *backend,
                        struct koshu_particles *particles, double dt);
koshu_status koshu_drift(struct koshu_backend *backend,
                         struct koshu_particles *particles, double dt);

/* Positions into the periodic box [0, box) of each direction. */
koshu_status koshu_wrap(struct koshu_backend *backend,
                        struct koshu_particles *particles, double box);

/* The largest |a| of all ranks. Collective. */
koshu_status koshu_largest_acceleration(struct koshu_backend *backend,
                                        struct koshu_particles *particles,
                                        double *a);

/* ---- block_host.c -------------------------------------------------------- */

/* Block time steps with any backend that has a j-particle store. */
struct koshu_block_ops;
extern const struct koshu_block_ops koshu_block_host;

#endif
