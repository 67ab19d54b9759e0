/* SPDX-License-Identifier: MIT */
/*
 * Vortex particles: the vorticity is a sum of Gaussians,
 *
 *     omega(x) = sum_j alpha_j zeta(x - x_j),
 *     zeta(d)  = (2 pi sigma^2)^(-3/2) exp(-|d|^2 / (2 sigma^2)),
 *
 * which move with the fluid. alpha, the vorticity times the volume, is a
 * particle's strength, sigma its core radius, the same for all. What a Gaussian
 * core leaves of a wave k is exp(-s), s = k^2 sigma^2 / 2; cores of a higher
 * order m, 4 to 12, with sigma_0 the core radius halfway from one remeshing to
 * the next, leave
 *
 *     exp(-s) sum_j s_0^j / j!, j < m / 2,  s_0 = k^2 sigma_0^2 / 2,
 *
 * which is 1 - s^(m / 2) / (m / 2)! for small s, not 1 - s (Beale & Majda 1985,
 * J. Comput. Phys. 58, 188).
 *
 *     dx_i / dt     = u(x_i)                 (Hamada09 eqs. 1 and 2)
 *     dalpha_i / dt = (alpha_i . grad) u     (Hamada09 eq. 3), and diffusion
 *
 * Vectors of n particles are one array, x first, then y, then z.
 */
#ifndef KOSHU_VORTEX_VORTEX_H
#define KOSHU_VORTEX_VORTEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/force.h>
#include <koshu/laplace.h>
#include <koshu/status.h>

#include "vortex/remesh.h"

/* ---- vortices.c: the state ----------------------------------------------- */

/* What a particle has: positions and strengths, and their rates of change at
 * the step before, for Adams and Bashforth's scheme. */
enum { KOSHU_VORTEX_STATE = 6 };

struct koshu_vortices {
    struct koshu_context *context;
    size_t n;
    double *state;        /* position, strength: KOSHU_VORTEX_STATE n */
    double *rate;         /* of the step before; as many */
    bool has_rate;        /* else there was no step, or particles are new */
    double last_step;     /* how long that step was */
    double max_vorticity; /* where it began, at a particle */
    double core;          /* sigma */
    double mid_core;      /* sigma_0; of a higher order than 2 */
    unsigned order;       /* of the cores: even, 2 (Gaussians) to 12 */
    double spacing;       /* h of the lattice: a particle's volume is h^3 */
    double box; /* edge of the periodic box, [0, box)^3; 0: free space */
    double time;
    uint64_t steps;
};

/* Of n particles, zeros. The caller destroys it. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_vortices_create(struct koshu_context *context, size_t n,
                      struct koshu_vortices **vortices);
/* NULL is allowed. */
void koshu_vortices_destroy(struct koshu_vortices *vortices);

/* Other particles in place of these: n of them, of any value, without rates.
 * KOSHU_ERROR_OUT_OF_MEMORY: those that were stay. */
KOSHU_MUST_CHECK koshu_status
koshu_vortices_renew(struct koshu_vortices *vortices, size_t n);

/* Component k of position or strength, n numbers. */
double *koshu_vortices_position(const struct koshu_vortices *v, int k);
double *koshu_vortices_strength(const struct koshu_vortices *v, int k);

/* Positions into the box, where there is one. */
void koshu_vortices_wrap(struct koshu_vortices *vortices);

/* KOSHU_ERROR_NOT_FINITE names the first particle that is not. */
KOSHU_MUST_CHECK koshu_status
koshu_vortices_check(const struct koshu_vortices *vortices);

/* ---- core.c: what an order makes of a core --------------------------------
 */

/* zeta(s) = (2 pi sigma^2)^(-3/2) exp(-s) sum_k g[k] s^k, s = d^2 / (2
 * sigma^2); p: kernels/vortex_core.h. */
enum { KOSHU_VORTEX_CORE_TERMS = 6, KOSHU_VORTEX_CORE_P = 5 };
struct koshu_vortex_core_shape {
    double g[KOSHU_VORTEX_CORE_TERMS], p[KOSHU_VORTEX_CORE_P];
};
struct koshu_vortex_core_shape
koshu_vortex_core_shape(const struct koshu_vortices *vortices);

