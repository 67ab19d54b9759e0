/* SPDX-License-Identifier: MIT */
/* Energy, enstrophy and other sums over the state of a flow. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/spectral_work.h"

/* Sums over a slab: energy, enstrophy, helicity, energy of forced waves. */
static void
sum_slab(const struct koshu_spectral *s, size_t j, double sum[4])
{
    const double edge = koshu_spectral_edge(s);
    memset(sum, 0, 4 * sizeof *sum);
    for (size_t i = 0; i < s->m; i++)
        for (size_t l = 0; l < s->k; l++) {
            const double x = s->frequency[i],
                         y = s->frequency[s->first_slab + j],
                         z = s->frequency[l], k2 = x * x + y * y + z * z;
            const double weight = l == 0 ? 0.5 : 1;
            double u2 = 0, helicity = 0;
            for (int c = 0; c < 3; c++) {
                const double complex u = koshu_spectral_wave(
                        s, KOSHU_SPECTRAL_VELOCITY, c, i, j, l);
                u2 += creal(u * conj(u));
                helicity +=
                        creal(u * conj(koshu_spectral_wave(
                                          s, KOSHU_SPECTRAL_CURL, c, i, j, l)));
            }
            sum[0] += weight * u2;
            sum[1] += weight * k2 * u2;
            sum[2] += 2 * weight * helicity;
            if (k2 > 0 && k2 <= edge * edge) sum[3] += weight * u2;
        }
}

/* Gathers the rows of all ranks; each has `part` at most. */
static koshu_status
gather_rows(const struct koshu_spectral *s, size_t part)
{
    if (s->ranks == 1) return KOSHU_OK;
    return koshu_all_gather(s->context, s->own, part * sizeof *s->own, s->slab);
}

static koshu_status
find_sums(const struct koshu_spectral *s)
{
    if (s->engine) return koshu_spectral_engine_sums(s);
#pragma omp parallel for num_threads(s->threads)
    for (size_t j = 0; j < s->n_slabs; j++) sum_slab(s, j, s->own[j]);
    return gather_rows(s, s->slabs);
}

/* In slab order, so that the sum does not depend on the number of ranks. */
static koshu_status
sum_slabs(const struct koshu_spectral *s, double sum[4])
{
    memset(sum, 0, 4 * sizeof *sum);
    KOSHU_TRY(find_sums(s));
    for (size_t j = 0; j < s->m; j++)
        for (int k = 0; k < 4; k++) sum[k] += s->slab[j][k];
    return KOSHU_OK;
}

koshu_status
koshu_spectral_low_energy(const struct koshu_spectral *s, double *energy)
{
    double sum[4];
    KOSHU_TRY(sum_slabs(s, sum));
    *energy = sum[3];
    return KOSHU_OK;
}

static koshu_status
find_maxima(struct koshu_spectral *s, double max[3])
{
    memset(max, 0, 3 * sizeof *max);
    if (s->engine) return koshu_spectral_engine_maxima(s, max);
    const bool fine = koshu_spectral_planes(s, true);
    KOSHU_TRY(gather_rows(s, s->planes));
    for (size_t x = 0; x < s->mesh; x++)
        for (int k = 0; k < 3; k++) max[k] = fmax(max[k], s->slab[x][k]);
    return koshu_ranks_collective_status(
            s->context,
            fine ? KOSHU_OK : koshu_fail_memory(s->context, 0, "a transform"));
}

koshu_status
koshu_spectral_report(struct koshu_spectral *s, struct koshu_spectral_report *r)
{
    const double nu = s->options.viscosity;
    double sum[4], max[3];
    KOSHU_TRY(sum_slabs(s, sum));
    KOSHU_TRY(find_maxima(s, max));
    const double u2 = 2 * sum[0] / 3, dissipation = 2 * nu * sum[1];
    *r = (struct koshu_spectral_report){.energy = sum[0],
                                        .enstrophy = sum[1],
                                        .helicity = sum[2],
                                        .dissipation = dissipation,
                                        .max_velocity = sqrt(max[0]),
                                        .max_vorticity = sqrt(max[1]),
                                        .max_sum = max[2]};
    if (!(dissipation > 0)) return KOSHU_OK;
    r->eta = pow(nu * nu * nu / dissipation, 0.25);
    r->reynolds = u2 * sqrt(15 / (nu * dissipation));
    return KOSHU_OK;
}
