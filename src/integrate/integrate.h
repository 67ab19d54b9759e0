/* SPDX-License-Identifier: MIT */
/*
 * What the integration schemes share, and how a simulation sees them.
 *
 * Every scheme uses the same struct with the same clock. The clock is the
 * public one: checkpoints store it unchanged, and logs read it. A scheme is a
 * table of functions that act on the struct.
 */
#ifndef KOSHU_INTEGRATE_INTEGRATE_H
#define KOSHU_INTEGRATE_INTEGRATE_H

#include <koshu/integrator.h>

#include "cosmology/cosmology.h"
#include "external/external.h"

/* Expansion of the background, for particles in comoving coordinates; see
 * comoving.c. */
struct koshu_universe {
    struct koshu_cosmology cosmology; /* hubble0 in units of the particles */
    /* for particles in open space: 4 pi/3 G times the comoving mean density; 0
     * in a periodic box, whose forces exclude the mean density already */
    double background;
    double softening;         /* comoving */
    double softening_largest; /* physical; 0: no limit */
};

struct koshu_integrator {
    const struct koshu_integrator_scheme *scheme;
    struct koshu_context *context;
    struct koshu_backend *backend; /* the context's */
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    struct koshu_integrator_options options; /* every default filled in */
    struct koshu_integrator_clock clock;
    struct koshu_integrator_report work;
    bool evaluated; /* the forces that the next step begins with are stored */
    bool comoving;  /* the leapfrog's time is the scale factor; uses: */
    struct koshu_universe expansion;
    const struct koshu_external *external; /* NULL: none */
    struct koshu_event *event;             /* mergers of the last advance */
    size_t n_events, capacity_event;
};

/* The functions follow the contracts in koshu/integrator.h. */
struct koshu_integrator_scheme {
    size_t size; /* of the scheme's struct, which begins with the integrator; it
                    is zeroed */
    /* Checks the options and the backend; fills in work.engine. */
    koshu_status (*check)(struct koshu_integrator *integrator);
    void (*destroy)(struct koshu_integrator *integrator); /* OPTIONAL */
    /* OPTIONAL. integrator->external has been replaced; called before any
     * evaluation. */
    void (*take_external)(struct koshu_integrator *integrator);
    koshu_status (*evaluate)(struct koshu_integrator *integrator);
    /* Requires `until` to lie ahead, and integrator->evaluated. */
    koshu_status (*advance)(struct koshu_integrator *integrator, double until,
                            bool potential);
    koshu_status (*resume)(struct koshu_integrator *integrator,
                           const struct koshu_integrator_clock *clock);
    /* OPTIONAL: as koshu_integrator_renew(). */
    koshu_status (*renew)(struct koshu_integrator *integrator);
};

extern const struct koshu_integrator_scheme koshu_leapfrog, koshu_hermite,
        koshu_archain;

/* The options of a scheme with every default filled in. */
struct koshu_integrator_options
koshu_integrator_defaults(enum koshu_scheme scheme);

/* The radius that the options give to a body of that mass; in radius.c. */
double
koshu_integrator_radius(const struct koshu_integrator *integrator, double mass);

/* At a synchronised time, masses have changed or particles have been removed:
 * recomputes the forces and keeps the steps and their grid. A scheme without
 * `renew` evaluates anew. */
koshu_status koshu_integrator_renew(struct koshu_integrator *integrator);

/* ---- time ---------------------------------------------------------------- */

/* 1, or -1 where time runs backwards. */
double koshu_integrator_forward(const struct koshu_integrator *integrator);

/* The difference of two times up to which they count as equal, given
 * rounding. */
double koshu_time_rounding(double a, double b);

/* All particles are synchronised at the present time, which becomes the origin
 * of the grid of steps. */
void koshu_clock_new_origin(struct koshu_integrator_clock *clock);

/* ---- finite.c ------------------------------------------------------------ */

/* KOSHU_ERROR_NOT_FINITE, naming the first particle that is not finite;
 * KOSHU_OK: all are finite. Fields are checked one after the other,
 * positions first, because a bad position causes bad accelerations
 * elsewhere. Collective. */
koshu_status koshu_find_not_finite(const struct koshu_integrator *integrator,
                                   uint64_t step, double time);

