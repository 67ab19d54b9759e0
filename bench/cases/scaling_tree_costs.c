/* SPDX-License-Identifier: MIT */
/* koshu bench scaling --method tree: the costs, from the measurements. */
#include <stdio.h>

#include "bench/cases/scaling_tree.h"

/* ---- one rank ------------------------------------------------------------ */

/* Inserts a rate in the order of n; replaces one of the same n. */
static void
add_rate(struct koshu_tree_costs *c, struct koshu_tree_rate rate)
{
    size_t k = 0;
    while (k < c->n_rates && c->rate[k].n < rate.n) k++;
    const bool same = k < c->n_rates && c->rate[k].n == rate.n;
    if (!same && c->n_rates == KOSHU_TREE_RATES) return;
    for (size_t i = same ? 0 : c->n_rates++; i > k; i--)
        c->rate[i] = c->rate[i - 1];
    c->rate[k] = rate;
}

static void
add_list(struct koshu_tree_costs *c, double n, double length)
{
    size_t k = 0;
    while (k < c->n_lists && c->list[k].n < n) k++;
    const bool same = k < c->n_lists && c->list[k].n == n;
    if (same || c->n_lists == KOSHU_TREE_LISTS) return;
    for (size_t i = c->n_lists++; i > k; i--) c->list[i] = c->list[i - 1];
    c->list[k] = (struct koshu_tree_list){n, length};
}

/* Walk and sums of the fastest evaluation, scaled to the median time; the rest
 * of that is proportional to the particles. */
static struct koshu_tree_rate
rate_of(const struct scaling_forces *f)
{
    const struct koshu_tree_report r = scaling_mean(f);
    const double n = (double)f->n, pairs = (double)r.interactions,
                 median = f->timing.seconds / f->timing.least,
                 walk = median * r.seconds.walk,
                 force = median * (r.seconds.force + r.seconds.transfer),
                 rest = f->timing.seconds - walk - force;
    return (struct koshu_tree_rate){n, rest > 0 ? rest / n : 0, walk / pairs,
                                    force / pairs};
}

/* Rates come only from measurements with all ranks at work, each by itself. */
static void
add_forces(struct koshu_tree_costs *c, const struct scaling_forces *f,
           bool rate)
{
    if (f->n == 0) return;
    const struct koshu_tree_report r = scaling_mean(f);
    add_list(c, (double)f->n, (double)r.interactions / (double)f->n);
    if (rate) add_rate(c, rate_of(f));
}

/* Omits the step `but` if it is of one rank; then it also omits steps of
 * several ranks, whose parts are on single ranks. */
static void
add_steps(const struct scaling *s, const struct scaling_step *but,
          struct koshu_tree_costs *c)
{
    const bool one = but && but->ranks == 1 && s->per_rank.n > 1;
    for (size_t k = 0; k < s->n_steps; k++) {
        const struct scaling_step *step = &s->step[k];
        if (one && (step == but || step->ranks > 1)) continue;
        add_forces(c, step->ranks == 1 ? &step->all : &step->each, true);
        add_forces(c, &step->alone, false);
    }
}

/* ---- several ------------------------------------------------------------- */

static struct koshu_tree_sample
sample_of(const struct scaling_step *step)
{
    const struct koshu_tree_report r = scaling_mean(&step->all);
    const double n = (double)step->n, pairs = (double)r.interactions,
                 ranks = step->ranks,
                 median = step->all.timing.seconds / step->all.timing.least;
    return (struct koshu_tree_sample){
            .n = n,
            .ranks = step->ranks,
            .list = pairs / n,
            .imbalance = ranks * (double)r.largest_interactions / pairs,
            .imported = (double)r.imported / ranks,
            .bytes = (double)r.bytes_sent / ranks,
            .domains = r.exposed_seconds.domains,
            .moved = r.exposed_seconds.particles,
            .essential = r.exposed_seconds.essential,
            .sums = median *
                    (r.seconds.walk + r.seconds.force + r.seconds.transfer)};
}

/* Omits the step `but`, if there are others. */
static koshu_status
fit_samples(const struct scaling *s, const struct scaling_step *but,
            struct koshu_tree_costs *c)
{
    struct koshu_tree_sample samples[SCALING_POINTS];
    size_t n = 0;
    for (size_t k = 0; k < s->n_steps; k++)
        if (s->step[k].ranks > 1 && &s->step[k] != but)
            samples[n++] = sample_of(&s->step[k]);
    if (n == 0 && but && but->ranks > 1) samples[n++] = sample_of(but);
    return koshu_tree_fit(c, samples, n);
}

/* ---- all ----------------------------------------------------------------- */

static void
set_machine(const struct scaling *s, struct koshu_tree_costs *c)
{
    enum { COLUMNS = 4 }; /* messages in a measured transfer */
    const struct koshu_rank_costs *of = &s->costs.costs;
    c->message = of->message / COLUMNS;
    c->byte = of->particle / (COLUMNS * sizeof(double));
    c->sync = of->sync;
    c->sync_doubling = of->sync_doubling;
}

koshu_status
scaling_tree_costs(const struct bench *b, const struct scaling *s,
                   const struct scaling_step *but, struct tree_costs_file *file)
{
    const struct scaling_options *o = b->own;
    struct koshu_tree_costs *c = &file->costs;
    const struct koshu_tree_report *last = &s->step[0].all.report;
    *file = (struct tree_costs_file){.ranks = s->costs.ranks};
    snprintf(file->device, sizeof file->device, "%s", s->costs.device);
    snprintf(file->precision, sizeof file->precision, "%s", s->costs.precision);
    snprintf(file->model, sizeof file->model, "%s",
             o->base.file ? "of a file" : koshu_model_name(o->base.model));
    c->theta = o->tree.theta;
    if (o->tree.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        c->alpha = o->tree.alpha;
    c->n_crit = (double)last->n_crit;
    c->n_leaf = (double)last->n_leaf;
    set_machine(s, c);
    add_steps(s, but, c);
    return fit_samples(s, but, c);
}
