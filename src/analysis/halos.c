/* SPDX-License-Identifier: MIT */
/* Selects spheres of a given density such that no centre lies in a heavier
 * one. */
#include <math.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/sphere.h"
#include "base/base.h"

/* Centres in the order of their spheres, the largest first. */
struct halos {
    size_t n;
    double *x[3], *number;           /* number: in that order */
    struct koshu_fof_sphere *sphere; /* in the same order */
    bool *inside;
};

static struct koshu_particle_const_view
view_of(const struct halos *h)
{
    return (struct koshu_particle_const_view){
            .size = sizeof(struct koshu_particle_const_view),
            .n = h->n,
            .mass = h->number,
            .x = h->x[0],
            .y = h->x[1],
            .z = h->x[2]};
}

static bool
allocate(struct halos *h, size_t n)
{
    bool good = true;
    for (int a = 0; a < 3; a++)
        good = (h->x[a] = koshu_alloc(n + 1, sizeof *h->x[a])) && good;
    h->number = koshu_alloc(n + 1, sizeof *h->number);
    h->sphere = koshu_alloc(n + 1, sizeof *h->sphere);
    h->inside = koshu_alloc(n + 1, sizeof *h->inside);
    return good && h->number && h->sphere && h->inside;
}

static void
release(struct halos *h)
{
    for (int a = 0; a < 3; a++) koshu_free(h->x[a]);
    koshu_free(h->number);
    koshu_free(h->sphere);
    koshu_free(h->inside);
}

/* ---- in order ------------------------------------------------------------ */

struct ranked {
    double mass;
    size_t at;
};

static int
heavier_first(const void *a, const void *b)
{
    const struct ranked *p = a, *q = b;
    if (p->mass != q->mass) return p->mass > q->mass ? -1 : 1;
    return p->at < q->at ? -1 : p->at > q->at;
}

static bool
take(struct halos *h, const struct koshu_friend_groups *cores)
{
    struct ranked *r = koshu_alloc(cores->n + 1, sizeof *r);
    if (!r) return false;
    for (size_t g = 0; g < cores->n; g++)
        if (cores->sphere[0][g].mass > 0)
            r[h->n++] = (struct ranked){cores->sphere[0][g].mass, g};
    qsort(r, h->n, sizeof *r, heavier_first);
    for (size_t k = 0; k < h->n; k++) {
        for (int a = 0; a < 3; a++)
            h->x[a][k] = cores->group[r[k].at].minimum[a];
        h->number[k] = (double)k;
        h->sphere[k] = cores->sphere[0][r[k].at];
    }
    koshu_free(r);
    return true;
}

/* ---- one within another ------------------------------------------------- */

/* Each sphere that is in no other removes the centres inside it. The "masses"
 * of the particles searched are the spheres' numbers. */
static koshu_status
look_inside(struct halos *h, const struct koshu_linked_cells *cells,
            struct koshu_in_sphere_list *f)
{
    for (size_t k = 0; k < h->n; k++) {
        const double centre[3] = {h->x[0][k], h->x[1][k], h->x[2][k]};
        if (h->inside[k]) continue;
        f->n = 0;
        KOSHU_TRY(koshu_sphere_gather(
                cells, centre, fmin(h->sphere[k].radius, cells->box / 2), f));
        for (size_t i = 0; i < f->n; i++)
            if (f->near[i].mass > (double)k)
                h->inside[(size_t)f->near[i].mass] = true;
    }
    return KOSHU_OK;
}

static koshu_status
find_inside(struct koshu_context *context, struct halos *h, double box)
{
    const struct koshu_particle_const_view v = view_of(h);
    struct koshu_linked_cells cells = {0};
    struct koshu_in_sphere_list f = {0};
    if (h->n == 0) return KOSHU_OK;
    koshu_status status = koshu_linked_cells_create(context, &v, box, &cells);
    if (status == KOSHU_OK && look_inside(h, &cells, &f) != KOSHU_OK)
        status = koshu_fail_memory(context, f.n * sizeof *f.near, "halos");
    koshu_linked_cells_free(&cells);
    koshu_free(f.near);
    return status;
}

koshu_status
koshu_halos_of_cores(struct koshu_context *context,
                     const struct koshu_friend_groups *cores, double box,
                     struct koshu_fof_sphere **halo, size_t *n)
{
    struct halos h = {0};
    *n = 0;
    *halo = NULL;
    koshu_status status =
            allocate(&h, cores->n) && take(&h, cores)
                    ? KOSHU_OK
                    : koshu_fail_memory(context, 64 * cores->n, "halos");
    if (status == KOSHU_OK) status = find_inside(context, &h, box);
    for (size_t k = 0; k < h.n && status == KOSHU_OK; k++)
        if (!h.inside[k]) h.sphere[(*n)++] = h.sphere[k];
    if (status == KOSHU_OK) {
        *halo = h.sphere;
        h.sphere = NULL;
    }
    release(&h);
    return status;
}
