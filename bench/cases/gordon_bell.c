/* SPDX-License-Identifier: MIT */
/* koshu bench gordon-bell: the performance of a treecode per watt and per
 * dollar. */
#include "bench/cases/gordon_bell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/tree.h>

#include "bench/cases.h"
#include "bench/harness.h"

static const char doc[] =
        "What the Gordon Bell prize counts: interactions of a treecode, its "
        "rate at 38 operations each, the rate corrected to the original "
        "algorithm, energy, and what a GFlop/s costs; beside the numbers of "
        "Hamada et al. 2009 (Table 3, Fig. 17) and Hamada & Nitadori 2010 "
        "(Table II), and of those whom they name.\v"
        "A step is the forces on all particles, from keys to accelerations; "
        "papers' steps have their integration and files too. The corrected "
        "rate counts as many interactions as Barnes & Hut's algorithm has, a "
        "walk for each particle with the same accuracy (BH list, of up to 4096 "
        "particles). Energy is that of the processors' packages (powercap, "
        "which root reads) and of the GPUs in use (NVML), where the machine "
        "tells them; papers' watts are those of a power meter with the fans "
        "and the "
        "air conditioning. GFlop/s per watt and dollars are of the corrected "
        "rate. Defaults are those of Hamada & Nitadori: monopoles, theta 0.4.";

struct options {
    struct bench_options base;
    enum koshu_multipole_order order;
    uint64_t n_crit;
    double theta, alpha; /* alpha 0: geometric criterion */
    double seconds, price, box;
};

enum { BARNES_HUT_SAMPLE = 4096 };

#define OF(member) BENCH_ROW(struct gordon_bell_row, member)

