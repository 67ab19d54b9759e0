/* SPDX-License-Identifier: MIT */
/*
 * The GRAPE-6 library: forces of j-particles in a store on i-particles that
 * come and go, for the Hermite scheme with block time steps. libkoshu-g6 has
 * the calls of the boards' own library (J. Makino, GRAPE-6 user's guide), so
 * that a code written for them links with it as it is; see docs/g6.md.
 *
 * This header is for new code: an old one brings prototypes of its own, and
 * these fit all that are known. Here every function returns an int, where
 * some prototypes say void. fortran.h has the same for Fortran, gpu.h under
 * the names of Belleman08.
 *
 * G = 1. With the predicted position and velocity of j-particle j at time t,
 * r = x_j - x_i, w = v_j - v_i and s^2 = r^2 + eps^2,
 *
 *     acc  =  sum_j m_j r / s^3
 *     jerk =  sum_j m_j (w / s^3 - 3 (r . w) r / s^5)
 *     pot  = -sum_j m_j / s
 *
 * A cluster was a set of boards; here it is a store, a backend and threads of
 * its own. Clusters are numbered modulo their count (KOSHU_G6_CLUSTERS, 1), so
 * that any integer will do.
 *
 * Threads: one thread at a time uses a cluster; threads may use different
 * clusters at the same time. Opening and closing are for any thread.
 *
 * Results: 0 done, -1 failed, where nothing else is stated. A failure is also
 * one line of text, printed to stderr or given to koshu_g6_set_handler(); the
 * arrays of a g6calc_lasthalf() that failed hold NaN.
 */
#ifndef KOSHU_G6_G6_H
#define KOSHU_G6_G6_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- opening and closing ------------------------------------------------ */

/*
 * Takes a cluster; nothing happens where it is taken already. The other calls
 * open what they find closed. The environment (docs/g6.md) is read when no
 * cluster is open.
 */
KOSHU_API int g6_open(int cluster);

/* Gives it back, with all that is in its store. */
KOSHU_API int g6_close(int cluster);

/* Opens the n clusters of the list; where n < 1, cluster 0. */
KOSHU_API int g6_open_special(int n, int *list);

/* The same; nmax is not used: the store grows. */
KOSHU_API int g6_open_special2(int n, int list[], int nmax);

/* Drop sums that were started, and neighbour lists. j-particles stay. */
KOSHU_API int g6_reset(int cluster);
KOSHU_API int g6_reset_fofpga(int cluster);
KOSHU_API int g6_reinitialize(int cluster);

/* How many i-particles a client had better send at once: KOSHU_G6_NPIPES, 48.
 * Any number is accepted. */
KOSHU_API int g6_npipes(void);
KOSHU_API int g6_get_number_of_pipelines(void);

/* Units of the boards' fixed-point numbers; without meaning here. */
KOSHU_API int g6_set_tunit(int unit);
KOSHU_API int g6_set_xunit(int unit);

/* ---- j-particles -------------------------------------------------------- */

/*
 * Puts a j-particle at the address (0, 1, ...; the store grows),
 * from the next g6calc_firsthalf() on. index is the caller's own number of the
 * particle, any integer. With dt = t - tj it will be predicted to
 *
 *     x + v dt + aby2 dt^2 + a1by6 dt^3 + 3/4 a2by18 dt^4
 *     v + 2 aby2 dt + 3 a1by6 dt^2 + 3 a2by18 dt^3
 *
 * so that aby2 is acc / 2, a1by6 jerk / 6, a2by18 the snap / 18 (or 0). dtj
 * is not used.
 */
KOSHU_API int g6_set_j_particle(int cluster, int address, int index, double tj,
                                double dtj, double mass, double a2by18[3],
                                double a1by6[3], double aby2[3], double v[3],
                                double x[3]);

/* The time to predict to, from the next g6calc_firsthalf() on. */
KOSHU_API int g6_set_ti(int cluster, double ti);

/* nj addresses will be used: allocates memory for them at once. */
KOSHU_API int g6_setup_njdata(int cluster, int nj);

/* j-particles are always collected, and sent when a sum needs them. */
KOSHU_API int g6_initialize_jp_buffer(int cluster, int size);
KOSHU_API int g6_flush_jp_buffer(int cluster);
KOSHU_API int g6_flush_jp_buffer_and_multisend(int cluster, int nclusters);

/* Mass and position alone, at rest at time 0. In the second, nclusters is not
 * used. */
KOSHU_API int g6_set_j_particle_mxonly(int cluster, int address, int index,
                                       double mass, double x[3]);
KOSHU_API int g6_set_j_particle_multisend_mxfast(int cluster, int nclusters,
                                                 int address, int index,
                                                 double mass, double x[3]);

/* A number of j-particles that may be set: 2^24. More are accepted. */
KOSHU_API int g6_getnjmax(int cluster);

/* ---- sums ---------------------------------------------------------------- */

/*
 * Starts the sums of the j-particles at addresses 0 ... nj - 1 on ni
 * i-particles, and returns while they run. A pair of the same index is left
 * out. h2 may be NULL without neighbour lists. What acc, jerk
 * and phi were before is not read.
 */
KOSHU_API int g6calc_firsthalf(int cluster, int nj, int ni, int index[],
                               double xi[][3], double vi[][3], double aold[][3],
                               double jold[][3], double phiold[], double eps2,
                               double h2[]);

