/* SPDX-License-Identifier: MIT */
/* Ewald summation. Lengths are in edges of the box. */
#include <koshu/ewald.h>

#include <math.h>

#include "base/base.h"
#include "solve/ewald_soften.h"
#include "solve/points.h"

KOSHU_DEFINE_DEFAULT(koshu_ewald_options, .box = 1)

static const double pi = 3.14159265358979323846;

/* Terms below exp(-CUTOFF^2) = 2e-17 are left out. */
#define CUTOFF 6.2
enum { MAX_SPLITTING = 50, MAX_K = 104, MAX_PHASES = 2 * MAX_K + 1 };

struct number {
    double re, im;
};

struct ewald {
    double a;     /* splitting parameter */
    double eps;   /* softening */
    double mean;  /* of the sum in real space over the box, of charge 1 */
    double reach; /* of that sum */
    int images;   /* in it, to each side */
    int k;        /* indices of waves: at most, and their squares' sum its */
    size_t n;
    double *x, *y, *z, *q; /* sources, in [0, 1) */
    double *weight;        /* of a wave, by the square of its index */
    /* Of each wave sum_j q_j exp(-i k y_j) exp(-k^2 / 4 a^2) 4 pi / k^2; of k
     * and -k the one with positive k_x has both. */
    struct number *wave;
};

/* ---- sum over waves ------------------------------------------------------ */

static struct number
product(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im,
                           a.re * b.im + a.im * b.re};
}

/* exp(2 pi i n x), n = -k ... k; each of few products, so that rounding does
 * not add up. */
static void
phases(int k, double x, struct number *e)
{
    struct number *to = e + k;
    to[0] = (struct number){1, 0};
    for (int n = 1; n <= k; n++) {
        to[n] = n > 1 ? product(to[n / 2], to[n - n / 2])
                      : (struct number){cos(2 * pi * x), sin(2 * pi * x)};
        to[-n] = (struct number){to[n].re, -to[n].im};
    }
}

/* Of given n_x and n_y: where n_z = 0 is, and the largest n_z. */
static struct number *
row_of(const struct ewald *e, int nx, int ny, int *last)
{
    const int width = 2 * e->k + 1;
    *last = (int)sqrt(e->k * e->k - nx * nx - ny * ny);
    return e->wave +
           ((size_t)nx * (size_t)width + (size_t)(ny + e->k)) * (size_t)width +
           e->k;
}

/* The largest n_y. */
static int
last_row(const struct ewald *e, int nx)
{
    return (int)sqrt(e->k * e->k - nx * nx);
}

/* The waves of one n_x: those of all particles, one after the other. */
static void
add_source(const struct ewald *e, int nx, size_t j)
{
    struct number ex[MAX_PHASES], ey[MAX_PHASES], ez[MAX_PHASES];
    const int rows = last_row(e, nx);
    int last;
    phases(nx, -e->x[j], ex);
    phases(e->k, -e->y[j], ey);
    phases(e->k, -e->z[j], ez);
    for (int ny = -rows; ny <= rows; ny++) {
        struct number *const s = row_of(e, nx, ny, &last);
        const struct number *const z = ez + e->k;
        struct number xy = product(ex[2 * nx], ey[e->k + ny]);
        xy = (struct number){e->q[j] * xy.re, e->q[j] * xy.im};
        for (int nz = -last; nz <= last; nz++) {
            s[nz].re += xy.re * z[nz].re - xy.im * z[nz].im;
            s[nz].im += xy.re * z[nz].im + xy.im * z[nz].re;
        }
    }
}

static void
weigh(const struct ewald *e, int nx)
{
    const int rows = last_row(e, nx);
    int last;
    for (int ny = -rows; ny <= rows; ny++) {
        struct number *const s = row_of(e, nx, ny, &last);
        for (int nz = -last; nz <= last; nz++) {
            const double w =
                    e->weight[nx * nx + ny * ny + nz * nz] * (nx > 0 ? 2 : 1);
            s[nz] = (struct number){w * s[nz].re, w * s[nz].im};
        }
    }
}

static void
make_waves(const struct ewald *e, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int nx = 0; nx <= e->k; nx++) {
        for (size_t j = 0; j < e->n; j++) add_source(e, nx, j);
        weigh(e, nx);
    }
}

