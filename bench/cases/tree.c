/* SPDX-License-Identifier: MIT */
/* koshu bench tree: its options, and the choice among its three
 * measurements. */
#include "bench/cases/tree.h"

#include <string.h>

#include "bench/cases.h"

static const char doc[] =
        "Forces by the treecode, from keys to accelerations: milliseconds of "
        "each stage, length of the interaction lists, and errors against ref "
        "in double precision.\v"
        "Every N is measured with every theta, or alpha, and every n_crit. "
        "Times are the median and the least of the repeats, of all stages; "
        "the stages are those of the fastest repeat, and so is the time of its "
        "threads on the processors (cpu). Gflop/s count 38 per interaction, as "
        "the papers do. With --periodic errors are against Ewald sums. --table "
        "hamada10-7: a uniform cube with theta = 0.4 and n_crit = 2000, "
        "monopoles, lists made by the host: seconds of each stage, and of a "
        "GPU the bandwidth of copies up and down (rows that would take over a "
        "minute are skipped, unless --n gives them).";

BENCH_PARSE(parse_curve, koshu_space_filling_curve_find)
BENCH_PARSE(parse_traversal, koshu_traversal_find)
BENCH_PARSE(find_order, koshu_multipole_order_find)

static void
parse_order(struct argp_state *state, const char *option, char *text,
            void *member)
{
    struct tree_order *order = member;
    find_order(state, option, text, &order->value);
    order->given = true;
}

/* Refuses an option of koshu 0.1, and gives its new name. */
static void
refuse_former(struct argp_state *state, const char *option, char *text,
              void *member)
{
    const char *now = "--traversal";
    (void)text, (void)member;
    if (strcmp(option, "--order") == 0) now = "--multipole-order";
    if (strcmp(option, "--curve") == 0) now = "--space-filling-curve";
    argp_error(state, "the option %s is now %s", option, now);
}

static bool
is_of_stages(const struct tree_options *o)
{
    return o->base.table && strcmp(o->base.table, "hamada10-7") == 0;
}

/* The sizes and settings of a paper, unless others are given. */
static void
set_table(struct tree_options *o)
{
    const bool stages = is_of_stages(o);
    const size_t smallest = stages ? 1 << 18 : 1 << 8,
                 largest = stages ? 1 << 26 : 1 << 20;
    struct count_list *n = &o->base.n;
    if (!o->theta.given) o->theta.value[0] = stages ? 0.4 : 0.75;
    if (!o->order.given) o->order.value = KOSHU_MULTIPOLE_ORDER_MONOPOLE;
    if (stages && !o->n_crit.given) o->n_crit.value[0] = 2000;
    if (stages) o->tree.traversal = KOSHU_TRAVERSAL_HOST;
    if (stages) o->base.model = KOSHU_MODEL_CUBE;
    if (n->given) return;
    n->n = 0;
    for (size_t k = smallest; k <= largest; k *= 2) n->value[n->n++] = k;
}

static void
check(struct argp_state *state, void *options)
{
    static const size_t of_figure_3 = 1 << 22;
    struct tree_options *o = options;
    /* if both are given, theta is for the first step */
    const bool relative = o->alpha.given || !(o->theta.given || o->base.table);
    if (o->compare && !o->base.n.given) o->base.n.value[0] = of_figure_3;
    if (o->base.table) set_table(o);
    o->accuracy = relative ? o->alpha : o->theta;
    o->tree.opening_criterion = relative ? KOSHU_OPENING_CRITERION_RELATIVE
                                         : KOSHU_OPENING_CRITERION_GEOMETRIC;
    o->tree.multipole_order = o->order.value;
    o->tree.theta = o->theta.value[0];
    o->tree.alpha = o->alpha.value[0];
    o->tree.n_crit = o->n_crit.value[0];
    for (int d = 0; d < 3; d++) o->tree.corner[d] = -o->tree.box / 2;
    if (o->tree.box > 0 && (o->compare || o->base.table))
        argp_error(state, "--periodic is of forces alone, without --compare "
                          "and --table");
}

#define OWN(member) BENCH_OPTION(struct tree_options, member)

