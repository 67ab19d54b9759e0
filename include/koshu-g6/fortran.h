/* SPDX-License-Identifier: MIT */
/*
 * The functions of g6.h as Fortran calls them: with a trailing underscore,
 * every argument by reference. They mean the same; C and C++ codes call them
 * too.
 *
 * The units are never read: some clients pass a double there.
 */
#ifndef KOSHU_G6_FORTRAN_H
#define KOSHU_G6_FORTRAN_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

KOSHU_API int g6_open_(int *cluster);
KOSHU_API int g6_close_(int *cluster);
KOSHU_API int g6_open_special_(int *n, int *list);
KOSHU_API int g6_reset_(int *cluster);
KOSHU_API int g6_reset_fofpga_(int *cluster);
KOSHU_API int g6_reinitialize_(int *cluster);
KOSHU_API int g6_npipes_(void);
KOSHU_API int g6_set_tunit_(void *unit);
KOSHU_API int g6_set_xunit_(void *unit);

KOSHU_API int g6_set_j_particle_(int *cluster, int *address, int *index,
                                 double *tj, double *dtj, double *mass,
                                 double a2by18[3], double a1by6[3],
                                 double aby2[3], double v[3], double x[3]);
KOSHU_API int g6_set_ti_(int *cluster, double *ti);
KOSHU_API int g6_setup_njdata_(int *cluster, int *nj);
KOSHU_API int g6_initialize_jp_buffer_(int *cluster, int *size);
KOSHU_API int g6_flush_jp_buffer_(int *cluster);

KOSHU_API int g6calc_firsthalf_(int *cluster, int *nj, int *ni, int index[],
                                double xi[][3], double vi[][3],
                                double aold[][3], double jold[][3],
                                double phiold[], double *eps2, double h2[]);
KOSHU_API int g6calc_lasthalf_(int *cluster, int *nj, int *ni, int index[],
                               double xi[][3], double vi[][3], double *eps2,
                               double h2[], double acc[][3], double jerk[][3],
                               double pot[]);
KOSHU_API int g6calc_lasthalf2_(int *cluster, int *nj, int *ni, int index[],
                                double xi[][3], double vi[][3], double *eps2,
                                double h2[], double acc[][3], double jerk[][3],
                                double pot[], int nnbindex[]);
KOSHU_API int
g6_set_overflow_flag_test_mode_(int *aflag, int *jflag, int *pflag);

KOSHU_API int g6_read_neighbour_list_(int *cluster);
KOSHU_API int g6_get_neighbour_list_(int *cluster, int *ipipe, int *maxlen,
                                     int *nblen, int nbl[]);
KOSHU_API int g6_set_neighbour_list_sort_mode_(int *mode);

#ifdef __cplusplus
}
#endif

#endif