/* ---- velocity.c: velocities and their gradients -------------------------- */

struct koshu_vortex_options {
    enum koshu_precision precision; /* of the far field */
    double tolerance;               /* of it, relative, see koshu/laplace.h */
    double reach;                   /* of the cut-off, in core radii */
    double box;                     /* 0: free space */
    /* Of the far field where the tolerance is 0, see koshu/laplace.h. */
    unsigned multipole_order;
    double theta;
};

struct koshu_vortex_solver;

/* Ownership: the caller destroys it, before the context. As
 * koshu_laplace_create(). */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_solver_create(struct koshu_context *context,
                           const struct koshu_vortex_options *options,
                           struct koshu_vortex_solver **solver);
void koshu_vortex_solver_destroy(struct koshu_vortex_solver *solver);

/* So many numbers of any value, the solver's: another call may move them.
 * Large blocks for a while would cost more than a step. NULL: out of memory. */
double *
koshu_vortex_solver_work(struct koshu_vortex_solver *solver, size_t numbers);

/* Does a device sum cores and all in one pass? */
bool koshu_vortex_solver_is_fast(const struct koshu_vortex_solver *solver);

/* The far field of the last velocities, as koshu_laplace_report(). */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_solver_report(const struct koshu_vortex_solver *solver,
                           struct koshu_laplace_report *report);

/*
 * Velocities, 3 n_i, and their gradients du_i / dx_k, 9 n_i, at targets, NULL:
 * at the particles themselves; gradients may be NULL. The sums of all vortices
 * without a core come from the fast multipole method; within reach sigma of a
 * target what the core function makes of them is added,
 *
 *     u(x) += 1 / (4 pi) sum_j (g(r / sigma) - 1) alpha_j x d / r^3,
 *
 * g being Hamada09 eq. 2, or of a higher order. Error: of the tolerance, and of
 * the cut-off beyond r = reach, (2 / pi)^(1/2) r exp(-r^2 / 2) (1 - s P(s)),
 * s = r^2 / 2, P of koshu_vortex_core_shape(): of order 2, 4, 6, 8, 10 and 12
 * 7e-8, 1.2e-6, 8.9e-6, 3.6e-5, 8.8e-5 and 1.2e-4 at 6, and 1e-10, 3e-9, 3e-8,
 * 2e-7, 8e-7 and 2e-6 at 7; the core function is a
 * table, good to 1e-8; tests/unit/vortex/test_velocity.c. On a device near
 * pairs have their cores in one pass (koshu_laplace_cores()).
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_velocities(
        struct koshu_vortex_solver *solver,
        const struct koshu_vortices *vortices, size_t n_i, const double *target,
        double *velocity, double *gradient);

/* Component c of the curl at target i, of gradients as above. */
static inline double
koshu_vortex_curl(const double *gradient, size_t n_i, size_t i, size_t c)
{
    const size_t a = (c + 1) % 3, b = (c + 2) % 3;
    return gradient[(3 * b + a) * n_i + i] - gradient[(3 * a + b) * n_i + i];
}

/* The curl at n_i targets, 3 n_i. */
void koshu_vortex_curls(struct koshu_context *context, size_t n_i,
                        const double *gradient, double *curl);

/* ---- smooth.c: sums of cores ---------------------------------------------
 */

/* omega at n_i targets, 3 n_i, by cores that end at 6 radii, where exp(-18) =
 * 1.5e-8 is left, times 100 of order 6, 400 of order 8, 1600 of order 12.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_vorticity(const struct koshu_vortices *vortices, size_t n_i,
                       const double *target, double *vorticity);

/* div omega at n_i targets. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_divergence(const struct koshu_vortices *vortices, size_t n_i,
                        const double *target, double *divergence);

/*
 * Adds the diffusion by particle strength exchange to rates of strengths, 3 n:
 *
 *     dalpha_i / dt = 2 nu h^3 / sigma^2 sum_j (alpha_j - alpha_i) zeta
 *
 * Source: Degond & Mas-Gallic 1989 with the Gaussian, for which -zeta' / r =
 * zeta / sigma^2.
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_exchange(
        const struct koshu_vortices *vortices, double viscosity, double *rate);

/* ---- step.c: steps in time ------------------------------------------------
 */