/* sum_(n_z) exp(2 pi i n_z z) s, and the same with n_z as a factor. */
static void
add_row(const struct number *s, const struct number *z, int last,
        struct number to[2])
{
    double re = 0, im = 0, n_re = 0, n_im = 0;
#pragma omp simd reduction(+ : re, im, n_re, n_im)
    for (int n = -last; n <= last; n++) {
        const double even = z[n].re * s[n].re - z[n].im * s[n].im,
                     odd = z[n].re * s[n].im + z[n].im * s[n].re;
        re += even;
        im += odd;
        n_re += n * even;
        n_im += n * odd;
    }
    to[0] = (struct number){re, im};
    to[1] = (struct number){n_re, n_im};
}

/* sum[0] ... sum[2]: the gradient, sum[3]: the potential. */
static void
add_waves(const struct ewald *e, double x, double y, double z, double *sum)
{
    struct number ex[MAX_PHASES], ey[MAX_PHASES], ez[MAX_PHASES], row[2];
    int last;
    phases(e->k, x, ex);
    phases(e->k, y, ey);
    phases(e->k, z, ez);
    for (int nx = 0; nx <= e->k; nx++) {
        const int rows = last_row(e, nx);
        for (int ny = -rows; ny <= rows; ny++) {
            const struct number *const s = row_of(e, nx, ny, &last);
            const struct number xy = product(ex[e->k + nx], ey[e->k + ny]);
            add_row(s, ez + e->k, last, row);
            const struct number all = product(xy, row[0]);
            sum[0] -= 2 * pi * nx * all.im;
            sum[1] -= 2 * pi * ny * all.im;
            sum[2] -= 2 * pi * product(xy, row[1]).im;
            sum[3] += all.re;
        }
    }
}

/* ---- sum in real space --------------------------------------------------- */

/* A source at this distance; at none, its waves' part at its own place. */
static void
add_pair(const struct ewald *e, double q, double x, double y, double z,
         double *sum)
{
    const double r2 = x * x + y * y + z * z, s2 = r2 + e->eps * e->eps;
    const double a = e->a;
    if (r2 == 0) sum[3] -= q * koshu_ewald_own(a, e->eps);
    if (r2 == 0 || s2 > e->reach * e->reach) return;
    const double s = sqrt(s2), part = erfc(a * s) / s;
    const double slope = (part + 2 * a / sqrt(pi) * exp(-a * a * s2)) / s2 * q;
    sum[0] -= slope * x;
    sum[1] -= slope * y;
    sum[2] -= slope * z;
    sum[3] += q * part;
}

/* All images of a source that are in reach of a place. */
static void
add_images(const struct ewald *e, double q, double x, double y, double z,
           double *sum)
{
    const int n = e->images;
    x -= rint(x);
    y -= rint(y);
    z -= rint(z);
    for (int i = -n; i <= n; i++)
        for (int k = -n; k <= n; k++)
            for (int l = -n; l <= n; l++)
                add_pair(e, q, x + i, y + k, z + l, sum);
}

/* ---- all of it ----------------------------------------------------------- */

/* In [0, 1), of the box's edge. */
static double
wrapped(double x, double box)
{
    const double in_box = x / box - floor(x / box);
    return in_box < 1 ? in_box : 0;
}

static void
sum_at(const struct ewald *e, const struct koshu_laplace_points *at, size_t i,
       double box, double *const to[4])
{
    const double x = wrapped(at->x[i], box), y = wrapped(at->y[i], box),
                 z = wrapped(at->z[i], box);
    double sum[4] = {0}, total = 0;
    for (size_t j = 0; j < e->n; j++) {
        add_images(e, e->q[j], x - e->x[j], y - e->y[j], z - e->z[j], sum);
        total += e->q[j];
    }
    sum[3] -= total * e->mean;
    add_waves(e, x, y, z, sum);
    for (int k = 0; k < 4; k++)
        if (to[k]) to[k][i] = k < 3 ? sum[k] / box / box : sum[k] / box;
}

/* Both sums take about the same time where a^6 goes with the particles: a pair
 * costs that of a hundred waves. */
static double
splitting_for(size_t n, size_t m)
{
    const double both = fmax(2.0 * (double)n * (double)m / (double)(n + m), 1);
    return fmin(sqrt(pi) * pow(100 * both, 1.0 / 6), MAX_SPLITTING);
}

