/* SPDX-License-Identifier: MIT */
/*
 * Vortex particles: the vorticity is a sum of Gaussians,
 *
 *     omega(x) = sum_j alpha_j zeta(x - x_j),
 *     zeta(d)  = (2 pi sigma^2)^(-3/2) exp(-|d|^2 / (2 sigma^2)),
 *
 * which move with the fluid. alpha, vorticity times volume, is the strength of
 * a particle; sigma, the core radius, is the same for all. A Gaussian core
 * multiplies a wave k by exp(-s), s = k^2 sigma^2 / 2. Cores of a higher order
 * m = 4 ... 12 multiply it by
 *
 *     exp(-s) sum_j s_0^j / j!, j < m / 2,  s_0 = k^2 sigma_0^2 / 2,
 *
 * sigma_0 being the core radius halfway between two remeshings. For small s
 * this is 1 - s^(m / 2) / (m / 2)! instead of 1 - s (Beale & Majda 1985, J.
 * Comput. Phys. 58, 188).
 *
 *     dx_i / dt     = u(x_i)                 (Hamada09 eqs. 1 and 2)
 *     dalpha_i / dt = (alpha_i . grad) u     (Hamada09 eq. 3), and diffusion
 *
 * Vectors of n particles are one array: n x components, then n y, then n z.
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

#include "kernels/core_terms.h"
#include "vortex/remesh.h"

/* ---- vortices.c: the state ----------------------------------------------- */

/* Numbers per particle: position and strength. Their rates of change at the
 * previous step are kept too, for the Adams-Bashforth scheme. */
enum { KOSHU_VORTEX_STATE = 6 };

struct koshu_vortices {
    struct koshu_context *context;
    size_t n;
    double *state;        /* position, strength: KOSHU_VORTEX_STATE n */
    double *rate;         /* at the previous step; same layout */
    bool has_rate;        /* false: no step yet, or new particles */
    double last_step;     /* length of the previous step */
    double max_vorticity; /* at a particle, when that step began */
    double core;          /* sigma */
    double mid_core;      /* sigma_0, for orders above 2 */
    unsigned order;       /* of the cores: even, 2 (Gaussians) to 12 */
    double spacing;       /* lattice spacing h: a particle's volume is h^3 */
    double box; /* edge of the periodic box [0, box)^3; 0: free space */
    double time;
    uint64_t steps;
};

/* n particles, all zero. The caller destroys them.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_vortices_create(struct koshu_context *context, size_t n,
                      struct koshu_vortices **vortices);
/* Accepts NULL. */
void koshu_vortices_destroy(struct koshu_vortices *vortices);

/* Replaces the particles by n others with undefined values and no rates.
 * KOSHU_ERROR_OUT_OF_MEMORY: the old ones are kept. */
KOSHU_MUST_CHECK koshu_status
koshu_vortices_renew(struct koshu_vortices *vortices, size_t n);

/* Component k of the positions or strengths, n numbers. */
double *koshu_vortices_position(const struct koshu_vortices *v, int k);
double *koshu_vortices_strength(const struct koshu_vortices *v, int k);

/* Wraps positions into the periodic box, if there is one. */
void koshu_vortices_wrap(struct koshu_vortices *vortices);

/* KOSHU_ERROR_NOT_FINITE names the first particle with a number that is not
 * finite. */
KOSHU_MUST_CHECK koshu_status
koshu_vortices_check(const struct koshu_vortices *vortices);

/* ---- core.c: what an order makes of a core ------------------------------ */

/* zeta(s) = (2 pi sigma^2)^(-3/2) exp(-s) sum_k g[k] s^k, s = d^2 / (2
 * sigma^2); p: see kernels/vortex_core.h. */
struct koshu_vortex_core_shape {
    double g[VORTEX_GAUSSIAN_TERMS], p[VORTEX_CORE_TERMS];
};
struct koshu_vortex_core_shape
koshu_vortex_core_shape(const struct koshu_vortices *vortices);

/* ---- velocity.c: velocities and their gradients -------------------------- */

struct koshu_vortex_options {
    enum koshu_precision precision; /* of the far field */
    double tolerance;               /* relative, of the far field, see
                                       koshu/laplace.h */
    double reach;                   /* cut-off radius of the cores, in core
                                       radii */
    double box;                     /* 0: free space */
    /* Of the far field if the tolerance is 0, see koshu/laplace.h. */
    unsigned multipole_order;
    double theta;
};

