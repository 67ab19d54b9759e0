/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/ranks.h>

#include "bench_scaling.h"
#include "internal.h"

/* A point, and what is made of it. */
struct derived {
    double rate, strong, weak, predicted; /* seconds */
};

static struct derived
derive(const struct scaling *s, const struct scaling_point *p)
{
    struct koshu_rank_estimate e;
    double n = (double)p->n, k = (double)p->ranks;
    double alone = scaling_seconds(s, 1, p->n);
    double part = scaling_seconds(s, 1, p->n / (size_t)p->ranks);
    koshu_rank_predict(&s->costs.costs, p->n, p->ranks, &e);
    return (struct derived){.rate = n * n / p->seconds,
                            .strong = alone / (k * p->seconds),
                            .weak = k * part / p->seconds,
                            .predicted = e.seconds};
}

/* ---- text ---------------------------------------------------------------- */

static void
print_costs(const struct scaling_options *o, const struct scaling *s)
{
    const struct koshu_rank_costs *c = &s->costs.costs;
    printf("t_kernel = %.3g us a launch (Miki13: 2.69 us)\n", s->launch * 1e6);
    for (size_t k = 0; k < o->n_ranks; k++)
        if (s->sync[k].n > 0)
            printf("t_sync   = %.3g us, %zu %s\n", s->sync[k].fit.a * 1e6,
                   o->ranks[k], o->gpus ? "GPUs" : "ranks");
    if (c->sync > 0 || c->sync_doubling > 0)
        printf("t_sync(K) = %.3g us + %.3g us log2(K) (Miki13, 4 ... 256 GPUs: "
               "62 us + 4.6 us log2(K))\n",
               c->sync * 1e6, c->sync_doubling * 1e6);
    if (s->transfer.n > 0)
        printf("a transfer of n particles between %s: %.3g us + %.3g ns n "
               "(%.3g GB/s in each direction)\n",
               o->gpus ? "GPUs" : "hosts' memories", c->message * 1e6,
               c->particle * 1e9, (o->gpus ? 16e-9 : 32e-9) / c->particle);
    printf("a sum of one %s: %.3g us + %.3g ns max(N, %.0f) N, within "
           "%.1f%%\n\n",
           o->gpus ? "GPU" : "rank", c->call * 1e6, c->pair * 1e9, c->full,
           100 * s->largest);
}

static void
print_points(const struct scaling_options *o, const struct scaling *s)
{
    printf("%5s %10s %10s %11s %11s %9s %7s %7s %11s %9s\n",
           o->gpus ? "GPUs" : "ranks", "N", o->gpus ? "N/GPU" : "N/rank",
           "seconds", "pairs/s", "GFlop/s", "strong", "weak", "predicted",
           "deviation");
    for (size_t k = 0; k < s->n_points; k++) {
        const struct scaling_point *p = &s->points[k];
        struct derived d = derive(s, p);
        printf("%5d %10zu %10zu %11.4e %11.3e %9.1f %7.3f %7.3f %11.4e "
               "%+8.1f%%\n",
               p->ranks, p->n, p->n / (size_t)p->ranks, p->seconds, d.rate,
               26e-9 * d.rate, d.strong, d.weak, d.predicted,
               100 * (d.predicted / p->seconds - 1));
    }
    printf("\nstrong: P(N; K) / (P(N; 1) K); weak: P(N; K) / (P(N/K; 1) K); "
           "GFlop/s at 26 an interaction\n");
    if (o->gpus && o->ranks[o->n_ranks - 1] > 2)
        printf("predicted: from sums of one GPU, and t_sync and transfers of "
               "%zu\n",
               o->ranks[1]);
}

/* Where and how: after the title. */
static void
print_machine(const struct scaling_options *o, const struct scaling *s)
{
    const char *transport = s->transport;
    if (o->gpus) {
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
print_text(const struct scaling_options *o, const struct scaling *s)
{
    printf("Miki et al. 2013, sections 5 and 6, direct sums over %s, %s "
           "precision, acceleration\n",
           o->gpus ? "GPUs" : "ranks", s->costs.precision);
    print_machine(o, s);
    putchar('\n');
    print_costs(o, s);
    print_points(o, s);
}

/* ---- JSON ---------------------------------------------------------------- */

static void
print_json(const struct scaling *s)
{
    for (size_t k = 0; k < s->n_points; k++) {
        const struct scaling_point *p = &s->points[k];
        struct derived d = derive(s, p);
        bench_print_json(json_pack(
                "{s:s, s:s, s:s, s:i, s:I, s:f, s:I, s:f, s:f, s:f, s:f, s:f, "
                "s:b}",
                "bench", "scaling", "device", s->costs.device, "precision",
                s->costs.precision, "ranks", p->ranks, "n", (json_int_t)p->n,
                "seconds", p->seconds, "repeats", (json_int_t)p->repeats,
                "interactions_per_s", d.rate, "gflops_26", 26e-9 * d.rate,
                "efficiency_strong", d.strong, "efficiency_weak", d.weak,
                "predicted_seconds", d.predicted, "crowded", s->crowded));
    }
}

void
scaling_print(const struct scaling_options *options, const struct scaling *s)
{
    if (options->json)
        print_json(s);
    else
        print_text(options, s);
}

/* ---- picture ------------------------------------------------------------- */

/* Measured and predicted rates of one number of ranks, as pairs (N, rate). */
static void
set_curves(const struct scaling *s, int ranks, double *points,
           struct koshu_curve curves[2])
{
    double *measured = points, *predicted = points + 2 * s->n_points;
    size_t n = 0;
    for (size_t k = 0; k < s->n_points; k++) {
        const struct scaling_point *p = &s->points[k];
        if (p->ranks != ranks) continue;
        struct derived d = derive(s, p);
        double pairs = (double)p->n * (double)p->n;
        measured[2 * n] = predicted[2 * n] = (double)p->n;
        measured[2 * n + 1] = d.rate;
        predicted[2 * n++ + 1] = pairs / d.predicted;
    }
    curves[0] = (struct koshu_curve){"measured", KOSHU_CURVE_DOTS, n, measured};
    curves[1] =
            (struct koshu_curve){"predicted", KOSHU_CURVE_LINE, n, predicted};
}

koshu_status
scaling_plot(const struct scaling_options *options, const struct scaling *s)
{
    const struct scaling_options *o = options;
    struct koshu_rates panels[BENCH_LIST];
    struct koshu_curve curves[BENCH_LIST][2];
    char names[BENCH_LIST][32];
    const size_t each = 4 * s->n_points;
    double *points = calloc(each * o->n_ranks, sizeof *points);
    if (!points)
        return koshu_fail_memory(s->whole, each * sizeof *points, "picture");
    for (size_t k = 0; k < o->n_ranks; k++) {
        const int ranks = (int)o->ranks[k];
        snprintf(names[k], sizeof names[k], "%d rank%s", ranks,
                 ranks == 1 ? "" : "s");
        set_curves(s, ranks, points + k * each, curves[k]);
        panels[k] = (struct koshu_rates){names[k], 2, curves[k]};
    }
    koshu_status status =
            koshu_picture_rates(s->whole, s->costs.device, "interactions / s",
                                panels, o->n_ranks, o->plot);
    free(points);
    return status;
}
