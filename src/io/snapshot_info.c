/* SPDX-License-Identifier: MIT */
/* Descriptions of snapshots: defaults, and checks of their numbers. */
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
    if (!isfinite(info->omega_m) || !isfinite(info->omega_lambda) ||
        !isfinite(info->hubble) || info->hubble < 0)
        return "HubbleParam, Omega0 or OmegaLambda is negative or not a number";
    if (info->hubble > 0 && !(info->time > 0))
        return "the scale factor, its time, is not positive";
    return NULL;
}

bool
koshu_snapshot_fits_redshift(struct koshu_snapshot_info *info, double redshift)
{
    const double rounding = 1e-3;
    const bool stated = info->omega_m > 0 && info->hubble > 0;
    if (fabs(info->time * (1 + redshift) - 1) < rounding) return true;
    if (stated && redshift != 0 && isfinite(redshift))
        snprintf(info->inconsistent, sizeof info->inconsistent,
                 "its Time is %.6g, and the scale factor of its Redshift, "
                 "%.6g, is %.6g",
                 info->time, redshift, 1 / (1 + redshift));
    return false;
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

struct koshu_particle_view
koshu_snapshot_group(const struct koshu_particle_view *view, uint64_t first,
                     struct koshu_slice group, uint64_t *row)
{
    const struct koshu_slice wanted = {(size_t)first, view->n},
                             both = koshu_slice_common(wanted, group);
    *row = both.n > 0 ? both.first - group.first : 0;
    return koshu_snapshot_part(view, both.n > 0 ? both.first - first : 0,
                               both.n);
}

koshu_status
koshu_snapshot_fail_changed(const struct koshu_reader *reader)
{
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_INPUT,
                               "the file changed while it was read");
}
