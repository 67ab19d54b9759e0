/* SPDX-License-Identifier: MIT */
/*
 * M2M, M2L and L2L of kernels/expansion.h for an order P known to the compiler.
 * A thread's expansion stays in its registers, and matrix elements are
 * immediates in the code. Rotations are done in place degree by degree,
 * translations along z order by order.
 */
#ifndef KOSHU_BACKEND_CUDA_FMM_TRANSLATION_CUH
#define KOSHU_BACKEND_CUDA_FMM_TRANSLATION_CUH

#include "backend/cuda/fmm/paths.cuh"

namespace koshu {

/* ---- matrices ------------------------------------------------------------ */

constexpr double
factorial(int n)
{
    double product = 1;
    for (int k = 2; k <= n; k++) product *= k;
    return product;
}

/* Newton's method, from above. */
constexpr double
square_root(double x)
{
    double root = x > 1 ? x : 1;
    for (int k = 0; k < 2000; k++) {
        const double next = 0.5 * (root + x / root);
        if (next >= root) break;
        root = next;
    }
    return root;
}

/* A_n^m */
constexpr double
norm_of(int n, int m)
{
    return square_root(factorial(n - m)) * square_root(factorial(n + m));
}

/* Wigner's d^n_row,column(pi / 2) */
constexpr double
wigner(int n, int row, int column)
{
    double sum = 0;
    for (int k = 0; k <= 2 * n; k++) {
        const int a = n + column - k, b = n - k - row, c = k - column + row;
        if (a < 0 || b < 0 || c < 0) continue;
        const double term =
                1 / (factorial(a) * factorial(k) * factorial(b) * factorial(c));
        sum += c % 2 ? -term : term;
    }
    for (int k = 0; k < n; k++) sum /= 2;
    return sum * norm_of(n, row) * norm_of(n, column);
}

/* An element of the exchange of x and z: the part of R_n^row (row < 0: sines)
 * that comes from R_n^column. It is that rotation up to signs, with both signs
 * of m combined. */
constexpr double
exchange(int n, int row, int column)
{
    if ((row < 0) != (column < 0)) return 0;
    const int r = row < 0 ? -row : row, c = column < 0 ? -column : column;
    const double other = (c % 2 ? -1 : 1) * wigner(n, r, -c);
    const double sum = wigner(n, r, c) + (row < 0 ? -other : other);
    const double half = square_root(0.5);
    return ((row < 0) == (r % 2 == 0) ? -sum : sum) * (r == 0 ? half : 1) *
           (c == 0 ? half : 1);
}

/* M2L along z: the factor of M_n^m in L_k^m. */
constexpr double
along(int k, int n, int m)
{
    return ((k + m) % 2 ? -1 : 1) * factorial(n + k) / norm_of(k, m) /
           norm_of(n, m);
}

/* M2M along z: the factor of M_k^m in M_n^m; L2L has the same, from n to k. */
constexpr double
shifted(int n, int k, int m)
{
    return norm_of(n, m) / norm_of(k, m) / factorial(n - k);
}

template <int N> struct exchange_matrix {
    float at[2 * N + 1][2 * N + 1];

    constexpr exchange_matrix() : at()
    {
        for (int row = -N; row <= N; row++)
            for (int column = -N; column <= N; column++)
                at[N + row][N + column] = (float)exchange(N, row, column);
    }
};

template <int P, int M> struct along_matrix {
    float at[P + 1 - M][P + 1 - M];

    constexpr along_matrix() : at()
    {
        for (int k = M; k <= P; k++)
            for (int n = M; n <= P; n++)
                at[k - M][n - M] = (float)along(k, n, M);
    }
};

template <int P, int M> struct shift_matrix {
    float at[P + 1 - M][P + 1 - M];

    constexpr shift_matrix() : at()
    {
        for (int n = M; n <= P; n++)
            for (int k = M; k <= n; k++)
                at[n - M][k - M] = (float)shifted(n, k, M);
    }
};

/* ---- in place ------------------------------------------------------------ */

/* Whether the exchange has a nonzero element there. It keeps the parity in y,
 * and swaps those in x and z. */
KOSHU_HD constexpr bool
are_exchanged(int n, int row, int column)
{
    const int other = (n % 2 == 0) == (column >= 0) ? column : column + 1;
    return (row < 0) == (column < 0) && (row - other) % 2 == 0;
}

/* Of degree N. */
template <int N>
KOSHU_DEVICE void
exchange_degree(float *v)
{
    constexpr exchange_matrix<N> matrix;
    float to[2 * N + 1];
#pragma unroll
    for (int row = 0; row <= 2 * N; row++) {
        to[row] = 0;
#pragma unroll
        for (int column = 0; column <= 2 * N; column++)
            if (are_exchanged(N, row - N, column - N))
                to[row] += matrix.at[row][column] * v[column];
    }
#pragma unroll
    for (int row = 0; row <= 2 * N; row++) v[row] = to[row];
}

template <int P>
KOSHU_DEVICE void
exchange_all(float *v)
{
    if constexpr (P > 0) exchange_all<P - 1>(v);
    exchange_degree<P>(v + P * P);
}

/* Orders M and -M of those up to P. */
template <int P, int M, int SIGN>
KOSHU_DEVICE void
move_order(float *v)
{
    constexpr along_matrix<P, M> matrix;
    float to[P + 1 - M];
#pragma unroll
    for (int k = M; k <= P; k++) {
        to[k - M] = 0;
#pragma unroll
        for (int n = M; n <= P; n++)
            to[k - M] += matrix.at[k - M][n - M] * v[EXPANSION_AT(n, SIGN * M)];
    }
#pragma unroll
    for (int k = M; k <= P; k++) v[EXPANSION_AT(k, SIGN * M)] = to[k - M];
}

template <int P, int M = P>
KOSHU_DEVICE void
move_along(float *v)
{
    if constexpr (M > 0) move_along<P, M - 1>(v);
    move_order<P, M, 1>(v);
    if constexpr (M > 0) move_order<P, M, -1>(v);
}

/* Orders M and above, with the cosine and sine cm and sm of M times the angle;
 * c, s: of the angle. */
template <int P, int M = 1>
KOSHU_DEVICE void
turn(float *v, float c, float s, float cm, float sm)
{
#pragma unroll
    for (int n = M; n <= P; n++) {
        const float even = v[EXPANSION_AT(n, M)], odd = v[EXPANSION_AT(n, -M)];
        v[EXPANSION_AT(n, M)] = even * cm + odd * sm;
        v[EXPANSION_AT(n, -M)] = odd * cm - even * sm;
    }
    if constexpr (M < P)
        turn<P, M + 1>(v, c, s, cm * c - sm * s, sm * c + cm * s);
}

/* Degrees N and above: N times `first`, each next one times another
 * `factor`. */
template <int P, int N = 0>
KOSHU_DEVICE void
scale(float *v, float first, float factor)
{
#pragma unroll
    for (int k = N * N; k < (N + 1) * (N + 1); k++) v[k] *= first;
    if constexpr (N < P) scale<P, N + 1>(v, first * factor, factor);
}

/* Orders M and -M of multipoles (UP) or local expansions; power: of the
 * shift. */
template <int P, int M, int SIGN, bool UP>
KOSHU_DEVICE void
shift_order(float *v, const float *power)
{
    constexpr shift_matrix<P, M> matrix;
#pragma unroll
    for (int step = 0; step <= P - M; step++) {
        const int to = UP ? P - step : M + step;
        float sum = v[EXPANSION_AT(to, SIGN * M)];
#pragma unroll
        for (int from = M; from <= P; from++)
            if (UP ? from < to : from > to)
                sum += matrix.at[(UP ? to : from) - M][(UP ? from : to) - M] *
                       power[UP ? to - from : from - to] *
                       v[EXPANSION_AT(from, SIGN * M)];
        v[EXPANSION_AT(to, SIGN * M)] = sum;
    }
}

template <int P, bool UP, int M = P>
KOSHU_DEVICE void
shift_along(float *v, const float *power)
{
    if constexpr (M > 0) shift_along<P, UP, M - 1>(v, power);
    shift_order<P, M, 1, UP>(v, power);
    if constexpr (M > 0) shift_order<P, M, -1, UP>(v, power);
}

/* ---- translations -------------------------------------------------------- */

/* Rotates to axes in which the direction is z. The rotations are loops, so that
 * the code has one exchange only. */
template <int P>
KOSHU_DEVICE void
align(float *v, const expansion_direction_f32 &d)
{
#pragma unroll 1
    for (int k = 0; k < 2; k++) {
        const float c = k ? d.cos_second : d.cos_first,
                    s = k ? d.sin_second : d.sin_first;
        turn<P>(v, c, s, c, s);
        exchange_all<P>(v);
    }
}

/* The inverse of align(). */
template <int P>
KOSHU_DEVICE void
restore(float *v, const expansion_direction_f32 &d)
{
#pragma unroll 1
    for (int k = 0; k < 2; k++) {
        const float c = k ? d.cos_first : d.cos_second,
                    s = k ? -d.sin_first : -d.sin_second;
        exchange_all<P>(v);
        turn<P>(v, c, s, c, s);
    }
}

/* As expansion_m2l(), in place. */
template <int P>
KOSHU_DEVICE void
translate(float *v, const expansion_direction_f32 &d, float near, float far)
{
    scale<P>(v, 1, far);
    align<P>(v, d);
    move_along<P>(v);
    scale<P>(v, near, near);
    restore<P>(v, d);
}

/* As expansion_m2m() (UP) or expansion_l2l(), in place. */
template <int P, bool UP>
KOSHU_DEVICE void
shift(float *v, const expansion_direction_f32 &d, float ratio, float by)
{
    float power[P + 1];
    power[0] = 1;
#pragma unroll
    for (int n = 1; n <= P; n++) power[n] = power[n - 1] * by;
    if (UP) scale<P>(v, 1, ratio);
    align<P>(v, d);
    shift_along<P, UP>(v, power);
    restore<P>(v, d);
    if (!UP) scale<P>(v, ratio, ratio);
}

} /* namespace koshu */

#endif
