/* SPDX-License-Identifier: MIT */
/* koshu bench chamomile: Hamada & Iitaka 2007, Tables 2 and 3. */
#include "bench/cases.h"
#include "bench/cases/pipelines.h"

static const char doc[] =
        "Hamada & Iitaka 2007 (The Chamomile Scheme), Tables 2 and 3, "
        "with the pipeline of their Fig. 14 as the user's own interaction, "
        "compiled at run time, beside koshu's own kernel and what they print. "
        "Particles and results are in the host's memory, as theirs were: "
        "copies to a GPU and back are in the times.\v"
        "Table 2: largest error of the force of a Plummer sphere, in single "
        "precision: added up in one float sum (DIRECT style), in sums over "
        "J-BAGs of 512 that are added up in float (Chamomile), by koshu's "
        "kernel, and by the pipeline. Table 3: times, and Gflop/s at 38 "
        "operations per interaction.";

/* A row; times and errors of its base are those of the pipeline. */
struct row {
    struct bench_row base;
    struct bench_timing kernel;
    double kernel_gflops, ratio; /* ratio of the rates in the fastest repeats */
    double faster;               /* by this factor, than the paper */
    double direct_style, chamomile_style, kernel_error; /* largest errors */
};

enum view { ERRORS = 1, TIMES = 2 };

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%9lld", n),
        {"err_max_direct_style", "DIRECT", "%10.1e", ROW(direct_style), ERRORS},
        {"err_max_chamomile_style", "Chamomile", "%10.1e", ROW(chamomile_style),
         ERRORS},
        {"err_max_built_in", "koshu", "%10.1e", ROW(kernel_error), ERRORS},
        BENCH_SHOW("pipeline", "%10.1e", errors.max, ERRORS),
        BENCH_SHOW("pipeline", "%11.4e", timing.seconds, TIMES),
        BENCH_SHOW("GF/s(38)", "%9.1f", gflops[0], TIMES),
        {"seconds_built_in", "koshu", "%11.4e", ROW(kernel.seconds), TIMES},
        {NULL, "GF/s(38)", "%9.1f", ROW(kernel_gflops), TIMES},
        {"ratio", "ratio", "%6.2f", ROW(ratio), TIMES},
        BENCH_BAR(0),
        {"hamada07-2.direct_style", "DIRECT", "%10.1e",
         PAPER("hamada07-2.direct_style"), ERRORS},
        {"hamada07-2.chamomile", "Chamomile", "%10.1e",
         PAPER("hamada07-2.chamomile"), ERRORS},
        {"hamada07-3.seconds", "seconds", "%11.3e", PAPER("hamada07-3.seconds"),
         TIMES},
        {"hamada07-3.gflops", "GF/s(38)", "%9.0f", PAPER("hamada07-3.gflops"),
         TIMES},
        {NULL, "faster", "%8.1f", ROW(faster), TIMES},
        {"seconds_built_in_least", .field = ROW(kernel.least)},
        {0}};

static koshu_status
take_errors(struct bench *b, const struct pipeline *p, struct row *row)
{
    const struct koshu_force_result *own = &p->sums.result;
    const struct bench_vectors kernel = {{own->ax, own->ay, own->az}, p->n, 1},
                               pipeline = {{p->out, p->out + 1, p->out + 2},
                                           p->n,
                                           p->n_outputs};
    struct bench_errors errors;
    KOSHU_TRY(bench_style_error(b, p->particles, BENCH_DIRECT_STYLE,
                                &row->direct_style));
    KOSHU_TRY(bench_style_error(b, p->particles, BENCH_CHAMOMILE_STYLE,
                                &row->chamomile_style));
    KOSHU_TRY(bench_compare(b, p->particles, &kernel, &errors));
    row->kernel_error = errors.max;
    return bench_compare(b, p->particles, &pipeline, &row->base.errors);
}

static koshu_status
measure(struct bench *b, void *user)
{
    struct row *row = user;
    struct bench_timing timings[2];
    struct pipeline p;
    koshu_status status;
    bench_view(b, ERRORS);
    /* the kernel of Fig. 14 */
    KOSHU_TRY_CLEANUP(pipeline_open(b, "gravity", row->base.n, &p));
    KOSHU_TRY_CLEANUP(pipeline_time(&p, timings));
    KOSHU_TRY_CLEANUP(take_errors(b, &p, row));
    row->base.timing = timings[0];
    row->kernel = timings[1];
    row->kernel_gflops = 38e-9 * row->base.interactions / timings[1].seconds;
    row->ratio = timings[1].least / timings[0].least;
    row->faster = bench_printed(b, "hamada07-3.seconds", &row->base) /
                  timings[0].seconds;
cleanup:
    pipeline_close(&p);
    return status;
}

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {38},
        .title = "the pipeline of Hamada & Iitaka 2007, Fig. 14, and koshu's "
                 "kernel\n"
                 "ratio: of their rates, in the fastest repeats; faster: times",
        .figure = {.y_label = "seconds",
                   .curves = {{"pipeline", ROW(base.timing.seconds)},
                              {"koshu", ROW(kernel.seconds)}},
                   .papers = {"hamada07-3.seconds"}},
        .measure = measure,
};

static koshu_status
run(struct bench *b)
{
    KOSHU_TRY(bench_sweep(b, &table));
    bench_show_again(b, TIMES);
    return KOSHU_OK;
}

static const struct bench_options defaults = {
        .n = {7, {2048, 4096, 8192, 16384, 32768, 65536, 131072}},
        .eps2 = 0.01, /* Hamada07 Fig. 10 */
        .seed = 1,
        .errors = COMPARED_ALL};

const struct bench_case bench_chamomile = {
        .name = "chamomile",
        .items =
                (const struct bench_item[]){
                        {"Hamada07", "Table 2",
                         "errors, by the paper's own pipeline", ""},
                        {"Hamada07", "Table 3",
                         "times, by the paper's own pipeline", ""},
                        {0}},
        .summary = "Hamada & Iitaka's Tables 2 and 3, with their pipeline",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_THREADS | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .papers = (const char *const[]){"hamada07-2", "hamada07-3", NULL},
        .rounds = true,
        .run = run,
};
