/* SPDX-License-Identifier: MIT */
/*
 * The functions of the library, X(NAME, ARGUMENT, ...): g6NAME in
 * koshu-g6/g6.h, GPUNAME in koshu-g6/gpu.h, g6NAME_ in koshu-g6/fortran.h. All
 * call koshu_g6NAME, which the linker does not export. So a program may define
 * any of the public names itself and call the others from there, and these
 * never call back into its own.
 */
#ifndef KOSHU_COMPAT_G6_FUNCTIONS_H
#define KOSHU_COMPAT_G6_FUNCTIONS_H

#include <koshu/export.h>

/* ---- arguments ----------------------------------------------------------- */

/*
 * Each is (C declaration, Fortran declaration, what C passes on, what Fortran
 * passes on). Fortran passes numbers by reference, and NULL counts as 0; arrays
 * are the same for both.
 */
#define INT(n) (int n, int *n, n, (n) ? *(n) : 0)
#define REAL(n) (double n, double *n, n, (n) ? *(n) : 0.0)
#define ARRAY(declared, n) (declared, declared, n, n)
#define INTS(n) ARRAY(int n[], n)
#define FLOATS(n) ARRAY(float n[], n)
#define REALS(n) ARRAY(double n[], n)
#define VECTOR(n) ARRAY(double n[3], n)
#define VECTORS(n) ARRAY(double n[][3], n)
#define NOTHING (void, void, , )
/* Never read: some programs pass fewer flags, or a double for a unit. */
#define SKIPPED(n) (int n, int *n, n, ((void)(n), 0))
#define ANYTHING(n) (int n, void *n, n, ((void)(n), 0))

#define C_DECLARES(c, fortran, from_c, from_fortran) c
#define FORTRAN_DECLARES(c, fortran, from_c, from_fortran) fortran
#define C_PASSES(c, fortran, from_c, from_fortran) from_c
#define FORTRAN_PASSES(c, fortran, from_c, from_fortran) from_fortran

/* take(ARGUMENT), ...: applies one of the above to each argument. */
/* clang-format off */
#define EACH(take, ...)                                                      \
    EACH_OF(__VA_ARGS__, EACH_13, EACH_12, EACH_11, EACH_10, EACH_9, EACH_8, \
            EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, )        \
    (take, __VA_ARGS__)
#define EACH_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, each, ...) each
#define EACH_1(take, a) take a
#define EACH_2(take, a, ...) take a, EACH_1(take, __VA_ARGS__)
#define EACH_3(take, a, ...) take a, EACH_2(take, __VA_ARGS__)
#define EACH_4(take, a, ...) take a, EACH_3(take, __VA_ARGS__)
#define EACH_5(take, a, ...) take a, EACH_4(take, __VA_ARGS__)
#define EACH_6(take, a, ...) take a, EACH_5(take, __VA_ARGS__)
#define EACH_7(take, a, ...) take a, EACH_6(take, __VA_ARGS__)
#define EACH_8(take, a, ...) take a, EACH_7(take, __VA_ARGS__)
#define EACH_9(take, a, ...) take a, EACH_8(take, __VA_ARGS__)
#define EACH_10(take, a, ...) take a, EACH_9(take, __VA_ARGS__)
#define EACH_11(take, a, ...) take a, EACH_10(take, __VA_ARGS__)
#define EACH_12(take, a, ...) take a, EACH_11(take, __VA_ARGS__)
#define EACH_13(take, a, ...) take a, EACH_12(take, __VA_ARGS__)

/* ---- functions ----------------------------------------------------------- */

#define LAST_HALF                                                            \
    INT(cluster), INT(nj), INT(ni), INTS(index), VECTORS(xi), VECTORS(vi),   \
    REAL(eps2), REALS(h2), VECTORS(acc), VECTORS(jerk), REALS(pot)

