/* SPDX-License-Identifier: MIT */
/*
 * The density centre and the core radius of a cluster. The density at a
 * particle is that of its five nearest neighbours within the distance r_6 of
 * the sixth (Casertano & Hut 1985, ApJ 298, 80, eq. II.2),
 *
 *     rho_i = sum of their masses / (4 pi r_6^3 / 3),
 *
 * the centre x_d = sum rho_i x_i / sum rho_i (eq. II.3), and the core radius
 * r_c^2 = sum rho_i^2 |x_i - x_d|^2 / sum rho_i^2 (McMillan, Hut & Makino 1990,
 * ApJ 362, 522).
 */
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "output/neighbours.h"
#include "output/output.h"
#include "particles/particles.h"

enum { NEIGHBOURS = 6, COLUMNS = 4, MASS = 3 };

/* The particles of all ranks. */
struct bodies {
    size_t n;
    double *column[COLUMNS], *rho; /* x, y, z, mass */
};

static koshu_status
gather(struct koshu_particles *particles, struct bodies *b)
{
    struct koshu_particle_view v;
    koshu_status status = koshu_particles_on_host(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
            KOSHU_ACCESS_READ, &v);
    KOSHU_TRY(koshu_ranks_collective_status(koshu_particles_context(particles),
                                            status));
    const double *const mine[COLUMNS] = {v.x, v.y, v.z, v.mass};
    for (int c = 0; c < COLUMNS; c++)
        KOSHU_TRY(koshu_gather_column(particles, mine[c], b->column[c]));
    return KOSHU_OK;
}

/* ---- densities ----------------------------------------------------------- */

static double
density_at(const struct bodies *b, const struct koshu_neighbour_tree *tree,
           size_t i)
{
    struct koshu_neighbours near = {.n = NEIGHBOURS};
    double mass = 0;
    koshu_neighbours_find(tree, i, &near);
    for (int k = 0; k < NEIGHBOURS - 1; k++)
        mass += b->column[MASS][near.index[k]];
    const double r2 = near.r2[NEIGHBOURS - 1];
    return r2 > 0 ? mass / (4 * M_PI / 3 * r2 * sqrt(r2)) : 0;
}

static koshu_status
find_densities(struct koshu_context *context, const struct bodies *b)
{
    struct koshu_neighbour_tree *tree;
    const int threads = koshu_region_threads(context, b->n > 1024);
    const double *const x[3] = {b->column[0], b->column[1], b->column[2]};
    KOSHU_TRY(koshu_ranks_collective_status(
            context, koshu_neighbour_tree_create(context, b->n, x, &tree)));
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (size_t i = 0; i < b->n; i++) b->rho[i] = density_at(b, tree, i);
    koshu_neighbour_tree_destroy(tree);
    return KOSHU_OK;
}

/* ---- centre and radius --------------------------------------------------- */

static void
find_centre(const struct bodies *b, double centre[3])
{
    struct koshu_sum weight = {0}, x[3] = {{0}};
    for (size_t i = 0; i < b->n; i++) {
        koshu_sum_add(&weight, b->rho[i]);
        for (int c = 0; c < 3; c++)
            koshu_sum_add(&x[c], b->rho[i] * b->column[c][i]);
    }
    for (int c = 0; c < 3; c++)
        centre[c] = koshu_sum_value(x[c]) / koshu_sum_value(weight);
}

static double
radius_about(const struct bodies *b, const double centre[3])
{
    struct koshu_sum weight = {0}, squares = {0};
    for (size_t i = 0; i < b->n; i++) {
        const double rho2 = b->rho[i] * b->rho[i];
        koshu_sum_add(&weight, rho2);
        for (int c = 0; c < 3; c++) {
            const double d = b->column[c][i] - centre[c];
            koshu_sum_add(&squares, rho2 * d * d);
        }
    }
    return sqrt(koshu_sum_value(squares) / koshu_sum_value(weight));
}

static koshu_status
find_core(struct koshu_particles *particles, struct bodies *b, double centre[3],
          double *radius)
{
    KOSHU_TRY(gather(particles, b));
    KOSHU_TRY(find_densities(koshu_particles_context(particles), b));
    find_centre(b, centre);
    *radius = radius_about(b, centre);
    return KOSHU_OK;
}

koshu_status
koshu_core(struct koshu_particles *particles, double centre[3], double *radius)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const size_t n = koshu_particles_total(particles), columns = COLUMNS + 1;
    struct bodies b = {.n = n};
    koshu_status status = KOSHU_OK;
    if (n <= NEIGHBOURS || n > UINT32_MAX)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "the core of %zu particles: it takes %d at least, "
                          "and less than 2^32",
                          n, NEIGHBOURS + 1);
    double *memory = koshu_alloc(columns * n, sizeof *memory);
    if (!memory)
        status = koshu_fail_memory(context, columns * n * sizeof *memory,
                                   "the core radius");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) {
        for (size_t c = 0; c < COLUMNS; c++) b.column[c] = memory + c * n;
        b.rho = memory + COLUMNS * n;
        status = find_core(particles, &b, centre, radius);
    }
    koshu_free(memory);
    return status;
}
