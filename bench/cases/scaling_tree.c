/* SPDX-License-Identifier: MIT */
/* koshu bench scaling --method tree, fmm: the rows. */
#include "bench/cases/scaling_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum view { TREE = 1, FMM = 2, ERRORS = 4, DEVICE = 8 };

struct row {
    struct bench_row base;
    int ranks;
    char of[32]; /* "4 ranks" */
    const char *method, *model;
    size_t n_each;
    double strong, weak;
    /* seconds of one rank; counts of all ranks */
    struct koshu_tree_report mean;
    /* stages before the walk; exposed: as a fraction */
    double build, exposed;
    /* imported and megabytes: of one rank */
    double imbalance, list, imported, megabytes;
    double bytes_per_particle;  /* of device memory */
    double theta, alpha, order; /* NAN if not used */
    double predicted, deviation;
    double share; /* of the processors that a rank had */
    double box;   /* edge length; 0: free space */
    bool crowded;
};

#define MILLISECONDS(key, heading, member)         \
    {                                              \
        key, heading, "%7.2f", ROW(member), 0, 1e3 \
    }
#define SECONDS(key, member)           \
    {                                  \
        key, .field = ROW(mean.member) \
    }

static const struct bench_column columns[] = {
        {"ranks", "ranks", "%5lld", ROW(ranks)},
        BENCH_SHOW("N", "%10lld", n),
        {NULL, "N/rank", "%9lld", ROW(n_each)},
        BENCH_SHOW("ms", "%9.2f", timing.seconds, 0, 1e3),
        {"efficiency_strong", "strong", "%6.3f", ROW(strong)},
        {"efficiency_weak", "weak", "%6.3f", ROW(weak)},
        BENCH_BAR(0),
        MILLISECONDS("tree_seconds", "tree", build),
        MILLISECONDS("walk_seconds", "walk", mean.seconds.walk),
        MILLISECONDS("force_seconds", "force", mean.seconds.force),
        MILLISECONDS("domains_seconds", "domains",
                     mean.exposed_seconds.domains),
        MILLISECONDS("particles_seconds", "moved",
                     mean.exposed_seconds.particles),
        MILLISECONDS("essential_seconds", "LET",
                     mean.exposed_seconds.essential),
        MILLISECONDS("wait_seconds", "wait", mean.exposed_seconds.wait),
        {"exposed", "exposed", "%6.1f%%", ROW(exposed), 0, 100},
        BENCH_BAR(0),
        {"imbalance", "max/mean", "%8.3f", ROW(imbalance)},
        {"list_length", "list", "%6.0f", ROW(list)},
        {"imported_per_rank", "imported", "%9.0f", ROW(imported)},
        {"megabytes_per_rank", "MB sent", "%7.2f", ROW(megabytes)},
        {"predicted_seconds", "predicted", "%9.2f", ROW(predicted), TREE, 1e3},
        {"deviation", "off by", "%+6.1f%%", ROW(deviation), TREE, 100},
        {"bytes_per_particle", "B/particle", "%6.1f", ROW(bytes_per_particle),
         DEVICE},
        BENCH_BAR(ERRORS),
        BENCH_SHOW_ERRORS(ERRORS),
        {"theta", .field = ROW(theta)},
        {"alpha", .field = ROW(alpha)},
        {"multipole_order", .field = ROW(order)},
        {"n_crit", .field = ROW(mean.n_crit)},
        {"n_leaf", .field = ROW(mean.n_leaf)},
        SECONDS("keys_seconds", seconds.keys),
        SECONDS("sort_seconds", seconds.sort),
        SECONDS("build_seconds", seconds.build),
        SECONDS("moments_seconds", seconds.moments),
        SECONDS("groups_seconds", seconds.groups),
        SECONDS("transfer_seconds", seconds.transfer),
        SECONDS("exposed_seconds", exposed),
        SECONDS("interactions", interactions),
        SECONDS("interactions_with_cells", with_cells),
        SECONDS("cells_tested", cells_tested),
        SECONDS("translations", translations),
        {"processor_share", .field = ROW(share)},
        {"crowded", .field = ROW(crowded)},
        {"method", .field = ROW(method)},
        {"model", .field = ROW(model)},
        {"periodic", .field = ROW(box)},
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

static const struct bench_table trees = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {38},
        .figure = {.y_label = "seconds",
                   .curves = {{"measured", ROW(base.timing.seconds)},
                              {"predicted", ROW(predicted)}},
                   .series = ROW(of),
                   .panels = true},
};

