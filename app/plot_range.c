/* SPDX-License-Identifier: MIT */
/* Chooses a common range of colours for pictures that are drawn one after the
 * other. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "plot.h"

/* The k-th of m panels that are evenly spread over n. */
static size_t
sampled(size_t k, size_t m, size_t n)
{
    return m > 1 ? k * (n - 1) / (m - 1) : 0;
}

static koshu_status
range_of_stars(struct plot *p, size_t m, struct koshu_scale *range)
{
    struct koshu_star_panel *some = calloc(m, sizeof *some);
    if (!some) return koshu_fail_memory(p->context, m * sizeof *some, "panels");
    for (size_t k = 0; k < m; k++)
        some[k] = p->panels[sampled(k, m, p->n)].stars;
    const koshu_status status =
            koshu_stars_range(p->context, m, some, &p->options, range);
    free(some);
    return status;
}

static koshu_status
range_of_density(struct plot *p, size_t m, struct koshu_scale *range)
{
    struct koshu_density_panel *some = calloc(m, sizeof *some);
    if (!some) return koshu_fail_memory(p->context, m * sizeof *some, "panels");
    for (size_t k = 0; k < m; k++)
        some[k].sigma = p->panels[sampled(k, m, p->n)].sigma;
    const koshu_status status =
            koshu_density_range(p->context, m, some, &p->options, range);
    free(some);
    return status;
}

koshu_status
plot_choose_range(struct plot *plot, size_t sample)
{
    const size_t m = sample < plot->n ? sample : plot->n;
    koshu_status status = KOSHU_OK;
    struct koshu_scale range;
    for (size_t k = 0; k < m && status == KOSHU_OK; k++)
        status = plot_fill(plot, sampled(k, m, plot->n));
    if (status == KOSHU_OK)
        status = plot->stars ? range_of_stars(plot, m, &range)
                             : range_of_density(plot, m, &range);
    for (size_t k = 0; k < m; k++) plot_empty(plot, sampled(k, m, plot->n));
    if (status != KOSHU_OK) return status;
    plot->options.min = range.min;
    plot->options.max = range.max;
    return KOSHU_OK;
}
