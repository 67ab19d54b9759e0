/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: direct sums on 1, 2, 4, ... ranks (Miki13 section 5). */
#include "bench/cases/scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/ranks.h>

#include "bench/cases.h"

static const char doc[] =
        "Direct sums over ranks, strong and weak scaling (Miki et al. 2013, "
        "Figs. 11-13); what synchronisation, transfers and launches cost, with "
        "least squares (Figs. 9-10, Table 2); and what the model of koshu's "
        "accumulation and transfer phases makes of these costs, beside what "
        "was measured. To be started by mpirun; or with --devices, for GPUs "
        "of one process."
        "\v"
        "Examples:\n"
        "  mpirun -n 8 koshu bench scaling\n"
        "  mpirun -n 4 koshu bench scaling --per-rank 1024,8192 --plot s.png\n"
        "  mpirun -n 4 koshu bench scaling --save costs.json\n"
        "  koshu predict --constants costs.json --ranks 256 --n 1e8\n"
        "  koshu bench scaling --devices 1,2,4 -n 100000,1000000\n\n"
        "Figures mean something where each rank has processors, or a GPU, of "
        "its own.";

enum view { RANKS = 1, GPUS = 2 };

struct row {
    struct bench_row base;
    int ranks;
    char of[32]; /* "4 ranks" */
    size_t n_each;
    double strong, weak;
    double predicted, predicted_rate, deviation;
    bool crowded;
};

static const struct bench_column columns[] = {
        {"ranks", "ranks", "%5lld", ROW(ranks), RANKS},
        {NULL, "GPUs", "%5lld", ROW(ranks), GPUS},
        BENCH_SHOW("N", "%10lld", n),
        {NULL, "N/rank", "%10lld", ROW(n_each), RANKS},
        {NULL, "N/GPU", "%10lld", ROW(n_each), GPUS},
        BENCH_SHOW("seconds", "%11.4e", timing.seconds),
        BENCH_SHOW("pairs/s", "%11.3e", rate),
        BENCH_SHOW("GFlop/s", "%9.1f", gflops[0]),
        {"efficiency_strong", "strong", "%7.3f", ROW(strong)},
        {"efficiency_weak", "weak", "%7.3f", ROW(weak)},
        {"predicted_seconds", "predicted", "%11.4e", ROW(predicted)},
        {NULL, "deviation", "%+8.1f%%", ROW(deviation), 0, 100},
        {"crowded", .field = ROW(crowded)},
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {26},
        .figure = {.y_label = "interactions / s",
                   .curves = {{"measured", ROW(base.rate)},
                              {"predicted", ROW(predicted_rate)}},
                   .series = ROW(of),
                   .panels = true},
};

/* The time of n particles on so many ranks; beyond what one rank has summed, at
 * the rate of its largest sum (as the paper does). NAN: not measured. */
static double
seconds_of(const struct scaling *s, int ranks, size_t n)
{
    const struct scaling_point *p = scaling_point_of(s, ranks, n), *largest;
    if (p) return p->timing.seconds;
    largest = &s->points[0];
    for (size_t k = 1; k < s->n_points; k++)
        if (s->points[k].ranks == 1 && s->points[k].n > largest->n)
            largest = &s->points[k];
    if (ranks > 1 || largest->ranks > 1 || n < largest->n) return NAN;
    const double more = (double)n / (double)largest->n;
    return largest->timing.seconds * more * more;
}

static struct row
row_of(const struct bench *b, const struct scaling *s,
       const struct scaling_point *p)
{
    struct koshu_rank_estimate e;
    const double k = (double)p->ranks, seconds = p->timing.seconds;
    struct row row = {.base = bench_row(b, p->n),
                      .ranks = p->ranks,
                      .n_each = p->n / (size_t)p->ranks,
                      .crowded = s->crowded};
    koshu_rank_predict(&s->costs.costs, p->n, p->ranks, &e);
    row.base.timing = p->timing;
    row.base.timing.least = NAN;
    row.strong = seconds_of(s, 1, p->n) / (k * seconds);
    row.weak = k * seconds_of(s, 1, row.n_each) / seconds;
    row.predicted = e.seconds;
    row.predicted_rate = row.base.interactions / e.seconds;
    row.deviation = e.seconds / seconds - 1;
    snprintf(row.of, sizeof row.of, "%d %s%s", p->ranks,
             s->gpus ? "GPU" : "rank", p->ranks == 1 ? "" : "s");
    return row;
}

