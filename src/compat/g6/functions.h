/* SPDX-License-Identifier: MIT */
/*
 * The functions of the library, X(NAME, PARAMETERS, ARGUMENTS): g6NAME in
 * koshu-g6/g6.h, GPUNAME in koshu-g6/gpu.h. Both, and those of fortran.h, call
 * koshu_g6NAME, which the linker shows to nobody: a program may define any of
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
    X(_set_neighbour_list_sort_mode, (int mode), (mode))
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
