/* SPDX-License-Identifier: MIT */
/* The driver of Hamada07 Fig. 12: force() by the pipeline of Fig. 14, whose
 * file is named on the compiler's command line. */
#define NMAX 131072
#define IDIM (4)
#define JDIM (4)
#define FDIM (3)

#include <cunbody_api.h>

static double p_xj[NMAX][JDIM];
static double p_xi[NMAX][IDIM];

void force(double xj[][3], double mj[], double xi[][3], double eps2,
           double a[][3], int ni, int nj);

void
force(double xj[][3], double mj[], double xi[][3], double eps2, double a[][3],
      int ni, int nj)
{
    for (int i = 0; i < ni; i++) {
        for (int d = 0; d < 3; d++) p_xi[i][d] = xi[i][d];
        p_xi[i][3] = eps2;
    }
    for (int j = 0; j < nj; j++) {
        for (int d = 0; d < 3; d++) p_xj[j][d] = xj[j][d];
        p_xj[j][3] = mj[j];
    }
    cunbody_api(p_xj, p_xi, a, ni, nj);
}
