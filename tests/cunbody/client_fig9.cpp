/* SPDX-License-Identifier: MIT */
/* Another source file of the program: the declaration is that of Hamada07 Fig.
 * 9, as it is printed. */
void force(double xj[][3], double mj[], double xi[][3], double eps2,
           double a[][3], int ni, int nj);

void force_as_printed(double x[][3], double m[], double a[][3], int n);

void
force_as_printed(double x[][3], double m[], double a[][3], int n)
{
    force(x, m, x, 0, a, n, n);
}
