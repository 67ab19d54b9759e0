/* SPDX-License-Identifier: MIT */
/*
 * Initial isotropic turbulence in a periodic box: waves u_k perpendicular to k
 * with random phases. The energy in shell s, |k| within 1/2 of s (2 pi / box),
 * is
 *
 *     E(s) ~ s^4 exp(-2 (s / k0)^2),  sum_s E(s) = 3/2 u'^2,
 *
 * divided equally among the shell's waves, so that the spectrum is exactly as
 * prescribed, not a random sample. Source: Rogallo 1981; Hamada09 section 5.1,
 * which does not give its spectrum.
 */
#ifndef KOSHU_FLOW_TURBULENCE_H
#define KOSHU_FLOW_TURBULENCE_H

#include "parameters/parameters.h"

struct koshu_turbulence {
    size_t largest; /* largest wave number of the grid, in units of 2 pi /
                       box */
    double box;
    uint64_t seed;
    size_t shells;  /* shells 1 ... shells - 1 have waves */
    double *square; /* |u_k|^2 of a wave, by shell */
    double speed;   /* u', from the waves that the grid holds */
    double energy, enstrophy;
    double length, turnover; /* L, and T = L / u' (Hamada09 eqs. 6 and 7) */
    double viscosity, reynolds, resolution; /* Re_lambda, k_max eta */
};

/*
 * Computes the shells and what follows from them. The caller frees *t, whatever
 * the status. KOSHU_ERROR_BAD_INPUT: flow.n is too small for the spectrum;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_turbulence_prepare(
        struct koshu_context *context, const struct koshu_flow_values *values,
        double box, struct koshu_turbulence *t);
void koshu_turbulence_free(struct koshu_turbulence *t);

#endif