/*
 * Waits for them and writes ni results. acc and jerk may be the same array.
 * Without a g6calc_firsthalf() of the same nj, ni and eps2 before it, starts
 * the sums itself.
 */
KOSHU_API int g6calc_lasthalf(int cluster, int nj, int ni, int index[],
                              double xi[][3], double vi[][3], double eps2,
                              double h2[], double acc[][3], double jerk[][3],
                              double pot[]);

/* And nnbindex: index of the nearest other j-particle; -1 where there is
 * none. */
KOSHU_API int g6calc_lasthalf2(int cluster, int nj, int ni, int index[],
                               double xi[][3], double vi[][3], double eps2,
                               double h2[], double acc[][3], double jerk[][3],
                               double pot[], int nnbindex[]);

/*
 * As g6calc_lasthalf() and g6calc_lasthalf2(); a g6_read_neighbour_list()
 * follows. Lists are of any of them here. 2p and 2np: and rnnb, the distance of
 * the nearest, without softening; infinite where there is none.
 */
KOSHU_API int g6calc_lasthalfn(int cluster, int nj, int ni, int index[],
                               double xi[][3], double vi[][3], double eps2,
                               double h2[], double acc[][3], double jerk[][3],
                               double pot[]);
KOSHU_API int g6calc_lasthalf2n(int cluster, int nj, int ni, int index[],
                                double xi[][3], double vi[][3], double eps2,
                                double h2[], double acc[][3], double jerk[][3],
                                double pot[], int nnbindex[]);
KOSHU_API int g6calc_lasthalf2p(int cluster, int nj, int ni, int index[],
                                double xi[][3], double vi[][3], double eps2,
                                double h2[], double acc[][3], double jerk[][3],
                                double pot[], int nnbindex[], float rnnb[]);
KOSHU_API int g6calc_lasthalf2np(int cluster, int nj, int ni, int index[],
                                 double xi[][3], double vi[][3], double eps2,
                                 double h2[], double acc[][3], double jerk[][3],
                                 double pot[], int nnbindex[], float rnnb[]);

/*
 * The same sums in the boards' own steps: numbers of i- and j-particles, each
 * i-particle (address 0, 1, ...; all with the same eps2), then results; flag
 * gets zeros, as there is no overflow. Scales do nothing.
 */
KOSHU_API int g6_set_nip(int cluster, int nip);
KOSHU_API int g6_set_njp(int cluster, int njp);
KOSHU_API int
g6_set_i_particle_scales_from_real_value(int cluster, int address,
                                         double acc[3], double jerk[3],
                                         double phi, double jfactor,
                                         double ffactor);
KOSHU_API int g6_set_i_particle(int cluster, int address, int index,
                                double x[3], double v[3], double eps2,
                                double h2);
KOSHU_API int g6_get_force(int cluster, double acc[][3], double jerk[][3],
                           double phi[], int flag[]);
KOSHU_API int g6_get_force_etc(int cluster, double acc[][3], double jerk[][3],
                               double phi[], int nnbindex[], int flag[]);

/* Not used: there is no fixed-point overflow. */
KOSHU_API int g6_set_overflow_flag_test_mode(int aflag, int jflag, int pflag);

/* ---- neighbour lists ----------------------------------------------------- */

/*
 * Finds the neighbours of each i-particle of the last sums: the other
 * j-particles within r^2 <= h2, without softening. 1: more than the memory of
 * the machine can hold; take a smaller h2.
 */
KOSHU_API int g6_read_neighbour_list(int cluster);
KOSHU_API int g6_read_neighbour_list_old(int cluster);

/*
 * Writes the indices of the neighbours of i-particle ipipe (0 ... ni - 1), and
 * their number to *nblen. 1: there are more than maxlen; then *nblen is
 * maxlen, and as many are written.
 */
KOSHU_API int g6_get_neighbour_list(int cluster, int ipipe, int maxlen,
                                    int *nblen, int nbl[]);

/* 0 (at first): lists come in the order of addresses; else, of indices. */
KOSHU_API int g6_set_neighbour_list_sort_mode(int mode);
KOSHU_API int g6_get_neighbour_list_sort_mode(void);

/* ---- messages ------------------------------------------------------------ */

/* Gives the message that says what the cluster runs on. */
KOSHU_API int g6_print_chip_status(int cluster);

/* Give a message with the number. */
KOSHU_API int g6_debugfunc(int number);
KOSHU_API int g6_debugfunc_double(double number);

/* Writes n particles, a line each (mass, position, velocity), to the file
 * dump.dat.NNNNN in the current directory, NNNNN the whole part of the time;
 * one that is there is replaced. */
KOSHU_API int
g6_dump(double time, int n, double m[], double x[][3], double v[][3]);

/* Receives one line, without a newline: a failure, or a warning. May be called
 * by any thread that calls the library. */
typedef void koshu_g6_handler(void *user, const char *line);

/*
 * Where messages go from now on. NULL: to stderr, as at first, but not the
 * same line twice in a row. Those who want a program that ends at the first
 * failure end it in the handler.
 */
KOSHU_API void koshu_g6_set_handler(koshu_g6_handler *handler, void *user);

#ifdef __cplusplus
}
#endif

#endif
