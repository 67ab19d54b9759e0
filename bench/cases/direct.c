/* SPDX-License-Identifier: MIT */
/* koshu bench direct: forces by direct summation. */
#include <math.h>
#include <string.h>

#include "bench/cases.h"

static const char doc[] =
        "Forces of all particles of a Plummer sphere on each other by direct "
        "summation: time, rate, and errors against ref in double precision. "
        "In single precision the positions are rounded to float beforehand, "
        "for ref too.\v"
        "Beside them, where the papers have that N: the rates of Hamada & "
        "Iitaka 2007, Table 3, Belleman et al. 2008, Table 3, and Miki et al. "
        "2013, Fig. 11. Gflop/s are counted as 26 (Miki) and 38 (Hamada, "
        "Belleman) per interaction. On a GPU the particles stay on the device; "
        "the time with copies from and to the host is a column of its own. "
        "--table hamada07-2 gives the largest errors of the DIRECT style, of "
        "the Chamomile style and of koshu; the others times and rates.";

struct row {
    struct bench_row base; /* for resident particles */
    /* seconds including copies of positions to the device and forces back; NaN:
     * the device keeps no particles */
    double copied;
    double efficiency; /* rate per thread, relative to the first row */
    double faster;     /* by this factor, than the paper of --table */
    double direct_style, chamomile_style; /* largest errors (styles.h) */
};

enum view { PAPERS = 1, THREADS = 2, ERRORS = 4, ONE_PAPER = 8 };
enum { RATES = PAPERS | THREADS, TIMES = RATES | ONE_PAPER };

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        BENCH_SHOW("threads", "%7lld", threads, THREADS),
        {"seconds_with_copies", "+ copies", "%9.3e", ROW(copied), PAPERS},
        BENCH_SHOW("seconds", "%10.4e", timing.seconds, TIMES),
        BENCH_SHOW("pairs/s", "%9.3e", rate, RATES),
        BENCH_SHOW("GF/s(26)", "%8.1f", gflops[0], TIMES),
        BENCH_SHOW("GF/s(38)", "%8.1f", gflops[1], TIMES),
        BENCH_SHOW_ERRORS(RATES),
        {"err_max_direct_style", "DIRECT", "%10.1e", ROW(direct_style), ERRORS},
        {"err_max_chamomile_style", "Chamomile", "%10.1e", ROW(chamomile_style),
         ERRORS},
        BENCH_SHOW("koshu", "%10.1e", errors.max, ERRORS),
        BENCH_BAR(0),
        {"efficiency", "efficiency", "%9.1f%%", ROW(efficiency), THREADS, 100},
        {"hamada07-3.seconds", .field = PAPER("hamada07-3.seconds")},
        {"hamada07-3.gflops", "H07", "%6.1f", PAPER("hamada07-3.gflops"),
         PAPERS},
        {"belleman08-3.seconds", .field = PAPER("belleman08-3.seconds")},
        {"belleman08-3.gflops", "B08", "%6.1f", PAPER("belleman08-3.gflops"),
         PAPERS},
        {"miki13-11.seconds", .field = PAPER("miki13-11.seconds")},
        {"miki13-11.gflops", "M13", "%6.1f", PAPER("miki13-11.gflops"), PAPERS},
        {NULL, "DIRECT (H07)", "%.1e", PAPER("hamada07-2.direct_style"),
         ERRORS},
        {NULL, "Chamomile (H07)", "%.1e", PAPER("hamada07-2.chamomile"),
         ERRORS},
        {NULL, "paper: seconds", "%.4g", PAPER("*.seconds"), ONE_PAPER},
        {NULL, "GF/s", "%8.1f", PAPER("*.gflops"), ONE_PAPER},
        {NULL, "faster", "%8.1f", ROW(faster), ONE_PAPER},
        BENCH_TELL("potential", struct bench_options, potential),
        BENCH_TELL("fast", struct bench_options, fast),
        BENCH_TELL("eps2", struct bench_options, eps2),
        BENCH_TELL("offset", struct bench_options, offset),
        {0}};

/* Is --table the one of Hamada07 Table 2? */
static bool
compares_styles(const struct bench_options *o)
{
    return o->table && strcmp(o->table, "hamada07-2") == 0;
}

/* Copies new positions from the host, and the forces back. */
static koshu_status
once_with_copies(void *user)
{
    struct bench_system *f = user;
    struct koshu_particle_view positions = {.size = sizeof positions};
    struct koshu_particle_const_view sums = {.size = sizeof sums};
    KOSHU_TRY(koshu_particles_acquire_write(f->particles, KOSHU_FIELD_POSITION,
                                            KOSHU_ACCESS_READ_WRITE,
                                            &positions));
    koshu_particles_release_write(f->particles);
    KOSHU_TRY(bench_forces(f));
    KOSHU_TRY(koshu_particles_acquire_read(f->particles, f->fields, &sums));
    koshu_particles_release_read(f->particles);
    return KOSHU_OK;
}

