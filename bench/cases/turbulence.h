/* SPDX-License-Identifier: MIT */
/* Shared by the parts of `koshu bench turbulence`. */
#ifndef KOSHU_BENCH_CASES_TURBULENCE_H
#define KOSHU_BENCH_CASES_TURBULENCE_H

#include "bench/bench.h"

struct turbulence_options {
    struct bench_options base;
    size_t order;
    double theta, reach;
    bool periodic;
    bool fmm, flow, step; /* only this part */
    size_t points;        /* of the flow, along an edge */
    double turnovers;
    struct word_list settings;
};

/* ---- turbulence_fmm.c --------------------------------------------------- */

/* Times for the velocities of random vortices against N. */
struct turbulence_times {
    size_t n;
    double xy[MAX_LIST][2];  /* N, seconds */
    double exponent, at_one; /* fit: seconds = at_one N^exponent */
};

KOSHU_MUST_CHECK koshu_status turbulence_fmm(struct bench *b,
                                             struct turbulence_times *times);

/* ---- turbulence_flow.c -------------------------------------------------- */

enum { TURBULENCE_ROWS = 64 };

/* A flow by one method, up to the last turnover time. */
struct turbulence_run {
    const char *name;
    size_t n, rows, steps;
    double box, turnover;         /* T = L / u' (Hamada09 eqs. 6 and 7) */
    double seconds;               /* of all steps */
    double time[TURBULENCE_ROWS]; /* t / T */
    double energy[TURBULENCE_ROWS];
    double reynolds, resolution; /* Re_lambda and k_max eta at the beginning */
    /* At the end; freed by turbulence_run_free(). */
    double *velocity, *invariant;
    struct koshu_flow_spectrum spectrum;
};

/* Prepares a flow by a method, without starting it. initial: flow.initial,
 * NULL: turbulence. The caller destroys it. */
KOSHU_MUST_CHECK koshu_status turbulence_prepare(struct bench *b,
                                                 const char *method,
                                                 const char *initial,
                                                 struct koshu_flow **flow);

/* Runs the method "spectral" or "vortex". The caller frees the run, whatever
 * the status. */
KOSHU_MUST_CHECK koshu_status turbulence_run_make(struct bench *b,
                                                  const char *method,
                                                  struct turbulence_run *run);
void turbulence_run_free(struct turbulence_run *run);

/* ---- turbulence_step.c -------------------------------------------------- */

KOSHU_MUST_CHECK koshu_status turbulence_step(struct bench *b);

/* ---- turbulence_compare.c ----------------------------------------------- */

/* The rms of the second invariant. */
double turbulence_invariant_rms(const struct turbulence_run *run);

/* Prints tables of energies, spectra and invariants of both runs. */
KOSHU_MUST_CHECK koshu_status
turbulence_compare(struct bench *b, const struct turbulence_run runs[2]);

/* ---- turbulence_picture.c ----------------------------------------------- */

/* Draws what both runs have; NULL: nothing. */
KOSHU_MUST_CHECK koshu_status
turbulence_draw(struct bench *b, const struct turbulence_times *times,
                const struct turbulence_run *runs);

#endif
