/* SPDX-License-Identifier: MIT */
/*
 * Isotropic turbulence to begin with: waves u_k perpendicular to k, of random
 * phases, in a periodic box, whose energy in the shell of |k| within 1/2 of s
 * (2 pi / box) is
 *
 *     E(s) ~ s^4 exp(-2 (s / k0)^2),  sum_s E(s) = 3/2 u'^2,
 *
 * shared equally by the waves of the shell: energies are those prescribed, not
 * of a sample. Source: Rogallo 1981; Hamada09 section 5.1, which leaves the
 * spectrum open.
 */
#ifndef KOSHU_FLOW_TURBULENCE_H
#define KOSHU_FLOW_TURBULENCE_H

#include "parameters/parameters.h"

struct koshu_turbulence {
    size_t largest; /* wave number of the grid, in units of 2 pi / box */
    double box;
    uint64_t seed;
    size_t shells;  /* those with waves: 1 ... shells - 1 */
    double *square; /* |u_k|^2 of a wave of each */
    double speed;   /* u', of the waves that the grid has */
    double energy, enstrophy;
    double length, turnover; /* L and T = L / u' (Hamada09 eqs. 6 and 7) */
    double viscosity, reynolds, resolution; /* Re_lambda, k_max eta */
};

/*
 * Shells, and what follows from them. *t is to be freed, whatever the status.
 * KOSHU_ERROR_BAD_INPUT: flow.n is too small for the spectrum;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_turbulence_prepare(
        struct koshu_context *context, const struct koshu_flow_values *values,
        double box, struct koshu_turbulence *t);
void koshu_turbulence_free(struct koshu_turbulence *t);

#endif
