/* SPDX-License-Identifier: MIT */
/*
 * The functions of g6.h as Fortran calls them: with a trailing underscore,
 * every argument by reference. They mean the same; C and C++ codes call them
 * too. A number that is passed as NULL counts as 0.
 *
 * The units are never read: some clients pass a double there.
 *
 * Threads: as g6.h.
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

KOSHU_API int g6calc_lasthalfn_(int *cluster, int *nj, int *ni, int index[],
                                double xi[][3], double vi[][3], double *eps2,
                                double h2[], double acc[][3], double jerk[][3],
                                double pot[]);
KOSHU_API int g6calc_lasthalf2n_(int *cluster, int *nj, int *ni, int index[],
                                 double xi[][3], double vi[][3], double *eps2,
                                 double h2[], double acc[][3], double jerk[][3],
                                 double pot[], int nnbindex[]);
KOSHU_API int g6calc_lasthalf2p_(int *cluster, int *nj, int *ni, int index[],
                                 double xi[][3], double vi[][3], double *eps2,
                                 double h2[], double acc[][3], double jerk[][3],
                                 double pot[], int nnbindex[], float rnnb[]);
KOSHU_API int g6calc_lasthalf2np_(int *cluster, int *nj, int *ni, int index[],
                                  double xi[][3], double vi[][3], double *eps2,
                                  double h2[], double acc[][3],
                                  double jerk[][3], double pot[],
                                  int nnbindex[], float rnnb[]);
KOSHU_API int g6_read_neighbour_list_old_(int *cluster);
KOSHU_API int g6_get_neighbour_list_sort_mode_(void);
KOSHU_API int g6_set_nip_(int *cluster, int *nip);
KOSHU_API int g6_set_njp_(int *cluster, int *njp);
KOSHU_API int
g6_set_i_particle_scales_from_real_value_(int *cluster, int *address,
                                          double acc[3], double jerk[3],
                                          double *phi, double *jfactor,
                                          double *ffactor);
KOSHU_API int g6_set_i_particle_(int *cluster, int *address, int *index,
                                 double x[3], double v[3], double *eps2,
                                 double *h2);
KOSHU_API int g6_get_force_(int *cluster, double acc[][3], double jerk[][3],
                            double phi[], int flag[]);
KOSHU_API int g6_get_force_etc_(int *cluster, double acc[][3], double jerk[][3],
                                double phi[], int nnbindex[], int flag[]);
KOSHU_API int g6_set_j_particle_mxonly_(int *cluster, int *address, int *index,
                                        double *mass, double x[3]);
KOSHU_API int g6_set_j_particle_multisend_mxfast_(int *cluster, int *nclusters,
                                                  int *address, int *index,
                                                  double *mass, double x[3]);
KOSHU_API int g6_flush_jp_buffer_and_multisend_(int *cluster, int *nclusters);
KOSHU_API int g6_getnjmax_(int *cluster);
KOSHU_API int g6_get_number_of_pipelines_(void);
KOSHU_API int g6_open_special2_(int *n, int list[], int *nmax);
KOSHU_API int g6_print_chip_status_(int *cluster);
KOSHU_API int g6_debugfunc_(int *number);
KOSHU_API int g6_debugfunc_double_(double *number);
KOSHU_API int
g6_dump_(double *time, int *n, double m[], double x[][3], double v[][3]);

#ifdef __cplusplus
}
#endif

#endif
