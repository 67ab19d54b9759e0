/* SPDX-License-Identifier: MIT */
/* force(), which is weak: a program may have one of its own (Hamada07 Figs. 12
 * and 13). */
#include <koshu-cunbody/force.h>

#include "compat/cunbody/cunbody.h"

KOSHU_API __attribute__((weak)) void
force(double xj[][3], double mj[], double xi[][3], double eps2, double a[][3],
      int ni, int nj)
{
    koshu_cunbody_force(xj, mj, xi, eps2, a, ni, nj);
}
