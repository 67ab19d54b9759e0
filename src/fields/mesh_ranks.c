/* SPDX-License-Identifier: MIT */
/* Fields divided among ranks: transforms, and assignment of particles. */
#include "fields/mesh_ranks.h"

#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "domain/domain.h"
#include "fields/transform.h"

/* ---- parts of a mesh ---------------------------------------------------- */

/* Divides n among ranks: `part` each, fewer or none for the last ones. */
static void
divide(size_t n, size_t part, size_t rank, size_t *first, size_t *count)
{
    const size_t end = (rank + 1) * part < n ? (rank + 1) * part : n;
    *first = rank * part < n ? rank * part : n;
    *count = end - *first;
}

static koshu_status
make_engines(struct koshu_mesh_ranks *m)
{
    struct koshu_mesh planes = m->mesh, columns = m->mesh;
    planes.n[0] = m->planes;
    columns.n[1] = m->rows;
    KOSHU_TRY(koshu_transform_engine_create(m->context, &planes, true,
                                            &m->of_planes));
    if (m->ranks > 1)
        return koshu_transform_engine_create(m->context, &columns, true,
                                             &m->of_columns);
    m->of_columns = m->of_planes;
    return KOSHU_OK;
}

koshu_status
koshu_mesh_ranks_create(struct koshu_context *context,
                        const struct koshu_mesh *mesh,
                        struct koshu_mesh_ranks *m)
{
    const size_t ranks = (size_t)koshu_context_ranks(context),
                 rank = (size_t)koshu_context_rank(context);
    *m = (struct koshu_mesh_ranks){.context = context, .ranks = ranks};
    KOSHU_TRY(koshu_mesh_check(context, mesh));
    m->mesh = *mesh;
    m->planes = (mesh->n[0] + ranks - 1) / ranks;
    m->rows = (mesh->n[1] + ranks - 1) / ranks;
    m->threads = koshu_region_threads(context, true);
    divide(mesh->n[0], m->planes, rank, &m->first_plane, &m->n_planes);
    divide(mesh->n[1], m->rows, rank, &m->first_row, &m->n_rows);
    return koshu_ranks_collective_status(context, make_engines(m));
}

void
koshu_mesh_ranks_destroy(struct koshu_mesh_ranks *m)
{
    if (m->of_columns != m->of_planes)
        koshu_transform_engine_destroy(m->of_columns);
    koshu_transform_engine_destroy(m->of_planes);
}

/* ---- fields ------------------------------------------------------------- */

/* Complex numbers of a plane, and of this rank's part of it. */
static size_t
plane_of(const struct koshu_mesh_ranks *m)
{
    return m->mesh.n[1] * koshu_mesh_row(&m->mesh);
}

static size_t
part_of(const struct koshu_mesh_ranks *m)
{
    return m->rows * koshu_mesh_row(&m->mesh);
}

/* Allocates n complex numbers on all ranks, or fails on all. */
static koshu_status
allocate(const struct koshu_mesh_ranks *m, size_t n, double **field)
{
    *field = koshu_alloc(n, 2 * sizeof **field);
    return koshu_ranks_collective_status(
            m->context,
            *field ? KOSHU_OK
                   : koshu_fail_memory(m->context, 16 * n, "a field"));
}

koshu_status
koshu_mesh_ranks_field(const struct koshu_mesh_ranks *m, double **field)
{
    return allocate(m, m->planes * plane_of(m), field);
}

/* Orders the data for sending: for each rank its rows, plane after plane. */
static void
pack(const struct koshu_mesh_ranks *m, const double *planes, double *outgoing)
{
    const size_t row = 2 * koshu_mesh_row(&m->mesh), n = m->mesh.n[1];
    for (size_t r = 0; r < m->ranks; r++)
        for (size_t i = 0; i < m->n_planes && r * m->rows < n; i++) {
            const size_t left = n - r * m->rows,
                         rows = left < m->rows ? left : m->rows;
            memcpy(outgoing + 2 * (r * m->planes + i) * part_of(m),
                   planes + 2 * i * plane_of(m) + r * m->rows * row,
                   rows * row * sizeof *planes);
        }
}

/* From planes to rows of all planes, in order. */
static koshu_status
exchange(const struct koshu_mesh_ranks *m, double **field)
{
    const size_t numbers = m->ranks * m->planes * part_of(m);
    double *outgoing = NULL, *rows = NULL;
    size_t *n = koshu_alloc(m->ranks, sizeof *n);
    koshu_status status =
            n ? KOSHU_OK : koshu_fail_memory(m->context, 8 * m->ranks, "ranks");
    status = koshu_ranks_collective_status(m->context, status);
    if (status == KOSHU_OK) status = allocate(m, numbers, &outgoing);
    if (status == KOSHU_OK) {
        pack(m, *field, outgoing);
        koshu_free(*field);
        *field = NULL;
        for (size_t r = 0; r < m->ranks; r++) n[r] = m->planes;
        status = allocate(m, numbers, &rows);
    }
    if (status == KOSHU_OK)
        status = koshu_all_to_all(m->context, outgoing,
                                  part_of(m) * 2 * sizeof *rows, n, rows);
    koshu_free(n);
    koshu_free(outgoing);
    if (rows) *field = rows;
    return status;
}

static bool
transform_planes(const struct koshu_mesh_ranks *m, double *field)
{
    bool fine = true;
#pragma omp parallel for num_threads(m->threads) reduction(&& : fine)
    for (size_t i = 0; i < m->n_planes; i++)
        fine = koshu_transform_plane(m->of_planes, KOSHU_TRANSFORM_FORWARD,
                                     field + 2 * i * plane_of(m)) &&
               fine;
    return fine;
}

