/* SPDX-License-Identifier: MIT */
/* Gaussian random fields, as waves. */
#include <math.h>

#include <Random123/philox.h>

#include "base/base.h"
#include "cosmology/cosmology.h"
#include "fields/initial.h"

static const char *const names[] = {"philox", "n-genic"};
KOSHU_ENUM_NAMES(koshu_sequence, "a sequence of random numbers", names)

/* A uniform number in (0, 1), from 52 bits. */
static double
open_unit(uint32_t low, uint32_t high)
{
    const uint64_t bits = (uint64_t)high << 32 | low;
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

/* A complex Gaussian with <|z|^2> = 1 by Box & Muller. Only one of the waves k
 * and -k is drawn. */
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

/* ---- all waves ----------------------------------------------------------- */

struct field {
    const struct koshu_mesh *mesh;
    const struct koshu_phases *phases;
    const struct koshu_power *power;
    const uint32_t *seeds; /* NULL: use philox */
};

static void
draw_column(const struct field *f, size_t i, size_t j, double complex *wave)
{
    const struct koshu_mesh *m = f->mesh;
    if (f->seeds) {
        koshu_n_genic_column(f->phases, f->seeds, m->n[0], i, j, wave);
        return;
    }
    for (size_t l = 0; l < koshu_mesh_waves(m); l++)
        wave[l] = phase_of(f->phases, koshu_mesh_frequency(m->n[0], i),
                           koshu_mesh_frequency(m->n[1], j), (long)l);
}

static void
fill_column(const struct field *f, size_t i, size_t j, double complex *wave)
{
    const double *box = f->mesh->box, volume = box[0] * box[1] * box[2];
    draw_column(f, i, j, wave);
    for (size_t l = 0; l < koshu_mesh_waves(f->mesh); l++) {
        double k[3];
        const double k2 = koshu_wave_vector(f->mesh, i, j, l, k);
        wave[l] = k2 > 0 ? sqrt(koshu_power_at(f->power, sqrt(k2)) / volume) *
                                   wave[l]
                         : 0;
    }
}

koshu_status
koshu_gaussian_waves(const struct koshu_mesh *mesh, int threads,
                     const struct koshu_phases *phases,
                     const struct koshu_power *power, double complex *wave)
{
    struct field f = {mesh, phases, power, NULL};
    uint32_t *seeds = NULL;
    if (phases->sequence == KOSHU_SEQUENCE_N_GENIC) {
        f.seeds = seeds =
                koshu_n_genic_seeds(mesh->n[0], (uint32_t)phases->seed);
        if (!seeds) return KOSHU_ERROR_OUT_OF_MEMORY;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t i = 0; i < mesh->n[0]; i++)
        for (size_t j = 0; j < mesh->n[1]; j++)
            fill_column(&f, i, j,
                        wave + (i * mesh->n[1] + j) * koshu_mesh_row(mesh));
    koshu_free(seeds);
    return KOSHU_OK;
}
