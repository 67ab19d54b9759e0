/* SPDX-License-Identifier: MIT */
/*
 * Compiled at run time, before the body of a kernel source: what the body may
 * use (see struct koshu_kernel_source), and the combination of results. The
 * lines before this file define the macros of koshu_print_source(), and
 *
 *     KOSHU_ROW    numbers per j-particle in memory
 */
#if KOSHU_PRECISION_SINGLE
#define KOSHU_REAL float
#else
#define KOSHU_REAL double
#endif
#define KOSHU_DEVICE static __device__ __forceinline__
#define KOSHU_HD KOSHU_DEVICE

#include "backend/cuda/pairs/estimate.cuh"

#define KOSHU_TYPED(name) name
#include "kernels/rsqrt.h"
#undef KOSHU_TYPED

namespace koshu {

using real = KOSHU_REAL;

/* fmin and fmax ignore NaN. */
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

/* j-particles come in order: of equal values the first one stays. */
KOSHU_DEVICE void
take(real *value, int *at, bool better, real e, int index)
{
    *value = better ? e : *value;
    *at = better ? index : *at;
}

/* ---- functions ----------------------------------------------------------- */

/*
 * In single, functions have distinct names: sqrtf. In double they are
 * overloaded in C++, so that sqrt(2) would be ambiguous: in this namespace,
 * where the body is, there is only one.
 */
namespace body {

#if !KOSHU_PRECISION_SINGLE

#define KOSHU_FUNCTION_1(f)         \
    KOSHU_DEVICE double f(double x) \
    {                               \
        return ::f(x);              \
    }
#define KOSHU_FUNCTION_2(f)                   \
    KOSHU_DEVICE double f(double x, double y) \
    {                                         \
        return ::f(x, y);                     \
    }
#define KOSHU_FUNCTION_3(f)                             \
    KOSHU_DEVICE double f(double x, double y, double z) \
    {                                                   \
        return ::f(x, y, z);                            \
    }
#define KOSHU_FUNCTION(n, code, vectors, f) KOSHU_FUNCTION_##n(f)
KOSHU_FUNCTIONS(KOSHU_FUNCTION)

/* Without a branch, as in the built-in kernels. Where the Newton step is not
 * finite, the estimate is used: infinity for 0 and subnormal numbers, 0 for
 * infinity, NaN for negative numbers. */
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

/* The body follows here; sum.cuh closes the namespaces. */

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
