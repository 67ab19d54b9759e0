/* SPDX-License-Identifier: MIT */
/*
 * The functions of g6.h under the names of kirin, the GRAPE-6 library of
 * Belleman08 (appendix A): for each g6_ a GPU_, for each g6calc_ a GPUcalc_,
 * with the same arguments and the same meaning.
 *
 * Threads: as g6.h.
 */
#ifndef KOSHU_G6_GPU_H
#define KOSHU_G6_GPU_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

KOSHU_API int GPU_open(int cluster);
KOSHU_API int GPU_close(int cluster);
KOSHU_API int GPU_open_special(int n, int *list);
KOSHU_API int GPU_reset(int cluster);
KOSHU_API int GPU_reset_fofpga(int cluster);
KOSHU_API int GPU_reinitialize(int cluster);
KOSHU_API int GPU_npipes(void);
KOSHU_API int GPU_set_tunit(int unit);
KOSHU_API int GPU_set_xunit(int unit);
KOSHU_API int GPU_set_j_particle(int cluster, int address, int index, double tj,
                                 double dtj, double mass, double a2by18[3],
                                 double a1by6[3], double aby2[3], double v[3],
                                 double x[3]);
KOSHU_API int GPU_set_ti(int cluster, double ti);
KOSHU_API int GPU_setup_njdata(int cluster, int nj);
KOSHU_API int GPU_initialize_jp_buffer(int cluster, int size);
KOSHU_API int GPU_flush_jp_buffer(int cluster);
KOSHU_API int GPUcalc_firsthalf(int cluster, int nj, int ni, int index[],
                                double xi[][3], double vi[][3],
                                double aold[][3], double jold[][3],
                                double phiold[], double eps2, double h2[]);
KOSHU_API int GPUcalc_lasthalf(int cluster, int nj, int ni, int index[],
                               double xi[][3], double vi[][3], double eps2,
                               double h2[], double acc[][3], double jerk[][3],
                               double pot[]);
KOSHU_API int GPUcalc_lasthalf2(int cluster, int nj, int ni, int index[],
                                double xi[][3], double vi[][3], double eps2,
                                double h2[], double acc[][3], double jerk[][3],
                                double pot[], int nnbindex[]);
KOSHU_API int GPU_set_overflow_flag_test_mode(int aflag, int jflag, int pflag);
KOSHU_API int GPU_read_neighbour_list(int cluster);
KOSHU_API int GPU_get_neighbour_list(int cluster, int ipipe, int maxlen,
                                     int *nblen, int nbl[]);
KOSHU_API int GPU_set_neighbour_list_sort_mode(int mode);
KOSHU_API int GPUcalc_lasthalfn(int cluster, int nj, int ni, int index[],
                                double xi[][3], double vi[][3], double eps2,
                                double h2[], double acc[][3], double jerk[][3],
                                double pot[]);
KOSHU_API int GPUcalc_lasthalf2n(int cluster, int nj, int ni, int index[],
                                 double xi[][3], double vi[][3], double eps2,
                                 double h2[], double acc[][3], double jerk[][3],
                                 double pot[], int nnbindex[]);
KOSHU_API int GPUcalc_lasthalf2p(int cluster, int nj, int ni, int index[],
                                 double xi[][3], double vi[][3], double eps2,
                                 double h2[], double acc[][3], double jerk[][3],
                                 double pot[], int nnbindex[], float rnnb[]);
KOSHU_API int GPUcalc_lasthalf2np(int cluster, int nj, int ni, int index[],
                                  double xi[][3], double vi[][3], double eps2,
                                  double h2[], double acc[][3],
                                  double jerk[][3], double pot[],
                                  int nnbindex[], float rnnb[]);
KOSHU_API int GPU_read_neighbour_list_old(int cluster);
KOSHU_API int GPU_get_neighbour_list_sort_mode(void);
KOSHU_API int GPU_set_nip(int cluster, int nip);
KOSHU_API int GPU_set_njp(int cluster, int njp);
KOSHU_API int
GPU_set_i_particle_scales_from_real_value(int cluster, int address,
                                          double acc[3], double jerk[3],
                                          double phi, double jfactor,
                                          double ffactor);
KOSHU_API int GPU_set_i_particle(int cluster, int address, int index,
                                 double x[3], double v[3], double eps2,
                                 double h2);
KOSHU_API int GPU_get_force(int cluster, double acc[][3], double jerk[][3],
                            double phi[], int flag[]);
KOSHU_API int GPU_get_force_etc(int cluster, double acc[][3], double jerk[][3],
                                double phi[], int nnbindex[], int flag[]);
KOSHU_API int GPU_set_j_particle_mxonly(int cluster, int address, int index,
                                        double mass, double x[3]);
KOSHU_API int GPU_set_j_particle_multisend_mxfast(int cluster, int nclusters,
                                                  int address, int index,
                                                  double mass, double x[3]);
KOSHU_API int GPU_flush_jp_buffer_and_multisend(int cluster, int nclusters);
KOSHU_API int GPU_getnjmax(int cluster);
KOSHU_API int GPU_get_number_of_pipelines(void);
KOSHU_API int GPU_open_special2(int n, int list[], int nmax);
KOSHU_API int GPU_print_chip_status(int cluster);
KOSHU_API int GPU_debugfunc(int number);
KOSHU_API int GPU_debugfunc_double(double number);
KOSHU_API int
GPU_dump(double time, int n, double m[], double x[][3], double v[][3]);

#ifdef __cplusplus
}
#endif

#endif
