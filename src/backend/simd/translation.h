/* SPDX-License-Identifier: MIT */
/*
 * M2L of kernels/expansion.h in vectors, degree by degree. The degree is a
 * compile-time constant, so that its coefficients stay in registers from the
 * first turn to the second exchange of x and z. Between real_*.h and
 * real_end.h.
 */

/* Cosines and sines of multiples m of an angle. */
struct OF(turns) {
    KOSHU_REAL cosine[KOSHU_MAX_ORDER + 1], sine[KOSHU_MAX_ORDER + 1];
};

/* The two turns of struct expansion_direction, and the exchange matrices. */
struct OF(rotation) {
    struct OF(turns) first, second;
    const SCALAR *exchange;
};

VECTOR_FN void
OF(set_turns)(struct OF(turns) * t, int p, KOSHU_REAL cosine, KOSHU_REAL sine)
{
    t->cosine[0] = OF(every)(1);
    t->sine[0] = OF(every)(0);
    for (int m = 1; m <= p; m++) {
        const KOSHU_REAL c = t->cosine[m - 1], s = t->sine[m - 1];
        t->cosine[m] = c * cosine - s * sine;
        t->sine[m] = s * cosine + c * sine;
    }
}

/* ---- one degree: the coefficients of m and -m are v[m] and v[-m] --------- */

enum { OF(degree_size) = 2 * KOSHU_MAX_ORDER + 1 };

/* Turns by the angle, or back. */
VECTOR_FN void
OF(turn_degree)(const int n, KOSHU_REAL *v, const struct OF(turns) * t,
                const bool back)
{
    KOSHU_UNROLL
    for (int m = 1; m <= n; m++) {
        const KOSHU_REAL c = v[m], s = v[-m];
        const KOSHU_REAL sine = back ? -t->sine[m] : t->sine[m];
        v[m] = c * t->cosine[m] + s * sine;
        v[-m] = s * t->cosine[m] - c * sine;
    }
}

/* to[0], to[step], ... = the matrix times v. */
VECTOR_FN void
OF(multiply_rows)(const SCALAR *matrix, const int rows, const int columns,
                  const KOSHU_REAL *v, KOSHU_REAL *to, const int step)
{
#pragma GCC unroll 2
    for (int r = 0; r < rows; r++, matrix += columns) {
        KOSHU_REAL even = matrix[0] * v[0];
        KOSHU_REAL odd = columns > 1 ? matrix[1] * v[1] : 0 * v[0];
        KOSHU_UNROLL
        for (int c = 2; c < columns; c += 2) even += matrix[c] * v[c];
        KOSHU_UNROLL
        for (int c = 3; c < columns; c += 2) odd += matrix[c] * v[c];
        to[r * step] = even + odd;
    }
}

/* The rows with m of this parity, even or odd in y, as exchange_block() of
 * fmm/expansion.c orders them. Returns the matrix of the next block. */
VECTOR_FN const SCALAR *
OF(exchange_rows)(const int n, const bool even, const int parity,
                  const SCALAR *matrix, const KOSHU_REAL *from, KOSHU_REAL *to)
{
    const int other = (n % 2 == 0) == even ? parity : 1 - parity;
    const int row = even ? parity : 2 - parity, sign = even ? 1 : -1;
    const int column = even ? other : 2 - other;
    const int rows = n < row ? 0 : (n - row) / 2 + 1;
    const int columns = n < column ? 0 : (n - column) / 2 + 1;
    KOSHU_REAL v[KOSHU_MAX_ORDER / 2 + 1];
    if (rows == 0 || columns == 0) return matrix;
    KOSHU_UNROLL
    for (int k = 0; k < columns; k++) v[k] = from[sign * (column + 2 * k)];
    OF(multiply_rows)
    (matrix, rows, columns, v, to + sign * row, 2 * sign);
    return matrix + rows * columns;
}

VECTOR_FN const SCALAR *
OF(exchange_degree)(const int n, const SCALAR *matrix, const KOSHU_REAL *from,
                    KOSHU_REAL *to)
{
    matrix = OF(exchange_rows)(n, true, 0, matrix, from, to);
    matrix = OF(exchange_rows)(n, true, 1, matrix, from, to);
    matrix = OF(exchange_rows)(n, false, 0, matrix, from, to);
    return OF(exchange_rows)(n, false, 1, matrix, from, to);
}

/* Rotates v, times factor, to axes in which the direction is z; matrix:
 * exchange matrix of this degree. Returns that of the next degree. */
VECTOR_FN const SCALAR *
OF(align_degree)(const int n, const struct OF(rotation) * r,
                 const SCALAR *matrix, KOSHU_REAL factor, const KOSHU_REAL *v,
                 KOSHU_REAL *to)
{
    KOSHU_REAL a[OF(degree_size)], b[OF(degree_size)];
    KOSHU_UNROLL
    for (int k = 0; k <= 2 * n; k++) a[k] = v[n * n + k] * factor;
    OF(turn_degree)(n, a + n, &r->first, false);
    OF(exchange_degree)(n, matrix, a + n, b + n);
    OF(turn_degree)(n, b + n, &r->second, false);
    return OF(exchange_degree)(n, matrix, b + n, to + n * n + n);
}

