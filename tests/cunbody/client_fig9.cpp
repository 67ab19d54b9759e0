/* SPDX-License-Identifier: MIT */
/* Another source file of the program, with the declaration as printed in
 * Hamada07 Fig. 9. */
void force(double xj[][3], double mj[], double xi[][3], double eps2,
           double a[][3], int ni, int nj);

void force_as_printed(double x[][3], double m[], double a[][3], int n);

void
force_as_printed(double x[][3], double m[], double a[][3], int n)
{
    force(x, m, x, 0, a, n, n);
}
