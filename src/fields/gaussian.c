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
    uint32_t *seeds; /* NULL: use philox */
    /* The rms of a wave, by the sum of the squares of its three integers: there
     * are n^2 of these, and the spectrum takes as long as all else together. */
    double *amplitude;
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

static bool
is_nyquist(const struct koshu_mesh *mesh, size_t i)
{
    return 2 * i == mesh->n[0];
}

static void
fill_column(const struct field *f, size_t i, size_t j, double complex *wave)
{
    const struct koshu_mesh *m = f->mesh;
    const long a = koshu_mesh_frequency(m->n[0], i),
               b = koshu_mesh_frequency(m->n[1], j);
    const double *const amplitude = f->amplitude + (a * a + b * b);
    const bool none = is_nyquist(m, i) || is_nyquist(m, j);
    draw_column(f, i, j, wave);
    for (size_t l = 0; l < koshu_mesh_waves(m); l++)
        wave[l] = none || is_nyquist(m, l) ? 0 : amplitude[l * l] * wave[l];
}

static koshu_status
make_amplitudes(struct field *f, int threads, const struct koshu_power *power)
{
    const double box = f->mesh->box[0], volume = box * box * box;
    const size_t half = f->mesh->n[0] / 2, n = 3 * half * half + 1;
    f->amplitude = koshu_alloc(n, sizeof *f->amplitude);
    if (!f->amplitude) return KOSHU_ERROR_OUT_OF_MEMORY;
#pragma omp parallel for num_threads(threads)
    for (size_t m = 1; m < n; m++) {
        const double k = 2 * M_PI / box * sqrt((double)m);
        f->amplitude[m] = sqrt(koshu_power_at(power, k) / volume);
    }
    return KOSHU_OK;
}

static koshu_status
make_seeds(struct field *f)
{
    if (f->phases->sequence != KOSHU_SEQUENCE_N_GENIC) return KOSHU_OK;
    f->seeds = koshu_n_genic_seeds(f->mesh->n[0], (uint32_t)f->phases->seed);
    return f->seeds ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY;
}

static void
fill(const struct field *f, int threads, double complex *wave)
{
    const struct koshu_mesh *m = f->mesh;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t i = 0; i < m->n[0]; i++)
        for (size_t j = 0; j < m->n[1]; j++)
            fill_column(f, i, j, wave + (i * m->n[1] + j) * koshu_mesh_row(m));
}

koshu_status
koshu_gaussian_waves(const struct koshu_mesh *mesh, int threads,
                     const struct koshu_phases *phases,
                     const struct koshu_power *power, double complex *wave)
{
    struct field f = {.mesh = mesh, .phases = phases};
    koshu_status status = make_seeds(&f);
    if (status == KOSHU_OK) status = make_amplitudes(&f, threads, power);
    if (status == KOSHU_OK) fill(&f, threads, wave);
    koshu_free(f.seeds);
    koshu_free(f.amplitude);
    return status;
}