static const struct bench_column columns[] = {
        {"whose", "", "%-22s", OF(whose)},
        {NULL, "N", "%10.0f", OF(particles)},
        BENCH_SHOW("s/step", "%9.3g", timing.seconds),
        {"interactions", "interact.", "%9.3g", OF(base.interactions)},
        {"list_length", "list", "%6.0f", OF(list_length)},
        {"barnes_hut_length", "BH list", "%7.0f", OF(barnes_hut_length)},
        BENCH_BAR(0),
        {"gflops_38", "Gflop/s", "%8.6g", OF(gflops)},
        {"gflops_38_corrected", "corr.", "%8.6g", OF(corrected)},
        BENCH_BAR(0),
        {"watts", "W", "%7.6g", OF(watts)},
        {"gflops_per_watt", "Gf/s/W", "%6.3g", OF(gflops_per_watt)},
        {"price", "$", "%7.6g", OF(price)},
        {"price_per_gflops", "$/Gf/s", "%7.5g", OF(price_per_gflops)},
        {"mflops_per_dollar", "Mf/s/$", "%7.4g", OF(mflops_per_dollar)},
        {"joules_processors", .field = OF(joules_processors)},
        {"joules_gpus", .field = OF(joules_gpus)},
        {"order", .field = OF(order), .views = BENCH_HEAD},
        {"theta", .field = OF(theta), .views = BENCH_HEAD},
        {"alpha", .field = OF(alpha), .views = BENCH_HEAD},
        {"box", .field = BENCH_OPTION(struct options, box)},
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

/* ---- a row --------------------------------------------------------------- */

struct subject {
    struct bench_system system;
    struct koshu_energy_meter meter;
    struct koshu_energy used;
    double seconds[1024]; /* of each step */
    size_t steps;
    double total; /* seconds of all steps */
};

/* At least one step, and until so many seconds have passed; with --repeats so
 * many steps. */
static bool
goes_on(const struct bench *b, const struct subject *s)
{
    const struct options *o = b->own;
    const size_t max = sizeof s->seconds / sizeof s->seconds[0];
    if (s->steps == 0) return true;
    if (s->steps == max) return false;
    return b->options->repeats > 0 ? s->steps < b->options->repeats
                                   : s->total < o->seconds;
}

static koshu_status
take_steps(struct bench *b, struct subject *s)
{
    /* two warm-ups: the first one still has no accelerations for the
     * criterion */
    KOSHU_TRY(bench_forces(&s->system));
    KOSHU_TRY(bench_forces(&s->system));
    KOSHU_TRY(bench_wait(&s->system));
    koshu_energy_begin(b->context, NULL, &s->meter);
    const double begin = koshu_now();
    while (goes_on(b, s)) {
        const double start = koshu_now();
        KOSHU_TRY(bench_forces(&s->system));
        KOSHU_TRY(bench_wait(&s->system));
        s->seconds[s->steps++] = koshu_now() - start;
        s->total = koshu_now() - begin;
    }
    koshu_energy_read(&s->meter, &s->used);
    return KOSHU_OK;
}

/* The watts of the processors and GPUs whose energy is known; NaN: none. */
static void
set_energy(const struct subject *s, struct gordon_bell_row *row)
{
    const double steps = (double)s->steps, cpu = s->used.processors,
                 gpu = s->meter.n_gpus > 0 ? s->used.gpus : NAN;
    row->joules_processors = cpu / steps;
    row->joules_gpus = gpu / steps;
    row->watts = (isnan(cpu) ? gpu : isnan(gpu) ? cpu : cpu + gpu) / s->total;
}

static void
set_rates(struct subject *s, struct gordon_bell_row *row)
{
    const double flops = 38, n = (double)row->base.n;
    struct bench_timing *t = &row->base.timing;
    qsort(s->seconds, s->steps, sizeof s->seconds[0], bench_ascending);
    *t = (struct bench_timing){s->seconds[s->steps / 2], s->seconds[0],
                               s->steps};
    row->particles = n;
    row->list_length = row->base.interactions / n;
    row->gflops = 1e-9 * flops * row->base.interactions / t->seconds;
    row->corrected = row->gflops * row->barnes_hut_length / row->list_length;
}

static koshu_status
count(const struct subject *s, struct gordon_bell_row *row)
{
    struct koshu_tree_report report = {.size = sizeof report};
    const size_t n = row->base.n,
                 sample = n < BARNES_HUT_SAMPLE ? n : BARNES_HUT_SAMPLE;
    KOSHU_TRY(koshu_solver_tree_report(s->system.solver, &report));
    row->base.interactions = (double)report.interactions;
    return koshu_solver_barnes_hut_length(s->system.solver, s->system.particles,
                                          sample, &row->barnes_hut_length);
}

static koshu_status
evaluate(struct bench *b, struct subject *s, struct gordon_bell_row *row)
{
    const struct options *o = b->own;
    KOSHU_TRY(take_steps(b, s));
    KOSHU_TRY(count(s, row));
    set_rates(s, row);
    set_energy(s, row);
    snprintf(row->whose, sizeof row->whose, "koshu");
    row->price = o->price > 0 ? o->price : NAN;
    row->theta = o->alpha > 0 ? NAN : o->theta;
    row->alpha = o->alpha > 0 ? o->alpha : NAN;
    row->order = koshu_multipole_order_name(o->order);
    gordon_bell_divide(row);
    return KOSHU_OK;
}

static struct koshu_tree_options
tree_options(const struct options *o)
{
    struct koshu_tree_options tree = koshu_tree_options_default();
    tree.multipole_order = o->order;
    tree.theta = o->theta;
    tree.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    if (o->alpha > 0) {
        tree.opening_criterion = KOSHU_OPENING_CRITERION_RELATIVE;
        tree.alpha = o->alpha;
    }
    tree.n_crit = o->n_crit;
    tree.box = o->box;
    for (int d = 0; d < 3; d++) tree.corner[d] = -o->box / 2;
    return tree;
}

/* Prints once why the energy is unknown. */
static void
report_missing(struct bench *b, const struct koshu_energy_meter *m)
{
    if (b->options->json || b->output->n > 0) return;
    if (m->why_processors[0])
        printf("energy of processors: none, %s\n", m->why_processors);
    if (m->why_gpus[0]) printf("energy of GPUs: none, %s\n", m->why_gpus);
    if (m->why_processors[0] || m->why_gpus[0]) putchar('\n');
}

static koshu_status
measure(struct bench *b, void *user)
{
    const struct options *o = b->own;
    struct koshu_solver_options solver = bench_solver_options(b);
    const struct koshu_tree_options tree = tree_options(o);
    struct gordon_bell_row *row = user;
    struct subject *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(b->context, sizeof *s, "times of steps");
    solver.method = KOSHU_METHOD_TREE;
    solver.tree = &tree;
    koshu_status status =
            bench_system_make(b, row->base.n, &solver, NULL, &s->system);
    if (status == KOSHU_OK) status = evaluate(b, s, row);
    if (status == KOSHU_OK) report_missing(b, &s->meter);
    bench_system_free(&s->system);
    free(s);
    return status;
}

/* ---- the case ------------------------------------------------------------ */

#define TABLE(x_name, x_field)                                          \
    {                                                                   \
        .row_size = sizeof(struct gordon_bell_row), .columns = columns, \
        .title = "rate, energy and price of a treecode",                \
        .figure = {.y_label = "corrected Gflop/s",                      \
                   .x_label = (x_name),                                 \
                   .x = x_field,                                        \
                   .curves = {{"", OF(corrected)}},                     \
                   .series = OF(whose),                                 \
                   .series_name = ""},                                  \
        .measure = measure,                                             \
    }
static const struct bench_table by_n = TABLE("N", OF(base.n)),
                                by_price = TABLE("price [$]", OF(price));

static koshu_status
run(struct bench *b)
{
    const struct options *o = b->own;
    KOSHU_TRY(bench_sweep(b, o->price > 0 ? &by_price : &by_n));
    return gordon_bell_papers(b);
}

BENCH_PARSE(parse_order, koshu_multipole_order_find)

#define OWN(member) BENCH_OPTION(struct options, member)

static const struct command_option own[] = {
        {"theta", 0, "T", "opening angle of the geometric criterion",
         OWN(theta), .max = 1},
        {"alpha", 0, "A",
         "instead: accuracy of the relative criterion (koshu run's is 0.002)",
         OWN(alpha), .max = 1},
        {"multipole-order", 0, "O", "monopole or quadrupole (monopole)",
         OWN(order), .parse = parse_order},
        {"n-crit", 0, "N", "n_crit: particles of a group, at most (64)",
         OWN(n_crit), .min = 1},
        {"periodic", 0, "L",
         "in a periodic box of edge L about 0; the model cube has 1 (0: free)",
         OWN(box)},
        {"seconds", 0, "S",
         "steps are made for so long, where --repeats does not count them",
         OWN(seconds)},
        {"price", 0, "P", "of the machine, in dollars (none)", OWN(price)},
        {0}};

static const struct options defaults = {
        .base = {.n = {1, {1 << 20}},
                 .eps2 = 0.025 * 0.025, /* Hamada09 Fig. 3 */
                 .seed = 1},
        .order = KOSHU_MULTIPOLE_ORDER_MONOPOLE,
        .n_crit = 64,
        .theta = 0.4,
        .seconds = 2,
};

const struct bench_case bench_gordon_bell = {
        .name = "gordon-bell",
        .items =
                (const struct bench_item[]){
                        {"Hamada09", "Table 3", "beside a finalist of 2006",
                         "--price 30000"},
                        {"Hamada09", "Fig. 17", "Gordon Bell winners",
                         "--price 30000 --plot winners.png"},
                        {"Hamada10", "Table 2", "beside the winner of 2009",
                         "--price 30000"},
                        {0}},
        .summary = "rate, energy and price of a treecode, beside prize winners",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_EPS2 | BENCH_TAKES_FAST | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED | BENCH_TAKES_MODEL | BENCH_TAKES_FILE,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .papers = (const char *const[]){GORDON_BELL_TABLE, NULL},
        .run = run,
};
