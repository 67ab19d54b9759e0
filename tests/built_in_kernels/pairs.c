/* SPDX-License-Identifier: MIT */
#include "pairs.h"

#include <math.h>
#include <stdbool.h>

/* Not M_PIl: this must reveal a typing error in a kernel's constant. */
static const long double pi = 3.14159265358979323846264338327950288L;

typedef long double real;

static real
square(real x)
{
    return x * x;
}

static real
distance(const double *i, const double *j)
{
    return sqrtl(square((real)i[0] - j[0]) + square((real)i[1] - j[1]) +
                 square((real)i[2] - j[2]));
}

static void
put(struct pair *p, size_t k, real value, real size)
{
    p->value[k] = value;
    p->size[k] = fabsl(size);
}

/* A vector of this size along x_i - x_j. */
static void
put_along(struct pair *p, size_t first, const double *i, const double *j,
          real per_length, real size)
{
    for (size_t c = 0; c < 3; c++) {
        real d = (real)i[c] - j[c];
        put(p, first + c, per_length * d, size * d);
    }
}

/* ---- gravity ------------------------------------------------------------- */

static const double eps2_set = 0.02;

static void
gravity(const double *i, const double *j, struct pair *p)
{
    real r = sqrtl(square(distance(i, j)) + i[3]);
    real a = -j[3] / (r * r * r);
    put_along(p, 0, i, j, a, a);
}

static void
gravity_jerk(const double *i, const double *j, struct pair *p)
{
    real r = sqrtl(square(distance(i, j)) + eps2_set);
    real m = j[6], rv = 0, size = 0;
    put_along(p, 0, i, j, -m / (r * r * r), m / (r * r * r));
    for (size_t c = 0; c < 3; c++) {
        real part = ((real)j[c] - i[c]) * ((real)j[c + 3] - i[c + 3]);
        rv += part;
        size += fabsl(part);
    }
    for (size_t c = 0; c < 3; c++) {
        real x = (real)j[c] - i[c], v = (real)j[c + 3] - i[c + 3];
        real first = m * v / (r * r * r);
        real second = 3 * m * x / (r * r * r * r * r);
        put(p, 3 + c, first - rv * second, fabsl(first) + size * fabsl(second));
    }
    put(p, 6, -m / r, m / r);
}

/* ---- smoothed particle hydrodynamics ------------------------------------- */

/* W and dW/dr of the cubic spline, case by case as Monaghan prints them. */
static real
spline(real r, real h)
{
    real q = r / h, w = 0;
    if (q < 1)
        w = 1 - 1.5L * q * q + 0.75L * q * q * q;
    else if (q < 2)
        w = square(2 - q) * (2 - q) / 4;
    return w / (pi * h * h * h);
}

static real
spline_slope(real r, real h)
{
    real q = r / h, w = 0;
    if (q < 1)
        w = -3 * q + 2.25L * q * q;
    else if (q < 2)
        w = -0.75L * square(2 - q);
    return w / (pi * h * h * h * h);
}

static void
sph_density(const double *i, const double *j, struct pair *p)
{
    real h = i[3], r = distance(i, j);
    put(p, 0, j[3] * spline(r, h), r < 2 * h ? j[3] / (pi * h * h * h) : 0);
}

static void
sph_pressure(const double *i, const double *j, struct pair *p)
{
    real h = ((real)i[3] + j[3]) / 2, r = distance(i, j);
    real pressure = i[5] / square(i[4]) + j[5] / square(j[4]);
    bool near = r > 0 && r < 2 * h;
    put_along(p, 0, i, j, near ? -j[6] * pressure * spline_slope(r, h) / r : 0,
              near ? j[6] * pressure / (pi * h * h * h * h) / r : 0);
}

/* ---- molecules ----------------------------------------------------------- */

static const double box_set = 2, cutoff_set = 0.7, k_set = 3;

/* Moves j to its image nearest to i. */
static void
nearest_image(const double *i, const double *j, double image[3])
{
    for (int c = 0; c < 3; c++) {
        image[c] = j[c];
        while (image[c] - i[c] > box_set / 2) image[c] -= box_set;
        while (image[c] - i[c] < -box_set / 2) image[c] += box_set;
    }
}

