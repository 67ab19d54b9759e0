/* SPDX-License-Identifier: MIT */
/* Reports what the new format does not store. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "convert.h"
#include "snapshot_text.h"

/* The largest relative change of any number. */
static double
largest_change(const struct koshu_particle_view *v,
               const struct koshu_particle_view *w, bool potential)
{
    double largest = 0;
    const size_t end =
            potential ? KOSHU_SNAPSHOT_ARRAYS : KOSHU_ARRAY_POTENTIAL;
    for (size_t k = KOSHU_ARRAY_MASS; k < end; k++) {
        const double *old = koshu_particle_array(v, k);
        const double *new = koshu_particle_array(w, k);
        for (size_t i = 0; i < v->n; i++)
            if (old[i] != new[i])
                largest = fmax(largest, fabs(new[i] - old[i]) / fabs(old[i]));
    }
    return largest;
}

struct loss {
    bool is_lost;
    const char *what;
};

/* v: what was read; w: what is in the new file. */
static void
report_rounding(const char *path, const char *format,
                const struct koshu_particle_view *v,
                const struct koshu_particle_view *w, bool potential)
{
    double change = largest_change(v, w, potential);
    if (change > 0)
        fprintf(stderr,
                "koshu: %s (%s): numbers are rounded, by up to %.1e of their "
                "value\n",
                printable(path), format, change);
}

/* In numbers, by which a user can state it again. */
static void
describe_universe(const struct koshu_snapshot_info *a, size_t size, char *text)
{
    char universe[UNIVERSE_TEXT], time[SNAPSHOT_TIME];
    snprintf(text, size, "the universe is lost: %s, %s",
             universe_text(a, universe), snapshot_time_text(a, time));
}

static void
print_losses(const char *path, const struct snapshot *in,
             const struct snapshot *out, const struct koshu_particle_view *v,
             const struct koshu_particle_view *w)
{
    const struct koshu_snapshot_info *a = &in->info, *b = &out->info;
    const char *format = koshu_format_name(b->format);
    char units[192], names[128], universe[256];
    describe_universe(a, sizeof universe, universe);
    koshu_units_text(&a->units, sizeof names, names);
    snprintf(units, sizeof units, "the units are lost: numbers are in %s",
             names);
    const struct loss losses[] = {
            {memcmp(v->id, w->id, v->n * sizeof *v->id) != 0,
             "the particles' ids are lost: they are numbered in their order"},
            {a->has_potential && !b->has_potential, "the potential is lost"},
            {a->softening != b->softening, "the softening is lost or rounded"},
            {a->box_size != b->box_size, "the box size is lost"},
            {a->hubble > 0 && !(b->hubble > 0), universe},
            {!same_units(&a->units, &b->units), units},
            {a->step != b->step, "the number of the step is lost"},
            {in->parameters && !out->parameters, "the parameter file is lost"},
            {a->n_types > 1, "particles of several types become of one type"}};
    report_rounding(path, format, v, w, a->has_potential && b->has_potential);
    for (size_t k = 0; k < sizeof losses / sizeof losses[0]; k++)
        if (losses[k].is_lost)
            fprintf(stderr, "koshu: %s (%s): %s\n", printable(path), format,
                    losses[k].what);
}

koshu_status
report_losses(const char *path, const struct snapshot *in,
              const struct snapshot *out)
{
    struct koshu_particle_view v, w;
    KOSHU_TRY(koshu_particles_on_host(in->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_particles_on_host(out->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &w));
    print_losses(path, in, out, &v, &w);
    return KOSHU_OK;
}
