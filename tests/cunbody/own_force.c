/* SPDX-License-Identifier: MIT */
/*
 * A program with its own force(), which calls the library's through the Fortran
 * name. If the library's Fortran name called its public C name, that would lead
 * back here, endlessly.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void force_(double xj[][3], double mj[], double xi[][3], double *eps2,
            double a[][3], int *ni, int *nj);
void force(double xj[][3], double mj[], double xi[][3], double eps2,
           double a[][3], int ni, int nj);

static int depth, calls;

void
force(double xj[][3], double mj[], double xi[][3], double eps2, double a[][3],
      int ni, int nj)
{
    if (depth++ > 0) {
        puts("the library calls the program");
        exit(1);
    }
    force_(xj, mj, xi, &eps2, a, &ni, &nj);
    depth--;
    calls++;
}

int
main(void)
{
    double x[2][3] = {{0, 0, 0}, {0, 0, 2}}, m[2] = {1, 4}, a[2][3] = {{0}};
    force(x, m, x, 0, a, 2, 2);
    if (calls == 1 && fabs(a[0][2] - 1) < 1e-6 && fabs(a[1][2] + 0.25) < 1e-6)
        puts("all is well");
    return 0;
}
