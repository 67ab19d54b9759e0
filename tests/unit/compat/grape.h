/* SPDX-License-Identifier: MIT */
/* What the tests of libkoshu-g6 share: its settings, particles, and their sums
 * taken here, in long double. */
#ifndef KOSHU_TESTS_GRAPE_H
#define KOSHU_TESTS_GRAPE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <koshu-g6/g6.h>

#include "check.h"

struct grape_j {
    int address, index;
    double t, mass, snap[3], jerk[3], a[3], v[3], x[3];
};

struct grape_i {
    int n;
    int *index;
    double (*x)[3], (*v)[3];
    double *h2;
};

struct grape_result {
    double (*acc)[3], (*jerk)[3], *pot;
    int *nearest;
};

/* Does the backend of the variable GRAPE_BACKEND (ref) answer here? If not, the
 * test's exit status is 77: skipped. */
bool grape_is_there(void);

/* This backend, double precision, one thread, one cluster; setup of a cmocka
 * test. */
int grape_open(void **state);

/* Closes every cluster; teardown. */
int grape_close(void **state);

/* A number in [-1, 1) that k decides on. */
double grape_random(unsigned k);

/* n j-particles at random, the k-th with address and index k. */
struct grape_j *grape_j_make(int n);
void grape_send(int cluster, const struct grape_j *j, int n);

/* n i-particles at random, with indices that no j-particle has; and room for
 * their results, NaN. */
struct grape_i grape_i_make(int n);
void grape_i_free(struct grape_i *i);
struct grape_result grape_result_make(int n);
void grape_result_free(struct grape_result *r);

/* firsthalf and lasthalf2; both must succeed. */
void grape_sum(int cluster, int nj, const struct grape_i *i, double eps2,
               const struct grape_result *r);

/* The sums of nj j-particles at time t, with the formulas of g6.h. */
void grape_expect(const struct grape_j *j, int nj, double t,
                  const struct grape_i *i, double eps2,
                  const struct grape_result *r);

/* Largest of |a - b| over the largest |b|, in acc, jerk and pot. NaN: bad. */
double grape_difference(const struct grape_result *a,
                        const struct grape_result *b, int n);

/* A double sum of a few terms, against long double. */
#define GRAPE_ROUNDING 1e-13

#endif
