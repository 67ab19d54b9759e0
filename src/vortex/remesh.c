/* SPDX-License-Identifier: MIT */
/* Replaces vortex particles by new ones on a lattice (remeshing). */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "vortex/ranks.h"
#include "vortex/vortex.h"

static const char *const kernels[] = {"rbf", "m4", "m6"};

const char *
koshu_vortex_kernel_name(int k)
{
    return koshu_enum_name(kernels, 3, (unsigned)k);
}

/* ---- by a kernel -------------------------------------------------------- */

/* M4' (Monaghan 1985) at distance x >= 0, in spacings. */
static double
m4(double x)
{
    if (x < 1) return 1 - x * x * (2.5 - 1.5 * x);
    return x < 2 ? 0.5 * (2 - x) * (2 - x) * (1 - x) : 0;
}

/* M6* (van Rees et al. 2011, eq. 20). */
static double
m6(double x)
{
    if (x < 1)
        return -1.0 / 12 * (x - 1) *
               (x * (x * (x * (25 * x - 38) - 3) + 12) + 12);
    if (x < 2)
        return 1.0 / 24 * (x - 1) * (x - 2) *
               (x * (x * (25 * x - 114) + 153) - 48);
    return x < 3 ? -1.0 / 24 * (x - 2) * (x - 3) * (x - 3) * (x - 3) *
                           (5 * x - 8)
                 : 0;
}

enum { MAX_POINTS = 6 };
struct stencil {
    int points; /* along each axis */
    size_t at[3][MAX_POINTS];
    double weight[3][MAX_POINTS];
};

static void
find_stencil(const struct koshu_vortex_lattice *l, bool sixth,
             const struct koshu_vortices *v, size_t p, struct stencil *s)
{
    s->points = sixth ? 6 : 4;
    for (int a = 0; a < 3; a++) {
        const double x = koshu_vortices_position(v, a)[p] / l->h;
        const long m = (long)l->m[a], low = (long)floor(x) - s->points / 2 + 1;
        for (int k = 0; k < s->points; k++) {
            const double d = fabs(x - (double)(low + k));
            const long i = low + k - l->first[a];
            s->weight[a][k] = sixth ? m6(d) : m4(d);
            s->at[a][k] = (size_t)(l->periodic ? ((i % m) + m) % m : i);
        }
    }
}

/* Adds one component of a particle's strength to the points of its stencil. */
static void
scatter(const struct koshu_vortex_lattice *l, const struct stencil *s,
        double strength, double *field)
{
    for (int i = 0; i < s->points; i++)
        for (int j = 0; j < s->points; j++) {
            const double w = strength * s->weight[0][i] * s->weight[1][j];
            double *row =
                    field + (s->at[0][i] * l->m[1] + s->at[1][j]) * l->m[2];
            for (int k = 0; k < s->points; k++)
                row[s->at[2][k]] += w * s->weight[2][k];
        }
}

static void
scatter_all(const struct koshu_vortex_lattice *l, bool sixth,
            const struct koshu_vortices *v, double *field)
{
    const size_t points = koshu_vortex_lattice_points(l);
    struct stencil s;
    for (size_t p = 0; p < v->n; p++) {
        find_stencil(l, sixth, v, p, &s);
        for (int a = 0; a < 3; a++)
            scatter(l, &s, koshu_vortices_strength(v, a)[p],
                    field + (size_t)a * points);
    }
}

/* ---- points ------------------------------------------------------------- */

/* The lattice points that get a particle. */
struct chosen {
    size_t n;
    uint32_t *point; /* their indices; NULL: all points */
    bool *use;       /* whether, for each point; NULL: all points */
    int threads;
};

static size_t
point_of(const struct chosen *c, size_t i)
{
    return c->point ? c->point[i] : i;
}

/* Positions of the chosen points. */
static void
put_places(const struct koshu_vortex_lattice *l, const struct chosen *chosen,
           double *place)
{
    const size_t n = chosen->n;
#pragma omp parallel for num_threads(chosen->threads)
    for (size_t i = 0; i < n; i++) {
        double x[3];
        koshu_vortex_lattice_place(l, point_of(chosen, i), x);
        for (size_t a = 0; a < 3; a++) place[a * n + i] = x[a];
    }
}

static double
size_at(const double *field, size_t n, size_t p)
{
    return hypot(hypot(field[p], field[n + p]), field[2 * n + p]);
}

/* In a box all points; in free space those where the field exceeds `threshold`
 * times its maximum. */
