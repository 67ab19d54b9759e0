/* SPDX-License-Identifier: MIT */
/* Sums over the waves of a power spectrum on the host, each rank over its
 * rows. */
#include <math.h>

#include "base/base.h"
#include "devices/devices.h"
#include "fields/mesh_ranks.h"
#include "fields/power_sums.h"

struct meshes {
    const struct power_sums *s;
    struct koshu_mesh_ranks ranks;
    double *field, *shifted; /* shifted: by half a cell; NULL: no interlacing */
};

static koshu_status
fill(struct meshes *m, double shift, double **field)
{
    const struct power_sums *s = m->s;
    KOSHU_TRY(koshu_mesh_ranks_field(&m->ranks, field));
    KOSHU_TRY(koshu_mesh_ranks_assign(&m->ranks, s->points, s->o->assignment,
                                      shift, *field));
    return koshu_mesh_ranks_forward(&m->ranks, field);
}

static koshu_status
prepare(struct meshes *m)
{
    KOSHU_TRY(koshu_mesh_ranks_create(m->s->context, &m->s->mesh, &m->ranks));
    KOSHU_TRY(fill(m, 0, &m->field));
    return m->s->o->single_mesh ? KOSHU_OK : fill(m, 0.5, &m->shifted);
}

/* The bin of a wave; n_bins if it is in none. */
static size_t
bin_of(const struct power_sums *s, const struct koshu_wave_axis a[3], double *k)
{
    *k = sqrt(a[0].f * a[0].f + a[1].f * a[1].f + a[2].f * a[2].f);
    const size_t m = (size_t)(*k + 0.5);
    return m >= 1 && m <= s->n_bins ? m - 1 : s->n_bins;
}

static void
sum_row(const struct meshes *m, struct koshu_wave_axis a[3], size_t at,
        double (*sums)[N_SUMS])
{
    const struct power_sums *s = m->s;
    double k;
    for (size_t l = 0; l < koshu_mesh_waves(&s->mesh); l++) {
        a[2] = s->axis[l];
        const size_t b = bin_of(s, a, &k);
        if (b == s->n_bins) continue;
        const double n = koshu_mesh_multiplicity(&s->mesh, l);
        sums[b][SUM_K] += n * k;
        sums[b][SUM_POWER] +=
                n *
                koshu_wave_power(&s->scale, a, m->field + 2 * (at + l),
                                 m->shifted ? m->shifted + 2 * (at + l) : NULL);
    }
}

static void
sum_plane(const struct meshes *m, size_t i)
{
    const struct power_sums *s = m->s;
    const struct koshu_mesh_ranks *r = &m->ranks;
    struct koshu_wave_axis a[3] = {s->axis[i]};
    for (size_t j = 0; j < r->n_rows; j++) {
        a[1] = s->axis[r->first_row + j];
        sum_row(m, a, (i * r->rows + j) * koshu_mesh_row(&s->mesh),
                s->plane + i * s->n_bins);
    }
}

koshu_status
koshu_power_sums_by_host(struct power_sums *s)
{
    struct meshes m = {.s = s};
    const koshu_status status = prepare(&m);
    if (status == KOSHU_OK) {
#pragma omp parallel for schedule(dynamic) \
        num_threads(koshu_region_threads(s->context, true))
        for (size_t i = 0; i < s->o->grid; i++) sum_plane(&m, i);
    }
    koshu_free(m.field);
    koshu_free(m.shifted);
    koshu_mesh_ranks_destroy(&m.ranks);
    return status;
}