/* ---- text ---------------------------------------------------------------- */

static void
print_costs(const struct scaling *s)
{
    const struct koshu_rank_costs *c = &s->costs.costs;
    printf("t_kernel = %.3g us a launch (Miki13: 2.69 us)\n", s->launch * 1e6);
    for (size_t k = 0; k < s->ranks.n; k++)
        if (s->sync[k].n > 0)
            printf("t_sync   = %.3g us, %zu %s\n", s->sync[k].fit.a * 1e6,
                   s->ranks.value[k], s->gpus ? "GPUs" : "ranks");
    if (c->sync > 0 || c->sync_doubling > 0)
        printf("t_sync(K) = %.3g us + %.3g us log2(K) (Miki13, 4 ... 256 GPUs: "
               "62 us + 4.6 us log2(K))\n",
               c->sync * 1e6, c->sync_doubling * 1e6);
    if (s->transfer.n > 0)
        printf("a transfer of n particles between %s: %.3g us + %.3g ns n "
               "(%.3g GB/s in each direction)\n",
               s->gpus ? "GPUs" : "hosts' memories", c->message * 1e6,
               c->particle * 1e9, (s->gpus ? 16e-9 : 32e-9) / c->particle);
    printf("a sum of one %s: %.3g us + %.3g ns max(N, %.0f) N, within "
           "%.1f%%\n\n",
           s->gpus ? "GPU" : "rank", c->call * 1e6, c->pair * 1e9, c->full,
           100 * s->largest);
}

/* Where and how: after the title. */
static void
print_machine(const struct scaling *s)
{
    const char *transport = s->transport;
    if (s->gpus) {
        printf("%s; 1 to %d GPUs of one process%s%s\n", s->costs.device,
               s->costs.ranks, s->exchange[0] ? "; exchange: " : "",
               s->exchange);
        return;
    }
    printf("%s, each of %d rank%s%s%s\n", s->costs.device, s->costs.ranks,
           s->costs.ranks == 1 ? " (start it with mpirun -n K)" : "s",
           transport[0] ? "; " : "", transport);
    if (s->crowded)
        printf("more threads than processors: the ranks take them from each "
               "other, and efficiencies have no meaning\n");
}

static void
print_head(const struct scaling *s)
{
    printf("Miki et al. 2013, sections 5 and 6, direct sums over %s, %s "
           "precision, acceleration\n",
           s->gpus ? "GPUs" : "ranks", s->costs.precision);
    print_machine(s);
    putchar('\n');
    print_costs(s);
}

static void
print_notes(const struct scaling *s)
{
    printf("\nstrong: P(N; K) / (P(N; 1) K); weak: P(N; K) / (P(N/K; 1) K); "
           "GFlop/s at 26 an interaction\n");
    if (s->gpus && s->ranks.value[s->ranks.n - 1] > 2)
        printf("predicted: from sums of one GPU, and t_sync and transfers of "
               "%zu\n",
               s->ranks.value[1]);
}

static int
ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* 1, 2, 4, ... and all; or 1 and those requested. */
static bool
is_measured(const struct count_list *requested, size_t ranks, size_t all)
{
    if (ranks == 1) return true;
    for (size_t k = 0; k < requested->n; k++)
        if (requested->value[k] == ranks) return true;
    return requested->n == 0 && (ranks == all || (ranks & (ranks - 1)) == 0);
}

