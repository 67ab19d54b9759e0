/* SPDX-License-Identifier: MIT */
/* force() under its C++ name (Itanium C++ ABI): a C++ program that declares it
 * as the paper prints it, without extern "C", needs this symbol. */
#include "compat/cunbody/cunbody.h"

KOSHU_API void
koshu_cunbody_force_cxx(double xj[][3], double mj[], double xi[][3],
                        double eps2, double a[][3], int ni,
                        int nj) __asm__("_Z5forcePA3_dPdS0_dS0_ii");

__attribute__((weak)) void
koshu_cunbody_force_cxx(double xj[][3], double mj[], double xi[][3],
                        double eps2, double a[][3], int ni, int nj)
{
    koshu_cunbody_force(xj, mj, xi, eps2, a, ni, nj);
}
