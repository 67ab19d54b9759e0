/* SPDX-License-Identifier: MIT */
/* Waves of the initial turbulence that flow/turbulence.h describes. */
#include <math.h>
#include <string.h>

#include <Random123/philox.h>

#include "base/base.h"
#include "fields/initial.h"
#include "fields/turbulence.h"

struct phases {
    double first, second, part;
};

/* 2 pi times a number in (0, 1). */
static double
angle_of(uint32_t bits)
{
    return 2 * M_PI * ((double)bits + 0.5) * 0x1p-32;
}

static struct phases
draw(uint64_t seed, const long k[3])
{
    /* 1: a stream other than that of cosmological densities */
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t counter = {
            {(uint32_t)k[0], (uint32_t)k[1], (uint32_t)k[2], 1}};
    const philox4x32_ctr_t bits = philox4x32(counter, key);
    return (struct phases){angle_of(bits.v[0]), angle_of(bits.v[1]),
                           angle_of(bits.v[2])};
}

/* A wave of amplitude `size` perpendicular to k, as in Rogallo 1981. */
static void
wave_of(uint64_t seed, const long k[3], double size, double complex u[3])
{
    const struct phases p = draw(seed, k);
    const double x = (double)k[0], y = (double)k[1], z = (double)k[2];
    const double flat = hypot(x, y), all = hypot(flat, z);
    const double complex a = size * cos(p.part) * cexp(I * p.first),
                         b = size * sin(p.part) * cexp(I * p.second);
    if (flat == 0) {
        u[0] = a;
        u[1] = b;
        u[2] = 0;
        return;
    }
    u[0] = (a * all * y + b * x * z) / (all * flat);
    u[1] = (b * y * z - a * all * x) / (all * flat);
    u[2] = -b * flat / all;
}

/* Of k and -k only one is drawn. */
static bool
is_drawn(const long k[3])
{
    if (k[2] != 0) return k[2] > 0;
    return k[1] != 0 ? k[1] > 0 : k[0] > 0;
}

static double
size_of(const struct koshu_turbulence *t, const long k[3])
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        if (labs(k[c]) > (long)t->largest) return 0;
        square += (double)(k[c] * k[c]);
    }
    const size_t shell = (size_t)lround(sqrt(square));
    return shell > 0 && shell < t->shells ? sqrt(t->square[shell]) : 0;
}

void
koshu_turbulence_wave(const struct koshu_turbulence *t, const long k[3],
                      double complex u[3])
{
    const double size = size_of(t, k);
    memset(u, 0, 3 * sizeof *u);
    if (size == 0) return;
    if (is_drawn(k)) {
        wave_of(t->seed, k, size, u);
        return;
    }
    const long other[3] = {-k[0], -k[1], -k[2]};
    wave_of(t->seed, other, size, u);
    for (int c = 0; c < 3; c++) u[c] = conj(u[c]);
}

/* ---- meshes ------------------------------------------------------------- */

static void
curl(double unit, const long k[3], const double complex u[3],
     double complex omega[3])
{
    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        omega[c] = I * unit * ((double)k[a] * u[b] - (double)k[b] * u[a]);
    }
}

void
koshu_turbulence_waves(const struct koshu_turbulence *t,
                       const struct koshu_mesh *mesh, bool of_vorticity,
                       double complex *const to[3])
{
    const size_t row = koshu_mesh_row(mesh), waves = koshu_mesh_waves(mesh);
    for (size_t i = 0; i < mesh->n[0]; i++)
        for (size_t m = 0; m < mesh->n[1] * waves; m++) {
            const size_t j = m / waves, l = m % waves;
            const long k[3] = {koshu_mesh_frequency(mesh->n[0], i),
                               koshu_mesh_frequency(mesh->n[1], j), (long)l};
            double complex u[3], omega[3];
            koshu_turbulence_wave(t, k, u);
            curl(2 * M_PI / mesh->box[0], k, u, omega);
            for (int c = 0; c < 3; c++)
                to[c][(i * mesh->n[1] + j) * row + l] =
                        of_vorticity ? omega[c] : u[c];
        }
}

koshu_status
koshu_turbulence_fields(struct koshu_transform *transform,
                        const struct koshu_turbulence *t, bool of_vorticity,
                        void *field[3])
{
    double complex *to[3];
    for (int c = 0; c < 3; c++) {
        KOSHU_TRY(koshu_field_create(transform, "turbulence", &field[c]));
        to[c] = field[c];
    }
    koshu_turbulence_waves(t, koshu_transform_mesh(transform), of_vorticity,
                           to);
    return KOSHU_OK;
}

/* ---- vorticity ---------------------------------------------------------- */

static koshu_status
find_values(struct koshu_transform *transform, size_t n, void *field[3],
            double *values)
{
    for (size_t c = 0; c < 3; c++) {
        KOSHU_TRY(koshu_transform_backward(transform, field[c]));
        koshu_field_give(transform, field[c], values + c * n * n * n);
    }
    return KOSHU_OK;
}

koshu_status
koshu_turbulence_vorticity(struct koshu_context *context,
                           const struct koshu_turbulence *t, size_t n,
                           double *omega)
{
    const struct koshu_mesh mesh = koshu_mesh_cube(n, t->box);
    struct koshu_transform *transform;
    void *field[3] = {NULL};
    KOSHU_TRY(koshu_transform_create(context, &mesh, KOSHU_PRECISION_DOUBLE,
                                     &transform));
    koshu_status status = koshu_turbulence_fields(transform, t, true, field);
    if (status == KOSHU_OK) status = find_values(transform, n, field, omega);
    for (int c = 0; c < 3; c++) koshu_free(field[c]);
    koshu_transform_destroy(transform);
    return status;
}
