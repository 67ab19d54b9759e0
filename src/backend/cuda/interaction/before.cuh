/* SPDX-License-Identifier: MIT */
/*
 * Compiled at run time, before the body of a kernel source: what it may use
 * (see struct koshu_interaction_source), and how results are put together. The
 * lines before this file define
 *
 *     KOSHU_REAL                          the precision's type
 *     KOSHU_IN_I, KOSHU_IN_J, KOSHU_OUT   numbers of a particle, of a result
 *     KOSHU_ROW                           reals from j-particle to j-particle
 *     KOSHU_KINDS                         of each output, KOSHU_PAIR_...
 *     KOSHU_KEYS                          of an index, the output whose
 *                                         smallest or largest value it is of;
 *                                         of the others, itself
 */
#define KOSHU_DEVICE static __device__ __forceinline__
#define KOSHU_HD KOSHU_DEVICE

#include "backend/cuda/pairs/estimate.cuh"

#define KOSHU_TYPED(name) name
#include "kernels/rsqrt.h"
#undef KOSHU_TYPED

namespace koshu {

using real = KOSHU_REAL;

/* fmin and fmax leave out what is not a number. */
KOSHU_DEVICE float
smaller(float a, float b)
{
    return fminf(a, b);
}

KOSHU_DEVICE double
smaller(double a, double b)
{
    return fmin(a, b);
}

KOSHU_DEVICE float
larger(float a, float b)
{
    return fmaxf(a, b);
}

KOSHU_DEVICE double
larger(double a, double b)
{
    return fmax(a, b);
}

/* j-particles come in their order: of several the first stays. */
KOSHU_DEVICE void
take(real *value, int *at, bool better, real e, int index)
{
    *value = better ? e : *value;
    *at = better ? index : *at;
}

/* ---- functions ----------------------------------------------------------- */

/*
 * Functions in single have names of their own: sqrtf. Those in double share
 * theirs with others in C++, and sqrt(2) could mean any of these: here, where
 * the body is, there is but one.
 */
namespace body {

#ifndef KOSHU_PRECISION_SINGLE

#define KOSHU_ONE(f)                \
    KOSHU_DEVICE double f(double x) \
    {                               \
        return ::f(x);              \
    }
#define KOSHU_TWO(f)                          \
    KOSHU_DEVICE double f(double x, double y) \
    {                                         \
        return ::f(x, y);                     \
    }
KOSHU_ONE(acos)
KOSHU_ONE(acosh)
KOSHU_ONE(asin)
KOSHU_ONE(asinh)
KOSHU_ONE(atan)
KOSHU_ONE(atanh)
KOSHU_ONE(cbrt)
KOSHU_ONE(ceil)
KOSHU_ONE(cos)
KOSHU_ONE(cosh)
KOSHU_ONE(erf)
KOSHU_ONE(erfc)
KOSHU_ONE(exp)
KOSHU_ONE(exp2)
KOSHU_ONE(expm1)
KOSHU_ONE(fabs)
KOSHU_ONE(floor)
KOSHU_ONE(lgamma)
KOSHU_ONE(log)
KOSHU_ONE(log10)
KOSHU_ONE(log1p)
KOSHU_ONE(log2)
KOSHU_ONE(rint)
KOSHU_ONE(round)
KOSHU_ONE(sin)
KOSHU_ONE(sinh)
KOSHU_ONE(sqrt)
KOSHU_ONE(tan)
KOSHU_ONE(tanh)
KOSHU_ONE(tgamma)
KOSHU_ONE(trunc)
KOSHU_TWO(atan2)
KOSHU_TWO(copysign)
KOSHU_TWO(fdim)
KOSHU_TWO(fmax)
KOSHU_TWO(fmin)
KOSHU_TWO(fmod)
KOSHU_TWO(hypot)
KOSHU_TWO(pow)
KOSHU_TWO(remainder)

KOSHU_DEVICE double
fma(double x, double y, double z)
{
    return ::fma(x, y, z);
}

/* Without a branch, as the built-in kernels have it. What the step makes
 * nothing of has its estimate: 0 and what is below the normal range infinity,
 * infinity 0, and what is negative is no number. */
KOSHU_DEVICE double
rsqrt(double x)
{
    const int exponent_of_least = 0x00100000, exponent_of_infinity = 0x7ff00000;
    const int high = __double2hiint(x);
    const double y = estimate(x);
    return high >= exponent_of_least && high < exponent_of_infinity
                   ? rsqrt_third_order(x, y)
                   : y;
}

#endif

/* The body follows, here; sum.cuh ends the namespaces. */

#define MIN(to, e) (to) = koshu::smaller(to, e)
#define MAX(to, e) (to) = koshu::larger(to, e)
#define MINLOC(to, at, e)                                            \
    do {                                                             \
        const koshu::real koshu_e = e;                               \
        koshu::take(&(to), &(at), koshu_e < (to), koshu_e, INDEX_J); \
    } while (0)
#define MAXLOC(to, at, e)                                            \
    do {                                                             \
        const koshu::real koshu_e = e;                               \
        koshu::take(&(to), &(at), koshu_e > (to), koshu_e, INDEX_J); \
    } while (0)

/* Both are the precision's type, and words of C++ are names in C. */
#ifdef KOSHU_PRECISION_SINGLE
#define double float
#else
#define float double
#endif
#define alignas alignas_
#define alignof alignof_
#define catch catch_
#define char16_t char16_t_
#define char32_t char32_t_
#define constexpr constexpr_
#define decltype decltype_
#define delete delete_
#define explicit explicit_
#define export export_
#define friend friend_
#define mutable mutable_
#define namespace namespace_
#define new new_
#define noexcept noexcept_
#define nullptr nullptr_
#define operator operator_
#define private private_
#define protected protected_
#define public public_
#define static_assert static_assert_
#define this this_
#define thread_local thread_local_
#define throw throw_
#define try try_
#define typeid typeid_
#define typename typename_
#define using using_
#define virtual virtual_
#define wchar_t wchar_t_