static koshu_status
choose(struct koshu_context *context, const struct koshu_vortex_lattice *l,
       const double *field, double threshold, struct chosen *chosen)
{
    const size_t points = koshu_vortex_lattice_points(l);
    double largest = 0;
    *chosen = (struct chosen){
            .n = points,
            .threads = koshu_region_threads(context, points > 1 << 14)};
    if (l->periodic) return KOSHU_OK;
    chosen->point = koshu_alloc(points, sizeof *chosen->point);
    chosen->use = koshu_alloc(points, sizeof *chosen->use);
    if (!chosen->point || !chosen->use)
        return koshu_fail_memory(context, 5 * points, "a lattice");
    for (size_t p = 0; p < points; p++)
        largest = fmax(largest, size_at(field, points, p));
    chosen->n = 0;
    for (size_t p = 0; p < points; p++) {
        chosen->use[p] = size_at(field, points, p) > threshold * largest;
        if (chosen->use[p]) chosen->point[chosen->n++] = (uint32_t)p;
    }
    return KOSHU_OK;
}

static void
free_chosen(struct chosen *chosen)
{
    koshu_free(chosen->point);
    koshu_free(chosen->use);
}

/* ---- by the field ------------------------------------------------------- */

static koshu_status
sample(const struct koshu_vortex_lattice *l, const struct koshu_vortices *v,
       double *field)
{
    const size_t n = koshu_vortex_lattice_points(l);
    const struct chosen all = {
            .n = n, .threads = koshu_region_threads(v->context, n > 1 << 14)};
    double *place;
    KOSHU_TRY(koshu_vortex_alloc(v->context, 3 * n, "a lattice", &place));
    put_places(l, &all, place);
    const koshu_status status = koshu_vortex_vorticity(v, n, place, field);
    koshu_free(place);
    return status;
}

/* ---- by the velocity ---------------------------------------------------- */

/* Offsets, in arrays of n numbers, in the solver's work space. FIELD is used in
 * a box only, where all points are chosen. */
enum { FIELD = 0, PLACE = 3, VELOCITY = 6, GRADIENT = 9, ROWS = 18 };

static void
put_curl(const struct koshu_vortex_lattice *l, const struct chosen *chosen,
         const double *gradient, double *field)
{
    const size_t points = koshu_vortex_lattice_points(l), n = chosen->n;
#pragma omp parallel for num_threads(chosen->threads)
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 3; c++)
            field[c * points + point_of(chosen, i)] =
                    koshu_vortex_curl(gradient, n, i, c);
}

/* The field at the chosen points as the curl of the velocity. */
static koshu_status
project(const struct koshu_vortex_remeshing *r,
        const struct koshu_vortex_lattice *l, const struct chosen *chosen,
        const struct koshu_vortices *v, double *field)
{
    const size_t n = chosen->n;
    double *work;
    KOSHU_TRY(koshu_vortex_solver_work(r->solver, ROWS * n, "a curl", &work));
    double *const place = work + PLACE * n;
    put_places(l, chosen, place);
    KOSHU_TRY(koshu_vortex_velocities(
            r->solver, v, n, place, work + VELOCITY * n, work + GRADIENT * n));
    put_curl(l, chosen, work + GRADIENT * n, field);
    return KOSHU_OK;
}

/* ---- particles ---------------------------------------------------------- */

static koshu_status
put_particles(const struct koshu_vortex_lattice *l, const struct chosen *chosen,
              const double *field, struct koshu_vortices *v)
{
    const size_t points = koshu_vortex_lattice_points(l), n = chosen->n;
    KOSHU_TRY(koshu_vortices_renew(v, n));
    put_places(l, chosen, v->state);
#pragma omp parallel for num_threads(chosen->threads)
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < 3; a++)
            koshu_vortices_strength(v, 0)[a * n + i] =
                    field[a * points + point_of(chosen, i)];
    v->spacing = l->h;
    return KOSHU_OK;
}

koshu_status
koshu_vortex_fit(const struct koshu_vortex_remeshing *r,
                 const struct koshu_vortex_lattice *l, const bool *use,
                 const struct koshu_vortex_core *core, double *field,
                 struct koshu_vortex_fit *fit)
{
    struct koshu_context *const context = r->context;
    if (l->periodic && r->filter)
        return koshu_vortex_fit_waves(context, l, r->filter, core, field, fit);
    if (core->order > 2)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "vortex cores of order %u are fitted in a box, by "
                          "Fourier transforms, which this build does not have: "
                          "take flow.core_order: 2",
                          core->order);
    return koshu_vortex_fit_strengths(context, l, use, core->radius,
                                      r->tolerance, field, fit);
}

/* Whether to fit the curl of the velocity rather than the sum of the cores. In
 * a box the fit removes the divergence in any case, so the faster one is
 * taken. */
