/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: forces on 1, 2, 4, ... ranks; the rows for direct sums
 * (Miki13 section 5). */
#include "bench/cases/scaling_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/ranks.h>

#include "bench/cases.h"

static const char doc[] =
        "Forces over ranks, strong and weak scaling. Direct sums (Miki et al. "
        "2013, Figs. 11-13): what synchronisation, transfers and launches "
        "cost, with least squares (Figs. 9-10, Table 2), and what the model of "
        "koshu's accumulation and transfer phases makes of these costs, beside "
        "what was measured. Trees (--method tree; Hamada & Nitadori 2010) and "
        "the FMM (--method fmm; Hamada et al. 2009, Fig. 12): the stages, the "
        "imbalance of counted interactions, bytes sent, exposed communication, "
        "and of a tree the time that the model of koshu predict makes of it. "
        "To "
        "be started by mpirun; direct sums also with --devices, for GPUs of "
        "one "
        "process."
        "\v"
        "Efficiencies, of K ranks: strong t(N; 1) / (K t(N; K)), weak t(N/K; "
        "1) "
        "/ t(N; K), of direct sums K t(N/K; 1) / t(N; K). For trees and the "
        "FMM the three are measured in turns, the weak one with all ranks at "
        "work on N/K particles each; of the particles of a file neither.\n\n"
        "Examples:\n"
        "  mpirun -n 8 koshu bench scaling\n"
        "  mpirun -n 4 koshu bench scaling --per-rank 1024,8192 --plot s.png\n"
        "  mpirun -n 4 koshu bench scaling --save costs.json\n"
        "  koshu predict --constants costs.json --ranks 256 --n 1e8\n"
        "  koshu bench scaling --devices 1,2,4 -n 100000,1000000\n"
        "  mpirun -n 8 koshu bench scaling --method tree --save tree.json\n"
        "  mpirun -n 8 koshu bench scaling --method tree --model cube --theta "
        "0.5\n"
        "  koshu predict --constants tree.json --ranks 1,8,64 --n 1e8\n"
        "  mpirun -n 8 koshu bench scaling --method fmm --plot fmm.png\n\n"
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