struct koshu_vortex_solver;

/* Ownership: the caller destroys it, before the context. Status: as
 * koshu_laplace_create(). */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_solver_create(struct koshu_context *context,
                           const struct koshu_vortex_options *options,
                           struct koshu_vortex_solver **solver);
void koshu_vortex_solver_destroy(struct koshu_vortex_solver *solver);

/* *work: space for n numbers, values undefined. The solver owns it and keeps
 * it, as allocating it anew would take longer than a step; the next call may
 * move it. purpose: of the memory. Collective. KOSHU_ERROR_OUT_OF_MEMORY, on
 * any rank. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_solver_work(struct koshu_vortex_solver *solver, size_t n,
                         const char *purpose, double **work);

/* Whether a device sums the near field with cores in one pass. */
bool koshu_vortex_solver_is_fast(const struct koshu_vortex_solver *solver);

/* Statistics of the last far field, as koshu_laplace_report(). */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_solver_report(const struct koshu_vortex_solver *solver,
                           struct koshu_laplace_report *report);

/*
 * Velocities, 3 n_i numbers, and their gradients du_i / dx_k, 9 n_i numbers, at
 * the targets. target may be NULL: at the particles themselves; gradient may be
 * NULL. The fast multipole method sums all vortices as if they had no core;
 * within `reach` core radii of a target the difference due to the core is
 * added,
 *
 *     u(x) += 1 / (4 pi) sum_j (g(r / sigma) - 1) alpha_j x d / r^3,
 *
 * g being Hamada09 eq. 2 or its counterpart of a higher order. On a device near
 * pairs are summed with their cores in one pass (koshu_laplace_cores()). Error:
 * the tolerance; the table of the core function, 1e-8; and the cut-off at r =
 * reach, (2 / pi)^(1/2) r exp(-r^2 / 2) (1 - s P(s)), s = r^2 / 2, P of
 * koshu_vortex_core_shape(). For orders 2, 4, 6, 8, 10 and 12 the last is 7e-8,
 * 1.2e-6, 8.9e-6, 3.6e-5, 8.8e-5 and 1.2e-4 with reach 6, and 1e-10, 3e-9,
 * 3e-8, 2e-7, 8e-7 and 2e-6 with reach 7; tests/unit/vortex/test_velocity.c.
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_velocities(
        struct koshu_vortex_solver *solver,
        const struct koshu_vortices *vortices, size_t n_i, const double *target,
        double *velocity, double *gradient);

/* Component c of the curl at target i, from gradients as laid out above. */
static inline double
koshu_vortex_curl(const double *gradient, size_t n_i, size_t i, size_t c)
{
    const size_t a = (c + 1) % 3, b = (c + 2) % 3;
    return gradient[(3 * b + a) * n_i + i] - gradient[(3 * a + b) * n_i + i];
}

/* The curl at n_i targets, 3 n_i numbers. */
void koshu_vortex_curls(struct koshu_context *context, size_t n_i,
                        const double *gradient, double *curl);

/* ---- smooth.c: sums of cores -------------------------------------------- */

/* omega at n_i targets, 3 n_i numbers. Cores are cut off at 6 radii, where a
 * Gaussian has fallen to exp(-18) = 1.5e-8; cores of order 6, 8 and 12 to 100,
 * 400 and 1600 times that. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_vorticity(const struct koshu_vortices *vortices, size_t n_i,
                       const double *target, double *vorticity);

/* div omega at n_i targets, n_i numbers. Status: as above. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_divergence(const struct koshu_vortices *vortices, size_t n_i,
                        const double *target, double *divergence);

/*
 * Adds diffusion by particle strength exchange to the rates of the strengths, 3
 * n numbers:
 *
 *     dalpha_i / dt = 2 nu h^3 / sigma^2 sum_j (alpha_j - alpha_i) zeta
 *
 * Source: Degond & Mas-Gallic 1989 with the Gaussian, for which -zeta' / r =
 *   zeta / sigma^2.
 */
KOSHU_MUST_CHECK koshu_status koshu_vortex_exchange(
        const struct koshu_vortices *vortices, double viscosity, double *rate);

