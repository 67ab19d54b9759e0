/* SPDX-License-Identifier: MIT */
/*
 * The multiple-walk call of Hamada09 and Hamada10 (section 2.3 there): sums
 * over the interaction lists of many walks of a tree, in one call. It is for
 * programs written for it: names, types and order of the arguments are those of
 * the papers. New programs should call koshu_force_direct_sets()
 * (koshu/force.h).
 *
 *     for each walk w
 *         for each i in ioff[w] ... ioff[w + 1] - 1
 *             accp[i] = sum over the j in joff[w] ... joff[w + 1] - 1
 *
 *     a_i   =  sum_j m_j d / r^3,   d = x_j - x_i,  r^2 = d . d + eps_i^2
 *     pot_i = -sum_j m_j / r
 *
 * All arrays have four floats per particle, like CUDA's float4; a program that
 * calls the papers' force_nwalk can pass its arrays unchanged:
 *
 *     xi    x y z eps^2      xj    x y z mass      accp  ax ay az pot
 *
 * with G = 1: any consistent units. As in the papers no pair is left out: a
 * particle in its own list contributes -m / eps to its potential. A pair at
 * distance zero with eps = 0 contributes nothing.
 *
 * Arithmetic is that of KOSHU_PRECISION_SINGLE (koshu/force.h), with positions
 * taken as given (in units in which floats hold every m / r^3): a caller who
 * subtracts the centre of each walk's group before rounding keeps the digits of
 * close particles. Results do not depend on the number of threads.
 *
 * Threads: one thread at a time uses a context; threads may use different
 * contexts at the same time.
 */
#ifndef KOSHU_NWALK_H
#define KOSHU_NWALK_H

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Computes the accelerations and potentials of nwalk walks: the formulas above.
 * nwalk = 0 does nothing.
 * Shapes: ioff and joff have nwalk + 1 elements, begin with 0 and never
 *     decrease; xi and accp have 4 ioff[nwalk], xj has 4 joff[nwalk] elements.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a NULL array, nwalk < 0, offsets that
 *     violate this, an eps^2 that is negative or not finite;
 *     KOSHU_ERROR_UNSUPPORTED: the backend of the context has no such sums, or
 *     an acceleration or a potential is beyond the range of float;
 *     KOSHU_ERROR_NO_DEVICE: the backend has no device;
 *     KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 * Error: as KOSHU_PRECISION_SINGLE, tests/unit/solve/test_nwalk.
 * Source: Hamada09 and Hamada10 section 2.3.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_force_nwalk(
        struct koshu_context *context, const float *xi, const float *xj,
        float *accp, const int *ioff, const int *joff, int nwalk);

#ifdef __cplusplus
}
#endif

#endif