static bool
transform_columns(const struct koshu_mesh_ranks *m, double *field)
{
    bool fine = true;
    const size_t row = 2 * koshu_mesh_row(&m->mesh);
#pragma omp parallel for num_threads(m->threads) reduction(&& : fine)
    for (size_t j = 0; j < m->n_rows; j++)
        fine = koshu_transform_columns(m->of_columns, KOSHU_TRANSFORM_FORWARD,
                                       field + j * row) &&
               fine;
    return fine;
}

static void
scale(const struct koshu_mesh_ranks *m, double *field)
{
    const double factor = 1 / (double)koshu_mesh_cells(&m->mesh);
    const size_t n = 2 * m->mesh.n[0] * part_of(m);
#pragma omp parallel for num_threads(m->threads)
    for (size_t k = 0; k < n; k++) field[k] *= factor;
}

koshu_status
koshu_mesh_ranks_forward(const struct koshu_mesh_ranks *m, double **field)
{
    bool fine = transform_planes(m, *field);
    if (m->ranks > 1) KOSHU_TRY(exchange(m, field));
    fine = transform_columns(m, *field) && fine;
    scale(m, *field);
    return koshu_ranks_collective_status(
            m->context,
            fine ? KOSHU_OK
                 : koshu_fail(m->context, KOSHU_ERROR_OUT_OF_MEMORY,
                              "out of memory for the work space of a "
                              "transform"));
}

/* ---- points ------------------------------------------------------------- */

enum { COLUMNS = 4, REACHED_MAX = 4 }; /* mass, x, y, z */

/* Finds the ranks that hold a plane that the point reaches. */
static size_t
reached(const struct koshu_mesh_ranks *m, const struct koshu_points *points,
        enum koshu_assignment assignment, double shift, size_t p,
        uint32_t rank[REACHED_MAX])
{
    const size_t n = m->mesh.n[0],
                 first = koshu_points_first_plane(&m->mesh, points->x[0][p],
                                                  assignment, shift);
    size_t count = 0;
    for (size_t a = 0; a < koshu_assignment_planes(assignment); a++) {
        const uint32_t r = (uint32_t)((first + a) % n / m->planes);
        size_t k = 0;
        while (k < count && rank[k] != r) k++;
        if (k == count) rank[count++] = r;
    }
    return count;
}

/* Copies of the points, one for each rank they go to, as columns of home[]. */
struct copies {
    struct koshu_particle_exchange x;
    double *home[COLUMNS], *here[COLUMNS];
};

static koshu_status
allocate_columns(struct koshu_context *context, size_t n,
                 double *column[COLUMNS])
{
    bool good = true;
    for (int k = 0; k < COLUMNS; k++) {
        column[k] = koshu_alloc(n + 1, sizeof *column[k]);
        good = good && column[k];
    }
    return koshu_ranks_collective_status(
            context, good ? KOSHU_OK
                          : koshu_fail_memory(context, 8 * COLUMNS * n,
                                              "particles by planes"));
}

static void
free_copies(struct copies *c)
{
    for (int k = 0; k < COLUMNS; k++) {
        koshu_free(c->home[k]);
        koshu_free(c->here[k]);
    }
    koshu_particle_exchange_free(&c->x);
}

static koshu_status
distribute(const struct koshu_mesh_ranks *m, const struct koshu_points *points,
           enum koshu_assignment assignment, double shift, struct copies *c)
{
    const double *from[COLUMNS] = {points->mass, points->x[0], points->x[1],
                                   points->x[2]};
    uint32_t rank[REACHED_MAX];
    size_t n = 0;
    for (size_t p = 0; p < points->n; p++)
        n += reached(m, points, assignment, shift, p, rank);
    KOSHU_TRY(koshu_particle_exchange_begin(&c->x, n));
    KOSHU_TRY(allocate_columns(m->context, n, c->home));
    n = 0;
    for (size_t p = 0; p < points->n; p++) {
        const size_t count = reached(m, points, assignment, shift, p, rank);
        for (size_t r = 0; r < count; r++, n++) {
            c->x.owner[n] = rank[r];
            for (int k = 0; k < COLUMNS; k++) c->home[k][n] = from[k][p];
        }
    }
    KOSHU_TRY(koshu_particle_exchange_count(&c->x));
    KOSHU_TRY(allocate_columns(m->context, c->x.n_here, c->here));
    for (int k = 0; k < COLUMNS; k++)
        KOSHU_TRY(koshu_particle_exchange_send(&c->x, c->home[k], c->here[k]));
    return KOSHU_OK;
}

static koshu_status
assign_here(const struct koshu_mesh_ranks *m, const struct koshu_points *points,
            enum koshu_assignment assignment, double shift, double *field)
{
    const koshu_status status =
            koshu_points_assign(&m->mesh, m->first_plane, m->n_planes,
                                m->threads, points, assignment, shift, field);
    return koshu_ranks_collective_status(
            m->context,
            status == KOSHU_OK
                    ? status
                    : koshu_fail_memory(m->context, 8 * points->n,
                                        "particles in the order of the "
                                        "mesh"));
}

koshu_status
koshu_mesh_ranks_assign(const struct koshu_mesh_ranks *m,
                        const struct koshu_points *points,
                        enum koshu_assignment assignment, double shift,
                        double *field)
{
    struct copies c = {.x = {.context = m->context}};
    if (m->ranks == 1) return assign_here(m, points, assignment, shift, field);
    koshu_status status = distribute(m, points, assignment, shift, &c);
    if (status == KOSHU_OK) {
        const struct koshu_points here = {
                c.x.n_here, c.here[0], {c.here[1], c.here[2], c.here[3]}};
        status = assign_here(m, &here, assignment, shift, field);
    }
    free_copies(&c);
    return status;
}