/* ---- step.c: steps in time ---------------------------------------------- */

enum koshu_vortex_scheme {
    KOSHU_VORTEX_SCHEME_AB2, /* Adams-Bashforth, second order; takes an RK2
                                step at first and after new particles */
    KOSHU_VORTEX_SCHEME_RK2, /* the midpoint rule */
    KOSHU_VORTEX_SCHEME_RK4  /* the classical Runge-Kutta scheme */
};
enum koshu_vortex_stretching {
    KOSHU_VORTEX_STRETCHING_CLASSICAL, /* (alpha . grad) u */
    KOSHU_VORTEX_STRETCHING_TRANSPOSE, /* (grad u) . alpha, which conserves
                                          the sum of the strengths */
    KOSHU_VORTEX_STRETCHING_NONE
};
enum koshu_vortex_diffusion {
    KOSHU_VORTEX_DIFFUSION_SPREADING, /* sigma^2 grows by 2 nu t (Hamada09
                                         eq. 4) */
    KOSHU_VORTEX_DIFFUSION_EXCHANGE   /* of strengths; sigma is constant */
};

/* Names ("ab2", "classical", "spreading"); NULL beyond the last. */
const char *koshu_vortex_scheme_name(int k);
const char *koshu_vortex_stretching_name(int k);
const char *koshu_vortex_diffusion_name(int k);

struct koshu_vortex_flow {
    enum koshu_vortex_scheme scheme;
    enum koshu_vortex_stretching stretching;
    enum koshu_vortex_diffusion diffusion;
    double viscosity;
};

/* Advances the particles by dt. Status: as koshu_vortex_velocities(), and
 * KOSHU_ERROR_NOT_FINITE. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_step(struct koshu_vortex_solver *solver,
                  const struct koshu_vortex_flow *flow, double dt,
                  struct koshu_vortices *vortices);

/* ---- rings.c ------------------------------------------------------------ */

/* Coaxial rings about the z axis: closed filaments of Gaussians, whose
 * vorticity is free of divergence for any shape of the filament. */
struct koshu_vortex_rings {
    uint64_t n;
    double radius, circulation, core; /* core: standard deviation */
    double separation;                /* between the rings along the axis */
    double perturbation;              /* amplitude of the radius's
                                         perturbation, relative */
    uint64_t waves;                   /* it is proportional to cos(waves phi) */
    double centre;                    /* x = y = z of the first ring's centre */
};

/* Replaces the particles by those of the rings, with the rings' core radius and
 * placed closely along the filaments. */
KOSHU_MUST_CHECK koshu_status
koshu_vortex_make_rings(const struct koshu_vortex_rings *rings,
                        struct koshu_vortices *vortices);

/* Speed of a thin ring with a Gaussian core: Gamma / (4 pi R) (ln(8 R / a) -
 * 0.558), a = 2^(1/2) core (Saffman 1970, Stud. Appl. Math. 49, 371). */
double koshu_vortex_ring_speed(const struct koshu_vortex_rings *rings);

/* ---- diagnose.c --------------------------------------------------------- */

struct koshu_vortex_diagnostics {
    double strength[3];        /* the sum over all particles: 0 in an
                                  unbounded fluid */
    double impulse[3];         /* 1/2 sum x x alpha */
    double angular_impulse[3]; /* 1/3 sum x x (x x alpha) */
    double centre[3];          /* mean position, weighted with |alpha| */
    double energy;             /* free space: the integral of u^2 / 2, from u
                                  . (x x omega), as sum u . (x x alpha) -
                                  sigma^2 alpha . omega, with cores of
                                  2^(1/2) sigma for u and omega; box: the
                                  mean of u^2 / 2 over the particles */
    double enstrophy;          /* free space: half the integral of omega^2;
                                  box: half its mean */
    double divergence; /* rms div omega times sigma over the rms vorticity,
                          at no more than 2^17 particles */
    double max_vorticity, max_velocity;
    double skewness; /* of du_a / dx_a over the particles, averaged over the
                        three axes */
};

KOSHU_MUST_CHECK koshu_status
koshu_vortex_diagnose(struct koshu_vortex_solver *solver,
                      const struct koshu_vortices *vortices,
                      struct koshu_vortex_diagnostics *diagnostics);

#endif
