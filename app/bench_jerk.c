/* SPDX-License-Identifier: MIT */
/* koshu bench jerk: the options, and what is measured. */
#include "bench_jerk.h"

#include <string.h>

static const char doc[] =
        "Accelerations, jerks and potentials of particles of a Plummer sphere "
        "from a j-particle store, as individual time steps take them: "
        "time, rate, and errors against ref in double precision. A call sets a "
        "new time, predicts the N j-particles to it, sums them on ni of them, "
        "and waits for the results. In single precision positions are rounded "
        "to float beforehand, for ref too.\v"
        "With ni = N, beside it, where the paper has that N: Belleman et al. "
        "2008, Table 4. Gflop/s are counted as 60 per interaction, as there.";

enum key {
    KEY_N = 'n',
    KEY_NI = 'i',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_SEED = 's',
    KEY_EPS2 = 256,
    KEY_NEAREST,
    KEY_ERROR,
    KEY_OFFSET,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0,
         "numbers of j-particles (1024,2048, ... 32768)", 0},
        {"ni", KEY_NI, "NI,NI,...", 0,
         "numbers of i-particles, each at most N (N); few: how long a call "
         "takes",
         0},
        {"precision", KEY_PRECISION, "P", 0, "single, mixed or double (mixed)",
         0},
        {"nearest", KEY_NEAREST, NULL, 0, "find nearest neighbours as well", 0},
        OPTION_BACKEND,
        {"threads", KEY_THREADS, "T,T,...", 0, "CPU threads (one per core)", 0},
        {"eps2", KEY_EPS2, "E", 0, "softening squared (0.0001)", 0},
        {"error", KEY_ERROR, "WHICH", 0,
         "i-particles whose errors are taken: all, sample (1024), none; (all "
         "up to N = 131072, sample above)",
         0},
        {"offset", KEY_OFFSET, "X", 0, "moves the sphere to (X, X, X) (0)", 0},
        OPTION_REPEATS,
        OPTION_SEED,
        OPTION_JSON,
        {0}};

/* ---- options ------------------------------------------------------------- */

static error_t
parse_end(struct argp_state *state, const struct jerk_options *o)
{
    for (size_t k = 0; k < o->n_count; k++)
        for (size_t i = 0; i < o->ni_count; i++)
            if (o->ni[i] > o->n[k])
                argp_error(state, "--ni: %zu is more than the %zu particles",
                           o->ni[i], o->n[k]);
    return 0;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct jerk_options *o = state->input;
    switch (key) {
    case KEY_N: o->n_count = bench_counts(state, "--n", text, o->n); return 0;
    case KEY_NI:
        o->ni_count = bench_counts(state, "--ni", text, o->ni);
        return 0;
    case KEY_PRECISION:
        o->problem.precision = bench_precision(state, "--precision", text);
        return 0;
    case KEY_NEAREST: o->nearest = true; return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads_count = bench_threads(state, text, o->threads);
        return 0;
    case KEY_EPS2: o->problem.eps2 = bench_eps2(state, text); return 0;
    case KEY_ERROR: o->errors = bench_compared_named(state, text); return 0;
    case KEY_OFFSET:
        o->problem.offset = argument_number(state, "--offset", text);
        return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_SEED:
        o->problem.seed = argument_count(state, "--seed", text);
        return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    case ARGP_KEY_END: return parse_end(state, o);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- rows ---------------------------------------------------------------- */

/* The rows of one n with one number of threads. */
static int
run_n(struct koshu_context *ref, const struct jerk_options *o, size_t n,
      size_t threads, bool first)
{
    struct koshu_context *context = make_context(o->backend, (int)threads);
    if (!context) return EXIT_USAGE;
    int code = EXIT_DONE;
    size_t rows = o->ni_count ? o->ni_count : 1;
    for (size_t k = 0; code == EXIT_DONE && k < rows; k++) {
        struct jerk_row row = {.n = n, .ni = o->ni_count ? o->ni[k] : n};
        code = report(context, jerk_measure(context, ref, o, &row));
        if (code != EXIT_DONE) break;
        if (o->json) {
            jerk_print_json(o, &row);
            continue;
        }
        if (first && k == 0) jerk_print_head(o, &row);
        jerk_print_row(&row);
    }
    koshu_context_destroy(context);
    return code;
}

int
bench_jerk(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct jerk_options o = {
            .n = {1024, 2048, 4096, 8192, 16384, 32768},
            .n_count = 6,
            .threads_count = 1,
            .problem = {.precision = KOSHU_PRECISION_MIXED,
                        .eps2 = 1e-4,
                        .seed = 1},
    };
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context *ref = make_context("ref", 0);
    if (!ref) return EXIT_FAILED;
    int code = EXIT_DONE;
    for (size_t k = 0; code == EXIT_DONE && k < o.n_count; k++)
        for (size_t t = 0; code == EXIT_DONE && t < o.threads_count; t++)
            code = run_n(ref, &o, o.n[k], o.threads[t], k == 0 && t == 0);
    koshu_context_destroy(ref);
    return code;
}
