/* SPDX-License-Identifier: MIT */
/* koshu predict: forces by a tree. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "json.h"
#include "predict.h"

const struct predict_paper predict_papers[] = {
        /* section 3.1: 327 steps in 5604 s, input and output included */
        {"Hamada09", 1608044129, 256, 5604.0 / 327},
        /* section III.B: 1000 steps in 6180 s */
        {"Hamada10", 3278982596, 576, 6180.0 / 1000},
        {NULL, 0, 0, 0}};

/* The papers' numbers of particles are also predicted for so many GPUs. */
enum { MORE_GPUS = 4096 };

/* A row; if it is of a paper, with the paper's name and seconds. */
struct row {
    double n;
    int ranks;
    const char *paper;
    double paper_seconds;
};

/* ---- text ---------------------------------------------------------------- */

static void
print_head(const struct predict_arguments *a, const struct tree_costs_file *f)
{
    const struct koshu_tree_costs *c = &f->costs;
    const struct koshu_tree_rate *r = &c->rate[c->n_rates - 1];
    printf("%s: %s, %s precision, %s, %s %g, measured on %d rank%s\n",
           a->constants, f->device, f->precision, f->model,
           c->alpha > 0 ? "alpha" : "theta", c->alpha > 0 ? c->alpha : c->theta,
           f->ranks, f->ranks == 1 ? "" : "s");
    if (f->source[0]) printf("  from       %s\n", f->source);
    printf("  a rank     %.3g ns of a particle, %.3g ps of an interaction "
           "(%.3g "
           "particles)\n",
           r->build * 1e9, (r->walk + r->force) * 1e12, r->n);
    printf("  a message  %.3g us + %.3g ns a byte%s\n", c->message * 1e6,
           c->byte * 1e9, a->bandwidth > 0 ? " (as given)" : "");
    printf("  t_sync     %.3g us + %.3g us log2(K)\n", c->sync * 1e6,
           c->sync_doubling * 1e6);
    printf("  imbalance  %.3g of counted interactions; imported: %.3g times "
           "the shells round a domain\n\n",
           c->imbalance, c->imported);
    printf("%6s %12s %11s %10s | %9s %9s %9s %9s %9s %9s | %6s %9s %8s | %6s "
           "%6s%s\n",
           "ranks", "N", "N/rank", "seconds", "tree", "walk+force", "domains",
           "moved", "LET", "sync", "list", "imported", "MB sent", "strong",
           "weak", a->papers ? " | paper" : "");
}

static void
print_row(const struct row *row, const struct koshu_tree_estimate *e)
{
    printf("%6d %12.0f %11.0f %10.4g | %9.3g %9.3g %9.3g %9.3g %9.3g %9.3g | "
           "%6.0f %9.0f %8.4g | %6.3f %6.3f",
           row->ranks, row->n, row->n / row->ranks, e->seconds, e->build,
           e->walk + e->force + e->pass, e->domains, e->moved,
           e->essential + e->wait, e->sync, e->list, e->imported,
           1e-6 * e->bytes, e->alone / (row->ranks * e->seconds),
           e->each / e->seconds);
    if (row->paper)
        printf(" | %.3g s, %s: %.0f times", row->paper_seconds, row->paper,
               row->paper_seconds / e->seconds);
    putchar('\n');
}

static void
print_notes(const struct predict_arguments *a, const struct tree_costs_file *f)
{
    const struct koshu_tree_costs *c = &f->costs;
    const bool exchange = c->domains > 0 || c->moved > 0 || c->essential > 0;
    printf("\nseconds of a step's forces; strong: t(N; 1) / (K t(N; K)), weak: "
           "t(N/K; 1) / t(N; K)\n"
           "assumed: ranks all like the ones measured; particles spread as "
           "there (%s); each rank sends its\nmessages one after the other, "
           "however many ranks do; memory for N/K particles a rank\n",
           f->model);
    if (!exchange)
        printf("not measured, and left out: what domains, particles moved and "
               "essential trees take besides\nmessages\n");
    if (a->papers)
        printf("Hamada09 section 3.1: 327 steps of 1,608,044,129 particles in "
               "5604 s; Hamada10 section III.B:\n1000 steps of 3,278,982,596 "
               "in 6180 s: whole steps, on other GPUs, to another accuracy "
               "(monopoles)\n");
}

/* ---- rows ---------------------------------------------------------------- */

static koshu_status
print_object(struct koshu_context *context, const struct row *row,
             const struct koshu_tree_estimate *e)
{
    json_t *object = json_pack(
            "{s:s, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
            "s:f, s:f, s:f, s:f, s:f}",
            "method", "tree", "ranks", row->ranks, "n", (json_int_t)row->n,
            "seconds", e->seconds, "tree_seconds", e->build, "walk_seconds",
            e->walk, "force_seconds", e->force, "domains_seconds", e->domains,
            "moved_seconds", e->moved, "essential_seconds", e->essential,
            "wait_seconds", e->wait, "pass_seconds", e->pass, "sync_seconds",
            e->sync, "list_length", e->list, "imported_per_rank", e->imported,
            "bytes_per_rank", e->bytes, "efficiency_strong",
            e->alone / (row->ranks * e->seconds), "efficiency_weak",
            e->each / e->seconds);
    if (row->paper) {
        json_object_set_new(object, "paper", json_string(row->paper));
        json_object_set_new(object, "paper_seconds",
                            json_real(row->paper_seconds));
    }
    return print_json(context, object);
}

static koshu_status
print(struct koshu_context *context, const struct predict_arguments *a,
      const struct tree_costs_file *f, struct row row)
{
    struct koshu_tree_estimate e;
    koshu_tree_predict(&f->costs, row.n, row.ranks, &e);
    if (a->json) return print_object(context, &row, &e);
    print_row(&row, &e);
    return KOSHU_OK;
}

static koshu_status
print_given(struct koshu_context *context, const struct predict_arguments *a,
            const struct tree_costs_file *f)
{
    for (size_t k = 0; a->ranks.given && k < a->ranks.n; k++)
        for (size_t i = 0; a->n.given && i < a->n.n; i++)
            KOSHU_TRY(print(context, a, f,
                            (struct row){.n = (double)a->n.value[i],
                                         .ranks = (int)a->ranks.value[k]}));
    return KOSHU_OK;
}

koshu_status
predict_tree(struct koshu_context *context, const struct predict_arguments *a,
             const struct tree_costs_file *f)
{
    if (!a->json) print_head(a, f);
    KOSHU_TRY(print_given(context, a, f));
    for (const struct predict_paper *p = predict_papers; a->papers && p->name;
         p++) {
        KOSHU_TRY(print(context, a, f,
                        (struct row){p->n, p->gpus, p->name, p->seconds}));
        KOSHU_TRY(print(context, a, f,
                        (struct row){.n = p->n, .ranks = MORE_GPUS}));
    }
    if (!a->json) print_notes(a, f);
    return KOSHU_OK;
}