static void
lennard_jones(const double *i, const double *j, struct pair *p)
{
    real e = sqrtl((real)i[3] * j[3]), s = ((real)i[4] + j[4]) / 2;
    real r = distance(i, j);
    bool near = r > 0 && r < 2.5L * s;
    real s6 = near ? powl(s / r, 6) : 0;
    real per_r2 = near ? 1 / (r * r) : 0;
    put_along(p, 0, i, j, 24 * e * (2 * s6 * s6 - s6) * per_r2,
              24 * e * (2 * s6 * s6 + s6) * per_r2);
    put(p, 3, 4 * e * (s6 * s6 - s6), 4 * e * (s6 * s6 + s6));
}

static void
coulomb(const double *i, const double *j, struct pair *p)
{
    double image[3];
    nearest_image(i, j, image);
    real r = distance(i, image), limit = cutoff_set;
    bool near = r > 0 && r < limit;
    real qq = near ? k_set * i[3] * j[3] : 0, per_r = near ? 1 / r : 0;
    put_along(p, 0, i, image, qq * (square(per_r) - 1 / square(limit)) * per_r,
              qq * square(per_r) * per_r);
    put(p, 3, qq * (per_r - 1 / limit + (r - limit) / square(limit)),
        qq * per_r);
}

/* ---- potentials and waves ------------------------------------------------ */

static void
single_layer(const double *i, const double *j, struct pair *p)
{
    real r = distance(i, j), source = j[4], area = j[3];
    real value = r > 0 ? source * area / (4 * pi * r)
                       : source * sqrtl(area / pi) / 2;
    put(p, 0, value, value);
}

static void
hologram(const double *i, const double *j, struct pair *p)
{
    const real wavelength = 633e-9, plane = 0.1;
    real r = sqrtl(square((real)i[0] - j[0]) + square((real)i[1] - j[1]) +
                   square(plane + j[2]));
    real phase = 2 * pi * (r - plane) / wavelength;
    put(p, 0, j[3] * cosl(phase), j[3]);
    put(p, 1, j[3] * sinl(phase), j[3]);
}

/* ---- statistics ---------------------------------------------------------- */

static void
kolmogorov_smirnov(const double *i, const double *j, struct pair *p)
{
    bool east = j[0] > i[0], north = j[1] > i[1];
    int quadrant = north ? (east ? 0 : 1) : (east ? 3 : 2);
    for (size_t k = 0; k < 8; k++) put(p, k, 0, 0);
    put(p, (size_t)(quadrant + (j[2] != 0 ? 4 : 0)), 1, 1);
}

static void
nearest_neighbour(const double *i, const double *j, struct pair *p)
{
    real r2 = square(distance(i, j));
    put(p, 0, r2, r2);
}

/* ---- vortices ------------------------------------------------------------ */

/* u = f(r) alpha x r. The series is used where the differences lose all digits,
 * even in long double. */
static real
vortex_core(real r, real sigma, real *slope)
{
    real core = sqrtl(2) * sigma, s = r / core, g = 0, term = s * s * s;
    *slope = 0;
    if (r == 0) return 1 / (3 * pi * sqrtl(pi) * core * core * core);
    if (s < 0.01L)
        for (int n = 0; n < 6; n++) {
            g += 4 / sqrtl(pi) * term / (2 * n + 3);
            term *= -s * s / (n + 1);
        }
    else
        g = erfl(s) - 2 / sqrtl(pi) * s * expl(-s * s);
    real g_slope = 4 / sqrtl(pi) * s * s * expl(-s * s) / core;
    *slope = (g_slope - 3 * g / r) / (4 * pi * r * r * r);
    return g / (4 * pi * r * r * r);
}

static void
cross(const double a[3], const real b[3], real c[3], real size[3])
{
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        c[k] = a[l] * b[m] - a[m] * b[l];
        size[k] = fabsl(a[l] * b[m]) + fabsl(a[m] * b[l]);
    }
}

static void
biot_savart(const double *i, const double *j, struct pair *p)
{
    real slope, r[3], u[3], size[3];
    real f = vortex_core(distance(i, j), j[6], &slope);
    for (int c = 0; c < 3; c++) r[c] = (real)i[c] - j[c];
    cross(j + 3, r, u, size);
    for (size_t c = 0; c < 3; c++) put(p, c, f * u[c], f * size[c]);
}

