/* SPDX-License-Identifier: MIT */
/*
 * The functions of the library, X(NAME, PARAMETERS, ARGUMENTS): g6NAME in
 * koshu-g6/g6.h, GPUNAME in koshu-g6/gpu.h. Both, and those of fortran.h, call
 * koshu_g6NAME, which the linker does not export: a program may define any of
 * the public names itself, and call the others from there, without coming back
 * to its own.
 */
#ifndef KOSHU_COMPAT_G6_FUNCTIONS_H
#define KOSHU_COMPAT_G6_FUNCTIONS_H

#include <koshu/export.h>

/* clang-format off */
#define KOSHU_G6_FUNCTIONS(X)                                                \
    X(_open, (int cluster), (cluster))                                       \
    X(_close, (int cluster), (cluster))                                      \
    X(_open_special, (int n, int *list), (n, list))                          \
    X(_reset, (int cluster), (cluster))                                      \
    X(_reset_fofpga, (int cluster), (cluster))                               \
    X(_reinitialize, (int cluster), (cluster))                               \
    X(_npipes, (void), ())                                                   \
    X(_set_tunit, (int unit), (unit))                                        \
    X(_set_xunit, (int unit), (unit))                                        \
    X(_set_j_particle,                                                       \
      (int cluster, int address, int index, double tj, double dtj,           \
       double mass, double a2by18[3], double a1by6[3], double aby2[3],       \
       double v[3], double x[3]),                                            \
      (cluster, address, index, tj, dtj, mass, a2by18, a1by6, aby2, v, x))   \
    X(_set_ti, (int cluster, double ti), (cluster, ti))                      \
    X(_setup_njdata, (int cluster, int nj), (cluster, nj))                   \
    X(_initialize_jp_buffer, (int cluster, int size), (cluster, size))       \
    X(_flush_jp_buffer, (int cluster), (cluster))                            \
    X(calc_firsthalf,                                                        \
      (int cluster, int nj, int ni, int index[], double xi[][3],             \
       double vi[][3], double aold[][3], double jold[][3], double phiold[],  \
       double eps2, double h2[]),                                            \
      (cluster, nj, ni, index, xi, vi, aold, jold, phiold, eps2, h2))        \
    X(calc_lasthalf,                                                         \
      (int cluster, int nj, int ni, int index[], double xi[][3],             \
       double vi[][3], double eps2, double h2[], double acc[][3],            \
       double jerk[][3], double pot[]),                                      \
      (cluster, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot))            \
    X(calc_lasthalf2,                                                        \
      (int cluster, int nj, int ni, int index[], double xi[][3],             \
       double vi[][3], double eps2, double h2[], double acc[][3],            \
       double jerk[][3], double pot[], int nnbindex[]),                      \
      (cluster, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex))  \
    X(_set_overflow_flag_test_mode, (int aflag, int jflag, int pflag),       \
      (aflag, jflag, pflag))                                                 \
    X(_read_neighbour_list, (int cluster), (cluster))                        \
    X(_get_neighbour_list,                                                   \
      (int cluster, int ipipe, int maxlen, int *nblen, int nbl[]),           \
      (cluster, ipipe, maxlen, nblen, nbl))                                  \
    X(_set_neighbour_list_sort_mode, (int mode), (mode))                     \
    X(calc_lasthalfn, (int cluster, int nj, int ni, int index[], double      \
      xi[][3], double vi[][3], double eps2, double h2[], double acc[][3],    \
      double jerk[][3], double pot[]), (cluster, nj, ni, index, xi, vi,      \
      eps2, h2, acc, jerk, pot))                                             \
    X(calc_lasthalf2n, (int cluster, int nj, int ni, int index[], double     \
      xi[][3], double vi[][3], double eps2, double h2[], double acc[][3],    \
      double jerk[][3], double pot[], int nnbindex[]), (cluster, nj, ni,     \
      index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex))                    \
    X(calc_lasthalf2p, (int cluster, int nj, int ni, int index[], double     \
      xi[][3], double vi[][3], double eps2, double h2[], double acc[][3],    \
      double jerk[][3], double pot[], int nnbindex[], float rnnb[]),         \
      (cluster, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex,   \
      rnnb))                                                                 \
    X(calc_lasthalf2np, (int cluster, int nj, int ni, int index[], double    \
      xi[][3], double vi[][3], double eps2, double h2[], double acc[][3],    \
      double jerk[][3], double pot[], int nnbindex[], float rnnb[]),         \
      (cluster, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex,   \
      rnnb))                                                                 \
    X(_read_neighbour_list_old, (int cluster), (cluster))                    \
    X(_get_neighbour_list_sort_mode, (void), ())                             \
    X(_set_nip, (int cluster, int nip), (cluster, nip))                      \
    X(_set_njp, (int cluster, int njp), (cluster, njp))                      \
    X(_set_i_particle_scales_from_real_value, (int cluster, int address,     \
      double acc[3], double jerk[3], double phi, double jfactor, double      \
      ffactor), (cluster, address, acc, jerk, phi, jfactor, ffactor))        \
    X(_set_i_particle, (int cluster, int address, int index, double x[3],    \
      double v[3], double eps2, double h2), (cluster, address, index, x, v,  \
      eps2, h2))                                                             \
    X(_get_force, (int cluster, double acc[][3], double jerk[][3], double    \
      phi[], int flag[]), (cluster, acc, jerk, phi, flag))                   \
    X(_get_force_etc, (int cluster, double acc[][3], double jerk[][3],       \
      double phi[], int nnbindex[], int flag[]), (cluster, acc, jerk, phi,   \
      nnbindex, flag))                                                       \
    X(_set_j_particle_mxonly, (int cluster, int address, int index, double   \
      mass, double x[3]), (cluster, address, index, mass, x))                \
    X(_set_j_particle_multisend_mxfast, (int cluster, int nclusters, int     \
      address, int index, double mass, double x[3]), (cluster, nclusters,    \
      address, index, mass, x))                                              \
    X(_flush_jp_buffer_and_multisend, (int cluster, int nclusters),          \
      (cluster, nclusters))                                                  \
    X(_getnjmax, (int cluster), (cluster))                                   \
    X(_get_number_of_pipelines, (void), ())                                  \
    X(_open_special2, (int n, int list[], int nmax), (n, list, nmax))        \
    X(_print_chip_status, (int cluster), (cluster))                          \
    X(_debugfunc, (int number), (number))                                    \
    X(_debugfunc_double, (double number), (number))                          \
    X(_dump, (double time, int n, double m[], double x[][3], double          \
      v[][3]), (time, n, m, x, v))
/* clang-format on */

#define KOSHU_G6_DECLARE(name, parameters, arguments) \
    int koshu_g6##name parameters;
KOSHU_G6_FUNCTIONS(KOSHU_G6_DECLARE)
#undef KOSHU_G6_DECLARE

/*
 * An entry point. Weak, so that a program linked with the static library may
 * define some of the functions itself and take its neighbours in the same
 * object from here.
 */
#define KOSHU_G6_ENTRY KOSHU_API __attribute__((weak))

#endif
