/* SPDX-License-Identifier: MIT */
/* cunbody_api() from C++, with the pipeline named by the environment. */
#include <cmath>
#include <iostream>

#define IDIM 4
#define JDIM 4
#define FDIM 3
#include <cunbody_api.h>

int
main()
{
    double xj[][JDIM] = {{0, 0, 0, 1}, {1, 0, 0, 2}};
    double xi[][IDIM] = {{0, 0, 0, 3}};
    double f[2][FDIM] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    if (cunbody_api(xj, xi, f, 1, 2) == 0 && std::fabs(f[0][0] - 0.25) < 1e-6 &&
        f[0][1] == 0 && f[0][2] == 0 && std::isnan(f[1][0]))
        std::cout << "all is well\n";
}
