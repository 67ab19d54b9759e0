/* SPDX-License-Identifier: MIT */
/* koshu bench tree: its options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_tree.h"
#include "internal.h"

static const char doc[] =
        "Forces by the treecode, from keys to accelerations: seconds of each "
        "stage, length of the interaction lists, and errors against ref in "
        "double precision.\v"
        "Every N is measured with every theta, or alpha, and every n_crit. "
        "Times are the median and the least of the repeats, of all stages; "
        "the stages are those of the fastest repeat, and so is the time of its "
        "threads on the processors (cpu). Gflop/s count 38 per interaction, as "
        "the papers do.";

enum key {
    KEY_N = 'n',
    KEY_PRECISION = 'p',
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_SEED = 's',
    KEY_EPS2 = 256,
    KEY_THETA,
    KEY_ALPHA,
    KEY_N_CRIT,
    KEY_N_LEAF,
    KEY_MULTIPOLE_ORDER,
    KEY_SPACE_FILLING_CURVE,
    KEY_TRAVERSAL,
    KEY_MODEL,
    KEY_FAST,
    KEY_POTENTIAL,
    KEY_ERROR,
    KEY_COMPARE,
    KEY_TABLE,
    KEY_DT,
    KEY_JSON,
    KEY_FORMER_ORDER,
    KEY_FORMER_CURVE,
    KEY_FORMER_WALK
};

static const struct argp_option option_table[] = {
        {"n", KEY_N, "N,N,...", 0, "numbers of particles (1048576)", 0},
        {"theta", KEY_THETA, "T,T,...", 0,
         "take the geometric criterion, with these opening angles (0.5)", 0},
        {"alpha", KEY_ALPHA, "A,A,...", 0,
         "take the relative criterion, with these accuracies (0.002)", 0},
        {"n-crit", KEY_N_CRIT, "N,N,...", 0,
         "n_crit: particles of a group, at most (64)", 0},
        {"n-leaf", KEY_N_LEAF, "N", 0,
         "n_leaf: particles of a leaf, at most (8; on a device: its own)", 0},
        {"multipole-order", KEY_MULTIPOLE_ORDER, "O", 0,
         "monopole or quadrupole (quadrupole)", 0},
        {"space-filling-curve", KEY_SPACE_FILLING_CURVE, "C", 0,
         "morton or hilbert (morton; hilbert by a device that walks)", 0},
        {"traversal", KEY_TRAVERSAL, "T", 0,
         "processor that walks the tree: auto, device or host", 0},
        {"model", KEY_MODEL, "M", 0, "as in koshu init (plummer)", 0},
        {"precision", KEY_PRECISION, "P", 0, "single or mixed (single)", 0},
        {"fast", KEY_FAST, NULL, 0,
         "single only: the processor's estimate of the square root", 0},
        {"potential", KEY_POTENTIAL, NULL, 0, "compute potentials too", 0},
        {"eps2", KEY_EPS2, "E", 0, "softening squared (0.000625)", 0},
        {"backend", KEY_BACKEND, "B", 0, "auto, cpu, simd, cuda or ref (auto)",
         0},
        {"threads", KEY_THREADS, "T", 0, "CPU threads (one per core)", 0},
        {"repeats", KEY_REPEATS, "R", 0,
         "measurements of which the median is taken (half a second, at least "
         "5)",
         0},
        {"seed", KEY_SEED, "S", 0, "seed of the random numbers (1)", 0},
        {"error", KEY_ERROR, "WHAT", 0,
         "errors of all particles, of a sample of 1024 (fewer of more than "
         "2^25), or none (all up to 131072, a sample of more)",
         0},
        {"compare", KEY_COMPARE, NULL, 0,
         "instead: i-parallel, j-parallel and multiple walks, as Hamada et al. "
         "2009 Fig. 3 (4194304 particles, monopoles, the first theta)",
         0},
        {"table", KEY_TABLE, "T", 0,
         "instead: N = 256 ... 1048576 over one time unit, seconds and energy "
         "error beside belleman08-7 or belleman08-8 (monopoles, theta 0.75; "
         "what would take over 30 s is left out, unless --n gives it)",
         0},
        {"dt", KEY_DT, "D", 0, "of --table: the time step (1/64)", 0},
        {"json", KEY_JSON, NULL, 0, "one JSON object per line", 0},
        /* of koshu 0.1: refused with the names of now */
        {"order", KEY_FORMER_ORDER, "O", OPTION_HIDDEN, NULL, 0},
        {"curve", KEY_FORMER_CURVE, "C", OPTION_HIDDEN, NULL, 0},
        {"walk", KEY_FORMER_WALK, "W", OPTION_HIDDEN, NULL, 0},
        {0}};

/* A value by its name; a message that has all names otherwise. */
#define CHOOSE(state, option, text, find, to)        \
    do {                                             \
        if (find(NULL, text, &(to)) != KOSHU_OK)     \
            argp_error((state), "%s: %s", (option),  \
                       koshu_context_message(NULL)); \
    } while (0)

/* Numbers in (0, max]; returns how many. */
static size_t
parse_numbers(struct argp_state *state, const char *option, const char *text,
              double max, double list[BENCH_LIST])
{
    char *copy = strdup(text), *rest = copy, *word;
    size_t count = 0;
    if (!copy) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    while ((word = strsep(&rest, ","))) {
        const double number = argument_number(state, option, word);
        if (!(number > 0 && number <= max))
            argp_error(state, "%s: %s is not in (0, %g]", option, word, max);
        if (count == BENCH_LIST)
            argp_error(state, "%s: more than %d numbers", option, BENCH_LIST);
        list[count++] = number;
    }
    free(copy);
    return count;
}

