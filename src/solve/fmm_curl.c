/* SPDX-License-Identifier: MIT */
/*
 * Velocities by the Biot-Savart law. Three right-hand sides are the components
 * of the vortex strengths. With Phi_b the potential of the b-th,
 *
 *     4 pi u_i = D_a Phi_b - D_b Phi_a,
 *     (i, a, b) = (x, y, z) and cyclic permutations
 */
#include "solve/fmm_sides.h"

static const double pi = 3.14159265358979323846;

/* The derivatives of each right-hand side's potential at a particle. */
struct derivatives {
    double first[3][3], second[3][3][3];
};

static void
load_hessian(const double *sums, size_t n, double trace, double h[3][3])
{
    h[0][0] = sums[0];
    h[0][1] = h[1][0] = sums[n];
    h[0][2] = h[2][0] = sums[2 * n];
    h[1][1] = sums[3 * n];
    h[1][2] = h[2][1] = sums[4 * n];
    h[2][2] = trace - (h[0][0] + h[1][1]);
}

/* Loads them for the particle whose sums begin at `sums`. */
static void
load(const struct koshu_fmm_down *down, const double *sums, size_t n,
     struct derivatives *d)
{
    for (size_t rhs = 0; rhs < 3; rhs++, sums += KOSHU_FMM_FIELDS * n) {
        const double *gradient = sums + KOSHU_FMM_GRADIENT * n;
        for (size_t a = 0; a < 3; a++) d->first[rhs][a] = gradient[a * n];
        if (down->hessian)
            load_hessian(sums + KOSHU_FMM_HESSIAN * n, n,
                         koshu_fmm_trace(down->fmm, rhs), d->second[rhs]);
    }
}

/* Writes velocity and velocity gradient of particle i. */
static void
write_curl(const struct koshu_fmm_results *to, size_t i,
           const struct derivatives *d)
{
    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        if (to->velocity[c])
            to->velocity[c][i] = (d->first[b][a] - d->first[a][b]) / (4 * pi);
        for (int k = 0; to->velocity_gradient[0] && k < 3; k++)
            to->velocity_gradient[3 * c + k][i] =
                    (d->second[b][a][k] - d->second[a][b][k]) / (4 * pi);
    }
}

void
koshu_fmm_scatter_curl(const struct koshu_fmm_down *down, uint32_t leaf,
                       const double *sums)
{
    const struct koshu_fmm_results *to = down->to;
    const struct koshu_cell *cell = &down->targets->cells.cell[leaf];
    const uint32_t *order = down->targets->tree.order + cell->first;
    struct derivatives d = {0};
    if (!to->velocity[0] && !to->velocity_gradient[0]) return;
    for (size_t k = 0; k < cell->n; k++) {
        load(down, sums + k, cell->n, &d);
        write_curl(to, order[k], &d);
    }
}
