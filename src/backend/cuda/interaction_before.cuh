/* SPDX-License-Identifier: MIT */
/*
 * Compiled at run time, before the body of a description: what it may use (see
 * struct koshu_interaction_source), and how results are put together. The
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

} /* namespace koshu */

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
#ifdef KOSHU_SINGLE
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