static void
parse_table(struct argp_state *state, const char *text,
            struct tree_bench_options *o)
{
    static const char *const tables[] = {"belleman08-7", "belleman08-8"};
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        if (strcmp(text, tables[k]) == 0) o->table = tables[k];
    if (!o->table)
        argp_error(state,
                   "--table: there is no '%s'; belleman08-7 and "
                   "belleman08-8 are there",
                   text);
}

static void
parse_dt(struct argp_state *state, const char *text,
         struct tree_bench_options *o)
{
    o->dt = argument_number(state, "--dt", text);
    if (!(o->dt > 0 && o->dt <= 1))
        argp_error(state, "--dt: %s is not in (0, 1]", text);
}

static error_t
refuse_former(int key, struct argp_state *state)
{
    switch (key) {
    case KEY_FORMER_ORDER:
        argp_error(state, "the option --order is now --multipole-order");
        return 0;
    case KEY_FORMER_CURVE:
        argp_error(state, "the option --curve is now --space-filling-curve");
        return 0;
    case KEY_FORMER_WALK:
        argp_error(state, "the option --walk is now --traversal");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t
parse_solver(int key, char *text, struct argp_state *state)
{
    struct tree_bench_options *o = state->input;
    struct koshu_solver_options *s = &o->solver;
    struct koshu_tree_options *tree = &o->tree;
    switch (key) {
    case KEY_PRECISION:
        s->precision = bench_precision(state, "--precision", text);
        return 0;
    case KEY_EPS2: s->softening = sqrt(bench_eps2(state, text)); return 0;
    case KEY_THETA:
        o->theta_count = parse_numbers(state, "--theta", text, 1, o->theta);
        o->theta_given = true;
        return 0;
    case KEY_ALPHA:
        o->alpha_count = parse_numbers(state, "--alpha", text, 1, o->alpha);
        tree->alpha = o->alpha[0];
        o->alpha_given = true;
        return 0;
    case KEY_N_CRIT:
        o->n_crit_count = bench_counts(state, "--n-crit", text, o->n_crit);
        o->n_crit_given = true;
        return 0;
    case KEY_N_LEAF:
        tree->n_leaf = argument_count(state, "--n-leaf", text);
        return 0;
    case KEY_MULTIPOLE_ORDER:
        CHOOSE(state, "--multipole-order", text, koshu_multipole_order_find,
               tree->multipole_order);
        o->order_given = true;
        return 0;
    case KEY_SPACE_FILLING_CURVE:
        CHOOSE(state, "--space-filling-curve", text,
               koshu_space_filling_curve_find, tree->space_filling_curve);
        return 0;
    case KEY_TRAVERSAL:
        CHOOSE(state, "--traversal", text, koshu_traversal_find,
               tree->traversal);
        return 0;
    case KEY_FAST: s->fast = true; return 0;
    default: return refuse_former(key, state);
    }
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct tree_bench_options *o = state->input;
    switch (key) {
    case KEY_N:
        o->n_count = bench_counts(state, "--n", text, o->n);
        o->n_given = true;
        return 0;
    case KEY_COMPARE: o->compare = true; return 0;
    case KEY_TABLE: parse_table(state, text, o); return 0;
    case KEY_DT: parse_dt(state, text, o); return 0;
    case KEY_MODEL:
        CHOOSE(state, "--model", text, koshu_model_find, o->model);
        return 0;
    case KEY_POTENTIAL: o->potential = true; return 0;
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_SEED: o->seed = argument_count(state, "--seed", text); return 0;
    case KEY_ERROR: o->compared = bench_compared_named(state, text); return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    default: return parse_solver(key, text, state);
    }
}

/* Sizes and settings of a paper, where no others were given. */
static void
set_defaults(struct tree_bench_options *o)
{
    /* with both, theta is that of the first step */
    if ((o->theta_given || o->table) && !o->alpha_given)
        o->tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    if (o->compare && !o->n_given) o->n[0] = 4194304; /* Hamada09 Fig. 3 */
    if (!o->table) return;
    if (!o->theta_given) o->theta[0] = 0.75;
    if (!o->order_given)
        o->tree.multipole_order = KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    if (o->n_given) return;
    o->n_count = TREE_PAPER_ROWS;
    for (size_t k = 0; k < TREE_PAPER_ROWS; k++) o->n[k] = tree_paper[k].n;
}

void
tree_bench_parse(int argc, char **argv, struct tree_bench_options *options)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct tree_bench_options o = {.n = {1048576},
                                   .n_count = 1,
                                   .n_crit = {64},
                                   .n_crit_count = 1,
                                   .theta = {0.5},
                                   .theta_count = 1,
                                   .alpha = {0.002},
                                   .alpha_count = 1,
                                   .solver = koshu_solver_options_default(),
                                   .tree = koshu_tree_options_default(),
                                   .seed = 1,
                                   .dt = 1.0 / 64};
    o.solver.method = KOSHU_METHOD_TREE;
    o.solver.softening = 0.025; /* Hamada09 Fig. 3 */
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    set_defaults(&o);
    *options = o;
}
