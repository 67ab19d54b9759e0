/* SPDX-License-Identifier: MIT */
/* New particles on a lattice. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vortex/vortex.h"

static const char *const kernels[] = {"rbf", "m4", "m6"};

const char *
koshu_vortex_kernel_name(int k)
{
    return koshu_enum_name(kernels, 3, (unsigned)k);
}

/* ---- by a kernel -----------------------------------------------------------
 */

/* M4' (Monaghan 1985), of distance x >= 0 in spacings. */
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
    int points; /* along an axis */
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

/* One component of a particle's strength to the points of its stencil. */
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

/* ---- by the field -----------------------------------------------------------
 */

static koshu_status
sample(const struct koshu_vortex_lattice *l, const struct koshu_vortices *v,
       double *field)
{
    const size_t n = koshu_vortex_lattice_points(l);
    double *place = koshu_alloc(3 * n, sizeof *place), x[3];
    if (!place) return koshu_fail_memory(v->context, 24 * n, "a lattice");
    for (size_t p = 0; p < n; p++) {
        koshu_vortex_lattice_place(l, p, x);
        for (size_t a = 0; a < 3; a++) place[a * n + p] = x[a];
    }
    const koshu_status status =
            koshu_vortex_vorticity(v, v->core, n, place, field);
    koshu_free(place);
    return status;
}

/* ---- divergence ------------------------------------------------------------
 */

/* Those points of a lattice that are used, one behind the other. */
static void
gather_places(const struct koshu_vortex_lattice *l, const bool *use, size_t n,
              double *place)
{
    size_t to = 0;
    for (size_t p = 0; p < koshu_vortex_lattice_points(l); p++) {
        double x[3];
        if (!use[p]) continue;
        koshu_vortex_lattice_place(l, p, x);
        for (size_t a = 0; a < 3; a++) place[a * n + to] = x[a];
        to++;
    }
}

static void
put_curl(const struct koshu_vortex_lattice *l, const bool *use, size_t n,
         const double *gradient, double *field)
{
    const size_t points = koshu_vortex_lattice_points(l);
    size_t from = 0;
    for (size_t p = 0; p < points; p++) {
        if (!use[p]) continue;
        for (size_t c = 0; c < 3; c++) {
            const size_t a = (c + 1) % 3, b = (c + 2) % 3;
            field[c * points + p] = gradient[(3 * b + a) * n + from] -
                                    gradient[(3 * a + b) * n + from];
        }
        from++;
    }
}

/* The field at the points that are used: the curl of the velocity. */
static koshu_status
project(const struct koshu_vortex_remeshing *r,
        const struct koshu_vortex_lattice *l, const bool *use, size_t n,
        const struct koshu_vortices *v, double *field)
{
    double *place = koshu_alloc(15 * n, sizeof *place);
    if (!place) return koshu_fail_memory(v->context, 120 * n, "a curl");
    double *const velocity = place + 3 * n, *const gradient = place + 6 * n;
    gather_places(l, use, n, place);
    const koshu_status status =
            koshu_vortex_velocities(r->solver, v, n, place, velocity, gradient);
    if (status == KOSHU_OK) put_curl(l, use, n, gradient, field);
    koshu_free(place);
    return status;
}

/* ---- particles --------------------------------------------------------------
 */

static double
size_at(const double *field, size_t n, size_t p)
{
    return hypot(hypot(field[p], field[n + p]), field[2 * n + p]);
}

/* Which points get a particle; how many. */
static size_t
select_points(const struct koshu_vortex_lattice *l, const double *field,
              double threshold, bool *use)
{
    const size_t n = koshu_vortex_lattice_points(l);
    double largest = 0;
    size_t used = 0;
    if (l->periodic) {
        memset(use, true, n * sizeof *use);
        return n;
    }
    for (size_t p = 0; p < n; p++)
        largest = fmax(largest, size_at(field, n, p));
    for (size_t p = 0; p < n; p++) {
        use[p] = size_at(field, n, p) > threshold * largest;
        used += use[p];
    }
    return used;
}

static koshu_status
put_particles(const struct koshu_vortex_lattice *l, const bool *use,
              const double *field, size_t n, struct koshu_vortices *v)
{
    const size_t points = koshu_vortex_lattice_points(l);
    size_t to = 0;
    KOSHU_TRY(koshu_vortices_renew(v, n));
    for (size_t p = 0; p < points; p++) {
        double x[3];
        if (!use[p]) continue;
        koshu_vortex_lattice_place(l, p, x);
        for (int a = 0; a < 3; a++) {
            koshu_vortices_position(v, a)[to] = x[a];
            koshu_vortices_strength(v, a)[to] = field[(size_t)a * points + p];
        }
        to++;
    }
    v->spacing = l->h;
    return KOSHU_OK;
}

static koshu_status
remesh(const struct koshu_vortex_remeshing *r,
       const struct koshu_vortex_lattice *l, double *field, bool *use,
       struct koshu_vortices *v, struct koshu_vortex_fit *fit)
{
    const bool fits = r->kernel == KOSHU_VORTEX_KERNEL_RADIAL_BASIS;
    /* which a curl takes the place of, at all points */
    const bool overwritten = r->solenoidal && l->periodic;
    *fit = (struct koshu_vortex_fit){0};
    if (fits && !overwritten)
        KOSHU_TRY(sample(l, v, field));
    else if (!fits)
        scatter_all(l, r->kernel == KOSHU_VORTEX_KERNEL_M6, v, field);
    const size_t n = select_points(l, field, r->threshold, use);
    if (n == 0)
        return koshu_fail(v->context, KOSHU_ERROR_BAD_INPUT,
                          "there is no vorticity at time %g", v->time);
    if (fits && r->solenoidal) KOSHU_TRY(project(r, l, use, n, v, field));
    if (fits)
        KOSHU_TRY(koshu_vortex_fit_strengths(v->context, l, use, r->core,
                                             r->tolerance, field, fit));
    if (fits && v->filter > 0)
        KOSHU_TRY(koshu_vortex_convolve_strengths(v->context, l, v->filter,
                                                  field));
    KOSHU_TRY(put_particles(l, use, field, n, v));
    if (fits) v->core = r->core;
    return KOSHU_OK;
}

koshu_status
koshu_vortex_remesh(const struct koshu_vortex_remeshing *r,
                    struct koshu_vortices *v, struct koshu_vortex_fit *fit)
{
    struct koshu_vortex_lattice l;
    const double margin = fmax(4 * r->spacing, 4 * v->core);
    KOSHU_TRY(koshu_vortex_lattice_of(v, r->spacing, margin, &l));
    const size_t points = koshu_vortex_lattice_points(&l);
    double *field = koshu_alloc(3 * points, sizeof *field);
    bool *use = koshu_alloc(points, sizeof *use);
    const koshu_status status =
            field && use
                    ? remesh(r, &l, field, use, v, fit)
                    : koshu_fail_memory(v->context, 25 * points, "a lattice");
    koshu_free(field);
    koshu_free(use);
    return status;
}
