/* SPDX-License-Identifier: MIT */
/* Where the particles of a periodic box are drawn. */
#include <math.h>

#include "app.h"
#include "plot.h"

/* Into [corner, corner + box), but for rounding, which pictures do not show. */
static void
wrap(size_t n, double *x, double corner, double box)
{
    for (size_t i = 0; i < n; i++) x[i] -= box * floor((x[i] - corner) / box);
}

koshu_status
plot_wrap(struct plot *plot, size_t k)
{
    const double box = plot->panels[k].info.box_size, *at = plot->a->centre;
    struct koshu_particle_view v;
    if (!(box > 0)) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_on_host(plot->particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    double *const x[3] = {v.x, v.y, v.z};
    for (int d = 0; d < 3; d++)
        wrap(v.n, x[d], isnan(at[d]) ? 0 : at[d] - box / 2, box);
    return KOSHU_OK;
}