/* Where the backend keeps particles on a device, also times the copies. */
static koshu_status
take_times(const struct bench *b, struct bench_system *system, struct row *row)
{
    struct koshu_backend *backend;
    struct bench_timing copied;
    const struct bench_work work = {bench_forces, bench_wait, system},
                            with_copies = {once_with_copies, NULL, system};
    const size_t repeats = b->options->repeats;
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    KOSHU_TRY(bench_time(&work, repeats, &row->base.timing));
    row->copied = NAN;
    if (!backend->ops->force_store) return KOSHU_OK;
    KOSHU_TRY(bench_time(&with_copies, repeats, &copied));
    row->copied = copied.seconds;
    return KOSHU_OK;
}

static koshu_status
take_errors(struct bench *b, struct koshu_particles *particles, struct row *row)
{
    KOSHU_TRY(bench_compare(b, particles, NULL, &row->base.errors));
    row->direct_style = row->chamomile_style = NAN;
    if (!compares_styles(b->options)) return KOSHU_OK;
    KOSHU_TRY(bench_style_error(b, particles, BENCH_DIRECT_STYLE,
                                &row->direct_style));
    return bench_style_error(b, particles, BENCH_CHAMOMILE_STYLE,
                             &row->chamomile_style);
}

/* Compares with the paper, and with the first row of this N. */
static void
compare(const struct bench *b, struct row *row)
{
    const struct bench_row *base = &row->base, *first;
    first = bench_first_of(b, base->n);
    if (!first) first = base;
    row->efficiency = first->timing.seconds * first->threads /
                      (base->timing.seconds * base->threads);
    row->faster = bench_printed(b, "*.seconds", base) / base->timing.seconds;
}

static unsigned
view_of(const struct bench_options *o)
{
    if (o->table) return compares_styles(o) ? ERRORS : ONE_PAPER;
    return o->threads.n > 1 ? THREADS : PAPERS;
}

static koshu_status
measure(struct bench *b, void *user)
{
    struct row *row = user;
    struct bench_system system;
    koshu_status status;
    bench_view(b, view_of(b->options));
    KOSHU_TRY_CLEANUP(bench_system_make(b, row->base.n, NULL, NULL, &system));
    KOSHU_TRY_CLEANUP(take_times(b, &system, row));
    KOSHU_TRY_CLEANUP(take_errors(b, system.particles, row));
    compare(b, row);
cleanup:
    bench_system_free(&system);
    return status;
}

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {26, 38},
        .title = "forces by direct summation (+ copies: with positions from "
                 "the host and forces back)",
        .figure = {.y_label = "interactions / s",
                   .curves = {{"koshu", ROW(base.rate)}},
                   .series = ROW(base.threads),
                   .series_name = "threads",
                   .papers = {"hamada07-3.seconds", "belleman08-3.seconds",
                              "miki13-11.seconds"},
                   .rates = true},
        .measure = measure,
};

static void
check(struct argp_state *state, void *options)
{
    struct bench_options *o = options;
    if (!compares_styles(o)) return;
    if (o->precision != KOSHU_PRECISION_SINGLE)
        argp_error(state, "--table hamada07-2 is for single precision");
    if (o->errors == COMPARED_NONE || o->errors == COMPARED_SAMPLE)
        argp_error(state, "--table hamada07-2 is about errors of all "
                          "particles");
    o->errors = COMPARED_ALL;
}

static const struct bench_options defaults = {
        .n = {7, {2048, 4096, 8192, 16384, 32768, 65536, 131072}},
        .eps2 = 0.01,
        .seed = 1,
        .potential = true};

const struct bench_case bench_direct = {
        .name = "direct",
        .items =
                (const struct bench_item[]){
                        {"Hamada07", "Table 2", "largest errors of direct sums",
                         "--table hamada07-2"},
                        {"Hamada07", "Table 3", "times of direct sums",
                         "--table hamada07-3"},
                        {"Belleman08", "Table 3", "times of direct sums",
                         "--table belleman08-3"},
                        {"Miki13", "Fig. 11", "rates of direct sums",
                         "--table miki13-11"},
                        {"Miki13", "Table 3", "times of the kernel",
                         "--table miki13-11"},
                        {0}},
        .summary = "forces by direct summation: speed and errors",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION |
                 BENCH_TAKES_THREAD_LIST | BENCH_TAKES_EPS2 |
                 BENCH_TAKES_ACCELERATION | BENCH_TAKES_FAST |
                 BENCH_TAKES_ERROR | BENCH_TAKES_OFFSET | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED | BENCH_TAKES_FILE | BENCH_TAKES_TABLE,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .papers = (const char *const[]){"hamada07-2", "hamada07-3",
                                        "belleman08-3", "miki13-11", NULL},
        .rounds = true,
        .table = &table,
};
