/* SPDX-License-Identifier: MIT */
/*
 * Random numbers of waves as in N-GenIC and 2LPTic: each column of waves along
 * z has a seed. Seeds are drawn in growing squares about the column of
 * frequency (0, 0), so that a finer mesh only adds to them.
 */
#include <math.h>

#include "base/base.h"
#include "fields/initial.h"
#include "fields/ranlux.h"

/* Draws square s: the cells of its rows and columns, at one of the table's four
 * corners. Indices count from the table's beginning (near) or end. */
static void
draw_corner(struct koshu_ranlux *r, size_t n, size_t s, bool near_row,
            bool near_column, uint32_t *seed)
{
    for (size_t k = 0; k < 2 * s + 1; k++) {
        const size_t i = k < s ? s : k - s, j = k < s ? k : s;
        const size_t row = near_row ? i : n - 1 - i,
                     column = near_column ? j : n - 1 - j;
        seed[row * n + column] = (uint32_t)(0x7fffffff * koshu_ranlux_next(r));
    }
}

uint32_t *
koshu_n_genic_seeds(size_t n, uint32_t seed)
{
    struct koshu_ranlux r = koshu_ranlux_seeded(seed);
    uint32_t *seeds = koshu_alloc(n * n, sizeof *seeds);
    if (!seeds) return NULL;
    for (size_t s = 0; s < n / 2; s++) {
        draw_corner(&r, n, s, true, true, seeds);
        draw_corner(&r, n, s, false, true, seeds);
        draw_corner(&r, n, s, true, false, seeds);
        draw_corner(&r, n, s, false, false, seeds);
    }
    return seeds;
}

static double complex
draw(struct koshu_ranlux *r, const struct koshu_phases *p)
{
    const double angle = 2 * M_PI * koshu_ranlux_next(r);
    double u;
    do u = koshu_ranlux_next(r);
    while (u == 0);
    const double size = p->fixed ? 1 : sqrt(-log(u));
    return (p->paired ? -size : size) * cexp(I * angle);
}

/* Of k and -k in the plane l = 0, only the one with positive i is drawn, or
 * with positive j if i = 0. */
void
koshu_n_genic_column(const struct koshu_phases *phases, const uint32_t *seeds,
                     size_t n, size_t i, size_t j, double complex *wave)
{
    struct koshu_ranlux r = koshu_ranlux_seeded(seeds[i * n + j]);
    for (size_t l = 0; l < n / 2; l++) wave[l] = draw(&r, phases);
    wave[n / 2] = 0;
    if (i > n / 2 || (i == 0 && j > n / 2)) {
        r = koshu_ranlux_seeded(seeds[(n - i) % n * n + (n - j) % n]);
        wave[0] = conj(draw(&r, phases));
    }
}
