/* SPDX-License-Identifier: MIT */
#include <koshu-g6/fortran.h>

#include "compat/g6/functions.h"

KOSHU_G6_ENTRY int
g6_open_(int *cluster)
{
    return koshu_g6_open(*cluster);
}

KOSHU_G6_ENTRY int
g6_close_(int *cluster)
{
    return koshu_g6_close(*cluster);
}

KOSHU_G6_ENTRY int
g6_open_special_(int *n, int *list)
{
    return koshu_g6_open_special(*n, list);
}

KOSHU_G6_ENTRY int
g6_reset_(int *cluster)
{
    return koshu_g6_reset(*cluster);
}

KOSHU_G6_ENTRY int
g6_reset_fofpga_(int *cluster)
{
    return koshu_g6_reset_fofpga(*cluster);
}

KOSHU_G6_ENTRY int
g6_reinitialize_(int *cluster)
{
    return koshu_g6_reinitialize(*cluster);
}

KOSHU_G6_ENTRY int
g6_npipes_(void)
{
    return koshu_g6_npipes();
}

KOSHU_G6_ENTRY int
g6_set_tunit_(void *unit)
{
    (void)unit;
    return koshu_g6_set_tunit(0);
}

KOSHU_G6_ENTRY int
g6_set_xunit_(void *unit)
{
    (void)unit;
    return koshu_g6_set_xunit(0);
}

KOSHU_G6_ENTRY int
g6_set_j_particle_(int *cluster, int *address, int *index, double *tj,
                   double *dtj, double *mass, double a2by18[3], double a1by6[3],
                   double aby2[3], double v[3], double x[3])
{
    return koshu_g6_set_j_particle(*cluster, *address, *index, *tj, *dtj, *mass,
                                   a2by18, a1by6, aby2, v, x);
}

KOSHU_G6_ENTRY int
g6_set_ti_(int *cluster, double *ti)
{
    return koshu_g6_set_ti(*cluster, *ti);
}

KOSHU_G6_ENTRY int
g6_setup_njdata_(int *cluster, int *nj)
{
    return koshu_g6_setup_njdata(*cluster, *nj);
}

KOSHU_G6_ENTRY int
g6_initialize_jp_buffer_(int *cluster, int *size)
{
    return koshu_g6_initialize_jp_buffer(*cluster, *size);
}

KOSHU_G6_ENTRY int
g6_flush_jp_buffer_(int *cluster)
{
    return koshu_g6_flush_jp_buffer(*cluster);
}

KOSHU_G6_ENTRY int
g6calc_firsthalf_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                  double vi[][3], double aold[][3], double jold[][3],
                  double phiold[], double *eps2, double h2[])
{
    return koshu_g6calc_firsthalf(*cluster, *nj, *ni, index, xi, vi, aold, jold,
                                  phiold, *eps2, h2);
}

KOSHU_G6_ENTRY int
g6calc_lasthalf_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                 double vi[][3], double *eps2, double h2[], double acc[][3],
                 double jerk[][3], double pot[])
{
    return koshu_g6calc_lasthalf(*cluster, *nj, *ni, index, xi, vi, *eps2, h2,
                                 acc, jerk, pot);
}

KOSHU_G6_ENTRY int
g6calc_lasthalf2_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                  double vi[][3], double *eps2, double h2[], double acc[][3],
                  double jerk[][3], double pot[], int nnbindex[])
{
    return koshu_g6calc_lasthalf2(*cluster, *nj, *ni, index, xi, vi, *eps2, h2,
                                  acc, jerk, pot, nnbindex);
}

KOSHU_G6_ENTRY int
g6_set_overflow_flag_test_mode_(int *aflag, int *jflag, int *pflag)
{
    (void)aflag, (void)jflag, (void)pflag; /* some pass but one */
    return koshu_g6_set_overflow_flag_test_mode(0, 0, 0);
}

KOSHU_G6_ENTRY int
g6_read_neighbour_list_(int *cluster)
{
    return koshu_g6_read_neighbour_list(*cluster);
}

KOSHU_G6_ENTRY int
g6_get_neighbour_list_(int *cluster, int *ipipe, int *maxlen, int *nblen,
                       int nbl[])
{
    return koshu_g6_get_neighbour_list(*cluster, *ipipe, *maxlen, nblen, nbl);
}

KOSHU_G6_ENTRY int
g6_set_neighbour_list_sort_mode_(int *mode)
{
    return koshu_g6_set_neighbour_list_sort_mode(*mode);
}
