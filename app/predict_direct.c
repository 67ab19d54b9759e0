/* SPDX-License-Identifier: MIT */
/* koshu predict: direct sums. */
#include <jansson.h>
#include <stdio.h>

#include "json.h"
#include "predict.h"

static void
print_costs(const char *path, const struct rank_costs_file *f)
{
    const struct koshu_rank_costs *c = &f->costs;
    printf("%s: %s, %s precision, measured on %d rank%s\n", path, f->device,
           f->precision, f->ranks, f->ranks == 1 ? "" : "s");
    printf("  sum        %.3g us + %.4g ns max(N_i, %.0f) N_j\n", c->call * 1e6,
           c->pair * 1e9, c->full);
    printf("  transfer   %.3g us + %.3g ns N\n", c->message * 1e6,
           c->particle * 1e9);
    printf("  t_sync     %.3g us + %.3g us log2(K)\n\n", c->sync * 1e6,
           c->sync_doubling * 1e6);
}

static void
print_assumptions(const struct rank_costs_file *f)
{
    if (f->costs.shared) {
        printf("\nassumed: GPUs of one process that divide all pairs among "
               "them, "
               "all like the ones measured;\ntransfers to each of them at the "
               "measured rate, however many go on at once, and with\nno sum "
               "beside them; t_sync as its line goes on beyond %d GPUs\n",
               f->ranks);
        return;
    }
    printf("\nassumed: ranks all like the ones measured; transfers between any "
           "two of them at\nthe measured rate, however many go on at once, and "
           "beside the sums, which they do\nnot slow down; t_sync as its line "
           "goes on beyond %d ranks%s\n",
           f->ranks,
           f->costs.streams > 1 ? "; two chunks at once where a rank\nis not "
                                  "full"
                                : "");
}

static void
print_row(const struct koshu_rank_estimate *e, size_t n, size_t ranks)
{
    double pairs = (double)n * (double)n, k = (double)ranks;
    printf("%9zu %12zu %10zu %6d %5d %11.4e %9.2e %9.2e %10.3e %10.1f "
           "%10.3f\n",
           ranks, n, e->per_rank, e->stages, e->rings, e->seconds, e->waits,
           e->sync, pairs / e->seconds, 26e-9 * pairs / e->seconds,
           e->alone / (k * e->seconds));
}

static koshu_status
print_object(struct koshu_context *context, const struct koshu_rank_estimate *e,
             size_t n, size_t ranks)
{
    double pairs = (double)n * (double)n;
    json_t *object = json_pack(
            "{s:I, s:I, s:I, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, "
            "s:f}",
            "ranks", (json_int_t)ranks, "n", (json_int_t)n, "n_per_rank",
            (json_int_t)e->per_rank, "group", e->group, "stages", e->stages,
            "rings", e->rings, "seconds", e->seconds, "seconds_sums", e->sums,
            "seconds_waits", e->waits, "seconds_sync", e->sync,
            "interactions_per_s", pairs / e->seconds, "gflops_26",
            26e-9 * pairs / e->seconds, "efficiency_strong",
            e->alone / ((double)ranks * e->seconds));
    return print_json(context, object);
}

koshu_status
predict_direct(struct koshu_context *context, const struct predict_arguments *a,
               const struct rank_costs_file *f)
{
    if (!a->json) {
        print_costs(a->constants, f);
        printf("%9s %12s %10s %6s %5s %11s %9s %9s %10s %10s %10s\n", "ranks",
               "N", "N/rank", "stages", "rings", "seconds", "waits", "t_sync",
               "pairs/s", "GFlop/s", "efficiency");
    }
    for (size_t k = 0; k < a->ranks.n; k++)
        for (size_t i = 0; i < a->n.n; i++) {
            const size_t n = a->n.value[i], ranks = a->ranks.value[k];
            struct koshu_rank_estimate e;
            koshu_rank_predict(&f->costs, n, (int)ranks, &e);
            if (a->json)
                KOSHU_TRY(print_object(context, &e, n, ranks));
            else
                print_row(&e, n, ranks);
        }
    if (!a->json) print_assumptions(f);
    return KOSHU_OK;
}