static bool
takes_curl(const struct koshu_vortex_remeshing *r,
           const struct koshu_vortex_lattice *l)
{
    if (r->kernel != KOSHU_VORTEX_KERNEL_RADIAL_BASIS) return false;
    return r->solenoidal ||
           (l->periodic && r->solver && koshu_vortex_solver_is_fast(r->solver));
}

/* Whether the curl is taken at all points of the lattice. */
static bool
is_curl(const struct koshu_vortex_remeshing *r,
        const struct koshu_vortex_lattice *l)
{
    return takes_curl(r, l) && l->periodic;
}

/* The field at all points of the lattice. Particles move with cores of any
 * order, but their strengths are those of Gaussians, which interpolate best
 * between particles. */
static koshu_status
find_field(const struct koshu_vortex_remeshing *r,
           const struct koshu_vortex_lattice *l, const struct koshu_vortices *v,
           double *field)
{
    if (r->kernel != KOSHU_VORTEX_KERNEL_RADIAL_BASIS) {
        scatter_all(l, r->kernel == KOSHU_VORTEX_KERNEL_M6, v, field);
        return KOSHU_OK;
    }
    if (is_curl(r, l)) return KOSHU_OK; /* project() will fill it */
    return sample(l, v, field);
}

/* The core to fit with. New Gaussians must carry half of the coming interval's
 * diffusion, while the old particles carry half of the last one's: the radius
 * makes up the difference. */
static struct koshu_vortex_core
core_to_fit(const struct koshu_vortex_remeshing *r,
            const struct koshu_vortices *v)
{
    struct koshu_vortex_core core = {r->order, r->core, r->mid_core};
    if (r->order <= 2 && v->order > 2)
        core.radius = sqrt(r->core * r->core + v->mid_core * v->mid_core -
                           r->mid_core * r->mid_core);
    return core;
}

static koshu_status
put_strengths(const struct koshu_vortex_remeshing *r,
              const struct koshu_vortex_lattice *l, const struct chosen *chosen,
              const struct koshu_vortices *gaussians, double *field,
              struct koshu_vortices *v, struct koshu_vortex_fit *fit)
{
    const bool fits = r->kernel == KOSHU_VORTEX_KERNEL_RADIAL_BASIS;
    const struct koshu_vortex_core core = core_to_fit(r, v);
    if (chosen->n == 0)
        return koshu_fail(v->context, KOSHU_ERROR_BAD_INPUT,
                          "there is no vorticity at time %g", v->time);
    if (takes_curl(r, l)) KOSHU_TRY(project(r, l, chosen, gaussians, field));
    if (fits) KOSHU_TRY(koshu_vortex_fit(r, l, chosen->use, &core, field, fit));
    KOSHU_TRY(put_particles(l, chosen, field, v));
    if (!fits) return KOSHU_OK;
    v->core = r->core;
    v->mid_core = r->mid_core;
    return KOSHU_OK;
}

static koshu_status
remesh(const struct koshu_vortex_remeshing *r,
       const struct koshu_vortex_lattice *l, double *field,
       struct koshu_vortices *v, struct koshu_vortex_fit *fit)
{
    struct koshu_vortices gaussians = *v;
    struct chosen chosen = {0};
    gaussians.order = 2;
    *fit = (struct koshu_vortex_fit){0};
    koshu_status status = find_field(r, l, &gaussians, field);
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(
                v->context,
                choose(v->context, l, field, r->threshold, &chosen));
    if (status == KOSHU_OK)
        status = put_strengths(r, l, &chosen, &gaussians, field, v, fit);
    free_chosen(&chosen);
    return koshu_ranks_collective_status(v->context, status);
}

static koshu_status
remesh_in_box(const struct koshu_vortex_remeshing *r,
              const struct koshu_vortex_lattice *l, struct koshu_vortices *v,
              struct koshu_vortex_fit *fit)
{
    const size_t points = koshu_vortex_lattice_points(l);
    double *work;
    KOSHU_TRY(koshu_vortex_solver_work(r->solver, ROWS * points, "a lattice",
                                       &work));
    return remesh(r, l, work + FIELD * points, v, fit);
}

koshu_status
koshu_vortex_remesh(const struct koshu_vortex_remeshing *r,
                    struct koshu_vortices *v, struct koshu_vortex_fit *fit)
{
    struct koshu_vortex_lattice l;
    const double margin = fmax(4 * r->spacing, 4 * v->core);
    KOSHU_TRY(koshu_vortex_lattice_of(v, r->spacing, margin, &l));
    if (is_curl(r, &l)) return remesh_in_box(r, &l, v, fit);
    const size_t points = koshu_vortex_lattice_points(&l);
    double *field;
    KOSHU_TRY(koshu_vortex_alloc(v->context, 3 * points, "a lattice", &field));
    const koshu_status status = remesh(r, &l, field, v, fit);
    koshu_free(field);
    return status;
}