static void
stretching(const double *i, const double *j, struct pair *p)
{
    real slope, r[3], own[3], u[3], u_size[3], s[3], s_size[3];
    real length = distance(i, j), along = 0, along_size = 0;
    real f = vortex_core(length, j[6], &slope);
    if (length > 0) slope /= length;
    for (int c = 0; c < 3; c++) {
        r[c] = (real)i[c] - j[c];
        own[c] = i[c + 3];
        along += own[c] * r[c];
        along_size += fabsl(own[c] * r[c]);
    }
    cross(j + 3, r, u, u_size);
    cross(j + 3, own, s, s_size);
    /* slope is a difference of terms of the size of f / r^2 */
    real per_r2 = length > 0 ? 4 * f / square(length) : 0;
    for (size_t c = 0; c < 3; c++) {
        put(p, c, f * u[c], f * u_size[c]);
        put(p, 3 + c, f * s[c] + slope * along * u[c],
            f * s_size[c] + per_r2 * along_size * u_size[c]);
    }
}

/* ---- all of them --------------------------------------------------------- */

#define CUBE          \
    {-1, 1}, {-1, 1}, \
    {                 \
        -1, 1         \
    }

/*
 * Rounding is 6e-8 in single and 1.1e-16 in double, and averages out over many
 * pairs. Most pairs take about ten roundings: 1e-6 and 2e-15. (s/r)^12 is the
 * square of a sixth power of a distance with three roundings. Light paths of up
 * to 2000 wavelengths are rounded by 2000 * 2 pi * 6e-8 = 7.5e-4, three or four
 * times.
 */
const struct entry entries[] = {
        {.name = "gravity",
         .add = gravity,
         .i = {CUBE, {0.01, 0.1}},
         .j = {CUBE, {0, 1}},
         .single_error = 1e-6,
         .double_error = 2e-15},
        {.name = "gravity-jerk",
         .add = gravity_jerk,
         .i = {CUBE, CUBE},
         .j = {CUBE, CUBE, {0, 1}},
         .n_constants = 1,
         .constants = {{"eps2", 0.02}},
         .single_error = 1e-6,
         .double_error = 2e-15},
        {.name = "sph-density",
         .add = sph_density,
         .i = {CUBE, {0.1, 0.4}},
         .j = {CUBE, {0, 1}},
         .single_error = 1e-6,
         .double_error = 2e-15},
        {.name = "sph-pressure",
         .add = sph_pressure,
         .i = {CUBE, {0.1, 0.4}, {0.5, 2}, {0.1, 3}},
         .j = {CUBE, {0.1, 0.4}, {0.5, 2}, {0.1, 3}, {0, 1}},
         .single_error = 1e-6,
         .double_error = 2e-15},
        {.name = "lennard-jones",
         .add = lennard_jones,
         .i = {CUBE, {0.5, 2}, {0.1, 0.2}},
         .j = {CUBE, {0.5, 2}, {0.1, 0.2}},
         .single_error = 3e-6,
         .double_error = 6e-15},
        {.name = "coulomb",
         .add = coulomb,
         .i = {CUBE, {-1, 1}},
         .j = {CUBE, {-1, 1}},
         .n_constants = 3,
         .constants = {{"cutoff", 0.7}, {"k", 3}, {"box", 2}},
         .single_error = 1e-6,
         .double_error = 2e-15},
        {.name = "single-layer",
         .add = single_layer,
         .i = {CUBE},
         .j = {CUBE, {0.01, 0.1}, {-1, 1}},
         .single_error = 1e-6,
         .double_error = 2e-15},
        {.name = "hologram",
         .add = hologram,
         .i = {{-5e-3, 5e-3}, {-5e-3, 5e-3}},
         .j = {{-1e-3, 1e-3}, {-1e-3, 1e-3}, {-1e-3, 1e-3}, {0, 1}},
         .single_error = 2e-3,
         .double_error = 4e-12},
        {.name = "kolmogorov-smirnov",
         .kind = COUNTS,
         .add = kolmogorov_smirnov,
         .i = {{-1, 1}, {-1, 1}},
         .j = {{-1, 1}, {-1, 1}, {0, 1}}},
        {.name = "nearest-neighbour",
         .kind = NEAREST,
         .add = nearest_neighbour,
         .i = {CUBE},
         .j = {CUBE},
         .single_error = 3e-7,
         .double_error = 6e-16},
        {.name = "biot-savart",
         .add = biot_savart,
         .i = {CUBE},
         .j = {CUBE, CUBE, {0.05, 0.5}},
         .single_error = 1e-6,
         .double_error = 4e-15},
        {.name = "biot-savart-stretching",
         .add = stretching,
         .i = {CUBE, CUBE},
         .j = {CUBE, CUBE, {0.05, 0.5}},
         .single_error = 1e-6,
         .double_error = 4e-15},
        {0}};
