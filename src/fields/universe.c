/* SPDX-License-Identifier: MIT */
/* Cosmological initial conditions. */
#include "fields/universe.h"

#include <math.h>

#include <koshu/units.h>

#include "base/base.h"

/* The options, the results so far and the work space. */
struct work {
    struct koshu_context *context;
    const struct koshu_universe_options *o;
    struct koshu_universe_report *report;
    struct koshu_mesh mesh;
    struct koshu_transform *transform;
    void *delta, *source, *psi; /* source: of second-order displacements */
    struct koshu_growth growth;
    struct koshu_particle_view view;
    size_t *first;             /* particles before each plane, n + 1 */
    double *squares, *crossed; /* of each plane */
    int threads;
};

/* ---- checks -------------------------------------------------------------- */

static koshu_status
check_sizes(struct koshu_context *context,
            const struct koshu_universe_options *o)
{
    if (o->n < 2 || o->n > KOSHU_MESH_MAX / 2)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "n = %zu: expected 2 to %d particles along an edge",
                          o->n, KOSHU_MESH_MAX / 2);
    if (!(o->box > 0 && isfinite(o->box)))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "box = %g: expected an edge > 0", o->box);
    if (!(o->radius >= 0 && o->radius <= o->box / 2))
        return koshu_fail(
                context, KOSHU_ERROR_BAD_INPUT,
                "radius = %g: in a box of %g a sphere can have at most %g",
                o->radius, o->box, o->box / 2);
    if (o->a > 0 && o->a <= 1) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "z = %g: a universe begins at z >= 0", 1 / o->a - 1);
}

static koshu_status
check_sequence(struct koshu_context *context,
               const struct koshu_universe_options *o)
{
    const uint64_t limit = (uint64_t)1 << 31;
    if (o->phases.sequence != KOSHU_SEQUENCE_N_GENIC) return KOSHU_OK;
    if (o->n % 2)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "n = %zu: the random numbers of N-GenIC need an even "
                          "number of particles along an edge",
                          o->n);
    if (o->phases.seed < limit) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "seed = %llu: seeds of N-GenIC are below 2^31",
                      (unsigned long long)o->phases.seed);
}

static koshu_status
check(struct koshu_context *context, const struct koshu_universe_options *o)
{
    const double k = 2 * M_PI / o->box;
    KOSHU_TRY(koshu_cosmology_check(context, &o->cosmology));
    KOSHU_TRY(check_sizes(context, o));
    KOSHU_TRY(check_sequence(context, o));
    if (koshu_context_ranks(context) > 1)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "a universe is made by one process: start koshu init "
                          "without mpirun");
    return koshu_power_covers(context, o->power, k,
                              k * sqrt(3) * (double)(o->n / 2));
}

/* ---- fields -------------------------------------------------------------- */

static void
release(struct work *w)
{
    koshu_free(w->delta);
    koshu_free(w->source);
    koshu_free(w->psi);
    koshu_free(w->first);
    koshu_free(w->squares);
    koshu_free(w->crossed);
    koshu_transform_destroy(w->transform);
}

static void
scale(int threads, size_t n, double factor, double *field)
{
#pragma omp parallel for simd num_threads(threads)
    for (size_t i = 0; i < n; i++) field[i] *= factor;
}

/* The linear field at scale factor a, and the source of second order. */
static koshu_status
make_fields(struct work *w)
{
    const struct koshu_universe_options *o = w->o;
    KOSHU_TRY(koshu_transform_create(w->context, &w->mesh,
                                     KOSHU_PRECISION_DOUBLE, &w->transform));
    KOSHU_TRY(koshu_field_create(w->transform, "the density", &w->delta));
    KOSHU_TRY(koshu_field_create(w->transform, "displacements", &w->psi));
    if (koshu_gaussian_waves(&w->mesh, w->threads, &o->phases, o->power,
                             w->delta) != KOSHU_OK)
        return koshu_fail_memory(w->context, 4 * o->n * o->n,
                                 "seeds of random numbers");
    scale(w->threads, koshu_field_bytes(w->transform) / sizeof(double),
          w->growth.d1 / koshu_growth_at(&o->cosmology, 1).d1, w->delta);
    if (o->order < 2) return KOSHU_OK;
    KOSHU_TRY(koshu_field_create(w->transform, "second-order displacements",
                                 &w->source));
    return koshu_second_order_source(w->transform, w->threads, w->delta,
                                     w->source);
}

