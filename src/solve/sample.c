/* SPDX-License-Identifier: MIT */
/* Accelerations of a sample of the particles of all ranks: those of the last
 * forces, and reference values from direct sums in double precision, in a
 * periodic box from Ewald sums. */
#include "solve/sample.h"

#include <string.h>

#include <koshu/ewald.h>

#include "base/base.h"
#include "devices/devices.h"
#include "kernels/sample.h"
#include "particles/particles.h"
#include "solve/solve.h"

/* One particle of the sample. */
struct row {
    double x[3], got[3];
};

/* The state of one rank. */
struct work {
    struct koshu_context *context;
    bool box; /* periodic: particles may begin on a lattice */
    struct koshu_particle_view v;
    size_t total, n;
    struct row *row;     /* of all ranks */
    double *x[3], *a[3]; /* of all rows; a: by this rank's particles */
    /* among this rank's particles; KOSHU_NO_ID: on another rank */
    int64_t *index;
    double *each;   /* the a of each rank */
    size_t *n_rows; /* of each rank */
    double *memory;
};

/* ---- who has which ------------------------------------------------------- */

/* The k-th particle of the sample: at equal distances, as in version 0.1, whose
 * rows of errors.csv a restart continues; in a box, which 0.1 did not have, as
 * in kernels/sample.h. */
static size_t
particle_of(const struct work *w, size_t k)
{
    if (w->box) return (size_t)koshu_sample_particle(k, w->n, w->total);
    return k * w->total / w->n;
}

/* The number of sample particles before a particle. */
static size_t
rows_before(const struct work *w, size_t particle)
{
    if (w->box) return (size_t)koshu_sample_before(particle, w->n, w->total);
    return (particle * w->n + w->total - 1) / w->total;
}

static struct koshu_slice
rows_of(const struct work *w, int rank)
{
    const struct koshu_slice s =
            koshu_slice_of(w->total, rank, koshu_context_ranks(w->context));
    const size_t first = rows_before(w, s.first);
    return (struct koshu_slice){first, rows_before(w, s.first + s.n) - first};
}

/* Writes this rank's rows, and the index of each in this rank's particles. */
static void
write_rows(const struct work *w, size_t first)
{
    const struct koshu_particle_view *v = &w->v;
    const struct koshu_slice mine = rows_of(w, koshu_context_rank(w->context));
    for (size_t k = 0; k < w->n; k++) w->index[k] = KOSHU_NO_ID;
    for (size_t k = mine.first; k < mine.first + mine.n; k++) {
        const size_t i = particle_of(w, k) - first;
        w->index[k] = (int64_t)i;
        w->row[w->n + k - mine.first] = (struct row){
                {v->x[i], v->y[i], v->z[i]}, {v->ax[i], v->ay[i], v->az[i]}};
    }
}

static koshu_status
gather_rows(const struct work *w)
{
    for (int r = 0; r < koshu_context_ranks(w->context); r++)
        w->n_rows[r] = rows_of(w, r).n;
    KOSHU_TRY(koshu_all_gather_parts(w->context, w->row + w->n, sizeof *w->row,
                                     w->n_rows, w->row));
    for (size_t k = 0; k < w->n; k++)
        for (int c = 0; c < 3; c++) w->x[c][k] = w->row[k].x[c];
    return KOSHU_OK;
}

/* ---- sums ---------------------------------------------------------------- */

/* Sums a[axis][k] at x[axis][k] over the particles of the view except
 * index[k]. */
static koshu_status
sum_directly(struct koshu_context *context, double eps,
             const struct koshu_particle_view *v, size_t n, double *const x[3],
             const int64_t *index, double *const a[3])
{
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = eps;
    const struct koshu_i_particles i = {
            .n = n, .x = x[0], .y = x[1], .z = x[2], .id = index};
    const struct koshu_j_particles j = {
            .n = v->n, .x = v->x, .y = v->y, .z = v->z, .mass = v->mass};
    const struct koshu_force_result result = {
            .ax = a[0], .ay = a[1], .az = a[2]};
    return koshu_force_direct(context, &i, &j, &options, &result);
}

/* The same in a periodic box, by Ewald sums. */
static koshu_status
sum_in_box(const struct koshu_solver *solver,
           const struct koshu_particle_view *v, size_t n, double *const x[3],
           double *const a[3])
{
    struct koshu_ewald_options options = koshu_ewald_options_default();
    struct koshu_laplace_points from = koshu_laplace_points_default(),
                                to = koshu_laplace_points_default();
    struct koshu_laplace_result result = koshu_laplace_result_default();
    options.box = koshu_solver_box(solver);
    options.softening = solver->options.softening;
    from.n = v->n;
    from.x = v->x, from.y = v->y, from.z = v->z;
    from.charge = v->mass;
    to.n = n;
    to.x = x[0], to.y = x[1], to.z = x[2];
    result.gradient_x = a[0];
    result.gradient_y = a[1];
    result.gradient_z = a[2];
    return koshu_ewald_sums(solver->context, &from, &to, &options, &result);
}

static koshu_status
sum_here(const struct koshu_solver *solver, const struct work *w)
{
    if (w->v.n == 0) return KOSHU_OK;
    if (koshu_solver_box(solver) > 0)
        return sum_in_box(solver, &w->v, w->n, w->x, w->a);
    return sum_directly(w->context, solver->options.softening, &w->v, w->n,
                        w->x, w->index, w->a);
}

/* Adds the contributions in rank order. */
static koshu_status
add_ranks(const struct work *w, double *exact, double *got)
{
    const size_t ranks = (size_t)koshu_context_ranks(w->context);
    KOSHU_TRY(koshu_all_gather(w->context, w->a[0], 3 * w->n * sizeof *w->a[0],
                               w->each));
    memset(exact, 0, 3 * w->n * sizeof *exact);
    for (size_t r = 0; r < ranks; r++)
        for (size_t k = 0; k < 3 * w->n; k++)
            exact[k] += w->each[(3 * r + k % 3) * w->n + k / 3];
    for (size_t k = 0; k < 3 * w->n; k++) got[k] = w->row[k / 3].got[k % 3];
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
begin(struct work *w, struct koshu_particles *particles)
{
    const size_t ranks = (size_t)koshu_context_ranks(w->context), n = w->n;
    const size_t size = (19 + 3 * ranks) * n + ranks;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &w->v));
    double *m = w->memory = koshu_alloc(size, sizeof *m);
    if (!m)
        return koshu_fail_memory(w->context, size * sizeof *m,
                                 "errors of forces");
    for (int c = 0; c < 3; c++, m += n) w->x[c] = m;
    for (int c = 0; c < 3; c++, m += n) w->a[c] = m;
    w->row = (struct row *)m; /* of all ranks, then of this one */
    w->index = (int64_t *)(m + 12 * n);
    w->each = m + 13 * n;
    w->n_rows = (size_t *)(w->each + 3 * ranks * n);
    write_rows(w, koshu_particles_first(particles));
    return KOSHU_OK;
}

koshu_status
koshu_sample_take(const struct koshu_solver *solver,
                  struct koshu_particles *particles, size_t n, double *exact,
                  double *got)
{
    struct work w = {.context = solver->context,
                     .box = koshu_solver_box(solver) > 0,
                     .total = koshu_particles_total(particles),
                     .n = n};
    koshu_status status =
            koshu_ranks_collective_status(w.context, begin(&w, particles));
    if (status == KOSHU_OK) status = gather_rows(&w);
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(w.context, sum_here(solver, &w));
    if (status == KOSHU_OK) status = add_ranks(&w, exact, got);
    koshu_free(w.memory);
    return status;
}
