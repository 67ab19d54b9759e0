/* SPDX-License-Identifier: MIT */
/* koshu bench tree: forces, by stages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/cases/tree.h"
#include "bench/harness.h"

struct row {
    struct bench_row base;
    double accuracy; /* theta or alpha */
    size_t n_crit;
    const char *model, *order, *criterion, *curve;
    struct koshu_tree_options tree;
    struct koshu_tree_report report; /* of all threads, in the fastest repeat */
    double cpu_seconds;              /* per particle, on average */
    double list_length, list_cells;  /* fraction of the interactions */
    double with_cells;               /* of a device; NaN: none */
    double gigabytes, bytes_per_particle; /* of a device; NaN: of none */
    struct {
        double up, sums, down;     /* NaN: it summed no lists of the host */
        double up_rate, down_rate; /* GB/s */
    } device;
    double host; /* seconds of all stages before the forces */
};

enum view {
    GEOMETRIC = 1,
    RELATIVE = 2,
    HOST = 4,  /* only the CPU */
    LISTS = 8, /* a device sums lists of the host */
    DEVICE = 16
};

#define MILLISECONDS(key, heading, member, views)      \
    {                                                  \
        key, heading, "%7.3f", ROW(member), views, 1e3 \
    }

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"theta", "theta", "%6g", ROW(tree.theta), GEOMETRIC},
        {"alpha", "alpha", "%6g", ROW(tree.alpha), RELATIVE},
        {"n_crit", "n_crit", "%6lld", ROW(report.n_crit)},
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
        {"list_length", "list", "%7.0f", ROW(list_length)},
        {NULL, "cells", "%4.0f%%", ROW(with_cells), 0, 100},
        BENCH_SHOW("Gflop/s", "%8.1f", gflops[0]),
        BENCH_BAR(0),
        BENCH_SHOW_ERRORS(0),
        MILLISECONDS("device_up_seconds", "up", device.up, LISTS),
        MILLISECONDS("device_sums_seconds", "sums", device.sums, LISTS),
        MILLISECONDS("device_down_seconds", "down", device.down, LISTS),
        {"batches", "batches", "%7lld", ROW(report.device.batches), LISTS},
        {NULL, "GB", "%6.3g", ROW(gigabytes), DEVICE},
        {"bytes_per_particle", "B/particle", "%6.1f", ROW(bytes_per_particle),
         DEVICE},
        {"bytes_up", .field = ROW(report.device.bytes_up)},
        {"bytes_down", .field = ROW(report.device.bytes_down)},
        {"model", .field = ROW(model)},
        {"order", .field = ROW(order), .views = BENCH_HEAD},
        {"criterion", .field = ROW(criterion), .views = BENCH_HEAD},
        {"curve", .field = ROW(curve)},
        {"n_leaf", .field = ROW(report.n_leaf), .views = BENCH_HEAD},
        {"list_cells", .field = ROW(list_cells)},
        {"cells", .field = ROW(report.cells)},
        {"groups", .field = ROW(report.groups)},
        {"box", .field = ROW(tree.box)},
        BENCH_TELL("fast", struct bench_options, fast),
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

/* The columns for Hamada10 Fig. 7. */
static const struct bench_column stage_columns[] = {
        BENCH_SHOW("N", "%9lld", n),
        BENCH_SHOW("seconds", "%9.4f", timing.seconds),
        {"host_seconds", "host", "%9.4f", ROW(host)},
        {"device_up_seconds", "up", "%8.4f", ROW(device.up)},
        {"device_sums_seconds", "sums", "%9.4f", ROW(device.sums)},
        {"device_down_seconds", "down", "%8.4f", ROW(device.down)},
        {"force_seconds", "force", "%9.4f", ROW(report.seconds.force)},
        BENCH_BAR(0),
        {"device_up_gigabytes_per_s", "GB/s up", "%8.2f", ROW(device.up_rate)},
        {"device_down_gigabytes_per_s", "down", "%8.2f", ROW(device.down_rate)},
        {"hamada10_7.link_gigabytes_per_s", "link of H10", "%5.0f",
         PAPER("hamada10-7.gigabytes_per_s")},
        BENCH_BAR(0),
        {"list_length", "list", "%7.0f", ROW(list_length)},
        BENCH_SHOW("Gflop/s", "%8.1f", gflops[0]),
        {"theta", .field = ROW(tree.theta), .views = BENCH_HEAD},
        {"n_crit", .field = ROW(report.n_crit), .views = BENCH_HEAD},
        {"order", .field = ROW(order), .views = BENCH_HEAD},
        {"keys_seconds", .field = ROW(report.seconds.keys)},
        {"sort_seconds", .field = ROW(report.seconds.sort)},
        {"build_seconds", .field = ROW(report.seconds.build)},
        {"moments_seconds", .field = ROW(report.seconds.moments)},
        {"groups_seconds", .field = ROW(report.seconds.groups)},
        {"walk_seconds", .field = ROW(report.seconds.walk)},
        {"bytes_up", .field = ROW(report.device.bytes_up)},
        {"bytes_down", .field = ROW(report.device.bytes_down)},
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

struct subject {
    struct bench_system system;
    struct row *row; /* filled by the fastest evaluation so far */
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
    KOSHU_TRY(bench_forces(&s->system));
    const double seconds = koshu_now() - start;
    if (s->least > 0 && seconds >= s->least) return KOSHU_OK;
    s->least = seconds;
    s->row->cpu_seconds = processor_seconds() - cpu;
    s->row->report.size = sizeof s->row->report;
    return koshu_solver_tree_report(s->system.solver, &s->row->report);
}

/* Sets what a row has besides its times. */
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
    row->device.up_rate = 1e-9 * (double)r->device.bytes_up / row->device.up;
    row->device.down_rate =
            1e-9 * (double)r->device.bytes_down / row->device.down;
    row->host = r->seconds.keys + r->seconds.sort + r->seconds.build +
                r->seconds.moments + r->seconds.groups + r->seconds.walk;
}

