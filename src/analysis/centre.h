/* SPDX-License-Identifier: MIT */
/* The member of a group with the lowest potential. */
#ifndef KOSHU_ANALYSIS_CENTRE_H
#define KOSHU_ANALYSIS_CENTRE_H

#include "analysis/analysis.h"

/* The number of members compared; in larger groups, those in the densest
 * places. */
enum { KOSHU_CENTRE_CANDIDATES = 1024 };

/*
 * Which of n particles (rows of x, y, z, mass; not periodic) has the lowest
 * potential, -sum m / sqrt(r^2 + softening^2); the first of equal ones. With
 * more than KOSHU_CENTRE_CANDIDATES particles, only those in the fullest of
 * 32^3 cells about the group are compared.
 * KOSHU_ERROR_OUT_OF_MEMORY without a message.
 */
KOSHU_MUST_CHECK koshu_status koshu_lowest_potential(size_t n,
                                                     const double *place,
                                                     double softening,
                                                     size_t *lowest);

#endif
