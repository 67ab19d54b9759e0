/* SPDX-License-Identifier: MIT */
/* Fits the costs of ranks with trees to measured forces. */
#include <math.h>
#include <stdlib.h>

#include "performance/performance.h"

/* Defaults without samples. For imports, the mean of koshu_essential_cell and
 * _particle; for particles that move, 13 numbers of one in a hundred, which
 * crosses a cut in a step. */
static const double usual_import_bytes = 84, usual_moved_bytes = 1;

/* The point that a sample gives for the fit of a cost. */
typedef struct koshu_fit_point point_of(const struct koshu_tree_costs *costs,
                                        const struct koshu_tree_sample *s);

static koshu_status
fit(const struct koshu_tree_costs *costs,
    const struct koshu_tree_sample *samples, size_t n, point_of *of, double *a,
    double *b)
{
    struct koshu_fit_point *points = calloc(n ? n : 1, sizeof *points);
    struct koshu_fit fit;
    if (!points) return KOSHU_ERROR_OUT_OF_MEMORY;
    for (size_t k = 0; k < n; k++) points[k] = of(costs, &samples[k]);
    const koshu_status status = koshu_least_squares(points, n, &fit);
    free(points);
    KOSHU_TRY(status);
    *a = fit.a;
    if (b) *b = fit.b;
    return KOSHU_OK;
}

/* ---- counts -------------------------------------------------------------- */

static struct koshu_fit_point
imports(const struct koshu_tree_costs *costs, const struct koshu_tree_sample *s)
{
    return (struct koshu_fit_point){koshu_tree_boundary(costs, s->n, s->ranks),
                                    0, 0, s->imported};
}

static struct koshu_fit_point
bytes(const struct koshu_tree_costs *costs, const struct koshu_tree_sample *s)
{
    (void)costs;
    const double own = s->n / s->ranks;
    return (struct koshu_fit_point){s->imported, own * (1 - 1.0 / s->ranks), 0,
                                    s->bytes};
}

/* Fits 1 + split imported / own. */
static struct koshu_fit_point
lists(const struct koshu_tree_costs *costs, const struct koshu_tree_sample *s)
{
    const double list = koshu_tree_list_length(costs, s->n);
    return (struct koshu_fit_point){list * s->imported / (s->n / s->ranks), 0,
                                    list, s->list};
}

/* ---- seconds ------------------------------------------------------------- */

static struct koshu_tree_estimate
messages(const struct koshu_tree_costs *costs,
         const struct koshu_tree_sample *s)
{
    struct koshu_tree_estimate e = {0};
    koshu_tree_messages(costs, s->n, s->ranks, &e);
    return e;
}

static struct koshu_fit_point
domains(const struct koshu_tree_costs *costs, const struct koshu_tree_sample *s)
{
    double bytes;
    const double passes = koshu_tree_passes(s->ranks, &bytes);
    return (struct koshu_fit_point){passes * s->n / s->ranks, 0,
                                    messages(costs, s).domains, s->domains};
}

static struct koshu_fit_point
moves(const struct koshu_tree_costs *costs, const struct koshu_tree_sample *s)
{
    return (struct koshu_fit_point){s->n / s->ranks, 0,
                                    messages(costs, s).moved, s->moved};
}

static struct koshu_fit_point
essentials(const struct koshu_tree_costs *costs,
           const struct koshu_tree_sample *s)
{
    return (struct koshu_fit_point){s->imported, 0,
                                    messages(costs, s).essential, s->essential};
}

static struct koshu_fit_point
passes(const struct koshu_tree_costs *costs, const struct koshu_tree_sample *s)
{
    const double own = s->n / s->ranks;
    const struct koshu_tree_rate rate = koshu_tree_rate_of(costs, own);
    return (struct koshu_fit_point){
            own, 0, own * s->list * (rate.walk + rate.force), s->sums};
}

/* ---- all ----------------------------------------------------------------- */

koshu_status
koshu_tree_fit(struct koshu_tree_costs *costs,
               const struct koshu_tree_sample *samples, size_t n)
{
    struct koshu_tree_costs *c = costs;
    c->imbalance = c->imported = 1;
    c->split = c->domains = c->moved = c->essential = c->pass = 0;
    c->import_bytes = usual_import_bytes;
    c->moved_bytes = usual_moved_bytes;
    if (n == 0) return KOSHU_OK;
    for (size_t k = 0; k < n; k++)
        c->imbalance = fmax(c->imbalance, samples[k].imbalance);
    KOSHU_TRY(fit(c, samples, n, imports, &c->imported, NULL));
    KOSHU_TRY(fit(c, samples, n, bytes, &c->import_bytes, &c->moved_bytes));
    KOSHU_TRY(fit(c, samples, n, lists, &c->split, NULL));
    KOSHU_TRY(fit(c, samples, n, domains, &c->domains, NULL));
    KOSHU_TRY(fit(c, samples, n, moves, &c->moved, NULL));
    KOSHU_TRY(fit(c, samples, n, essentials, &c->essential, NULL));
    return fit(c, samples, n, passes, &c->pass, NULL);
}
