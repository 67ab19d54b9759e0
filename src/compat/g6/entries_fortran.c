/* SPDX-License-Identifier: MIT */
#include <koshu-g6/fortran.h>

#include "compat/g6/functions.h"

/* What is passed by reference: NULL counts as 0. */
#define INT(argument) ((argument) ? *(argument) : 0)
#define REAL(argument) ((argument) ? *(argument) : 0.0)

KOSHU_G6_ENTRY int
g6_open_(int *cluster)
{
    return koshu_g6_open(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_close_(int *cluster)
{
    return koshu_g6_close(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_open_special_(int *n, int *list)
{
    return koshu_g6_open_special(INT(n), list);
}

KOSHU_G6_ENTRY int
g6_reset_(int *cluster)
{
    return koshu_g6_reset(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_reset_fofpga_(int *cluster)
{
    return koshu_g6_reset_fofpga(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_reinitialize_(int *cluster)
{
    return koshu_g6_reinitialize(INT(cluster));
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
    return koshu_g6_set_j_particle(INT(cluster), INT(address), INT(index),
                                   REAL(tj), REAL(dtj), REAL(mass), a2by18,
                                   a1by6, aby2, v, x);
}

KOSHU_G6_ENTRY int
g6_set_ti_(int *cluster, double *ti)
{
    return koshu_g6_set_ti(INT(cluster), REAL(ti));
}

KOSHU_G6_ENTRY int
g6_setup_njdata_(int *cluster, int *nj)
{
    return koshu_g6_setup_njdata(INT(cluster), INT(nj));
}

KOSHU_G6_ENTRY int
g6_initialize_jp_buffer_(int *cluster, int *size)
{
    return koshu_g6_initialize_jp_buffer(INT(cluster), INT(size));
}

KOSHU_G6_ENTRY int
g6_flush_jp_buffer_(int *cluster)
{
    return koshu_g6_flush_jp_buffer(INT(cluster));
}

KOSHU_G6_ENTRY int
g6calc_firsthalf_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                  double vi[][3], double aold[][3], double jold[][3],
                  double phiold[], double *eps2, double h2[])
{
    return koshu_g6calc_firsthalf(INT(cluster), INT(nj), INT(ni), index, xi, vi,
                                  aold, jold, phiold, REAL(eps2), h2);
}

KOSHU_G6_ENTRY int
g6calc_lasthalf_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                 double vi[][3], double *eps2, double h2[], double acc[][3],
                 double jerk[][3], double pot[])
{
    return koshu_g6calc_lasthalf(INT(cluster), INT(nj), INT(ni), index, xi, vi,
                                 REAL(eps2), h2, acc, jerk, pot);
}

KOSHU_G6_ENTRY int
g6calc_lasthalf2_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                  double vi[][3], double *eps2, double h2[], double acc[][3],
                  double jerk[][3], double pot[], int nnbindex[])
{
    return koshu_g6calc_lasthalf2(INT(cluster), INT(nj), INT(ni), index, xi, vi,
                                  REAL(eps2), h2, acc, jerk, pot, nnbindex);
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
    return koshu_g6_read_neighbour_list(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_get_neighbour_list_(int *cluster, int *ipipe, int *maxlen, int *nblen,
                       int nbl[])
{
    return koshu_g6_get_neighbour_list(INT(cluster), INT(ipipe), INT(maxlen),
                                       nblen, nbl);
}

KOSHU_G6_ENTRY int
g6_set_neighbour_list_sort_mode_(int *mode)
{
    return koshu_g6_set_neighbour_list_sort_mode(INT(mode));
}

KOSHU_G6_ENTRY int
g6calc_lasthalfn_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                  double vi[][3], double *eps2, double h2[], double acc[][3],
                  double jerk[][3], double pot[])
{
    return koshu_g6calc_lasthalfn(INT(cluster), INT(nj), INT(ni), index, xi, vi,
                                  REAL(eps2), h2, acc, jerk, pot);
}

KOSHU_G6_ENTRY int
g6calc_lasthalf2n_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                   double vi[][3], double *eps2, double h2[], double acc[][3],
                   double jerk[][3], double pot[], int nnbindex[])
{
    return koshu_g6calc_lasthalf2n(INT(cluster), INT(nj), INT(ni), index, xi,
                                   vi, REAL(eps2), h2, acc, jerk, pot,
                                   nnbindex);
}

KOSHU_G6_ENTRY int
g6calc_lasthalf2p_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                   double vi[][3], double *eps2, double h2[], double acc[][3],
                   double jerk[][3], double pot[], int nnbindex[], float rnnb[])
{
    return koshu_g6calc_lasthalf2p(INT(cluster), INT(nj), INT(ni), index, xi,
                                   vi, REAL(eps2), h2, acc, jerk, pot, nnbindex,
                                   rnnb);
}

KOSHU_G6_ENTRY int
g6calc_lasthalf2np_(int *cluster, int *nj, int *ni, int index[], double xi[][3],
                    double vi[][3], double *eps2, double h2[], double acc[][3],
                    double jerk[][3], double pot[], int nnbindex[],
                    float rnnb[])
{
    return koshu_g6calc_lasthalf2np(INT(cluster), INT(nj), INT(ni), index, xi,
                                    vi, REAL(eps2), h2, acc, jerk, pot,
                                    nnbindex, rnnb);
}

KOSHU_G6_ENTRY int
g6_read_neighbour_list_old_(int *cluster)
{
    return koshu_g6_read_neighbour_list_old(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_get_neighbour_list_sort_mode_(void)
{
    return koshu_g6_get_neighbour_list_sort_mode();
}

KOSHU_G6_ENTRY int
g6_set_nip_(int *cluster, int *nip)
{
    return koshu_g6_set_nip(INT(cluster), INT(nip));
}

KOSHU_G6_ENTRY int
g6_set_njp_(int *cluster, int *njp)
{
    return koshu_g6_set_njp(INT(cluster), INT(njp));
}

KOSHU_G6_ENTRY int
g6_set_i_particle_scales_from_real_value_(int *cluster, int *address,
                                          double acc[3], double jerk[3],
                                          double *phi, double *jfactor,
                                          double *ffactor)
{
    return koshu_g6_set_i_particle_scales_from_real_value(
            INT(cluster), INT(address), acc, jerk, REAL(phi), REAL(jfactor),
            REAL(ffactor));
}

KOSHU_G6_ENTRY int
g6_set_i_particle_(int *cluster, int *address, int *index, double x[3],
                   double v[3], double *eps2, double *h2)
{
    return koshu_g6_set_i_particle(INT(cluster), INT(address), INT(index), x, v,
                                   REAL(eps2), REAL(h2));
}

KOSHU_G6_ENTRY int
g6_get_force_(int *cluster, double acc[][3], double jerk[][3], double phi[],
              int flag[])
{
    return koshu_g6_get_force(INT(cluster), acc, jerk, phi, flag);
}

KOSHU_G6_ENTRY int
g6_get_force_etc_(int *cluster, double acc[][3], double jerk[][3], double phi[],
                  int nnbindex[], int flag[])
{
    return koshu_g6_get_force_etc(INT(cluster), acc, jerk, phi, nnbindex, flag);
}

KOSHU_G6_ENTRY int
g6_set_j_particle_mxonly_(int *cluster, int *address, int *index, double *mass,
                          double x[3])
{
    return koshu_g6_set_j_particle_mxonly(INT(cluster), INT(address),
                                          INT(index), REAL(mass), x);
}

KOSHU_G6_ENTRY int
g6_set_j_particle_multisend_mxfast_(int *cluster, int *nclusters, int *address,
                                    int *index, double *mass, double x[3])
{
    return koshu_g6_set_j_particle_multisend_mxfast(
            INT(cluster), INT(nclusters), INT(address), INT(index), REAL(mass),
            x);
}

KOSHU_G6_ENTRY int
g6_flush_jp_buffer_and_multisend_(int *cluster, int *nclusters)
{
    return koshu_g6_flush_jp_buffer_and_multisend(INT(cluster), INT(nclusters));
}

KOSHU_G6_ENTRY int
g6_getnjmax_(int *cluster)
{
    return koshu_g6_getnjmax(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_get_number_of_pipelines_(void)
{
    return koshu_g6_get_number_of_pipelines();
}

KOSHU_G6_ENTRY int
g6_open_special2_(int *n, int list[], int *nmax)
{
    return koshu_g6_open_special2(INT(n), list, INT(nmax));
}

KOSHU_G6_ENTRY int
g6_print_chip_status_(int *cluster)
{
    return koshu_g6_print_chip_status(INT(cluster));
}

KOSHU_G6_ENTRY int
g6_debugfunc_(int *number)
{
    return koshu_g6_debugfunc(INT(number));
}

KOSHU_G6_ENTRY int
g6_debugfunc_double_(double *number)
{
    return koshu_g6_debugfunc_double(REAL(number));
}

KOSHU_G6_ENTRY int
g6_dump_(double *time, int *n, double m[], double x[][3], double v[][3])
{
    return koshu_g6_dump(REAL(time), INT(n), m, x, v);
}
