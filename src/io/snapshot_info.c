/* SPDX-License-Identifier: MIT */
/* What a snapshot holds: its defaults, and what is wrong with it. */
#include <koshu/snapshot.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "io/format.h"
#include "particles/particles.h"

KOSHU_DEFINE_DEFAULT(koshu_snapshot_info, .format = KOSHU_FORMAT_HDF5,
                     .units = KOSHU_HENON_UNITS)

static bool
valid_unit(double unit)
{
    return unit > 0 && isfinite(unit);
}

const char *
koshu_snapshot_fault(const struct koshu_snapshot_info *info)
{
    if (!isfinite(info->time)) return "the time is not a number";
    if (!isfinite(info->softening) || info->softening < 0)
        return "the softening is negative or not a number";
    if (!isfinite(info->box_size) || info->box_size < 0)
        return "the box size is negative or not a number";
    if (!valid_unit(info->units.length_cm) || !valid_unit(info->units.mass_g) ||
        !valid_unit(info->units.velocity_cm_s))
        return "a unit is not a positive number";
    return NULL;
}

koshu_status
koshu_snapshot_check(struct koshu_particles *particles,
                     const struct koshu_particle_view *view,
                     const struct koshu_snapshot_info *info)
{
    KOSHU_TRY(koshu_particles_check(particles));
    return koshu_particles_check_finite(particles, view, KOSHU_ARRAY_POTENTIAL,
                                        koshu_snapshot_arrays(info));
}

struct koshu_particle_view
koshu_snapshot_part(const struct koshu_particle_view *view, size_t first,
                    size_t n)
{
    struct koshu_particle_view part = *view;
    part.n = n;
    for (size_t k = 0; k < KOSHU_ARRAYS; k++) {
        char *array = koshu_particle_array(view, k);
        if (array) array += first * KOSHU_ARRAY_ELEMENT;
        memcpy((char *)&part + koshu_particle_arrays[k].offset, &array,
               sizeof array);
    }
    return part;
}