/* The time for n particles on so many ranks. For more particles than one rank
 * has summed, extrapolated from its largest sum (as in the paper). NAN: not
 * measured. */
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
print_head(const struct scaling *s)
{
    printf("Miki et al. 2013, sections 5 and 6, direct sums over %s, %s "
           "precision, acceleration\n",
           s->gpus ? "GPUs" : "ranks", s->costs.precision);
    scaling_print_machine(s);
    putchar('\n');
    scaling_print_costs(s);
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

/* On the first rank: prints, draws and saves. */
static koshu_status
finish(struct bench *b, const struct scaling *s)
{
    const struct scaling_options *o = b->own;
    if (koshu_ranks_rank(b->context) > 0) return KOSHU_OK;
    if (s->step) return scaling_trees_print(b, s);
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
    b->box = o->tree.box;
    qsort(per_rank->value, per_rank->n, sizeof *per_rank->value, ascending);
    KOSHU_TRY(choose_ranks(b, s.gpus ? &o->devices : &o->ranks, &s));
    KOSHU_TRY(bench_check_output(b, o->save, refuse_to_overwrite));
    if (o->method != KOSHU_METHOD_DIRECT)
        s.step = calloc(SCALING_POINTS, sizeof *s.step);
    koshu_status status = scaling_measure(b, &s);
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(b->context, finish(b, &s));
    free(s.step);
    return status;
}

/* Boxes are centred on 0, as models are. */
static void
check_box(struct argp_state *state, struct scaling_options *o)
{
    const double box = o->tree.box;
    if (box == 0) return;
    if (o->method == KOSHU_METHOD_DIRECT)
        argp_error(state, "--periodic: give --method tree or fmm");
    if (o->save)
        argp_error(state, "--save: koshu predict knows no periodic boxes");
    o->fmm.box = box;
    for (int d = 0; d < 3; d++) o->tree.corner[d] = o->fmm.corner[d] = -box / 2;
}

/* All particles of a file are one step. */
static void
check_file(struct argp_state *state, struct scaling_options *o)
{
    if (!o->base.file) return;
    if (o->method == KOSHU_METHOD_DIRECT)
        argp_error(state, "--file: give --method tree or fmm");
    if (o->per_rank.given)
        argp_error(state,
                   "--per-rank: with --file, all its particles are taken");
    if (o->apart) argp_error(state, "--apart: particles of a file stay");
    o->per_rank = (struct count_list){.n = 1, .value = {1}, .given = true};
}

/* Checks the options, and sets those of a tree or of expansions. */
static void
check(struct argp_state *state, void *options)
{
    struct scaling_options *o = options;
    const bool direct = o->method == KOSHU_METHOD_DIRECT;
    if (!direct && o->devices.given)
        argp_error(state,
                   "--devices: trees and the FMM take one GPU of a process; "
                   "start a rank for each: mpirun -n K");
    if (o->theta > 0 && o->alpha > 0)
        argp_error(state, "give --theta or --alpha");
    if (o->theta > 0)
        o->tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    if (o->theta > 0) o->tree.theta = o->fmm.theta = o->theta;
    if (o->alpha > 0) o->tree.alpha = o->alpha;
    if (o->n_crit > 0) o->tree.n_crit = o->n_crit;
    o->fmm.multipole_order = (unsigned)o->order;
    /* with a softening, near cells would interact pair by pair, which is
     * another method */
    if (o->method == KOSHU_METHOD_FMM) o->base.eps2 = 0;
    if (o->apart && direct)
        argp_error(state, "--apart: give --method tree or fmm");
    check_file(state, o);
    check_box(state, o);
    if (o->alone == 0) o->alone = direct ? 1 << 16 : 1 << 24;
    if (o->method == KOSHU_METHOD_FMM && o->save)
        argp_error(state, "--save: koshu predict knows direct sums and trees");
    if (direct) return;
    if (!o->per_rank.given)
        o->per_rank =
                (struct count_list){4, {25000, 50000, 100000, 200000}, false};
}

BENCH_PARSE(parse_method, koshu_method_find)
BENCH_PARSE(parse_model, koshu_model_find)
BENCH_PARSE(parse_traversal, koshu_traversal_find)
BENCH_PARSE(parse_exchange, koshu_exchange_find)
BENCH_PARSE(parse_transport, koshu_transport_find)

#define OWN(member) BENCH_OPTION(struct scaling_options, member)

static const struct command_option own[] = {
        {"method", 'm', "M", "direct, tree or fmm (direct)", OWN(method),
         .parse = parse_method},
        {"per-rank", 'n', "N,N,...",
         "particles of a rank (512,1024,2048,4096,8192; of a tree or the FMM "
         "25000,50000,100000,200000)",
         OWN(per_rank)},
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
         "largest sum of one rank, 65536; the time of larger ones is taken at "
         "its rate. Of a tree or the FMM: 16777216; larger ones are not "
         "measured",
         OWN(alone)},
        {"apart", 0, NULL,
         "of a tree or the FMM: reflect each rank's particles into a half, "
         "quarter or octant of its own (2, 4 or 8 ranks), so that very many "
         "need not change ranks before the first forces",
         OWN(apart)},
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
        {"model", 0, "M", "particles, as in koshu init (plummer)",
         OWN(base.model), .parse = parse_model},
        {"theta", 0, "T",
         "of a tree: the geometric criterion, with this opening angle; of the "
         "FMM (0.5)",
         OWN(theta), .max = 1},
        {"alpha", 0, "A",
         "of a tree: the relative criterion, with this accuracy (0.002)",
         OWN(alpha), .max = 1},
        {"n-crit", 0, "N", "of a tree: particles of a group, at most (64)",
         OWN(n_crit)},
        {"traversal", 0, "T",
         "of a tree: processor that walks it: auto, device or host (auto)",
         OWN(tree.traversal), .parse = parse_traversal},
        {"order", 0, "P",
         "of the FMM: multipole order (10, as Hamada et al. 2009 Fig. 12)",
         OWN(order), .max = 20},
        {"periodic", 0, "L",
         "of a tree or the FMM: in a periodic box of edge L about 0; the model "
         "cube has 1 (0: free)",
         OWN(tree.box)},
        {"error", 0, "S",
         "of a tree or the FMM: take the errors of so many particles' forces "
         "against direct sums (0: none)",
         OWN(sample)},
        {"save", 0, "FILE.json", "keep the costs, for koshu predict",
         OWN(save)},
        {0}};

static const struct scaling_options defaults = {
        .base = {.eps2 = 1e-4, .seed = 1},
        .tree = {.size = sizeof(struct koshu_tree_options),
                 .multipole_order = KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                 .opening_criterion = KOSHU_OPENING_CRITERION_RELATIVE,
                 .theta = 0.5,
                 .alpha = 0.002,
                 .n_crit = 64},
        .fmm = {.size = sizeof(struct koshu_laplace_options), .theta = 0.5},
        .order = 10,
        .per_rank = {5, {512, 1024, 2048, 4096, 8192}}};

const struct bench_case bench_scaling = {
        .name = "scaling",
        .items =
                (const struct bench_item[]){
                        {"Hamada09", "Fig. 12", "the FMM on several ranks",
                         "--method fmm --plot fmm.png"},
                        {"Miki13", "Fig. 11", "rates on several ranks", ""},
                        {"Miki13", "Fig. 12", "strong scaling", ""},
                        {"Miki13", "Fig. 13", "weak scaling", ""},
                        {0}},
        .summary = "forces on several ranks (start it with mpirun)",
        .doc = doc,
        .takes = BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS | BENCH_TAKES_FILE,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .rounds = true,
        .check = check,
        .papers = (const char *const[]){"hamada09-fmm", NULL},
        .run = run,
};
