/* SPDX-License-Identifier: MIT */
/* Spheres of a given mean density. */
#include <math.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/place.h"
#include "analysis/sphere.h"
#include "base/base.h"

/* ---- cells --------------------------------------------------------------- */

static size_t
cell_of(const struct koshu_linked_cells *c, size_t i)
{
    double x[3];
    size_t cell = 0;
    koshu_place_of(c->particles, i, x);
    for (int a = 0; a < 3; a++)
        cell = cell * c->n + koshu_cell_along(x[a], c->box, c->n);
    return cell;
}

koshu_status
koshu_linked_cells_create(struct koshu_context *context,
                          const struct koshu_particle_const_view *particles,
                          double box, struct koshu_linked_cells *cells)
{
    const size_t edge = (size_t)cbrt((double)particles->n) + 1,
                 all = edge * edge * edge;
    *cells = (struct koshu_linked_cells){
            particles, box, edge, koshu_alloc(all + 2, sizeof *cells->first),
            koshu_alloc(particles->n, sizeof *cells->index)};
    if (!cells->first || !cells->index)
        return koshu_fail_memory(context, 8 * all + 4 * particles->n,
                                 "particles in cells");
    for (size_t i = 0; i < particles->n; i++)
        cells->first[cell_of(cells, i) + 2]++;
    for (size_t c = 2; c < all + 2; c++) cells->first[c] += cells->first[c - 1];
    for (size_t i = 0; i < particles->n; i++)
        cells->index[cells->first[cell_of(cells, i) + 1]++] = (uint32_t)i;
    return KOSHU_OK;
}

void
koshu_linked_cells_free(struct koshu_linked_cells *cells)
{
    koshu_free(cells->first);
    koshu_free(cells->index);
}

/* ---- particles within a radius --------------------------------------------
 */

static koshu_status
add_cell(const struct koshu_linked_cells *c, size_t cell,
         const double centre[3], double r2, struct koshu_in_sphere_list *f)
{
    const size_t more = c->first[cell + 1] - c->first[cell];
    KOSHU_TRY(KOSHU_GROW(f, near, f->n + more, NULL, "a sphere"));
    for (size_t k = c->first[cell]; k < c->first[cell + 1]; k++) {
        double x[3];
        koshu_place_of(c->particles, c->index[k], x);
        const double d2 = koshu_distance2(centre, x, c->box);
        if (d2 <= r2)
            f->near[f->n++] = (struct koshu_in_sphere){
                    d2, c->particles->mass[c->index[k]]};
    }
    return KOSHU_OK;
}

/* Cells that it reaches; each once where it reaches around the box. */
koshu_status
koshu_sphere_gather(const struct koshu_linked_cells *c, const double centre[3],
                    double radius, struct koshu_in_sphere_list *f)
{
    const size_t n = c->n;
    const size_t reach = (size_t)(radius / c->box * (double)n) + 1;
    const size_t side = 2 * reach + 1 < n ? 2 * reach + 1 : n;
    size_t low[3];
    for (int a = 0; a < 3; a++)
        low[a] = koshu_cell_along(centre[a], c->box, n) + 2 * n - reach % n;
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < side; j++)
            for (size_t l = 0; l < side; l++)
                KOSHU_TRY(
                        add_cell(c,
                                 ((low[0] + i) % n * n + (low[1] + j) % n) * n +
                                         (low[2] + l) % n,
                                 centre, radius * radius, f));
    return KOSHU_OK;
}

static int
nearer_first(const void *a, const void *b)
{
    const struct koshu_in_sphere *p = a, *q = b;
    if (p->r2 != q->r2) return p->r2 < q->r2 ? -1 : 1;
    return p->mass < q->mass ? -1 : p->mass > q->mass;
}

/* ---- spheres ------------------------------------------------------------- */

/* Before the next particle or the edge. */
bool
koshu_sphere_ends(struct koshu_in_sphere_list *f, double density, double edge,
                  struct koshu_fof_sphere *sphere)
{
    qsort(f->near, f->n, sizeof *f->near, nearer_first);
    struct koshu_sum mass = {0};
    bool dense = false;
    for (size_t i = 0; i < f->n; i++) {
        koshu_sum_add(&mass, f->near[i].mass);
        if (i + 1 < KOSHU_SPHERE_MIN) continue;
        const double m = koshu_sum_value(mass);
        const double radius = cbrt(3 * m / (4 * M_PI * density));
        const double next = i + 1 < f->n ? sqrt(f->near[i + 1].r2) : edge;
        dense = dense || radius * radius >= f->near[i].r2;
        if (!dense || radius >= next) continue;
        *sphere = (struct koshu_fof_sphere){m, radius};
        return true;
    }
    return !dense;
}

double
koshu_sphere_guess(double mass, double density)
{
    return 1.3 * cbrt(3 * mass / (4 * M_PI * density));
}

double
koshu_sphere_next(double radius, double box)
{
    const double more = 1.4;
    return fmin(radius * more, box / 2);
}

koshu_status
koshu_sphere_of_density(struct koshu_context *context,
                        const struct koshu_linked_cells *cells,
                        const double centre[3], double density, double guess,
                        struct koshu_fof_sphere *sphere)
{
    double radius = fmin(guess, cells->box / 2);
    struct koshu_in_sphere_list f = {0};
    koshu_status status;
    *sphere = (struct koshu_fof_sphere){0};
    for (;;) {
        f.n = 0;
        status = koshu_sphere_gather(cells, centre, radius, &f);
        if (status != KOSHU_OK) break;
        if (koshu_sphere_ends(&f, density, radius, sphere)) break;
        if (radius >= cells->box / 2) break;
        radius = koshu_sphere_next(radius, cells->box);
    }
    free(f.near);
    return status == KOSHU_OK ? KOSHU_OK
                              : koshu_fail_memory(context, f.n * sizeof *f.near,
                                                  "a sphere of particles");
}