/* As in Hamada09 Fig. 12: a curve for each number of ranks. */
static const struct bench_table fmm = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .figure = {.y_label = "seconds",
                   .curves = {{"", ROW(base.timing.seconds)}},
                   .series = ROW(of),
                   .papers = {"hamada09-fmm.seconds"}},
};

/* ---- rows ---------------------------------------------------------------- */

static void
set_counts(struct row *row, const struct scaling_forces *f)
{
    const struct koshu_tree_report *r = &row->mean;
    const double n = (double)f->n, pairs = (double)r->interactions,
                 ranks = row->ranks;
    row->base.interactions = pairs;
    row->list = pairs / n;
    row->imbalance =
            pairs > 0 ? ranks * (double)r->largest_interactions / pairs : NAN;
    if (row->ranks == 1) row->imbalance = 1;
    row->bytes_per_particle =
            r->bytes > 0 ? (double)r->bytes / (double)row->n_each : NAN;
    row->imported = (double)r->imported / ranks;
    row->megabytes = 1e-6 * (double)r->bytes_sent / ranks;
}

static void
set_accuracy(struct row *row, const struct scaling_options *o)
{
    const bool is_tree = o->method == KOSHU_METHOD_TREE;
    const bool relative = is_tree && o->tree.opening_criterion ==
                                             KOSHU_OPENING_CRITERION_RELATIVE;
    row->theta = is_tree ? o->tree.theta : o->fmm.theta;
    if (relative) row->theta = NAN;
    row->alpha = relative ? o->tree.alpha : NAN;
    row->order = is_tree ? NAN : (double)o->order;
}

/* Predicted from the rates of one rank, and the exchange in the other steps. */
static koshu_status
set_prediction(const struct bench *b, const struct scaling *s,
               const struct scaling_step *p, struct row *row)
{
    struct tree_costs_file file;
    struct koshu_tree_estimate e;
    KOSHU_TRY(scaling_tree_costs(b, s, p, &file));
    koshu_tree_predict(&file.costs, (double)p->n, p->ranks, &e);
    row->predicted = e.seconds;
    row->deviation = e.seconds / p->all.timing.seconds - 1;
    return KOSHU_OK;
}

static const char *
particles_of(const struct scaling_options *o)
{
    return o->base.file ? o->base.file : koshu_model_name(o->base.model);
}

static struct row
row_of(const struct bench *b, const struct scaling *s,
       const struct scaling_step *p)
{
    const struct scaling_options *o = b->own;
    const double seconds = p->all.timing.seconds, ranks = p->ranks;
    struct row row = {.base = bench_row(b, p->n),
                      .ranks = p->ranks,
                      .n_each = p->n / (size_t)p->ranks,
                      .strong = p->ranks == 1 ? 1 : NAN,
                      .weak = p->ranks == 1 ? 1 : NAN,
                      .mean = scaling_mean(&p->all),
                      .method = koshu_method_name(o->method),
                      .model = particles_of(o),
                      .predicted = NAN,
                      .deviation = NAN,
                      .share = p->share,
                      .box = o->tree.box,
                      .crowded = s->crowded};
    row.base.timing = p->all.timing;
    row.base.errors = p->errors;
    set_accuracy(&row, o);
    if (p->alone.n > 0)
        row.strong = p->alone.timing.seconds / (ranks * seconds);
    if (p->each.n > 0) row.weak = p->each.timing.seconds / seconds;
    row.build = scaling_build_seconds(&row.mean);
    row.exposed = row.mean.exposed / p->all.timing.least;
    set_counts(&row, &p->all);
    snprintf(row.of, sizeof row.of, "%d rank%s", p->ranks,
             p->ranks == 1 ? "" : "s");
    return row;
}

/* ---- text ---------------------------------------------------------------- */

static void
print_head(const struct bench *b, const struct scaling *s)
{
    const struct scaling_options *o = b->own;
    const bool relative =
            o->tree.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE;
    if (o->method == KOSHU_METHOD_FMM)
        printf("forces by the FMM without softening, multipole order %u, theta "
               "%g",
               o->fmm.multipole_order, o->fmm.theta);
    else
        printf("forces by the tree, quadrupoles, %s %g",
               relative ? "alpha" : "theta",
               relative ? o->tree.alpha : o->tree.theta);
    printf(", over ranks; %s, ", particles_of(o));
    if (o->tree.box > 0) printf("in a periodic box of %g, ", o->tree.box);
    printf("%s precision\n", s->costs.precision);
    scaling_print_machine(s);
}