#define KOSHU_G6_FUNCTIONS(X)                                                \
    X(_open, INT(cluster))                                                   \
    X(_close, INT(cluster))                                                  \
    X(_open_special, INT(n), INTS(list))                                     \
    X(_reset, INT(cluster))                                                  \
    X(_reset_fofpga, INT(cluster))                                           \
    X(_reinitialize, INT(cluster))                                           \
    X(_npipes, NOTHING)                                                      \
    X(_set_tunit, ANYTHING(unit))                                            \
    X(_set_xunit, ANYTHING(unit))                                            \
    X(_set_j_particle, INT(cluster), INT(address), INT(index), REAL(tj),     \
      REAL(dtj), REAL(mass), VECTOR(a2by18), VECTOR(a1by6), VECTOR(aby2),    \
      VECTOR(v), VECTOR(x))                                                  \
    X(_set_ti, INT(cluster), REAL(ti))                                       \
    X(_setup_njdata, INT(cluster), INT(nj))                                  \
    X(_initialize_jp_buffer, INT(cluster), INT(size))                        \
    X(_flush_jp_buffer, INT(cluster))                                        \
    X(calc_firsthalf, INT(cluster), INT(nj), INT(ni), INTS(index),           \
      VECTORS(xi), VECTORS(vi), VECTORS(aold), VECTORS(jold), REALS(phiold), \
      REAL(eps2), REALS(h2))                                                 \
    X(calc_lasthalf, LAST_HALF)                                              \
    X(calc_lasthalf2, LAST_HALF, INTS(nnbindex))                             \
    X(_set_overflow_flag_test_mode, SKIPPED(aflag), SKIPPED(jflag),          \
      SKIPPED(pflag))                                                        \
    X(_read_neighbour_list, INT(cluster))                                    \
    X(_get_neighbour_list, INT(cluster), INT(ipipe), INT(maxlen),            \
      INTS(nblen), INTS(nbl))                                                \
    X(_set_neighbour_list_sort_mode, INT(mode))                              \
    X(calc_lasthalfn, LAST_HALF)                                             \
    X(calc_lasthalf2n, LAST_HALF, INTS(nnbindex))                            \
    X(calc_lasthalf2p, LAST_HALF, INTS(nnbindex), FLOATS(rnnb))              \
    X(calc_lasthalf2np, LAST_HALF, INTS(nnbindex), FLOATS(rnnb))             \
    X(_read_neighbour_list_old, INT(cluster))                                \
    X(_get_neighbour_list_sort_mode, NOTHING)                                \
    X(_set_nip, INT(cluster), INT(nip))                                      \
    X(_set_njp, INT(cluster), INT(njp))                                      \
    X(_set_i_particle_scales_from_real_value, INT(cluster), INT(address),    \
      VECTOR(acc), VECTOR(jerk), REAL(phi), REAL(jfactor), REAL(ffactor))    \
    X(_set_i_particle, INT(cluster), INT(address), INT(index), VECTOR(x),    \
      VECTOR(v), REAL(eps2), REAL(h2))                                       \
    X(_get_force, INT(cluster), VECTORS(acc), VECTORS(jerk), REALS(phi),     \
      INTS(flag))                                                            \
    X(_get_force_etc, INT(cluster), VECTORS(acc), VECTORS(jerk), REALS(phi), \
      INTS(nnbindex), INTS(flag))                                            \
    X(_set_j_particle_mxonly, INT(cluster), INT(address), INT(index),        \
      REAL(mass), VECTOR(x))                                                 \
    X(_set_j_particle_multisend_mxfast, INT(cluster), INT(nclusters),        \
      INT(address), INT(index), REAL(mass), VECTOR(x))                       \
    X(_flush_jp_buffer_and_multisend, INT(cluster), INT(nclusters))          \
    X(_getnjmax, INT(cluster))                                               \
    X(_get_number_of_pipelines, NOTHING)                                     \
    X(_open_special2, INT(n), INTS(list), INT(nmax))                         \
    X(_print_chip_status, INT(cluster))                                      \
    X(_debugfunc, INT(number))                                               \
    X(_debugfunc_double, REAL(number))                                       \
    X(_dump, REAL(time), INT(n), REALS(m), VECTORS(x), VECTORS(v))
/* clang-format on */

/* Functions that are the same as another. */
#define koshu_g6_reset_fofpga koshu_g6_reset
#define koshu_g6_reinitialize koshu_g6_reset
#define koshu_g6_set_xunit koshu_g6_set_tunit
#define koshu_g6_flush_jp_buffer koshu_g6_open
#define koshu_g6_flush_jp_buffer_and_multisend koshu_g6_initialize_jp_buffer
/* Neighbour lists are only made when they are read. */
#define koshu_g6calc_lasthalfn koshu_g6calc_lasthalf
#define koshu_g6calc_lasthalf2n koshu_g6calc_lasthalf2
#define koshu_g6calc_lasthalf2np koshu_g6calc_lasthalf2p
#define koshu_g6_read_neighbour_list_old koshu_g6_read_neighbour_list
#define koshu_g6_get_number_of_pipelines koshu_g6_npipes

#define KOSHU_G6_DECLARE(name, ...) \
    int koshu_g6##name(EACH(C_DECLARES, __VA_ARGS__));
KOSHU_G6_FUNCTIONS(KOSHU_G6_DECLARE)
#undef KOSHU_G6_DECLARE

/*
 * An entry point. Weak, so that a program linked with the static library may
 * define some of the functions itself and use others from the same object file.
 */
#define KOSHU_G6_ENTRY KOSHU_API __attribute__((weak))

#endif
