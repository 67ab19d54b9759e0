/* SPDX-License-Identifier: MIT */
/* Collects the particles that are drawn as stars. */
#include "output/stars.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "output/output.h"
#include "particles/particles.h"

static int
heavier_first(const void *a, const void *b)
{
    const double x = ((const struct koshu_star *)a)->mass,
                 y = ((const struct koshu_star *)b)->mass;
    return (x < y) - (x > y);
}

koshu_status
koshu_stars_create(struct koshu_context *context, size_t n,
                   struct koshu_star_panel *panel)
{
    panel->n = 0;
    panel->star = reallocarray(NULL, n, sizeof *panel->star);
    if (panel->star) return KOSHU_OK;
    return koshu_fail_memory(context, n * sizeof *panel->star,
                             "stars of a picture");
}

void
koshu_stars_add(struct koshu_star_panel *panel, double x, double y,
                const struct koshu_particle_view *v, size_t i)
{
    const double speed = sqrt(v->vx[i] * v->vx[i] + v->vy[i] * v->vy[i] +
                              v->vz[i] * v->vz[i]);
    panel->star[panel->n++] = (struct koshu_star){x, y, v->mass[i], speed};
}

void
koshu_stars_sort(struct koshu_star_panel *panel)
{
    qsort(panel->star, panel->n, sizeof *panel->star, heavier_first);
}

/* Appends the particles within the view. */
static void
collect(const struct koshu_particle_view *v,
        const struct koshu_picture_view *view, struct koshu_star_panel *panel)
{
    const double *x[3] = {v->x, v->y, v->z};
    const unsigned right = (view->axis + 1u) % 3, up = (view->axis + 2u) % 3;
    for (size_t i = 0; i < v->n; i++) {
        const double dx = x[right][i] - view->centre[right],
                     dy = x[up][i] - view->centre[up];
        if (fabs(dx) <= view->half_width && fabs(dy) <= view->half_width)
            koshu_stars_add(panel, dx, dy, v, i);
    }
    koshu_stars_sort(panel);
}

static koshu_status
fail_empty(struct koshu_context *context, const struct koshu_picture_view *view)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "no particle lies within %g of (%g, %g, %g) along the %c "
                      "axis; choose another centre or a larger width",
                      view->half_width, view->centre[0], view->centre[1],
                      view->centre[2], "xyz"[view->axis]);
}

koshu_status
koshu_stars_collect(struct koshu_particles *particles,
                    const struct koshu_picture_view *view,
                    struct koshu_star_panel *panel)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const size_t n = koshu_particles_count(particles);
    struct koshu_picture_view shown;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_picture_view_read(context, view, &shown));
    KOSHU_TRY(koshu_picture_particles(particles, &v));
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_stars_create(context, n, panel));
    collect(&v, &shown, panel);
    return panel->n ? KOSHU_OK : fail_empty(context, &shown);
}
