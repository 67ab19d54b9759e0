/* SPDX-License-Identifier: MIT */
/* Phase-space pictures: the range of velocities, and the density. */
#include "output/phase.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "output/output.h"
#include "output/surface.h"
#include "particles/particles.h"

/* The range of velocities: this many times their rms value, or the largest if
 * that is less. */
static const double speeds_shown = 3.2, margin = 1.05;

static koshu_status
read_particles(struct koshu_particles *particles, struct koshu_particle_view *v)
{
    KOSHU_TRY(koshu_picture_particles(particles, v));
    return koshu_particles_on_host(particles,
                                   KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                           KOSHU_FIELD_VELOCITY,
                                   KOSHU_ACCESS_READ, v);
}

/* ---- coordinates --------------------------------------------------------- */

/* The coordinate of particle i, and its velocity along it. At the centre no
 * direction is radial: the radial velocity is 0. */
static void
coordinates_of(const struct koshu_particle_view *v,
               const struct koshu_phase_view *view, size_t i, double *at,
               double *speed)
{
    const double d[3] = {v->x[i] - view->centre[0], v->y[i] - view->centre[1],
                         v->z[i] - view->centre[2]};
    const double u[3] = {v->vx[i] - view->velocity[0],
                         v->vy[i] - view->velocity[1],
                         v->vz[i] - view->velocity[2]};
    const int axis = (int)view->plane - KOSHU_PHASE_X;
    const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double inner = d[0] * u[0] + d[1] * u[1] + d[2] * u[2];
    *at = view->plane == KOSHU_PHASE_RADIAL ? r : d[axis];
    *speed = view->plane != KOSHU_PHASE_RADIAL ? u[axis]
             : r > 0                           ? inner / r
                                               : 0;
}

/* The lower end of the coordinate's range. */
static double
lowest(const struct koshu_phase_view *view)
{
    return view->plane == KOSHU_PHASE_RADIAL ? 0 : -view->half_width;
}

/* ---- the view ------------------------------------------------------------ */

koshu_status
koshu_phase_measure(struct koshu_particles *particles,
                    struct koshu_phase_view *view)
{
    struct koshu_particle_view v;
    double sum[3] = {0}, mass = 0, squares = 0, largest = 0, at, speed;
    KOSHU_TRY(read_particles(particles, &v));
    for (size_t i = 0; i < v.n; i++) {
        mass += v.mass[i];
        sum[0] += v.mass[i] * v.vx[i];
        sum[1] += v.mass[i] * v.vy[i];
        sum[2] += v.mass[i] * v.vz[i];
    }
    for (int k = 0; k < 3; k++)
        view->velocity[k] = mass > 0 ? sum[k] / mass : 0;
    for (size_t i = 0; i < v.n; i++) {
        coordinates_of(&v, view, i, &at, &speed);
        squares += speed * speed;
        largest = fmax(largest, fabs(speed));
    }
    view->half_speed =
            margin * fmin(largest, speeds_shown * sqrt(squares / (double)v.n));
    /* all particles are at rest */
    if (!(view->half_speed > 0)) view->half_speed = 1;
    return KOSHU_OK;
}

void
koshu_phase_axes(const struct koshu_phase_view *view,
                 const struct koshu_units *units, struct koshu_plane *plane)
{
    const bool radial = view->plane == KOSHU_PHASE_RADIAL;
    const char name = radial ? 'r' : "xyz"[view->plane - KOSHU_PHASE_X];
    const double shift = radial ? 0 : view->centre[view->plane - KOSHU_PHASE_X];
    plane->x.low = lowest(view) + shift;
    plane->x.high = view->half_width + shift;
    plane->y.low = -view->half_speed;
    plane->y.high = view->half_speed;
    snprintf(plane->x.name, sizeof plane->x.name, "%s{/:Italic %c}",
             radial ? "radius " : "", name);
    snprintf(plane->y.name, sizeof plane->y.name, "%svelocity {/:Italic v_%c}",
             radial ? "radial " : "", name);
    koshu_units_drawn_label(units, KOSHU_QUANTITY_LENGTH, sizeof plane->x.unit,
                            plane->x.unit);
    koshu_units_drawn_label(units, KOSHU_QUANTITY_VELOCITY,
                            sizeof plane->y.unit, plane->y.unit);
    snprintf(plane->density, sizeof plane->density, "phase-space %s",
             view->weight == KOSHU_WEIGHT_NUMBER  ? "number density"
             : view->weight == KOSHU_WEIGHT_LIGHT ? "brightness"
                                                  : "density");
    koshu_phase_unit(units, view->weight, plane->density_unit,
                     sizeof plane->density_unit);
}

/* ---- what is in it ------------------------------------------------------- */

static koshu_status
fail_empty(struct koshu_context *context, const struct koshu_phase_view *view)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "no particle is within %g of (%g, %g, %g) with a "
                      "velocity within %g of the mean; choose another centre "
                      "or a larger width",
                      view->half_width, view->centre[0], view->centre[1],
                      view->centre[2], view->half_speed);
}

koshu_status
koshu_phase_density(struct koshu_particles *particles,
                    const struct koshu_phase_view *view, double *sigma)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_particle_view v;
    bool empty = true;
    KOSHU_TRY(read_particles(particles, &v));
    double *at = koshu_alloc(2 * v.n, sizeof *at);
    if (!at)
        return koshu_fail_memory(context, 2 * v.n * sizeof *at,
                                 "coordinates of a picture");
    for (size_t i = 0; i < v.n; i++)
        coordinates_of(&v, view, i, &at[i], &at[v.n + i]);
    const struct koshu_projection q = {
            .n = v.n,
            .right = at,
            .up = at + v.n,
            .mass = v.mass,
            .weight = view->weight,
            .corner = {lowest(view), -view->half_speed},
            .width = {view->half_width - lowest(view), 2 * view->half_speed}};
    koshu_status status =
            koshu_projected_density(context, &q, view->pixels, sigma, &empty);
    koshu_free(at);
    return status == KOSHU_OK && empty ? fail_empty(context, view) : status;
}

koshu_status
koshu_phase_stars(struct koshu_particles *particles,
                  const struct koshu_phase_view *view,
                  struct koshu_star_panel *panel)
{
    const double middle = (view->half_width + lowest(view)) / 2;
    struct koshu_particle_view v;
    KOSHU_TRY(read_particles(particles, &v));
    KOSHU_TRY(
            koshu_stars_create(koshu_particles_context(particles), v.n, panel));
    for (size_t i = 0; i < v.n; i++) {
        double at, speed;
        coordinates_of(&v, view, i, &at, &speed);
        if (at >= lowest(view) && at <= view->half_width &&
            fabs(speed) <= view->half_speed)
            koshu_stars_add(panel, at - middle, speed, &v, i);
    }
    koshu_stars_sort(panel);
    return panel->n ? KOSHU_OK
                    : fail_empty(koshu_particles_context(particles), view);
}
