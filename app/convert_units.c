/* SPDX-License-Identifier: MIT */
/* Converts snapshots to other units. */
#include <math.h>

#include "convert.h"

bool
same_units(const struct koshu_units *a, const struct koshu_units *b)
{
    return a->length_cm == b->length_cm && a->mass_g == b->mass_g &&
           a->velocity_cm_s == b->velocity_cm_s;
}

/* Fails if the file states other units. */
koshu_status
take_from(struct koshu_context *context, const char *units, struct snapshot *s)
{
    struct koshu_snapshot_info *info = &s->info;
    struct koshu_units from;
    char is[128], given[128];
    if (!units) return KOSHU_OK;
    KOSHU_TRY(koshu_units_find(context, units, &from));
    const bool stated = info->has_units && !koshu_units_are_henon(&info->units);
    if (stated && !same_units(&info->units, &from)) {
        koshu_units_text(&info->units, sizeof is, is);
        koshu_units_text(&from, sizeof given, given);
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s states units of %s, and --from says %s; leave "
                          "--from out",
                          s->path, is, given);
    }
    if (info->has_units && !stated &&
        fabs(koshu_units_gravitational_constant(&from) - 1) > 1e-3)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s is in Hénon units, with G = 1, and in --from G = "
                          "%.4g; give a length and a mass: --from 'pc, Msun'",
                          s->path, koshu_units_gravitational_constant(&from));
    info->units = from;
    info->has_units = true;
    return KOSHU_OK;
}

static koshu_status
refuse_henon(struct koshu_context *context, const struct snapshot *s)
{
    const struct koshu_snapshot_info *info = &s->info;
    if (!info->has_units)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s states no units; say what they are: --from",
                          s->path);
    return koshu_fail(
            context, KOSHU_ERROR_BAD_INPUT,
            koshu_units_are_henon(&info->units)
                    ? "%s is in Hénon units; give its virial radius and mass: "
                      "--from '1 pc, 1e4 Msun'"
                    : "%s has a size, Hénon units have none; give a unit of "
                      "length and of mass: --units '1 pc, 1e4 Msun'",
            s->path);
}

/* Converts the particles and the header. */
koshu_status
to_units(struct snapshot *s, const struct koshu_units *to)
{
    struct koshu_snapshot_info *info = &s->info;
    KOSHU_TRY(koshu_particles_convert(s->particles, &info->units, to));
    const double length =
            koshu_units_factor(&info->units, to, KOSHU_QUANTITY_LENGTH);
    if (!(info->hubble > 0)) /* otherwise it is the scale factor */
        info->time *= koshu_units_factor(&info->units, to, KOSHU_QUANTITY_TIME);
    info->softening *= length;
    info->box_size *= length;
    info->units = *to;
    return KOSHU_OK;
}

koshu_status
convert_units(struct koshu_context *context, const char *units,
              struct snapshot *s)
{
    struct koshu_units to;
    struct koshu_snapshot_info *info = &s->info;
    if (!units) return KOSHU_OK;
    KOSHU_TRY(koshu_units_find(context, units, &to));
    if (!info->has_units ||
        koshu_units_are_henon(&info->units) != koshu_units_are_henon(&to))
        return refuse_henon(context, s);
    return to_units(s, &to);
}
