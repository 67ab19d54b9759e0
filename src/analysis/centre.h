/* SPDX-License-Identifier: MIT */
/* The member of a group with the lowest potential. */
#ifndef KOSHU_ANALYSIS_CENTRE_H
#define KOSHU_ANALYSIS_CENTRE_H

#include "analysis/analysis.h"

/* Members that are compared; of larger groups those nearest to others. */
enum { KOSHU_CENTRE_CANDIDATES = 1024 };

/*
 * Which of n places (x, y, z, mass in rows of four, no box) has the lowest
 * potential, -sum m / sqrt(r^2 + softening^2); the first of equal ones. Of more
 * than KOSHU_CENTRE_CANDIDATES places those in the fullest of 32^3 cells
 * about the group are compared.
 * KOSHU_ERROR_OUT_OF_MEMORY without a message.
 */
KOSHU_MUST_CHECK koshu_status koshu_lowest_potential(size_t n,
                                                     const double *place,
                                                     double softening,
                                                     size_t *lowest);

#endif
