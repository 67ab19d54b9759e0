/* SPDX-License-Identifier: MIT */
/* Shared by the tests of libkoshu-cunbody: settings, bodies, and reference
 * forces in long double. */
#ifndef KOSHU_TESTS_BODIES_H
#define KOSHU_TESTS_BODIES_H

#include <stdbool.h>

#include "listen.h"

extern struct listener reported;

/* Does the backend named by CUNBODY_BACKEND (default cpu) work here? If not,
 * the test returns 77: skipped. */
bool bodies_are_there(void);

/* Selects this backend, no other settings, and collects messages in `reported`;
 * setup of a cmocka test. */
int bodies_open(void **state);
/* Closes the library and asserts that every message was examined. Teardown. */
int bodies_close(void **state);

/* n rows of numbers in [-1, 1), determined by seed, or of NaN. The caller frees
 * them. */
double (*bodies_at_random(size_t n, unsigned seed))[3];
double (*bodies_poisoned(size_t n))[3];
/* n masses around 1/n. */
double *bodies_masses(size_t n);

/* Forces by Hamada07 eq. 1; pairs at zero distance contribute nothing. */
void bodies_expect(double (*xj)[3], const double *mj, double (*xi)[3],
                   double eps2, double (*a)[3], size_t ni, size_t nj);

/* The largest |a - b|, relative to the largest |b|; NaN counts as bad. */
double bodies_difference(double (*a)[3], double (*b)[3], size_t n);

#endif
