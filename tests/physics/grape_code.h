/* SPDX-License-Identifier: MIT */
/* A small star cluster code: a Hermite scheme with block time steps, whose
 * force sums come from the library or from its own loops. */
#ifndef KOSHU_TESTS_GRAPE_CODE_H
#define KOSHU_TESTS_GRAPE_CODE_H

#include "check.h"

enum { MAX_STARS = 256 };

struct star {
    double mass, t, dt;
    double x[3], v[3], a[3], jerk[3];
    double a1[3], jerk1[3], pot; /* the latest force */
};

struct grape_code {
    int n;
    struct star star[MAX_STARS];
    double eps2, eta, eta_start, longest_step;
    long steps;
    /* Sends a star's present state to whatever computes the sums. */
    void (*send)(struct grape_code *code, int k);
    /* Computes the forces at time t on m stars predicted to x and v, and stores
     * them in their a1, jerk1 and pot. */
    void (*sum)(struct grape_code *code, int m, int *index, double (*x)[3],
                double (*v)[3], double t);
    double slip; /* relative error that send() puts into the jerks */
};

/* The Plummer sphere of koshu_initial_create(), n stars, seed 1, as yet without
 * a way to compute sums. */
void grape_code_plummer(struct grape_code *code, int n);

/* Sums by libkoshu-g6, cluster 0; or by loops of this code's own. */
void grape_code_by_library(struct grape_code *code);
void grape_code_by_itself(struct grape_code *code);

/* Computes the first forces and steps. */
void grape_code_start(struct grape_code *code);

/* Advances by block steps to t, where all stars end; t must be a multiple of
 * the longest step. */
void grape_code_run(struct grape_code *code, double t);

/* Total energy, computed here from the stars alone. */
double grape_code_energy(const struct grape_code *code);

#endif
