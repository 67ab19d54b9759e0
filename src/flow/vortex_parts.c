/* SPDX-License-Identifier: MIT */
/* Divides a step into parts, and sets the cores of new particles to match. */
#include <math.h>

#include "flow/vortex_flow.h"

unsigned
koshu_vortex_part_after(const struct vortex_flow *s, double dt, unsigned done)
{
    const double radians = s->vortices->max_vorticity * dt / KOSHU_VORTEX_WHOLE;
    const double turn = s->values->turn > 0 ? s->values->turn : INFINITY;
    unsigned part = KOSHU_VORTEX_WHOLE;
    while (done % part != 0 || (part > 1 && part * radians > turn)) part /= 2;
    return part;
}

/* sigma_0 is the core radius halfway to the next remeshing. If that is far
 * away, sigma^2 is increased by no more than a half. */
void
koshu_vortex_centre_cores(struct vortex_flow *s, double dt, unsigned done)
{
    const double core2 = s->remeshing.core * s->remeshing.core;
    const uint64_t every = s->values->remesh_steps;
    const unsigned part = koshu_vortex_part_after(s, dt, done);
    const double time =
            every == 1 ? part * dt / KOSHU_VORTEX_WHOLE : (double)every * dt;
    const bool spreads =
            s->rules.diffusion == KOSHU_VORTEX_DIFFUSION_SPREADING &&
            s->remeshing.kernel == KOSHU_VORTEX_KERNEL_RADIAL_BASIS;
    const double half = spreads ? s->rules.viscosity * time : 0;
    s->remeshing.mid_core = sqrt(core2 + fmin(half, core2 / 2));
}
