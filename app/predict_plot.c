/* SPDX-License-Identifier: MIT */
/* koshu predict --plot: seconds of a step against the number of ranks. */
#include <stdio.h>
#include <stdlib.h>

#include "predict.h"

enum { LAST = 4096, POINTS = 26, CURVES = 2 * MAX_LIST, NAME = 96 };

struct picture {
    const struct koshu_tree_costs *costs;
    int first, last; /* ranks */
    size_t n;
    struct koshu_curve curve[CURVES];
    char name[CURVES][NAME];
    double points[CURVES][2 * POINTS];
};

static struct koshu_curve *
add_curve(struct picture *p, enum koshu_curve_style style)
{
    if (p->n == CURVES) return NULL;
    struct koshu_curve *c = &p->curve[p->n];
    *c = (struct koshu_curve){p->name[p->n], style, 0, p->points[p->n]};
    p->n++;
    return c;
}

static void
add_point(struct picture *p, struct koshu_curve *c, double x, double y)
{
    double *to = &p->points[c - p->curve][2 * c->n++];
    to[0] = x;
    to[1] = y;
}

/* Predictions for n particles on 1, 2, 4, ... times the first number of
 * ranks. */
static void
add_prediction(struct picture *p, double n)
{
    struct koshu_tree_estimate e;
    struct koshu_curve *c = add_curve(p, KOSHU_CURVE_LINE);
    if (!c) return;
    snprintf(p->name[c - p->curve], NAME, "%.3g particles", n);
    for (int ranks = p->first; c->n < POINTS; ranks *= 2) {
        if (ranks > p->last) ranks = p->last;
        koshu_tree_predict(p->costs, n, ranks, &e);
        add_point(p, c, ranks, e.seconds);
        if (ranks == p->last) return;
    }
}

static void
add_paper(struct picture *p, const struct predict_paper *paper)
{
    struct koshu_curve *c = add_curve(p, KOSHU_CURVE_DASHED);
    if (!c) return;
    snprintf(p->name[c - p->curve], NAME, "%s, %d GPUs", paper->name,
             paper->gpus);
    add_point(p, c, paper->gpus, paper->seconds);
}

static void
set_range(struct picture *p, const struct predict_arguments *a)
{
    p->first = a->papers ? 16 : LAST;
    p->last = a->papers ? LAST : 1;
    for (size_t k = 0; a->ranks.given && k < a->ranks.n; k++) {
        const int ranks = (int)a->ranks.value[k];
        if (ranks < p->first) p->first = ranks;
        if (ranks > p->last) p->last = ranks;
    }
}

koshu_status
predict_plot(struct koshu_context *context, const struct predict_arguments *a,
             const struct tree_costs_file *f)
{
    struct picture *p = calloc(1, sizeof *p);
    char title[256];
    if (!p) return koshu_fail_memory(context, sizeof *p, "picture");
    p->costs = &f->costs;
    set_range(p, a);
    for (size_t k = 0; a->n.given && k < a->n.n; k++)
        add_prediction(p, (double)a->n.value[k]);
    for (size_t k = 0; a->papers && predict_papers[k].name; k++) {
        add_prediction(p, predict_papers[k].n);
        add_paper(p, &predict_papers[k]);
    }
    snprintf(title, sizeof title, "koshu predict: %s", f->device);
    const struct koshu_rates panel = {"", p->n, p->curve};
    const koshu_status status = koshu_picture_rates(
            context, title, "ranks", "seconds of a step", &panel, 1, a->plot);
    free(p);
    return status;
}
