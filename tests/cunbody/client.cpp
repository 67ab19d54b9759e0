/* SPDX-License-Identifier: MIT */
/* A C++ program for CUNBODY-1 that calls through the header, through the
 * Fortran name and through the paper's declaration. Two bodies of masses 1 and
 * 2, 1 apart. */
#include <cmath>
#include <iostream>
#include <vector>

#include <koshu-cunbody/force.h>

void force_as_printed(double x[][3], double m[], double a[][3], int n);

struct row {
    double x[3];
};

static bool
is_right(double (*a)[3])
{
    return std::fabs(a[0][0] - 2) < 1e-6 && std::fabs(a[1][0] + 1) < 1e-6 &&
           a[0][1] == 0 && a[1][2] == 0;
}

int
main()
{
    double xj[][3] = {{0, 0, 0}, {1, 0, 0}}, mass[] = {1, 2}, eps2 = 0;
    int n = 2;
    std::vector<row> a(2, row{{NAN, NAN, NAN}});
    force(xj, mass, xj, eps2, &a[0].x, n, n);
    bool right = is_right(&a[0].x);
    a.assign(2, row{{NAN, NAN, NAN}});
    force_(xj, mass, xj, &eps2, &a[0].x, &n, &n);
    right = right && is_right(&a[0].x);
    a.assign(2, row{{NAN, NAN, NAN}});
    force_as_printed(xj, mass, &a[0].x, n);
    if (right && is_right(&a[0].x)) std::cout << "all is well\n";
}
