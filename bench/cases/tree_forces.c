/* SPDX-License-Identifier: MIT */
/* koshu bench tree: forces, stage by stage. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "bench/cases/tree.h"
#include "bench/internal.h"

struct row {
    struct bench_row base;
    const char *model, *order, *criterion, *curve;
    struct koshu_tree_options tree;
    struct koshu_tree_report report; /* of the fastest repeat */
    double cpu_seconds;              /* of all threads, in the fastest repeat */
    double list_length, list_cells;  /* of a particle, on average */
    double with_cells;               /* of the interactions */
    double gigabytes, bytes_per_particle; /* of a device; NaN: of none */
    struct {
        double up, sums, down; /* NaN: it summed no lists of the host */
    } device;
};

/* ---- columns ------------------------------------------------------------- */

enum view {
    GEOMETRIC = 1,
    RELATIVE = 2,
    HOST = 4,  /* the CPU alone */
    LISTS = 8, /* a device sums lists of the host */
    DEVICE = 16
};

#define MILLISECONDS(key, heading, member, views)                        \
    {                                                                    \
        key, heading, "%7.3f", BENCH_ROW(struct row, member), views, 1e3 \
    }

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"theta", "theta", "%6g", BENCH_ROW(struct row, tree.theta), GEOMETRIC},
        {"alpha", "alpha", "%6g", BENCH_ROW(struct row, tree.alpha), RELATIVE},
        {"n_crit", "n_crit", "%6lld", BENCH_ROW(struct row, report.n_crit)},
        BENCH_SHOW("ms", "%9.3f", timing.seconds, 0, 1e3),
        BENCH_SHOW("least", "%9.3f", timing.least, 0, 1e3),
        MILLISECONDS("cpu_seconds", "cpu", cpu_seconds, 0),
        BENCH_BAR(0),
        MILLISECONDS("keys_seconds", "keys", report.seconds.keys, 0),
        MILLISECONDS("sort_seconds", "sort", report.seconds.sort, 0),
        MILLISECONDS("build_seconds", "build", report.seconds.build, 0),
        MILLISECONDS("moments_seconds", "moments", report.seconds.moments, 0),
        MILLISECONDS("groups_seconds", "groups", report.seconds.groups, 0),
        MILLISECONDS("walk_seconds", "walk", report.seconds.walk, 0),
        MILLISECONDS("transfer_seconds", "transfer", report.seconds.transfer,
                     LISTS),
        MILLISECONDS("force_seconds", "force", report.seconds.force, 0),
        BENCH_BAR(0),
        {"list_length", "list", "%7.0f", BENCH_ROW(struct row, list_length)},
        {NULL, "cells", "%4.0f%%", BENCH_ROW(struct row, with_cells), 0, 100},
        BENCH_SHOW("Gflop/s", "%8.1f", gflops[0]),
        BENCH_BAR(0),
        BENCH_SHOW_ERRORS(0),
        MILLISECONDS("device_up_seconds", "up", device.up, LISTS),
        MILLISECONDS("device_sums_seconds", "sums", device.sums, LISTS),
        MILLISECONDS("device_down_seconds", "down", device.down, LISTS),
        {"batches", "batches", "%7lld",
         BENCH_ROW(struct row, report.device.batches), LISTS},
        {NULL, "GB", "%6.3g", BENCH_ROW(struct row, gigabytes), DEVICE},
        {"bytes_per_particle", "B/particle", "%6.1f",
         BENCH_ROW(struct row, bytes_per_particle), DEVICE},
        {"bytes_up", .field = BENCH_ROW(struct row, report.device.bytes_up)},
        {"bytes_down",
         .field = BENCH_ROW(struct row, report.device.bytes_down)},
        {"model", .field = BENCH_ROW(struct row, model)},
        {"order", .field = BENCH_ROW(struct row, order), .views = BENCH_HEAD},
        {"criterion", .field = BENCH_ROW(struct row, criterion),
         .views = BENCH_HEAD},
        {"curve", .field = BENCH_ROW(struct row, curve)},
        {"n_leaf", .field = BENCH_ROW(struct row, report.n_leaf),
         .views = BENCH_HEAD},
        {"list_cells", .field = BENCH_ROW(struct row, list_cells)},
        {"cells", .field = BENCH_ROW(struct row, report.cells)},
        {"groups", .field = BENCH_ROW(struct row, report.groups)},
        BENCH_TELL("fast", struct bench_options, fast),
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {38},
        .title = "forces by the treecode",
        .figure = {.y_label = "seconds",
                   .curves = {{"all stages",
                               BENCH_ROW(struct bench_row, timing.seconds)}},
                   .series = BENCH_ROW(struct row, tree.theta),
                   .series_name = "theta"},
};

/* ---- measuring ----------------------------------------------------------- */

struct subject {
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    unsigned fields;
    struct row *row; /* of the fastest evaluation so far */
    double least;
};

