/* SPDX-License-Identifier: MIT */
/*
 * The density profile of a King model (King 1966, AJ 71, 64), from Poisson's
 * equation.
 *
 * W is the potential relative to the edge in units of sigma^2: W0 in the
 * centre, 0 at the edge. Lengths are in King radii r0 = sqrt(9 sigma^2 / (4 pi
 * G rho0)):
 *
 *     rho(W) = exp(W) erf(sqrt W) - sqrt(4 W / pi) (1 + 2 W / 3)
 *     mu(r)  = integral_0^r rho(W) / rho(W0) r^2 dr
 *     dW/dr  = -9 mu / r^2
 *
 * G M(r) = 9 sigma^2 r0 mu. The independent variable is t = sqrt(W0 - W): as a
 * function of t the profile is smooth in the centre, where r ~ t, and ends
 * exactly at t = sqrt W0, so that the edge need not be searched for.
 */
#ifndef KOSHU_INITIAL_KING_H
#define KOSHU_INITIAL_KING_H

enum { KOSHU_KING_STEPS = 4096 };

struct koshu_king_point {
    double r, mu;             /* in r0 */
    double r_slope, mu_slope; /* derivatives with respect to t */
};

struct koshu_king {
    double w0, step; /* t of point k is k * step */
    struct koshu_king_point point[KOSHU_KING_STEPS + 1];
    double concentration; /* log10(edge / r0) */
    /* r0 and sigma in Hénon units. */
    double length, velocity;
};

/* rho(W), full accuracy for W in [0, 15]. */
double koshu_king_density(double W);

/* Solves for the profile by classical Runge-Kutta steps. The relative error of
 * the edge is below 1e-8: twice as many steps move it by less (W0 = 15 is the
 * worst case). */
void koshu_king_solve(double w0, struct koshu_king *king);

/* W and r (in r0) at the radius that encloses this fraction of the mass. */
void koshu_king_at_mass(const struct koshu_king *king, double fraction,
                        double *W, double *r);

#endif
