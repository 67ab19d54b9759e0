/* SPDX-License-Identifier: MIT */
#include "solve/ewald_waves.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { PHASES = KOSHU_EWALD_MAX_K + 1 };

struct number {
    double re, im;
};

static struct number
product(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im,
                           a.re * b.im + a.im * b.re};
}

/* exp(2 pi i n x), n = 0 ... k; each of few products, so that rounding does
 * not add up. */
static void
phases(int k, double x, struct number *to)
{
    to[0] = (struct number){1, 0};
    for (int n = 1; n <= k; n++)
        to[n] = n > 1 ? product(to[n / 2], to[n - n / 2])
                      : (struct number){cos(2 * pi * x), sin(2 * pi * x)};
}

/* The same, cosines and sines. */
static void
phases_apart(int k, double x, double *c, double *s)
{
    struct number e[PHASES];
    phases(k, x, e);
    for (int n = 0; n <= k; n++) {
        c[n] = e[n].re;
        s[n] = e[n].im;
    }
}

/* That of a negative index is the conjugate. */
static struct number
phase_of(const struct number *e, int n)
{
    if (n >= 0) return e[n];
    return (struct number){e[-n].re, -e[-n].im};
}

/* ---- rows ---------------------------------------------------------------- */

size_t
koshu_ewald_wave_numbers(int k)
{
    const size_t n = (size_t)k + 1;
    return n * (2 * n - 1) * 4 * n;
}

/* A, B, C, D of given n_x and n_y, and the largest n_z. */
struct row {
    double *of[4];
    int last;
};

static struct row
row_of(const struct ewald_waves *w, int nx, int ny)
{
    const size_t n = (size_t)w->k + 1;
    double *const from =
            w->row + ((size_t)nx * (2 * n - 1) + (size_t)(ny + w->k)) * 4 * n;
    return (struct row){{from, from + n, from + 2 * n, from + 3 * n},
                        (int)sqrt(w->k * w->k - nx * nx - ny * ny)};
}

/* The largest n_y. */
static int
last_row(const struct ewald_waves *w, int nx)
{
    return (int)sqrt(w->k * w->k - nx * nx);
}

static void
add_products(const struct row *row, struct number xy, const double *restrict c,
             const double *restrict s)
{
    double *restrict const a = row->of[0], *restrict const b = row->of[1];
    double *restrict const u = row->of[2], *restrict const v = row->of[3];
    for (int n = 0; n <= row->last; n++) {
        a[n] += xy.re * c[n];
        b[n] += xy.im * c[n];
        u[n] += xy.re * s[n];
        v[n] += xy.im * s[n];
    }
}

/* The waves of one n_x: those of all particles, one after the other. */
static void
add_source(const struct ewald_waves *w, int nx, const double at[3], double q)
{
    struct number ex[PHASES], ey[PHASES];
    double c[PHASES], s[PHASES];
    const int rows = last_row(w, nx);
    phases(nx, -at[0], ex);
    phases(rows, -at[1], ey);
    phases_apart(rows, -at[2], c, s);
    const struct number x = {q * ex[nx].re, q * ex[nx].im};
    for (int ny = -rows; ny <= rows; ny++) {
        const struct row row = row_of(w, nx, ny);
        add_products(&row, product(x, phase_of(ey, ny)), c, s);
    }
}

static void
weigh(const struct ewald_waves *w, int nx)
{
    const int rows = last_row(w, nx);
    for (int ny = -rows; ny <= rows; ny++) {
        const struct row row = row_of(w, nx, ny);
        for (int n = 0; n <= row.last; n++) {
            const double weight = w->weight[nx * nx + ny * ny + n * n] *
                                  (nx > 0 ? 2 : 1) * (n > 0 ? 2 : 1);
            for (int k = 0; k < 4; k++) row.of[k][n] *= weight;
        }
    }
}

void
koshu_ewald_make_waves(const struct ewald_waves *waves, size_t n,
                       const double *x, const double *y, const double *z,
                       const double *q, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int nx = 0; nx <= waves->k; nx++) {
        for (size_t j = 0; j < n; j++)
            add_source(waves, nx, (double[]){x[j], y[j], z[j]}, q[j]);
        weigh(waves, nx);
    }
}

/* ---- their sum ----------------------------------------------------------- */

/* sum_(n_z) S exp(2 pi i n_z z), and the same with n_z as a factor. */
static void
sum_row(const struct row *row, const double *c, const double *s,
        struct number to[2])
{
    const double *const a = row->of[0], *const b = row->of[1];
    const double *const u = row->of[2], *const v = row->of[3];
    double re = 0, im = 0, n_re = 0, n_im = 0;
#pragma omp simd reduction(+ : re, im, n_re, n_im)
    for (int n = 0; n <= row->last; n++) {
        re += a[n] * c[n] - u[n] * s[n];
        im += b[n] * c[n] - v[n] * s[n];
        n_re -= n * (v[n] * c[n] + b[n] * s[n]);
        n_im += n * (u[n] * c[n] + a[n] * s[n]);
    }
    to[0] = (struct number){re, im};
    to[1] = (struct number){n_re, n_im};
}

/* Phases of a place. */
struct place {
    struct number x[PHASES], y[PHASES];
    double c[PHASES], s[PHASES];
};

/* The waves of one n_x. */
static void
add_plane(const struct ewald_waves *w, int nx, const struct place *at,
          double *sum)
{
    const int rows = last_row(w, nx);
    for (int ny = -rows; ny <= rows; ny++) {
        const struct row of = row_of(w, nx, ny);
        const struct number xy = product(at->x[nx], phase_of(at->y, ny));
        struct number row[2];
        sum_row(&of, at->c, at->s, row);
        const struct number all = product(xy, row[0]);
        sum[0] -= 2 * pi * nx * all.im;
        sum[1] -= 2 * pi * ny * all.im;
        sum[2] -= 2 * pi * product(xy, row[1]).im;
        sum[3] += all.re;
    }
}

void
koshu_ewald_add_waves(const struct ewald_waves *w, double x, double y, double z,
                      double *sum)
{
    struct place at;
    phases(w->k, x, at.x);
    phases(w->k, y, at.y);
    phases_apart(w->k, z, at.c, at.s);
    for (int nx = 0; nx <= w->k; nx++) add_plane(w, nx, &at, sum);
}