/* ---- particles ----------------------------------------------------------- */

/* The distance between neighbours on the lattice. */
static double
spacing(const struct work *w)
{
    return w->o->box / (double)w->o->n;
}

static bool
is_inside(const struct work *w, const size_t at[3])
{
    const double d = spacing(w), r = w->o->radius;
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        const double x = (double)at[k] * d - w->o->box / 2;
        r2 += x * x;
    }
    return r == 0 || r2 < r * r;
}

/* The sites of a plane of the lattice that have a particle, one after another,
 * from at = PLANE(i) on; false: there are no more. */
static bool
next_site(const struct work *w, size_t at[3])
{
    const size_t n = w->o->n;
    do {
        if (++at[2] == n) {
            at[2] = 0;
            if (++at[1] == n) return false;
        }
    } while (!is_inside(w, at));
    return true;
}
#define PLANE(i)           \
    {                      \
        (i), 0, (size_t)-1 \
    }

/* Counts the particles before each plane. */
static koshu_status
count(struct work *w)
{
    const size_t n = w->o->n;
    w->first = koshu_alloc(n + 1, sizeof *w->first);
    w->squares = koshu_alloc(n, sizeof *w->squares);
    w->crossed = koshu_alloc(n, sizeof *w->crossed);
    if (!w->first || !w->squares || !w->crossed)
        return koshu_fail_memory(w->context, 3 * n * sizeof *w->first,
                                 "planes of a lattice");
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (size_t i = 0; i < n; i++)
        for (size_t at[3] = PLANE(i); next_site(w, at);) w->first[i + 1]++;
    for (size_t i = 0; i < n; i++) w->first[i + 1] += w->first[i];
    return KOSHU_OK;
}

/* Sets ids and masses: the mean density is Omega_m times the critical
 * density. */
static void
put_lattice(struct work *w)
{
    const struct koshu_units units = {3.085677581491367e24, 1.98841e43, 1e5};
    const double g = koshu_units_gravitational_constant(&units);
    const double h0 = koshu_hubble0_in(&units), d = spacing(w);
    const double mass =
            3 * h0 * h0 / (8 * M_PI * g) * w->o->cosmology.omega_m * d * d * d;
    const size_t n = w->o->n;
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (size_t i = 0; i < n; i++) {
        size_t p = w->first[i];
        for (size_t at[3] = PLANE(i); next_site(w, at); p++) {
            w->view.id[p] = (i * n + at[1]) * n + at[2];
            w->view.mass[p] = mass;
        }
    }
}

static double
value(const struct work *w, const size_t at[3])
{
    const size_t row = 2 * koshu_mesh_row(&w->mesh);
    return ((const double *)w->psi)[(at[0] * w->o->n + at[1]) * row + at[2]];
}

/* Adds one component of the displacements in w->psi, times `factor`. */
static void
displace(struct work *w, int axis, double factor, double rate)
{
    double *x = (double *[]){w->view.x, w->view.y, w->view.z}[axis];
    double *v = (double *[]){w->view.vx, w->view.vy, w->view.vz}[axis];
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (size_t i = 0; i < w->o->n; i++) {
        size_t p = w->first[i];
        for (size_t at[3] = PLANE(i); next_site(w, at); p++) {
            const double psi = factor * value(w, at);
            x[p] += psi;
            v[p] += rate * psi;
        }
    }
}

static void
measure_plane(struct work *w, int axis, size_t i)
{
    const size_t n = w->o->n;
    const double d = spacing(w);
    double squares = 0, crossed = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            size_t next[3] = {i, j, k};
            const double psi = value(w, next);
            if (++next[axis] == n) next[axis] = 0;
            squares += psi * psi;
            crossed += value(w, next) - psi < -d;
        }
    w->squares[i] = squares;
    w->crossed[i] = crossed;
}

