/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <Random123/philox.h>

#include "base/base.h"
#include "cosmology/cosmology.h"
#include "fields/initial.h"

/* In (0, 1), by 52 bits. */
static double
open_unit(uint32_t low, uint32_t high)
{
    const uint64_t bits = (uint64_t)high << 32 | low;
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

/* Of <|z|^2> = 1, by Box & Muller, for one of the waves k and -k. */
static double complex
draw(const struct koshu_phases *p, long a, long b, long c)
{
    const philox4x32_key_t key = {
            {(uint32_t)p->seed, (uint32_t)(p->seed >> 32)}};
    const philox4x32_ctr_t counter = {
            {(uint32_t)a, (uint32_t)b, (uint32_t)c, 0}};
    const philox4x32_ctr_t bits = philox4x32(counter, key);
    const double u = open_unit(bits.v[0], bits.v[1]);
    const double angle = 2 * M_PI * open_unit(bits.v[2], bits.v[3]);
    const double size = p->fixed ? 1 : sqrt(-log(u));
    return (p->paired ? -size : size) * cexp(I * angle);
}

static double complex
phase_of(const struct koshu_phases *p, long a, long b, long c)
{
    const bool drawn = c > 0 || (c == 0 && (b > 0 || (b == 0 && a > 0)));
    return drawn ? draw(p, a, b, c) : conj(draw(p, -a, -b, -c));
}

void
koshu_gaussian_waves(const struct koshu_mesh *mesh, int threads,
                     const struct koshu_phases *phases,
                     const struct koshu_power *power, double complex *wave)
{
    const size_t row = koshu_mesh_row(mesh), waves = koshu_mesh_waves(mesh);
    const double volume = mesh->box[0] * mesh->box[1] * mesh->box[2];
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t i = 0; i < mesh->n[0]; i++)
        for (size_t m = 0; m < mesh->n[1] * waves; m++) {
            const size_t j = m / waves, l = m % waves;
            double k[3];
            const double k2 = koshu_wave_vector(mesh, i, j, l, k);
            double complex *to = &wave[(i * mesh->n[1] + j) * row + l];
            *to = 0;
            if (k2 > 0)
                *to = sqrt(koshu_power_at(power, sqrt(k2)) / volume) *
                      phase_of(phases, koshu_mesh_frequency(mesh->n[0], i),
                               koshu_mesh_frequency(mesh->n[1], j), (long)l);
        }
}
