/* SPDX-License-Identifier: MIT */
/* Spheres of a given mean density about groups. */
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

/* On entry first[c + 2] counts cell c. After the sums first[c + 1] is where it
 * begins, and after placing particles where the next one begins. */
static void
count(struct koshu_linked_cells *cells, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < cells->particles->n; i++) {
        uint32_t *at = &cells->first[cell_of(cells, i) + 2];
#pragma omp atomic
        ++*at;
    }
}

/* Particles are in no order within a cell: spheres sort theirs. */
static void
place(struct koshu_linked_cells *cells, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < cells->particles->n; i++) {
        uint32_t *next = &cells->first[cell_of(cells, i) + 1], at;
#pragma omp atomic capture
        at = (*next)++;
        cells->index[at] = (uint32_t)i;
    }
}

/* Prefix sums: within each part, then the totals of earlier parts are added. */
static void
sum_up(size_t n, uint32_t *first, int threads)
{
    enum { PARTS = 64 };
    const size_t part = n / PARTS + 1;
    uint32_t before[PARTS], all = 0;
#pragma omp parallel for num_threads(threads)
    for (size_t p = 0; p < PARTS; p++) {
        uint32_t sum = 0;
        for (size_t c = p * part; c < (p + 1) * part && c < n; c++)
            sum = first[c] += sum;
        before[p] = sum;
    }
    for (size_t p = 0; p < PARTS; p++) {
        const uint32_t here = before[p];
        before[p] = all;
        all += here;
    }
#pragma omp parallel for num_threads(threads)
    for (size_t p = 0; p < PARTS; p++)
        for (size_t c = p * part; c < (p + 1) * part && c < n; c++)
            first[c] += before[p];
}

koshu_status
koshu_linked_cells_create(struct koshu_context *context,
                          const struct koshu_particle_const_view *particles,
                          double box, struct koshu_linked_cells *cells)
{
    const size_t edge = (size_t)cbrt((double)particles->n) + 1,
                 all = edge * edge * edge;
    const int threads = koshu_region_threads(context, true);
    *cells = (struct koshu_linked_cells){
            particles, box, edge, koshu_alloc(all + 2, sizeof *cells->first),
            koshu_alloc(particles->n, sizeof *cells->index)};
    if (!cells->first || !cells->index)
        return koshu_fail_memory(context, 4 * all + 4 * particles->n,
                                 "particles in cells");
    count(cells, threads);
    sum_up(all + 2, cells->first, threads);
    place(cells, threads);
    return KOSHU_OK;
}

void
koshu_linked_cells_free(struct koshu_linked_cells *cells)
{
    koshu_free(cells->first);
    koshu_free(cells->index);
}

/* ---- particles within a radius ------------------------------------------ */

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

/* Visits the cells that the sphere reaches, each once even if it reaches around
 * the box. */
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

void
koshu_sphere_sort(struct koshu_in_sphere_list *f)
{
    qsort(f->near, f->n, sizeof *f->near, nearer_first);
}

/* Whether the density falls to that value before the next particle or the
 * edge. */
bool
koshu_sphere_ends(const struct koshu_in_sphere_list *f, double density,
                  double edge, struct koshu_fof_sphere *sphere)
{
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

/* Uses the same particles for all densities, until each has its sphere or
 * none. */
static koshu_status
measure(const struct koshu_linked_cells *cells,
        const struct koshu_fof_group *group,
        const double density[KOSHU_GROUP_SPHERES],
        struct koshu_in_sphere_list *f,
        struct koshu_fof_sphere sphere[KOSHU_GROUP_SPHERES])
{
    bool ended[KOSHU_GROUP_SPHERES], all = true;
    double radius =
            fmin(koshu_sphere_guess(group->mass, density[0]), cells->box / 2);
    for (int s = 0; s < KOSHU_GROUP_SPHERES; s++) {
        sphere[s] = (struct koshu_fof_sphere){0};
        ended[s] = !(density[s] > 0);
        all = all && ended[s];
    }
    while (!all) {
        f->n = 0;
        KOSHU_TRY(koshu_sphere_gather(cells, group->minimum, radius, f));
        koshu_sphere_sort(f);
        all = true;
        for (int s = 0; s < KOSHU_GROUP_SPHERES; s++) {
            ended[s] = ended[s] ||
                       koshu_sphere_ends(f, density[s], radius, &sphere[s]);
            all = all && ended[s];
        }
        if (radius >= cells->box / 2) break;
        radius = koshu_sphere_next(radius, cells->box);
    }
    return KOSHU_OK;
}

koshu_status
koshu_spheres_of_groups(struct koshu_context *context,
                        const struct koshu_linked_cells *cells, size_t n,
                        const struct koshu_fof_group *group,
                        const double density[KOSHU_GROUP_SPHERES],
                        struct koshu_fof_sphere *sphere[KOSHU_GROUP_SPHERES])
{
    bool good = true;
#pragma omp parallel reduction(&& : good) \
        num_threads(koshu_region_threads(context, true))
    {
        struct koshu_in_sphere_list f = {0};
        struct koshu_fof_sphere of[KOSHU_GROUP_SPHERES];
#pragma omp for schedule(dynamic)
        for (size_t g = 0; g < n; g++) {
            good = measure(cells, &group[g], density, &f, of) == KOSHU_OK &&
                   good;
            for (int s = 0; s < KOSHU_GROUP_SPHERES; s++) sphere[s][g] = of[s];
        }
        koshu_free(f.near);
    }
    return good ? KOSHU_OK
                : koshu_fail_memory(context,
                                    cells->particles->n *
                                            sizeof(struct koshu_in_sphere),
                                    "a sphere of particles");
}