enum koshu_vortex_scheme {
    KOSHU_VORTEX_SCHEME_AB2, /* Adams-Bashforth, second order: its first step,
                                and that after new particles, is one of RK2 */
    KOSHU_VORTEX_SCHEME_RK2, /* the midpoint rule */
    KOSHU_VORTEX_SCHEME_RK4  /* the classical one */
};
enum koshu_vortex_stretching {
    KOSHU_VORTEX_STRETCHING_CLASSICAL, /* (alpha . grad) u */
    KOSHU_VORTEX_STRETCHING_TRANSPOSE, /* (grad u) . alpha, which keeps the sum
                                          of all strengths */
    KOSHU_VORTEX_STRETCHING_NONE
};
enum koshu_vortex_diffusion {
    KOSHU_VORTEX_DIFFUSION_SPREADING, /* sigma^2 grows by 2 nu t (Hamada09 eq.
                                         4) */
    KOSHU_VORTEX_DIFFUSION_EXCHANGE   /* of strengths; sigma stays */
};

/* Names ("ab2", "classical", "spreading"); NULL past the last. */
const char *koshu_vortex_scheme_name(int k);
const char *koshu_vortex_stretching_name(int k);
const char *koshu_vortex_diffusion_name(int k);

struct koshu_vortex_flow {
    enum koshu_vortex_scheme scheme;
    enum koshu_vortex_stretching stretching;
    enum koshu_vortex_diffusion diffusion;
    double viscosity;
};

/* A step of dt. As koshu_vortex_velocities(), and KOSHU_ERROR_NOT_FINITE. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_step(struct koshu_vortex_solver *solver,
                  const struct koshu_vortex_flow *flow, double dt,
                  struct koshu_vortices *vortices);

/* ---- rings.c --------------------------------------------------------------
 */

/* Coaxial rings about the z axis: closed filaments of Gaussians, whose
 * vorticity is free of divergence whatever their shape. */
struct koshu_vortex_rings {
    uint64_t n;
    double radius, circulation, core; /* core: standard deviation */
    double separation;                /* along the axis */
    double perturbation;              /* of the radius, relative: */
    uint64_t waves;                   /* cos(waves phi) */
    double centre;                    /* x, y and z of the first ring's */
};

/* Particles of that core radius, `spacing` of it from each other. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_make_rings(const struct koshu_vortex_rings *rings,
                        struct koshu_vortices *vortices);

/* U of a thin ring with a Gaussian core: Gamma / (4 pi R) (ln(8 R / a) -
 * 0.558), a = 2^(1/2) core (Saffman 1970, Stud. Appl. Math. 49, 371). */
double koshu_vortex_ring_speed(const struct koshu_vortex_rings *rings);

/* ---- diagnose.c -----------------------------------------------------------
 */

struct koshu_vortex_diagnostics {
    double strength[3];        /* sum of all: 0 in an unbounded fluid */
    double impulse[3];         /* 1/2 sum x x alpha */
    double angular_impulse[3]; /* 1/3 sum x x (x x alpha) */
    double centre[3];          /* weighted with |alpha| */
    double energy;             /* the integral of u^2 / 2 = u . (x x omega):
                                  sum u . (x x alpha) - sigma^2 alpha . omega,
                                  both of cores of 2^(1/2) sigma; of a periodic
                                  box: the mean of u^2 / 2 over the particles */
    double enstrophy;          /* 1/2 the integral of omega^2; of a periodic
                                  box its mean */
    double divergence; /* rms of div omega at particles, of 2^17 at most, times
                          sigma, over that of omega */
    double max_vorticity, max_velocity;
    double skewness; /* of du_a / dx_a over the particles, mean of the three */
};

KOSHU_MUST_CHECK koshu_status
koshu_vortex_diagnose(struct koshu_vortex_solver *solver,
                      const struct koshu_vortices *vortices,
                      struct koshu_vortex_diagnostics *diagnostics);

#endif
