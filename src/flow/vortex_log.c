/* SPDX-License-Identifier: MIT */
/* Rows of energy.csv for a flow of vortex particles. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "flow/vortex_flow.h"

const char koshu_vortex_log_header[] =
        "step,time,energy,enstrophy,divergence,strength_x,strength_y,"
        "strength_z,impulse_x,impulse_y,impulse_z,angular_x,angular_y,"
        "angular_z,centre_x,centre_y,centre_z,max_vorticity,max_velocity,"
        "particles,core,residual,dissipation,k_max_eta,reynolds_lambda,"
        "skewness\n";

/* Turbulence scales in a box; all zero in free space, without viscosity, or at
 * rest. */
struct scales {
    double dissipation, resolution, reynolds;
};

/* Dissipation: 2 nu enstrophy. Resolution: k_max eta with k_max = pi / spacing
 * and eta = (nu^3 / dissipation)^(1/4). Re_lambda: u' lambda / nu with lambda^2
 * = 15 nu u'^2 / dissipation. */
static struct scales
find_scales(const struct vortex_flow *s,
            const struct koshu_vortex_diagnostics *d)
{
    static const double pi = 3.14159265358979323846;
    const double nu = s->rules.viscosity, u2 = 2 * d->energy / 3,
                 dissipation = 2 * nu * d->enstrophy;
    if (!(s->vortices->box > 0) || !(dissipation > 0))
        return (struct scales){0};
    return (struct scales){.dissipation = dissipation,
                           .resolution = pi / s->remeshing.spacing *
                                         pow(nu * nu * nu / dissipation, 0.25),
                           .reynolds = u2 * sqrt(15 / (nu * dissipation))};
}

/* In radians per step; docs/turbulence.md has measurements for the Taylor-Green
 * vortex. */
static const double largest_turn = 2;

static void
warn_of_long_step(struct vortex_flow *s, double max_vorticity)
{
    const double turn = s->last_step * max_vorticity;
    if (!(turn > largest_turn) || s->warned || !koshu_is_first_rank(s->context))
        return;
    s->warned = true;
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "a step of %g turns the strongest vortices by %.2g radians: "
              "above %g the smallest vortices are lost (column max_vorticity "
              "of energy.csv); take a smaller integrator.dt, or flow.turn",
              s->last_step, turn, largest_turn);
}

koshu_status
koshu_vortex_write_log(void *state, double *row, size_t *n)
{
    struct vortex_flow *s = state;
    struct koshu_vortex_diagnostics d;
    KOSHU_TRY(koshu_vortex_diagnose(s->solver, s->vortices, &d));
    const struct scales t = find_scales(s, &d);
    const double numbers[] = {d.energy,
                              d.enstrophy,
                              d.divergence,
                              d.strength[0],
                              d.strength[1],
                              d.strength[2],
                              d.impulse[0],
                              d.impulse[1],
                              d.impulse[2],
                              d.angular_impulse[0],
                              d.angular_impulse[1],
                              d.angular_impulse[2],
                              d.centre[0],
                              d.centre[1],
                              d.centre[2],
                              d.max_vorticity,
                              d.max_velocity,
                              (double)s->vortices->n,
                              s->vortices->core,
                              s->fit.residual,
                              t.dissipation,
                              t.resolution,
                              t.reynolds,
                              d.skewness};
    warn_of_long_step(s, d.max_vorticity);
    memcpy(row, numbers, sizeof numbers);
    *n = sizeof numbers / sizeof numbers[0];
    return KOSHU_OK;
}
