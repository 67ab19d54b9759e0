/* SPDX-License-Identifier: MIT */
/* koshu predict: the time of sums on many ranks, from measured costs. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "json.h"
#include "rank_costs.h"

static const char doc[] =
        "Predicts the time of direct sums over the ranks (one GPU or one group "
        "of cores each) of a larger machine from the costs that `koshu bench "
        "scaling --save` has measured on fewer ranks."
        "\v"
        "Each stage of the accumulation and the transfer phase takes as long "
        "as its transfer or as the sums that overlap it, whichever is longer "
        "(Miki "
        "et al. 2013, sections 4 and 6.2).\n\n"
        "Examples:\n"
        "  koshu predict --constants costs.json --gpus 256 --n 268435456\n"
        "  koshu predict --constants costs.json --ranks 4,16,64 --n 1e6,1e7";

enum key {
    KEY_CONSTANTS = 'c',
    KEY_N = 'n',
    KEY_RANKS = 'k',
    KEY_CAPACITY = 256,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"constants", KEY_CONSTANTS, "FILE.json", 0,
         "what `koshu bench scaling --save FILE.json` wrote", 0},
        {"n", KEY_N, "N,N,...", 0,
         "numbers of particles, of all ranks together", 0},
        {"ranks", KEY_RANKS, "K,K,...", 0, "numbers of ranks", 0},
        {"gpus", KEY_RANKS, NULL, OPTION_ALIAS, NULL, 0},
        {"capacity", KEY_CAPACITY, "N", 0,
         "run.j_capacity, in place of the file's", 0},
        OPTION_JSON,
        {0}};

enum { MAX_LIST = 32, MAX_RANKS = 1 << 24 };

struct predict_arguments {
    const char *constants;
    size_t n[MAX_LIST], ranks[MAX_LIST], n_count, ranks_count, capacity;
    bool json;
};

static void
check(struct argp_state *state, const struct predict_arguments *a)
{
    if (!a->constants)
        argp_error(state, "--constants: name the file that `koshu bench "
                          "scaling --save` wrote");
    if (a->n_count == 0 || a->ranks_count == 0)
        argp_error(state, "give --n and --ranks");
    for (size_t k = 0; k < a->ranks_count; k++)
        if (a->ranks[k] > MAX_RANKS)
            argp_error(state, "--ranks: %zu is more than %d", a->ranks[k],
                       MAX_RANKS);
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct predict_arguments *a = state->input;
    switch (key) {
    case KEY_CONSTANTS: a->constants = text; return 0;
    case KEY_N:
        a->n_count = argument_counts(state, "--n", text, MAX_LIST, a->n);
        return 0;
    case KEY_RANKS:
        a->ranks_count =
                argument_counts(state, "--ranks", text, MAX_LIST, a->ranks);
        return 0;
    case KEY_CAPACITY:
        a->capacity = argument_count(state, "--capacity", text);
        return 0;
    case KEY_JSON: a->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    case ARGP_KEY_END: check(state, a); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- printing ------------------------------------------------------------ */

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

static koshu_status
print_all(struct koshu_context *context, const struct predict_arguments *a,
          const struct rank_costs_file *f)
{
    if (!a->json) {
        print_costs(a->constants, f);
        printf("%9s %12s %10s %6s %5s %11s %9s %9s %10s %10s %10s\n", "ranks",
               "N", "N/rank", "stages", "rings", "seconds", "waits", "t_sync",
               "pairs/s", "GFlop/s", "efficiency");
    }
    for (size_t k = 0; k < a->ranks_count; k++)
        for (size_t i = 0; i < a->n_count; i++) {
            struct koshu_rank_estimate e;
            koshu_rank_predict(&f->costs, a->n[i], (int)a->ranks[k], &e);
            if (a->json)
                KOSHU_TRY(print_object(context, &e, a->n[i], a->ranks[k]));
            else
                print_row(&e, a->n[i], a->ranks[k]);
        }
    if (!a->json) print_assumptions(f);
    return KOSHU_OK;
}

int
command_predict(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct predict_arguments a = {0};
    struct rank_costs_file file;
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    struct koshu_context *context = make_context(NULL, 1);
    if (!context) return EXIT_FAILED;
    koshu_status status = rank_costs_load(context, a.constants, &file);
    if (status == KOSHU_OK) {
        if (a.capacity > 0) file.costs.capacity = a.capacity;
        status = print_all(context, &a, &file);
    }
    return end_command(context, status);
}
