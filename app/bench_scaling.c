/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: direct sums on 1, 2, 4, ... ranks (Miki13 section 5). */
#include "bench_scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/ranks.h>

#include "internal.h"

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

enum key {
    KEY_PER_RANK = 'n',
    KEY_RANKS = 'k',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_DEVICES = 'd',
    KEY_EXCHANGE = 'e',
    KEY_ALONE = 256,
    KEY_CAPACITY,
    KEY_TRANSPORT,
    KEY_SAVE,
    KEY_PLOT,
    KEY_JSON,
    KEY_FORCE
};

static const struct argp_option option_table[] = {
        {"per-rank", KEY_PER_RANK, "N,N,...", 0,
         "particles of a rank (512,1024,2048,4096,8192)", 0},
        {"ranks", KEY_RANKS, "K,K,...", 0,
         "numbers of ranks (1, 2, 4, ... and all there are)", 0},
        {"devices", KEY_DEVICES, "K,K,...", 0,
         "numbers of GPUs of this process, in place of ranks, of those that "
         "KOSHU_DEVICES names, or of all",
         0},
        {"exchange", KEY_EXCHANGE, "NAME", 0,
         "with --devices: auto, send-sync, sync-recv or mutual (auto)", 0},
        {"alone", KEY_ALONE, "N", 0,
         "largest sum of one rank; the time of larger ones is taken at its "
         "rate (65536)",
         0},
        {"capacity", KEY_CAPACITY, "N", 0,
         "run.j_capacity of the sums (16777216, with GPUs 268435456)", 0},
        {"transport", KEY_TRANSPORT, "T", 0,
         "run.transport: auto, peer, cuda-aware, nccl or host (auto)", 0},
        {"precision", KEY_PRECISION, "P", 0, "single, mixed or double (single)",
         0},
        OPTION_BACKEND,
        {"threads", KEY_THREADS, "T", 0, "CPU threads of a rank", 0},
        {"repeats", KEY_REPEATS, "R", 0,
         "measurements of which the median is taken (a fifth of a second, 3 to "
         "25)",
         0},
        {"save", KEY_SAVE, "FILE.json", 0, "keep the costs, for koshu predict",
         0},
        {"plot", KEY_PLOT, "FILE.png", 0,
         "draw rates against N, measured and predicted", 0},
        {"force", KEY_FORCE, NULL, 0,
         "overwrite the file of --save, and one of --plot that is no picture",
         0},
        OPTION_JSON,
        {0}};

static enum koshu_transport
transport(struct argp_state *state, const char *text)
{
    const char *name;
    for (int k = 0; (name = koshu_transport_name((enum koshu_transport)k)); k++)
        if (strcmp(name, text) == 0) return (enum koshu_transport)k;
    argp_error(state, "--transport: '%s' is none", text);
    return KOSHU_TRANSPORT_AUTO;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct scaling_options *o = state->input;
    switch (key) {
    case KEY_PER_RANK:
        o->n_sizes = bench_counts(state, "--per-rank", text, o->per_rank);
        return 0;
    case KEY_RANKS:
        o->n_ranks = bench_counts(state, "--ranks", text, o->ranks);
        return 0;
    case KEY_DEVICES:
        o->n_ranks = bench_counts(state, "--devices", text, o->ranks);
        o->gpus = true;
        return 0;
    case KEY_EXCHANGE: o->exchange = text; return 0;
    case KEY_ALONE: o->alone = argument_count(state, "--alone", text); return 0;
    case KEY_CAPACITY:
        o->capacity = argument_count(state, "--capacity", text);
        return 0;
    case KEY_TRANSPORT: o->transport = transport(state, text); return 0;
    case KEY_PRECISION:
        o->problem.precision = bench_precision(state, "--precision", text);
        return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_SAVE: o->save = text; return 0;
    case KEY_PLOT: o->plot = text; return 0;
    case KEY_FORCE: o->force = true; return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int
compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* 1, 2, 4, ... and all; those requested, and 1, in their order. */
static koshu_status
choose_ranks(struct koshu_context *whole, struct scaling_options *o)
{
    int number[KOSHU_MAX_DEVICES];
    size_t all = o->gpus ? scaling_gpus(whole, number)
                         : (size_t)koshu_ranks_count(whole);
    if (o->n_ranks == 0) {
        for (size_t k = 1; k < all; k *= 2) o->ranks[o->n_ranks++] = k;
        o->ranks[o->n_ranks++] = all;
    } else if (o->n_ranks < BENCH_LIST) {
        o->ranks[o->n_ranks++] = 1;
    }
    qsort(o->ranks, o->n_ranks, sizeof *o->ranks, compare);
    size_t n = 1;
    for (size_t k = 1; k < o->n_ranks; k++)
        if (o->ranks[k] != o->ranks[n - 1]) o->ranks[n++] = o->ranks[k];
    o->n_ranks = n;
    if (o->ranks[n - 1] <= all) return KOSHU_OK;
    if (o->gpus)
        fprintf(stderr, "koshu: --devices %zu: there are %zu\n",
                o->ranks[n - 1], all);
    else
        fprintf(stderr,
                "koshu: --ranks %zu: there are %zu; start it with mpirun "
                "-n %zu\n",
                o->ranks[n - 1], all, o->ranks[n - 1]);
    return KOSHU_ERROR_BAD_INPUT;
}

/* Before anything is measured; the first rank writes. */
static koshu_status
check_files(const struct scaling_options *o, const struct scaling *s)
{
    koshu_status status = KOSHU_OK;
    if (koshu_ranks_rank(s->whole) == 0 && o->save)
        status = refuse_to_overwrite(s->whole, o->save, o->force);
    if (koshu_ranks_rank(s->whole) == 0 && o->plot && status == KOSHU_OK)
        status = refuse_to_draw_over(s->whole, o->plot, o->force);
    return koshu_ranks_collective_status(s->whole, status);
}

static koshu_status
finish(const struct scaling_options *o, const struct scaling *s)
{
    if (koshu_ranks_rank(s->whole) > 0) return KOSHU_OK;
    scaling_print(o, s);
    if (o->save) KOSHU_TRY(rank_costs_save(s->whole, o->save, &s->costs));
    return o->plot ? scaling_plot(o, s) : KOSHU_OK;
}

int
bench_scaling(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct scaling_options o = {.per_rank = {512, 1024, 2048, 4096, 8192},
                                .n_sizes = 5,
                                .alone = 65536,
                                .problem = {.precision = KOSHU_PRECISION_SINGLE,
                                            .eps2 = 1e-4,
                                            .seed = 1}};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    qsort(o.per_rank, o.n_sizes, sizeof *o.per_rank, compare);
    struct scaling *s = calloc(1, sizeof *s);
    int code = EXIT_FAILED;
    if (s) s->whole = make_context(o.backend, o.threads);
    if (s && s->whole) {
        code = EXIT_USAGE;
        if (choose_ranks(s->whole, &o) == KOSHU_OK) {
            koshu_status status = check_files(&o, s);
            if (status == KOSHU_OK) status = scaling_measure(&o, s);
            if (status == KOSHU_OK)
                status = koshu_ranks_collective_status(s->whole, finish(&o, s));
            code = report(s->whole, status);
        }
        koshu_context_destroy(s->whole);
    }
    free(s);
    return code;
}
