/* SPDX-License-Identifier: MIT */
/* Shared by the tests of libkoshu-g6: settings, particles, and reference sums
 * in long double. */
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

/* Does the backend named by GRAPE_BACKEND (default ref) work here? If not, the
 * test returns 77: skipped. */
bool grape_is_there(void);

/* Opens this backend with double precision, one thread and one cluster; setup
 * of a cmocka test. */
int grape_open(void **state);

/* Closes every cluster; teardown. */
int grape_close(void **state);

/* A number in [-1, 1) determined by k. */
double grape_random(unsigned k);

/* n random j-particles, the k-th with address and index k. */
struct grape_j *grape_j_make(int n);
void grape_send(int cluster, const struct grape_j *j, int n);

/* n random i-particles with indices that no j-particle has, and arrays for
 * their results, filled with NaN. */
struct grape_i grape_i_make(int n);
void grape_i_free(struct grape_i *i);
struct grape_result grape_result_make(int n);
void grape_result_free(struct grape_result *r);

/* Calls firsthalf and lasthalf2; both must succeed. */
void grape_sum(int cluster, int nj, const struct grape_i *i, double eps2,
               const struct grape_result *r);

/* The sums of nj j-particles at time t by the formulas of g6.h. */
void grape_expect(const struct grape_j *j, int nj, double t,
                  const struct grape_i *i, double eps2,
                  const struct grape_result *r);

/* The largest |a - b| in acc, jerk and pot, each relative to the largest |b|;
 * NaN counts as bad. */
double grape_difference(const struct grape_result *a,
                        const struct grape_result *b, int n);

/* Tolerance of a double sum of a few terms against long double. */
#define GRAPE_ROUNDING 1e-13

#endif