static koshu_status
choose_ranks(const struct bench *b, const struct count_list *requested,
             struct scaling *s)
{
    int number[KOSHU_MAX_DEVICES];
    const size_t all = s->gpus ? scaling_gpus(b->context, number)
                               : (size_t)koshu_ranks_count(b->context);
    size_t last = 1;
    for (size_t k = 0; k < requested->n; k++)
        if (requested->value[k] > last) last = requested->value[k];
    for (size_t k = 1; k <= all && s->ranks.n < MAX_LIST; k++)
        if (is_measured(requested, k, all)) s->ranks.value[s->ranks.n++] = k;
    if (last <= all) return KOSHU_OK;
    if (s->gpus)
        return koshu_fail(b->context, KOSHU_ERROR_BAD_INPUT,
                          "--devices %zu: there are %zu", last, all);
    return koshu_fail(b->context, KOSHU_ERROR_BAD_INPUT,
                      "--ranks %zu: there are %zu; start it with mpirun -n %zu",
                      last, all, last);
}

/* On the first rank. */
static koshu_status
finish(struct bench *b, const struct scaling *s)
{
    const struct scaling_options *o = b->own;
    if (koshu_ranks_rank(b->context) > 0) return KOSHU_OK;
    if (!o->base.json) print_head(s);
    bench_start(b, &table, s->gpus ? GPUS : RANKS);
    for (size_t k = 0; k < s->n_points; k++) {
        struct row row = row_of(b, s, &s->points[k]);
        KOSHU_TRY(bench_add(b, &row));
    }
    if (!o->base.json) print_notes(s);
    return o->save ? rank_costs_save(b->context, o->save, &s->costs) : KOSHU_OK;
}

static koshu_status
run(struct bench *b)
{
    const struct scaling_options *o = b->own;
    struct scaling s = {.gpus = o->devices.given, .per_rank = o->per_rank};
    struct count_list *per_rank = &s.per_rank;
    qsort(per_rank->value, per_rank->n, sizeof *per_rank->value, ascending);
    KOSHU_TRY(choose_ranks(b, s.gpus ? &o->devices : &o->ranks, &s));
    KOSHU_TRY(bench_check_output(b, o->save, refuse_to_overwrite));
    KOSHU_TRY(scaling_measure(b, &s));
    return koshu_ranks_collective_status(b->context, finish(b, &s));
}

BENCH_PARSE(parse_exchange, koshu_exchange_find)
BENCH_PARSE(parse_transport, koshu_transport_find)

#define OWN(member) BENCH_OPTION(struct scaling_options, member)

static const struct command_option own[] = {
        {"per-rank", 'n', "N,N,...", "particles of a rank", OWN(per_rank)},
        {"ranks", 'k', "K,K,...",
         "numbers of ranks (1, 2, 4, ... and all there are)", OWN(ranks)},
        {"devices", 'd', "K,K,...",
         "numbers of GPUs of this process, in place of ranks, of those that "
         "KOSHU_DEVICES names, or of all",
         OWN(devices)},
        {"exchange", 'e', "NAME",
         "with --devices: auto, send-sync, sync-recv or mutual (auto)",
         OWN(exchange), .parse = parse_exchange},
        {"alone", 0, "N",
         "largest sum of one rank; the time of larger ones is taken at its "
         "rate",
         OWN(alone)},
        {"capacity", 0, "N",
         "run.j_capacity of the sums (16777216, with GPUs 268435456)",
         OWN(capacity)},
        {"transport", 0, "T",
         "run.transport: auto, peer, cuda-aware, nccl or host (auto)",
         OWN(transport), .parse = parse_transport},
        {"repeats", 'r', "R",
         "measurements of which the median is taken (a fifth of a second, 3 to "
         "25)",
         OWN(base.repeats), .min = 1},
        {"save", 0, "FILE.json", "keep the costs, for koshu predict",
         OWN(save)},
        {0}};

static const struct scaling_options defaults = {
        .base = {.eps2 = 1e-4, .seed = 1},
        .per_rank = {5, {512, 1024, 2048, 4096, 8192}},
        .alone = 65536};

const struct bench_case bench_scaling = {
        .name = "scaling",
        .summary = "direct sums on several ranks (start it with mpirun)",
        .doc = doc,
        .takes = BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .rounds = true,
        .run = run,
};
