/* SPDX-License-Identifier: MIT */
/* A small star cluster code: Hermite with block time steps, on whatever sums
 * forces for it. */
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
    /* Tells a star, as it stands, to those who sum. */
    void (*send)(struct grape_code *code, int k);
    /* Forces at time t on m stars that are predicted to x and v, into their a1,
     * jerk1 and pot. */
    void (*sum)(struct grape_code *code, int m, int *index, double (*x)[3],
                double (*v)[3], double t);
    double slip; /* relative error of the jerks that are sent; for send */
};

/* The Plummer sphere of koshu_initial_create(), n stars, seed 1, at rest in a
 * code that nothing sums for yet. */
void grape_code_plummer(struct grape_code *code, int n);

/* Sums by libkoshu-g6, cluster 0; by loops of this code's own. */
void grape_code_by_library(struct grape_code *code);
void grape_code_by_itself(struct grape_code *code);

/* First forces and steps. */
void grape_code_start(struct grape_code *code);

/* Block steps up to t, where all stars will stand: a multiple of the longest
 * step. */
void grape_code_run(struct grape_code *code, double t);

/* Computed here, from the stars alone. */
double grape_code_energy(const struct grape_code *code);

#endif
