/* SPDX-License-Identifier: MIT */
/* Ewald's sum over waves: see ewald_waves.h. */
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

/* exp(2 pi i n x), n = 0 ... k. Each is a product of few factors, so that
 * rounding errors do not accumulate. */
static void
phases(int k, double x, struct number *to)
{
    to[0] = (struct number){1, 0};
    for (int n = 1; n <= k; n++)
        to[n] = n > 1 ? product(to[n / 2], to[n - n / 2])
                      : (struct number){cos(2 * pi * x), sin(2 * pi * x)};
}

/* The same, as separate cosines and sines. */
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

/* The phase of a negative index is the conjugate. */
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

/* The rows A, B, C, D for given n_x and n_y, and the largest n_z. */
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

/* The largest n_y of a plane. */
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

/* The phases of a position or of its negative; for n_z, cosines and sines. */
struct phases {
    struct number x[PHASES], y[PHASES];
    double c[PHASES], s[PHASES];
};

/* Adds a charge to the waves of one n_x. */
static void
add_charge(const struct ewald_waves *w, int nx, const struct phases *e,
           struct number q, double per_ny)
{
    const int rows = last_row(w, nx);
    for (int ny = -rows; ny <= rows; ny++) {
        const struct row row = row_of(w, nx, ny);
        const struct number xy = product(e->x[nx], phase_of(e->y, ny));
        const struct number with = {q.re, q.im + per_ny * ny};
        add_products(&row, product(xy, with), e->c, e->s);
    }
}

/* Adds the z-component of a dipole. Its components in the plane are charges -2
 * pi i (n_x p_x + n_y p_y). */
static void
add_along_z(const struct ewald_waves *w, int nx, const struct phases *e,
            double dipole)
{
    struct phases turned = *e;
    for (int n = 0; n <= last_row(w, nx); n++) {
        turned.c[n] = n * e->s[n];
        turned.s[n] = -n * e->c[n];
    }
    add_charge(w, nx, &turned, (struct number){2 * pi * dipole, 0}, 0);
}

static void
add_source(const struct ewald_waves *w, int nx, const struct ewald_sources *s,
           size_t j)
{
    struct phases e;
    struct number q = {s->charge[j], 0};
    const bool dipole = s->dipole[0] != NULL;
    const int rows = last_row(w, nx);
    phases(nx, -s->x[0][j], e.x);
    phases(rows, -s->x[1][j], e.y);
    phases_apart(rows, -s->x[2][j], e.c, e.s);
    if (dipole) q.im = -2 * pi * nx * s->dipole[0][j];
    add_charge(w, nx, &e, q, dipole ? -2 * pi * s->dipole[1][j] : 0);
    if (dipole) add_along_z(w, nx, &e, s->dipole[2][j]);
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
koshu_ewald_make_waves(const struct ewald_waves *waves,
                       const struct ewald_sources *sources, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int nx = 0; nx <= waves->k; nx++) {
        for (size_t j = 0; j < sources->n; j++)
            add_source(waves, nx, sources, j);
        weigh(waves, nx);
    }
}

/* ---- the sum over waves -------------------------------------------------- */

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

/* The same with n_z^2. */
static struct number
sum_row_squared(const struct row *row, const double *c, const double *s)
{
    const double *const a = row->of[0], *const b = row->of[1];
    const double *const u = row->of[2], *const v = row->of[3];
    double re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
    for (int n = 0; n <= row->last; n++) {
        re += n * (n * (a[n] * c[n] - u[n] * s[n]));
        im += n * (n * (b[n] * c[n] - v[n] * s[n]));
    }
    return (struct number){re, im};
}

/* The contribution of a row to the second derivatives, from its sum and that
 * with n_z. */
static void
add_hessian(const struct row *row, const double n[2], struct number xy,
            const struct number part[2], const struct phases *at,
            double *hessian)
{
    const struct number squared = sum_row_squared(row, at->c, at->s);
    const double all = product(xy, part[0]).re, z = product(xy, part[1]).re;
    const double f = -4 * pi * pi;
    hessian[0] += f * n[0] * n[0] * all;
    hessian[1] += f * n[0] * n[1] * all;
    hessian[2] += f * n[0] * z;
    hessian[3] += f * n[1] * n[1] * all;
    hessian[4] += f * n[1] * z;
    hessian[5] += f * product(xy, squared).re;
}

/* Adds the waves of one n_x. */
static void
add_plane(const struct ewald_waves *w, int nx, const struct phases *at,
          bool hessian, struct ewald_sums *sum)
{
    const int rows = last_row(w, nx);
    for (int ny = -rows; ny <= rows; ny++) {
        const struct row of = row_of(w, nx, ny);
        const struct number xy = product(at->x[nx], phase_of(at->y, ny));
        struct number row[2];
        sum_row(&of, at->c, at->s, row);
        const struct number all = product(xy, row[0]);
        sum->gradient[0] -= 2 * pi * nx * all.im;
        sum->gradient[1] -= 2 * pi * ny * all.im;
        sum->gradient[2] -= 2 * pi * product(xy, row[1]).im;
        sum->potential += all.re;
        if (hessian)
            add_hessian(&of, (double[]){nx, ny}, xy, row, at, sum->hessian);
    }
}

void
koshu_ewald_add_waves(const struct ewald_waves *w, const double at[3],
                      bool hessian, struct ewald_sums *sum)
{
    struct phases e;
    phases(w->k, at[0], e.x);
    phases(w->k, at[1], e.y);
    phases_apart(w->k, at[2], e.c, e.s);
    for (int nx = 0; nx <= w->k; nx++) add_plane(w, nx, &e, hessian, sum);
}