/* The same for the particles with their first forces and potentials; on one
 * rank without copying them from a device that has them. */
koshu_status
koshu_check_first_forces(const struct koshu_integrator *integrator);

/* The same after the step that ends at `time`, in which `what` ("a kick or
 * drift") reported a value that is not finite: KOSHU_ERROR_INTERNAL if none is
 * found. */
koshu_status koshu_name_not_finite(const struct koshu_integrator *integrator,
                                   double time, const char *what);

/* ---- kick_drift.c -------------------------------------------------------- */

/*
 * Kicks and drifts of the leapfrog, on the device where the backend keeps the
 * particles there, else on the host. KOSHU_ERROR_NOT_FINITE, without a message:
 * a result is infinite or NaN.
 */

/* v += a dt, and x += v dt. */
koshu_status koshu_kick(struct koshu_backend *backend,
                        struct koshu_particles *particles, double dt);
koshu_status koshu_drift(struct koshu_backend *backend,
                         struct koshu_particles *particles, double dt);

/* Wraps positions into the periodic box [0, box) in each direction. */
koshu_status koshu_wrap(struct koshu_backend *backend,
                        struct koshu_particles *particles, double box);

/* v += c x, on the host. */
koshu_status koshu_kick_outward(struct koshu_particles *particles, double c);

/* Accelerations beyond those in the store: c x, and external fields (NULL:
 * none) without the Coriolis force. */
struct koshu_beside {
    double c;
    const struct koshu_external *external;
};

/* v += a dt with the a of the external fields, on the host. */
koshu_status koshu_kick_external(struct koshu_particles *particles,
                                 const struct koshu_external *external,
                                 double dt);

/* Drifts positions and velocities exactly under the Coriolis force of a frame
 * rotating with omega, on the host. */
koshu_status
koshu_drift_turning(struct koshu_particles *particles, double omega, double dt);

/* The largest acceleration over all ranks; computed by the backend if nothing
 * is added. Collective. */
koshu_status koshu_largest_acceleration(struct koshu_backend *backend,
                                        struct koshu_particles *particles,
                                        const struct koshu_beside *beside,
                                        double *a);

/* ---- comoving.c ---------------------------------------------------------- */

/*
 * The leapfrog in comoving coordinates x, with velocities v = a^2 dx/dt and
 * forces g(x) with G = 1 of the masses at x:
 *
 *     dx/dt = v / a^2,  dv/dt = (g + background x) / a
 *
 * background = H0^2 Omega_m / 2 removes the mean density from the forces of
 * particles in open space; all other components act through a(t) only (Peebles
 * 1980, section 7). Fixed steps have d ln a = dt. Each has two kicks by
 * int dt / a and a drift by int dt / a^2 (Quinn et al. 1997, astro-ph/9710043),
 * divided at the middle in ln a, so that a backward step retraces it. Steps
 * from the acceleration are d ln a = H (2 eta a^3 eps / max
 * |g + background x|)^(1/2), at most dt (Power et al. 2003, MNRAS 338, 14;
 * Springel 2005, eq. 34).
 */

/* Makes the leapfrog comoving; to be called before any evaluation. */
void koshu_integrator_expand(struct koshu_integrator *integrator,
                             const struct koshu_universe *expansion);

/* min(softening, softening_largest / a), comoving. */
double
koshu_comoving_softening(const struct koshu_universe *expansion, double a);

/* Factors of one step: the kicks before and after the drift, and the drift. */
struct koshu_step_factors {
    double kick[2], drift;
};
struct koshu_step_factors
koshu_comoving_factors(const struct koshu_universe *expansion, double from,
                       double to);

/* The step d ln a allowed by the acceleration g at a; infinite: no limit. */
double koshu_comoving_step(const struct koshu_universe *expansion, double a,
                           double g, double eta);

/* ---- block_host.c -------------------------------------------------------- */

/* Block time steps with any backend that has a j-particle store. */
struct koshu_block_ops;
struct koshu_block_engine;
extern const struct koshu_block_ops koshu_block_host;

/* Sets the external fields of an engine made by these functions, in a frame
 * that rotates with omega. */
void koshu_block_host_set_external(struct koshu_block_engine *engine,
                                   const struct koshu_external *external,
                                   double omega);

#endif
