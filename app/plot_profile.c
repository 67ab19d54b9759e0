/* SPDX-License-Identifier: MIT */
/* Draws the density profiles of snapshots in one picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "plot.h"

static koshu_status
measure(struct plot *p, size_t k, struct koshu_profile *profile)
{
    const struct plot_arguments *a = p->a;
    double centre[3];
    memcpy(centre, a->centre, sizeof centre);
    KOSHU_TRY(plot_read(p, k));
    if (isnan(centre[0]))
        KOSHU_TRY(plot_name_file(p, k,
                                 koshu_densest_centre(p->particles, centre)));
    plot_time_text(&p->panels[k].info, sizeof profile->label, profile->label);
    return plot_name_file(
            p, k, koshu_profile_of(p->particles, centre, a->weight, profile));
}

static koshu_status
draw(struct plot *p, const struct koshu_profile *profiles)
{
    p->view = koshu_picture_view_default();
    p->view.weight = p->a->weight;
    p->view.pixels = p->a->pixels ? p->a->pixels : 520;
    p->options = koshu_density_options_default();
    p->options.view = &p->view;
    p->options.units = p->panels[0].info.units;
    p->options.dark = p->a->dark;
    plot_write_texts(p);
    return koshu_picture_profiles(p->context, p->n, profiles, p->a->output,
                                  &p->options);
}

koshu_status
plot_profiles(struct koshu_context *context,
              const struct plot_arguments *arguments)
{
    struct plot p;
    koshu_status status = plot_begin(context, arguments, &p);
    struct koshu_profile *profiles = calloc(p.n, sizeof *profiles);
    if (status == KOSHU_OK && !profiles)
        status = koshu_fail_memory(context, p.n * sizeof *profiles,
                                   "density profiles");
    for (size_t k = 0; k < p.n && status == KOSHU_OK; k++)
        status = measure(&p, k, &profiles[k]);
    if (status == KOSHU_OK) status = draw(&p, profiles);
    free(profiles);
    plot_free(&p);
    return status;
}
