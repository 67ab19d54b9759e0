/* SPDX-License-Identifier: MIT */
/* What the tests of libkoshu-cunbody share: its settings, bodies, and forces
 * summed here, in long double. */
#ifndef KOSHU_TESTS_BODIES_H
#define KOSHU_TESTS_BODIES_H

#include <stdbool.h>

#include "listen.h"

extern struct listener reported;

/* Does the backend of the variable CUNBODY_BACKEND (cpu) answer here? If not,
 * the test's exit status is 77: skipped. */
bool bodies_are_there(void);

/* This backend, no other settings, messages to `reported`; setup of a cmocka
 * test. */
int bodies_open(void **state);
/* Closes the library; nothing was reported that no test has examined. Teardown.
 */
int bodies_close(void **state);

/* n rows of numbers in [-1, 1) that seed decides on; or NaN. For free(). */
double (*bodies_at_random(size_t n, unsigned seed))[3];
double (*bodies_poisoned(size_t n))[3];
/* n masses around 1/n. */
double *bodies_masses(size_t n);

/* Hamada07 eq. 1; pairs at zero distance give nothing. */
void bodies_expect(double (*xj)[3], const double *mj, double (*xi)[3],
                   double eps2, double (*a)[3], size_t ni, size_t nj);

/* Largest of |a - b| over the largest |b|. NaN: bad. */
double bodies_difference(double (*a)[3], double (*b)[3], size_t n);

#endif