static void
print_costs(const struct koshu_tree_costs *c)
{
    if (c->message > 0 || c->byte > 0)
        printf("a message: %.3g us + %.3g ns a byte (%.3g GB/s)\n",
               c->message * 1e6, c->byte * 1e9, 1e-9 / c->byte);
    printf("t_sync(K) = %.3g us + %.3g us log2(K)\n"
           "besides messages: %.3g ns of a particle in a pass of the "
           "bisection, %.3g ns of one that is moved, %.3g ns of what is "
           "imported\n"
           "imported: %.3g times the shells round a domain; lists longer by "
           "%.3g of what is imported\n",
           c->sync * 1e6, c->sync_doubling * 1e6, c->domains * 1e9,
           c->moved * 1e9, c->essential * 1e9, c->imported, c->split);
}

/* Only with one thread, which does not wait for others. */
static void
print_share(const struct bench *b, const struct scaling *s)
{
    const double quiet = 0.95;
    double least = 1;
    for (size_t k = 0; k < s->n_steps; k++)
        least = fmin(least, s->step[k].share);
    if (least < quiet && koshu_context_threads(b->context) == 1)
        printf("other programs were at work: a rank had %.0f%% of its "
               "processor\n",
               100 * least);
}

static void
print_notes(const struct bench *b)
{
    const struct scaling_options *o = b->own;
    printf("\nstrong: t(N; 1 rank) / (K t(N; K)); weak: t(N/K; K times 1 rank "
           "at once) / t(N; K): measured in turns\n"
           "tree, walk, force: means of the ranks; domains, moved, LET, wait: "
           "exposed communication; max/mean: of counted interactions\n");
    if (o->method == KOSHU_METHOD_TREE && o->tree.box == 0)
        printf("predicted: one rank from the other rows of one rank; several "
               "from what each takes by itself, messages, and the exchange in "
               "the other rows\n");
    if (o->method == KOSHU_METHOD_FMM)
        printf("Hamada09, p = 10, in words (section 4.3): one GPU takes as "
               "N^1.15; below 10^4 particles 16 and more take longer than "
               "fewer; 256 GPUs took 1.52 s a step of 16,777,216 vortices in a "
               "periodic box (section 5)\n");
}

/* ---- all ----------------------------------------------------------------- */

/* Is anything known of one rank by itself, from which the model predicts? */
static bool
is_predicted(const struct bench *b, const struct scaling *s)
{
    const struct scaling_options *o = b->own;
    bool any = false;
    for (size_t k = 0; k < s->n_steps; k++)
        any |= s->step[k].ranks == 1 || s->step[k].each.n > 0;
    return any && o->method == KOSHU_METHOD_TREE && o->tree.box == 0;
}

static koshu_status
print_rows(struct bench *b, const struct scaling *s)
{
    const struct scaling_options *o = b->own;
    const bool is_tree = o->method == KOSHU_METHOD_TREE;
    const unsigned errors = o->sample > 0 ? ERRORS : 0,
                   device = s->step[0].all.report.bytes > 0 ? DEVICE : 0;
    bench_start(b, is_tree ? &trees : &fmm,
                (is_tree ? TREE : FMM) | errors | device);
    for (size_t k = 0; k < s->n_steps; k++) {
        struct row row = row_of(b, s, &s->step[k]);
        if (is_predicted(b, s))
            KOSHU_TRY(set_prediction(b, s, &s->step[k], &row));
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}

static koshu_status
check_steps(const struct bench *b, const struct scaling *s)
{
    const struct scaling_options *o = b->own;
    if (s->n_steps == 0 || (o->save && !is_predicted(b, s)))
        return koshu_fail(b->context, KOSHU_ERROR_BAD_INPUT,
                          "one rank gets at most %zu particles alone, fewer "
                          "than %s: give a larger --alone",
                          o->alone, o->base.file ? "--file" : "--per-rank");
    return KOSHU_OK;
}

koshu_status
scaling_trees_print(struct bench *b, const struct scaling *s)
{
    const struct scaling_options *o = b->own;
    const bool predicted = is_predicted(b, s);
    struct tree_costs_file file = {.ranks = 0};
    KOSHU_TRY(check_steps(b, s));
    if (predicted) KOSHU_TRY(scaling_tree_costs(b, s, NULL, &file));
    if (!o->base.json) print_head(b, s);
    if (!o->base.json && predicted) print_costs(&file.costs);
    KOSHU_TRY(print_rows(b, s));
    if (!o->base.json) print_notes(b);
    if (!o->base.json) print_share(b, s);
    return o->save ? tree_costs_save(b->context, o->save, &file) : KOSHU_OK;
}
