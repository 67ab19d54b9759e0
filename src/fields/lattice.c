/* SPDX-License-Identifier: MIT */
/* Derivatives and inverse derivatives of fields, wave by wave. */
#include "fields/initial.h"

static bool
is_nyquist(size_t n, size_t i)
{
    return 2 * i == n;
}

double
koshu_wave_vector(const struct koshu_mesh *mesh, size_t i, size_t j, size_t l,
                  double k[3])
{
    k[0] = koshu_mesh_wave_number(mesh, 0, i);
    k[1] = koshu_mesh_wave_number(mesh, 1, j);
    k[2] = koshu_mesh_wave_number(mesh, 2, l);
    if (is_nyquist(mesh->n[0], i) || is_nyquist(mesh->n[1], j) ||
        is_nyquist(mesh->n[2], l))
        return 0;
    return k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
}

/* The factor of a wave as a function of its vector. */
typedef double complex factor_of_wave(const double k[3], double k2, int a,
                                      int b);

static void
multiply(const struct koshu_mesh *mesh, int threads, factor_of_wave *factor,
         int a, int b, const double complex *from, double complex *to)
{
    const size_t row = koshu_mesh_row(mesh), waves = koshu_mesh_waves(mesh);
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < mesh->n[0]; i++)
        for (size_t j = 0; j < mesh->n[1]; j++)
            for (size_t l = 0; l < waves; l++) {
                double k[3];
                const size_t at = (i * mesh->n[1] + j) * row + l;
                const double k2 = koshu_wave_vector(mesh, i, j, l, k);
                to[at] = k2 > 0 ? factor(k, k2, a, b) * from[at] : 0;
            }
}

static double complex
inverse_gradient(const double k[3], double k2, int a, int b)
{
    (void)b;
    return I * k[a] / k2;
}

static double complex
tide(const double k[3], double k2, int a, int b)
{
    return k[a] * k[b] / k2;
}

void
koshu_inverse_gradient(const struct koshu_mesh *mesh, int threads, int axis,
                       const double complex *from, double complex *to)
{
    multiply(mesh, threads, inverse_gradient, axis, axis, from, to);
}

void
koshu_tidal_tensor(const struct koshu_mesh *mesh, int threads, int a, int b,
                   const double complex *from, double complex *to)
{
    multiply(mesh, threads, tide, a, b, from, to);
}
