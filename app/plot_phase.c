/* SPDX-License-Identifier: MIT */
/* Chooses which part of phase space a picture of snapshots shows. */
#include <math.h>
#include <string.h>

#include "app.h"
#include "plot.h"

/* "phase": the radius; "phase-x": a coordinate. */
static enum koshu_phase_plane
plane_of(const char *what)
{
    const char *axis = strchr(what, '-');
    return axis ? KOSHU_PHASE_X + (enum koshu_phase_plane)(axis[1] - 'x')
                : KOSHU_PHASE_RADIAL;
}

static koshu_status
measure(struct plot *p, size_t k, struct koshu_phase_view *phase)
{
    memcpy(phase->centre, p->panels[k].centre, sizeof phase->centre);
    KOSHU_TRY(plot_read(p, k));
    KOSHU_TRY(plot_name_file(p, k, koshu_phase_measure(p->particles, phase)));
    memcpy(p->panels[k].velocity, phase->velocity, sizeof phase->velocity);
    return KOSHU_OK;
}

/* All velocities that any of the panels would show. */
koshu_status
plot_choose_phase(struct plot *plot)
{
    struct koshu_phase_view *phase = &plot->phase;
    double half_speed = plot->a->half_speed;
    phase->plane = plane_of(plot->a->what);
    phase->half_width = plot->view.half_width;
    phase->pixels = plot->view.pixels;
    phase->weight = plot->view.weight;
    for (size_t k = 0; k < plot->n; k++) {
        KOSHU_TRY(measure(plot, k, phase));
        if (!(plot->a->half_speed > 0))
            half_speed = fmax(half_speed, phase->half_speed);
    }
    phase->half_speed = half_speed;
    memcpy(phase->centre, plot->panels[0].centre, sizeof phase->centre);
    koshu_phase_axes(phase, &plot->options.units, &plot->plane);
    return KOSHU_OK;
}