/* The columns depend on what the row measured. */
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
evaluate(struct bench *b, struct subject *s, struct row *row)
{
    const struct bench_work work = {once, NULL, s};
    struct bench_system *system = &s->system;
    /* the first evaluation uses the geometric criterion, so it is not timed */
    if (row->tree.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        KOSHU_TRY(koshu_solver_forces(system->solver, system->particles,
                                      KOSHU_FIELD_ACCELERATION));
    KOSHU_TRY(bench_time(&work, b->options->repeats, &row->base.timing));
    if (!b->options->table)
        KOSHU_TRY(bench_compare(b, system->particles, NULL, &row->base.errors));
    describe(b, row);
    bench_view(b, view_of(row));
    return KOSHU_OK;
}

struct koshu_solver_options
tree_solver_options(const struct bench *b,
                    const struct koshu_tree_options *tree)
{
    struct koshu_solver_options solver = bench_solver_options(b);
    solver.method = KOSHU_METHOD_TREE;
    solver.tree = tree;
    return solver;
}

static koshu_status
measure(struct bench *b, void *user)
{
    struct row *row = user;
    struct subject s = {.row = row};
    struct koshu_tree_options *tree = &row->tree;
    *tree = ((const struct tree_options *)b->own)->tree;
    b->box = tree->box;
    tree->n_crit = row->n_crit;
    if (tree->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        tree->alpha = row->accuracy;
    else
        tree->theta = row->accuracy;
    const struct koshu_solver_options options = tree_solver_options(b, tree);
    koshu_status status =
            bench_system_make(b, row->base.n, &options, NULL, &s.system);
    if (status == KOSHU_OK) status = evaluate(b, &s, row);
    bench_system_free(&s.system);
    return status;
}

const struct bench_table tree_forces = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {38},
        .title = "forces by the treecode",
        .figure = {.y_label = "seconds",
                   .curves = {{"all stages", ROW(base.timing.seconds)}},
                   .series = ROW(tree.theta),
                   .series_name = "theta"},
        .measure = measure,
        .axes = {{BENCH_OPTION(struct tree_options, accuracy), ROW(accuracy)},
                 {BENCH_OPTION(struct tree_options, n_crit), ROW(n_crit)}},
};

const struct bench_table tree_stages = {
        .name = "tree --table hamada10-7",
        .row_size = sizeof(struct row),
        .columns = stage_columns,
        .flops = {38},
        .title = "a tree by stages, keys to accelerations; up, sums and down: "
                 "a device's, while the host makes lists",
        .measure = measure,
        .axes = {{BENCH_OPTION(struct tree_options, accuracy), ROW(accuracy)},
                 {BENCH_OPTION(struct tree_options, n_crit), ROW(n_crit)}},
        .longest = 60,
        .power = 1.1,
};

/* ---- Hamada10 Fig. 7, drawn ---------------------------------------------- */

enum { STAGES = 6, RATES = 2 };

static const struct stage {
    const char *name;
    size_t offset;
} stages[STAGES + RATES] = {
        {"all", offsetof(struct row, base.timing.seconds)},
        {"host: keys, tree, lists", offsetof(struct row, host)},
        {"to the device", offsetof(struct row, device.up)},
        {"sums on the device", offsetof(struct row, device.sums)},
        {"from the device", offsetof(struct row, device.down)},
        {"sums by threads", offsetof(struct row, report.seconds.force)},
        {"to the device", offsetof(struct row, device.up_rate)},
        {"from the device", offsetof(struct row, device.down_rate)},
};

/* Collects its points over all rows into xy. */
static void
set_points(const struct bench *b, const struct stage *stage, double *xy,
           struct koshu_curve *curve)
{
    *curve = (struct koshu_curve){
            .name = stage->name, .style = KOSHU_CURVE_LINE, .xy = xy};
    for (size_t k = 0; k < b->output->n; k++) {
        const struct row *row = bench_row_at(b, k);
        const double *value = (const void *)((const char *)row + stage->offset);
        if (!(*value > 0)) continue;
        xy[2 * curve->n] = (double)row->base.n;
        xy[2 * curve->n++ + 1] = *value;
    }
}

koshu_status
tree_stages_draw(struct bench *b)
{
    const size_t n = b->output->n, all = STAGES + RATES;
    struct koshu_curve curves[STAGES + RATES];
    const struct koshu_rates panels[] = {
            {"(a) stages", STAGES, curves},
            {"(b) bandwidth", RATES, curves + STAGES, "GB/s"}};
    double *points = calloc(all * (n + 1), 2 * sizeof *points);
    char title[256];
    if (!points) return koshu_fail_memory(b->context, all * n * 16, "curves");
    for (size_t k = 0; k < all; k++)
        set_points(b, &stages[k], points + 2 * k * n, &curves[k]);
    snprintf(title, sizeof title, "koshu bench tree: %s",
             bench_row(b, 0).device);
    const koshu_status status =
            koshu_picture_rates(b->context, title, NULL, "seconds", panels,
                                curves[STAGES].n > 0 ? 2 : 1, b->options->plot);
    free(points);
    return status;
}
