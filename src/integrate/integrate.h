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

#include "cosmology/cosmology.h"
#include "external/external.h"

/* Of particles in comoving coordinates; comoving.c. */
struct koshu_universe {
    struct koshu_cosmology cosmology; /* hubble0 in units of the particles */
    double background;        /* of particles alone in space: 4 pi/3 G times the
                                 comoving mean density; 0: a periodic box, whose
                                 forces are without the mean density already */
    double softening;         /* comoving */
    double softening_largest; /* physical; 0: any */
};

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
    bool comoving;  /* the leapfrog's time is the scale factor, with: */
    struct koshu_universe expansion;
    const struct koshu_external *external; /* NULL: none */
    struct koshu_event *event;             /* of the last advance: mergers */
    size_t n_events, capacity_event;
};

/* The functions do what those of koshu/integrator.h do. */
struct koshu_integrator_scheme {
    size_t size; /* of its struct, which begins with the integrator; zeros */
    /* The options, and the backend; fills in what work.engine is. */
    koshu_status (*check)(struct koshu_integrator *integrator);
    void (*destroy)(struct koshu_integrator *integrator); /* OPTIONAL */
    /* OPTIONAL. integrator->external is another; before anything is
     * evaluated. */
    void (*take_external)(struct koshu_integrator *integrator);
    koshu_status (*evaluate)(struct koshu_integrator *integrator);
    /* `until` lies ahead, and integrator->evaluated. */
    koshu_status (*advance)(struct koshu_integrator *integrator, double until,
                            bool potential);
    koshu_status (*resume)(struct koshu_integrator *integrator,
                           const struct koshu_integrator_clock *clock);
    /* OPTIONAL: as koshu_integrator_renew(). */
    koshu_status (*renew)(struct koshu_integrator *integrator);
};

extern const struct koshu_integrator_scheme koshu_leapfrog, koshu_hermite,
        koshu_archain;

/* The options of a scheme with nothing left to a default. */
struct koshu_integrator_options
koshu_integrator_defaults(enum koshu_scheme scheme);

/* Of a body of that mass, by the options; in radius.c. */
double
koshu_integrator_radius(const struct koshu_integrator *integrator, double mass);

/* At a synchronised time particles have other masses, or some are gone: forces
 * anew, while steps and their grid stay as they are; by an evaluation, where
 * the scheme knows no better. */
koshu_status koshu_integrator_renew(struct koshu_integrator *integrator);

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

/* v += c x, on the host. */
koshu_status koshu_kick_outward(struct koshu_particles *particles, double c);

/* Accelerations beside those of the store: c x, and those of external fields,
 * or NULL; without Coriolis' force. */
struct koshu_beside {
    double c;
    const struct koshu_external *external;
};

/* v += a dt of external fields, on the host. */
koshu_status koshu_kick_external(struct koshu_particles *particles,
                                 const struct koshu_external *external,
                                 double dt);

/* Positions and velocities under Coriolis' force of a frame that turns with
 * omega, exactly, on the host. */
koshu_status
koshu_drift_turning(struct koshu_particles *particles, double omega, double dt);

/* The largest acceleration of all ranks, by the backend where nothing is
 * beside. Collective. */
koshu_status koshu_largest_acceleration(struct koshu_backend *backend,
                                        struct koshu_particles *particles,
                                        const struct koshu_beside *beside,
                                        double *a);

/* ---- comoving.c ---------------------------------------------------------- */

/*
 * The leapfrog in comoving coordinates x, with velocities v = a^2 dx/dt and
 * forces g(x) of G = 1 on the masses at x:
 *
 *     dx/dt = v / a^2,  dv/dt = (g + background x) / a
 *
 * background: what expansion takes from the forces of particles alone in space,
 * H0^2 Omega_m / 2, all else that acts on the background being in a(t) (Peebles
 * 1980, section 7). Fixed steps are d ln a = dt, each in kicks of int dt / a
 * and a drift of int dt / a^2 (Quinn et al. 1997, astro-ph/9710043), halved at
 * the middle in ln a, so that a step back retraces it. Steps from the
 * acceleration: d ln a = H (2 eta a^3 eps / max |g + background x|)^(1/2), at
 * most dt (Power et al. 2003, MNRAS 338, 14; Springel 2005, eq. 34).
 */

/* From here on; before anything is evaluated. */
void koshu_integrator_expand(struct koshu_integrator *integrator,
                             const struct koshu_universe *expansion);

/* min(softening, softening_largest / a), comoving. */
double
koshu_comoving_softening(const struct koshu_universe *expansion, double a);

/* Of a step: two kicks, before and after the drift. */
struct koshu_step_factors {
    double kick[2], drift;
};
struct koshu_step_factors
koshu_comoving_factors(const struct koshu_universe *expansion, double from,
                       double to);

/* The step d ln a that the acceleration g allows at a; infinite: any. */
double koshu_comoving_step(const struct koshu_universe *expansion, double a,
                           double g, double eta);

/* ---- block_host.c -------------------------------------------------------- */

/* Block time steps with any backend that has a j-particle store. */
struct koshu_block_ops;
struct koshu_block_engine;
extern const struct koshu_block_ops koshu_block_host;

/* What else acts on the particles of one of its engines, in a frame that turns
 * with omega. */
void koshu_block_host_set_external(struct koshu_block_engine *engine,
                                   const struct koshu_external *external,
                                   double omega);

#endif