/* The inverse of align_degree(); adds to the output. */
VECTOR_FN const SCALAR *
OF(restore_degree)(const int n, const struct OF(rotation) * r,
                   const SCALAR *matrix, KOSHU_REAL factor, const KOSHU_REAL *v,
                   KOSHU_REAL *to)
{
    KOSHU_REAL a[OF(degree_size)], b[OF(degree_size)];
    KOSHU_UNROLL
    for (int k = 0; k <= 2 * n; k++) a[k] = v[n * n + k] * factor;
    OF(exchange_degree)(n, matrix, a + n, b + n);
    OF(turn_degree)(n, b + n, &r->second, true);
    matrix = OF(exchange_degree)(n, matrix, b + n, a + n);
    OF(turn_degree)(n, a + n, &r->first, true);
    KOSHU_UNROLL
    for (int k = 0; k <= 2 * n; k++) to[n * n + k] += a[k];
    return matrix;
}

/* ---- along z ------------------------------------------------------------- */

/* Translates the coefficients of m and -m, each with `size` degrees. Returns
 * the matrix of the next m. */
VECTOR_FN const SCALAR *
OF(translate_along)(const int size, const SCALAR *matrix, int m,
                    const KOSHU_REAL *from, KOSHU_REAL *to)
{
    KOSHU_REAL even[KOSHU_MAX_ORDER + 1], odd[KOSHU_MAX_ORDER + 1];
    KOSHU_UNROLL
    for (int k = 0; k < size; k++) {
        even[k] = from[EXPANSION_AT(m + k, m)];
        odd[k] = from[EXPANSION_AT(m + k, -m)];
    }
    for (int n = m; n < m + size; n++, matrix += size) {
        KOSHU_REAL a = matrix[0] * even[0], b = matrix[0] * odd[0];
        KOSHU_UNROLL
        for (int k = 1; k < size; k++) {
            a += matrix[k] * even[k];
            b += matrix[k] * odd[k];
        }
        to[EXPANSION_AT(n, -m)] = b;
        to[EXPANSION_AT(n, m)] = a;
    }
    return matrix;
}

/* ---- all degrees, and all m ---------------------------------------------- */

#define EACH_NUMBER(CASE) \
    CASE(0)               \
    CASE(1)               \
    CASE(2)               \
    CASE(3)               \
    CASE(4)               \
    CASE(5)               \
    CASE(6)               \
    CASE(7)               \
    CASE(8)               \
    CASE(9)               \
    CASE(10)              \
    CASE(11)              \
    CASE(12)              \
    CASE(13) CASE(14) CASE(15) CASE(16) CASE(17) CASE(18) CASE(19) CASE(20)

/* Rotates v, with degree n times factor^n. */
static __attribute__((noinline)) void
OF(align)(int p, const struct OF(rotation) * r, KOSHU_REAL factor,
          const KOSHU_REAL *v, KOSHU_REAL *to)
{
    const SCALAR *matrix = r->exchange;
    KOSHU_REAL power = OF(every)(1);
    for (int n = 0; n <= p; n++, power *= factor) {
#define ALIGN(k) \
    case k: matrix = OF(align_degree)(k, r, matrix, power, v, to); break;
        switch (n) {
            EACH_NUMBER(ALIGN)
        }
#undef ALIGN
    }
}

/* Rotates back, with degree n times factor^(n + 1); adds to the output. */
static __attribute__((noinline)) void
OF(restore)(int p, const struct OF(rotation) * r, KOSHU_REAL factor,
            const KOSHU_REAL *v, KOSHU_REAL *to)
{
    const SCALAR *matrix = r->exchange;
    KOSHU_REAL power = factor;
    for (int n = 0; n <= p; n++, power *= factor) {
#define RESTORE(k) \
    case k: matrix = OF(restore_degree)(k, r, matrix, power, v, to); break;
        switch (n) {
            EACH_NUMBER(RESTORE)
        }
#undef RESTORE
    }
}

static __attribute__((noinline)) void
OF(along)(int p, const SCALAR *matrix, const KOSHU_REAL *from, KOSHU_REAL *to)
{
    for (int m = 0; m <= p; m++) {
#define ALONG(k) \
    case k: matrix = OF(translate_along)(k + 1, matrix, m, from, to); break;
        switch (p - m) {
            EACH_NUMBER(ALONG)
        }
#undef ALONG
    }
}
#undef EACH_NUMBER

/* Like expansion_m2l(), but v is kept, and the result is added to sum. */
static void
OF(add_m2l)(const struct koshu_expansion *e, const SCALAR *coefficient,
            const struct KOSHU_TYPED(expansion_direction) * d, KOSHU_REAL near,
            KOSHU_REAL far, const KOSHU_REAL *v, KOSHU_REAL *sum)
{
    KOSHU_REAL a[KOSHU_TYPED(max_terms)], b[KOSHU_TYPED(max_terms)];
    struct OF(rotation) r;
    r.exchange = coefficient + e->exchange->matrix;
    OF(set_turns)(&r.first, e->p, d->cos_first, d->sin_first);
    OF(set_turns)(&r.second, e->p, d->cos_second, d->sin_second);
    OF(align)(e->p, &r, far, v, a);
    OF(along)(e->p, coefficient + e->along->matrix, a, b);
    OF(restore)(e->p, &r, near, b, sum);
}
