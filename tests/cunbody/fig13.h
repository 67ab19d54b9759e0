/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_TESTS_FIG13_H
#define KOSHU_TESTS_FIG13_H

void force(double x[][3], double v[][3], double m[], double p[], double a[][3],
           double jk[][3], int n);

#endif