/* The rms displacement, and the number of neighbours along the axis that have
 * changed places, out of n^3. */
static void
measure(struct work *w, int axis)
{
    const size_t n = w->o->n;
    const double d = spacing(w), all = 3 * (double)(n * n * n);
    double squares = 0, crossed = 0;
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (size_t i = 0; i < n; i++) measure_plane(w, axis, i);
    for (size_t i = 0; i < n; i++) {
        squares += w->squares[i];
        crossed += w->crossed[i];
    }
    w->report->rms += squares / (d * d) / all;
    w->report->crossed += crossed / all;
}

/* Adds the displacements of one order, from its field. */
static koshu_status
displace_by(struct work *w, const void *field, double factor, double rate,
            bool measured)
{
    for (int axis = 0; axis < 3; axis++) {
        koshu_inverse_gradient(&w->mesh, w->threads, axis, field, w->psi);
        KOSHU_TRY(koshu_transform_backward(w->transform, w->psi));
        displace(w, axis, factor, rate);
        if (measured) measure(w, axis);
    }
    return KOSHU_OK;
}

/* Adds the lattice, of which a sphere has its centre at 0. */
static void
put_place(const struct work *w, const size_t at[3], size_t p)
{
    const double d = spacing(w), box = w->o->box;
    const double shift = w->o->radius > 0 ? box / 2 : 0;
    double *const x[3] = {&w->view.x[p], &w->view.y[p], &w->view.z[p]};
    for (int k = 0; k < 3; k++) {
        *x[k] += (double)at[k] * d - shift;
        if (shift == 0) *x[k] -= box * floor(*x[k] / box);
        if (shift == 0 && *x[k] >= box) *x[k] = 0;
    }
}

static void
put_places(const struct work *w)
{
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (size_t i = 0; i < w->o->n; i++) {
        size_t p = w->first[i];
        for (size_t at[3] = PLANE(i); next_site(w, at); p++)
            put_place(w, at, p);
    }
}

/* u = sqrt(a) dx/dt = sqrt(a) H (f1 Psi1 + f2 Psi2) */
static koshu_status
fill(struct work *w)
{
    const struct koshu_growth *g = &w->growth;
    const double a = w->o->a;
    const double rate = sqrt(a) * koshu_hubble(&w->o->cosmology, a);
    put_lattice(w);
    KOSHU_TRY(displace_by(w, w->delta, 1, rate * g->f1, true));
    if (w->o->order > 1)
        KOSHU_TRY(displace_by(w, w->source, g->d2 / (g->d1 * g->d1),
                              rate * g->f2, false));
    w->report->rms = sqrt(w->report->rms);
    put_places(w);
    return KOSHU_OK;
}

static koshu_status
make_particles(struct work *w, struct koshu_particles **particles)
{
    const unsigned fields = KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                            KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY;
    KOSHU_TRY(make_fields(w));
    KOSHU_TRY(count(w));
    KOSHU_TRY(koshu_particles_create(w->context, w->first[w->o->n], particles));
    w->view.size = sizeof w->view;
    KOSHU_TRY(koshu_particles_acquire_write(*particles, fields,
                                            KOSHU_ACCESS_READ_WRITE, &w->view));
    const koshu_status status = fill(w);
    koshu_particles_release_write(*particles);
    return status;
}

koshu_status
koshu_universe_create(struct koshu_context *context,
                      const struct koshu_universe_options *options,
                      struct koshu_particles **particles,
                      struct koshu_universe_report *report)
{
    *particles = NULL;
    *report = (struct koshu_universe_report){0};
    KOSHU_TRY(check(context, options));
    struct work w = {.context = context,
                     .o = options,
                     .report = report,
                     .mesh = koshu_mesh_cube(options->n, options->box),
                     .growth = koshu_growth_at(&options->cosmology, options->a),
                     .threads = koshu_region_threads(context, true)};
    koshu_status status = make_particles(&w, particles);
    release(&w);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}