static koshu_status
make(struct koshu_context *context, const struct koshu_ewald_options *o,
     const struct koshu_laplace_points *sources, size_t rhs, size_t targets,
     struct ewald *e)
{
    const size_t n = sources->n;
    e->a = o->splitting > 0 ? o->splitting : splitting_for(n, targets);
    e->eps = o->softening / o->box;
    e->mean = koshu_ewald_mean(e->a, e->eps);
    e->reach = CUTOFF / e->a;
    e->images = e->reach > 0.5 ? (int)(e->reach + 0.5) : 0;
    e->k = (int)ceil(CUTOFF * e->a / pi);
    const size_t width = 2 * (size_t)e->k + 1;
    const size_t waves = ((size_t)e->k + 1) * width * width;
    const size_t weights = (size_t)e->k * (size_t)e->k + 1;
    const size_t bytes =
            (4 * n + weights) * sizeof *e->x + waves * sizeof *e->wave;
    e->x = koshu_alloc(bytes, 1);
    if (!e->x) return koshu_fail_memory(context, bytes, "an Ewald sum");
    e->n = n;
    e->y = e->x + n;
    e->z = e->y + n;
    e->q = e->z + n;
    e->weight = e->q + n;
    e->wave = (struct number *)(e->weight + weights);
    for (size_t k = 1; k < weights; k++)
        e->weight[k] = koshu_ewald_wave(e->a, e->eps, (double)k);
    for (size_t j = 0; j < n; j++) {
        e->x[j] = wrapped(sources->x[j], o->box);
        e->y[j] = wrapped(sources->y[j], o->box);
        e->z[j] = wrapped(sources->z[j], o->box);
        e->q[j] = sources->charge[rhs * n + j];
    }
    return KOSHU_OK;
}

static koshu_status
check_sets(struct koshu_context *context, const struct koshu_laplace_sets *s)
{
    if (!s->result.hessian_xx && !s->sources.dipole_x) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "Ewald sums have no dipoles and no Hessians: leave them "
                      "NULL");
}

static koshu_status
check(struct koshu_context *context, const struct koshu_ewald_options *o)
{
    if (!(o->box > 0 && isfinite(o->box)))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "box = %g: the edge of an Ewald sum's box must be "
                          "positive and finite",
                          o->box);
    if (!(o->softening >= 0 && o->softening <= o->box / 2))
        return koshu_fail(
                context, KOSHU_ERROR_INVALID_ARGUMENT,
                "softening = %g of an Ewald sum: it must be from 0 to "
                "half of the box, %g",
                o->softening, o->box / 2);
    if (o->splitting == 0 ||
        (o->splitting >= 0.5 && o->splitting <= MAX_SPLITTING))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "splitting = %g: it must be from 0.5 to %d, or 0 to have "
                      "it chosen",
                      o->splitting, MAX_SPLITTING);
}

static double *
from(double *results, size_t first)
{
    return results ? results + first : NULL;
}

/* Of one right-hand side. */
static koshu_status
sum(struct koshu_context *context, const struct koshu_ewald_options *o,
    const struct koshu_laplace_sets *s, size_t rhs)
{
    struct ewald e;
    const struct koshu_laplace_points *const at = &s->targets;
    const size_t first = rhs * at->n;
    double *const to[4] = {from(s->result.gradient_x, first),
                           from(s->result.gradient_y, first),
                           from(s->result.gradient_z, first),
                           from(s->result.potential, first)};
    KOSHU_TRY(make(context, o, &s->sources, rhs, at->n, &e));
    const int threads = koshu_region_threads(context, at->n + e.n > 8);
    make_waves(&e, threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (size_t i = 0; i < at->n; i++) sum_at(&e, at, i, o->box, to);
    koshu_free(e.x);
    return KOSHU_OK;
}

koshu_status
koshu_ewald_sums(struct koshu_context *context,
                 const struct koshu_laplace_points *sources,
                 const struct koshu_laplace_points *targets,
                 const struct koshu_ewald_options *options,
                 const struct koshu_laplace_result *result)
{
    struct koshu_ewald_options o;
    struct koshu_laplace_sets sets;
    KOSHU_REQUIRE(context, context);
    KOSHU_TRY(koshu_read_points(context, sources, targets, result, &sets));
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_ewald_options, options, &o));
    KOSHU_TRY(check(context, &o));
    KOSHU_TRY(check_sets(context, &sets));
    KOSHU_TRY(koshu_check_threads(context));
    KOSHU_TRY(koshu_check_finite(context, &sets.sources, true));
    KOSHU_TRY(koshu_check_finite(context, &sets.targets, false));
    for (size_t rhs = 0; rhs < sets.sources.n_rhs; rhs++)
        KOSHU_TRY(sum(context, &o, &sets, rhs));
    return KOSHU_OK;
}