static double
processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static koshu_status
once(void *user)
{
    struct subject *s = user;
    const double start = koshu_now(), cpu = processor_seconds();
    KOSHU_TRY(koshu_solver_forces(s->solver, s->particles, s->fields));
    const double seconds = koshu_now() - start;
    if (s->least > 0 && seconds >= s->least) return KOSHU_OK;
    s->least = seconds;
    s->row->cpu_seconds = processor_seconds() - cpu;
    s->row->report.size = sizeof s->row->report;
    return koshu_solver_tree_report(s->solver, &s->row->report);
}

/* What a row has beside its times. */
static void
describe(const struct bench *b, struct row *row)
{
    const struct koshu_tree_report *r = &row->report;
    const double n = (double)row->base.n, pairs = (double)r->interactions;
    const double bytes = r->bytes > 0 ? (double)r->bytes : NAN;
    const bool lists = r->device.batches > 0;
    row->model = koshu_model_name(b->options->model);
    row->order = koshu_multipole_order_name(row->tree.multipole_order);
    row->criterion = koshu_opening_criterion_name(row->tree.opening_criterion);
    row->curve = koshu_space_filling_curve_name(r->space_filling_curve);
    row->base.interactions = pairs;
    row->list_length = pairs / n;
    row->list_cells = (double)r->with_cells / n;
    row->with_cells = (double)r->with_cells / pairs;
    row->gigabytes = 1e-9 * bytes;
    row->bytes_per_particle = bytes / n;
    row->device.up = lists ? r->device.up : NAN;
    row->device.sums = lists ? r->device.sums : NAN;
    row->device.down = lists ? r->device.down : NAN;
}

static koshu_status
evaluate(struct bench *b, struct subject *s, struct row *row)
{
    const struct bench_work work = {once, NULL, s};
    /* the first of all is by the geometric criterion: not what is measured */
    if (row->tree.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        KOSHU_TRY(koshu_solver_forces(s->solver, s->particles,
                                      KOSHU_FIELD_ACCELERATION));
    KOSHU_TRY(bench_time(&work, b->options->repeats, &row->base.timing));
    return bench_compare(b, s->particles, NULL, &row->base.errors);
}

static koshu_status
measure(struct bench *b, struct koshu_particles *particles, struct row *row)
{
    const bool potential = b->options->potential;
    struct subject s = {.particles = particles,
                        .row = row,
                        .fields = KOSHU_FIELD_ACCELERATION |
                                  (potential ? KOSHU_FIELD_POTENTIAL : 0u)};
    const struct koshu_solver_options options =
            tree_solver_options(b->own, &row->tree);
    KOSHU_TRY(koshu_solver_create(b->context, &options, &s.solver));
    const koshu_status status = evaluate(b, &s, row);
    koshu_solver_destroy(s.solver);
    describe(b, row);
    return status;
}

/* ---- rows ---------------------------------------------------------------- */

/* Which columns there are follows from what the first row did. */
static unsigned
view_of(const struct row *row)
{
    const unsigned criterion =
            row->tree.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE
                    ? RELATIVE
                    : GEOMETRIC;
    if (row->report.bytes > 0) return criterion | DEVICE;
    return criterion | (row->report.device.batches > 0 ? LISTS : HOST);
}

static koshu_status
add(struct bench *b, struct koshu_particles *particles,
    const struct koshu_tree_options *tree, bool first)
{
    struct row row = {.base = bench_row(b, koshu_particles_count(particles)),
                      .tree = *tree};
    KOSHU_TRY(measure(b, particles, &row));
    if (first) bench_start(b, &table, view_of(&row));
    return bench_add(b, &row);
}

/* Every accuracy and n_crit for one N. */
static koshu_status
run_particles(struct bench *b, struct koshu_particles *particles, bool first)
{
    const struct tree_options *o = b->own;
    struct koshu_tree_options tree = tree_options_of(o);
    const bool relative = o->criterion == KOSHU_OPENING_CRITERION_RELATIVE;
    const struct number_list *list = relative ? &o->alpha : &o->theta;
    for (size_t k = 0; k < list->n; k++)
        for (size_t crit = 0; crit < o->n_crit.n; crit++) {
            *(relative ? &tree.alpha : &tree.theta) = list->value[k];
            tree.n_crit = o->n_crit.value[crit];
            KOSHU_TRY(add(b, particles, &tree, first && k + crit == 0));
        }
    return KOSHU_OK;
}

koshu_status
tree_forces(struct bench *b)
{
    const struct count_list *n = &b->options->n;
    for (size_t k = 0; k < n->n; k++) {
        struct koshu_particles *particles;
        KOSHU_TRY(bench_particles(b, n->value[k], &particles));
        const koshu_status status = run_particles(b, particles, k == 0);
        koshu_particles_destroy(particles);
        KOSHU_TRY(status);
    }
    return KOSHU_OK;
}
