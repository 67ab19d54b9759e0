/* SPDX-License-Identifier: MIT */
/* force() as Fortran calls it. */
#include <koshu-cunbody/force.h>

#include "compat/cunbody/cunbody.h"

KOSHU_API __attribute__((weak)) void
force_(double xj[][3], double mj[], double xi[][3], double *eps2, double a[][3],
       int *ni, int *nj)
{
    koshu_cunbody_force(xj, mj, xi, *eps2, a, *ni, *nj);
}