static const struct command_option own[] = {
        {"theta", 0, "T,T,...",
         "take the geometric criterion, with these opening angles (0.5)",
         OWN(theta), .max = 1},
        {"alpha", 0, "A,A,...",
         "take the relative criterion, with these accuracies (0.002)",
         OWN(alpha), .max = 1},
        {"n-crit", 0, "N,N,...", "n_crit: particles of a group, at most",
         OWN(n_crit)},
        {"n-leaf", 0, "N",
         "n_leaf: particles of a leaf, at most (8; on a device: its own)",
         OWN(tree.n_leaf)},
        {"multipole-order", 0, "O", "monopole or quadrupole (quadrupole)",
         OWN(order), .parse = parse_order},
        {"space-filling-curve", 0, "C",
         "morton or hilbert (morton; hilbert by a device that walks)",
         OWN(tree.space_filling_curve), .parse = parse_curve},
        {"traversal", 0, "T",
         "processor that walks the tree: auto, device or host (auto)",
         OWN(tree.traversal), .parse = parse_traversal},
        {"potential", 0, NULL, "compute potentials too", OWN(base.potential)},
        {"periodic", 0, "L",
         "in a periodic box of edge L about 0; the model cube has 1 (0: free)",
         OWN(tree.box)},
        {"compare", 0, NULL,
         "instead: i-parallel, j-parallel and multiple walks, as Hamada et al. "
         "2009 Fig. 3 (4194304 particles, monopoles, the first theta)",
         OWN(compare)},
        {"dt", 0, "D",
         "time step of --table belleman08-7: N = 256 ... 1048576 over one time "
         "unit, "
         "seconds and energy error (monopoles, theta 0.75; what would take "
         "over 30 s is skipped, unless --n gives it) (1/64)",
         OWN(dt), .max = 1},
        {"order", 0, "O", "now --multipole-order", OWN(order),
         .flags = OPTION_HIDDEN, .parse = refuse_former},
        {"curve", 0, "C", "now --space-filling-curve",
         OWN(tree.space_filling_curve), .flags = OPTION_HIDDEN,
         .parse = refuse_former},
        {"walk", 0, "W", "now --traversal", OWN(tree.traversal),
         .flags = OPTION_HIDDEN, .parse = refuse_former},
        {0}};

static const struct tree_options defaults = {
        .base = {.n = {1, {1 << 20}},
                 .eps2 = 0.025 * 0.025, /* Hamada09 Fig. 3 */
                 .seed = 1},
        .tree = {.size = sizeof(struct koshu_tree_options)},
        .n_crit = {1, {64}},
        .theta = {1, {0.5}},
        .alpha = {1, {0.002}},
        .order = {KOSHU_MULTIPOLE_ORDER_QUADRUPOLE, false},
        .dt = 1.0 / 64,
};

static koshu_status
run(struct bench *b)
{
    const struct tree_options *o = b->own;
    if (o->compare && !o->base.table) return tree_compare(b);
    if (is_of_stages(o)) return bench_sweep(b, &tree_stages);
    return bench_sweep(b, o->base.table ? &tree_time_unit : &tree_forces);
}

static bool
draws_stages(const struct bench *b)
{
    return is_of_stages(b->own);
}

const struct bench_case bench_tree = {
        .name = "tree",
        .items =
                (const struct bench_item[]){
                        {"Belleman08", "Table 7", "times of the treecode",
                         "--table belleman08-7"},
                        {"Belleman08", "Table 8", "its energy errors",
                         "--table belleman08-7"},
                        {"Belleman08", "Fig. 4", "the times, drawn",
                         "--table belleman08-7 --plot tree.png"},
                        {"Hamada09", "Fig. 3",
                         "tree and direct sums by four schemes",
                         "--compare --plot schemes.png"},
                        {"Hamada10", "Fig. 7",
                         "a tree by stages, and bandwidths",
                         "--table hamada10-7 --plot stages.png"},
                        {0}},
        .summary = "forces by the treecode: stages, lists and errors",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_EPS2 | BENCH_TAKES_FAST | BENCH_TAKES_ERROR |
                 BENCH_TAKES_REPEATS | BENCH_TAKES_SEED | BENCH_TAKES_MODEL |
                 BENCH_TAKES_FILE | BENCH_TAKES_TABLE,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .papers = (const char *const[]){"belleman08-7", "belleman08-8",
                                        "hamada10-7", NULL},
        .run = run,
        .draws = draws_stages,
        .draw = tree_stages_draw,
};
