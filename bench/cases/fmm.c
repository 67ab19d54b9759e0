/* SPDX-License-Identifier: MIT */
/* koshu bench fmm: sums of 1 / r by the fast multipole method. */
#include <math.h>

#include <koshu/laplace.h>

#include "bench/cases.h"

static const char doc[] =
        "Sums of m / r of all particles and their gradients by the fast "
        "multipole method: milliseconds of each stage, and errors against ref "
        "in double precision.\v"
        "Every N is measured with every order p and theta, or every tolerance. "
        "Times are the median and the least of the repeats; stages are those "
        "of the last: the tree, the way up to all multipoles, and the way down "
        "(lists, local expansions, near pairs), with two parts of it where "
        "they are "
        "told apart. M2L/cell are translations from "
        "cell to cell, pairs/N the sources summed directly for each particle. "
        "err_L2 is (sum |error|^2 / sum |gradient|^2)^(1/2). With --periodic "
        "errors are against Ewald sums.";

struct options {
    struct bench_options base;
    struct count_list order;
    struct number_list theta, tolerance;
    uint64_t n_leaf;
    double box;
};

struct row {
    struct bench_row base;
    size_t order;
    double theta, tolerance; /* 0: order and theta are given */
    const char *model;
    double box;
    struct koshu_laplace_report report;
    double cell_translations, particle_pairs; /* of each, on average */
};

#define MILLISECONDS(key, heading, member)         \
    {                                              \
        key, heading, "%8.3f", ROW(member), 0, 1e3 \
    }

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"p", "p", "%2lld", ROW(report.multipole_order)},
        {"theta", "theta", "%5g", ROW(report.theta)},
        {"n_leaf", "n_leaf", "%6lld", ROW(report.n_leaf)},
        BENCH_SHOW("ms", "%9.3f", timing.seconds, 0, 1e3),
        BENCH_SHOW("least", "%9.3f", timing.least, 0, 1e3),
        BENCH_BAR(0),
        MILLISECONDS("tree_seconds", "tree", report.seconds.tree),
        MILLISECONDS("up_seconds", "up", report.seconds.up),
        MILLISECONDS("lists_seconds", "lists", report.seconds.lists),
        MILLISECONDS("near_seconds", "near", report.seconds.near),
        MILLISECONDS("down_seconds", "down", report.seconds.down),
        BENCH_BAR(0),
        {"cells", "cells", "%8lld", ROW(report.cells)},
        {"translations_per_cell", "M2L/cell", "%8.0f", ROW(cell_translations)},
        {"pairs_per_particle", "pairs/N", "%7.0f", ROW(particle_pairs)},
        BENCH_BAR(0),
        BENCH_SHOW("err_L2", "%7.1e", errors.l2),
        BENCH_SHOW_ERRORS(0),
        {"model", .field = ROW(model)},
        {"tolerance", .field = ROW(tolerance)},
        {"box", .field = ROW(box)},
        {0}};

/* Gradients at particles that stay where they are. */
struct subject {
    struct koshu_laplace *laplace;
    struct koshu_laplace_points points;
    struct koshu_laplace_result result;
};

static koshu_status
once(void *user)
{
    const struct subject *s = user;
    return koshu_laplace_sums(s->laplace, &s->points, NULL, &s->result);
}

static struct koshu_laplace_options
laplace_options(const struct bench *b, const struct row *row)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = b->options->precision;
    o.tolerance = row->tolerance;
    o.multipole_order = (unsigned)row->order;
    o.theta = row->theta;
    o.n_leaf = ((const struct options *)b->own)->n_leaf;
    o.box = b->box;
    for (int d = 0; d < 3; d++) o.corner[d] = -b->box / 2;
    return o;
}

static void
describe(const struct bench *b, struct row *row)
{
    const struct koshu_laplace_report *r = &row->report;
    row->model = koshu_model_name(b->options->model);
    row->box = b->box;
    row->base.interactions = NAN;
    row->cell_translations = (double)r->translations / (double)r->cells;
    row->particle_pairs = (double)r->pairs / (double)row->base.n;
}

static koshu_status
evaluate(struct bench *b, struct koshu_particles *particles, struct subject *s,
         struct row *row)
{
    const struct bench_work work = {once, NULL, s};
    const struct bench_vectors gradient = {
            {s->result.gradient_x, s->result.gradient_y, s->result.gradient_z},
            row->base.n,
            1};
    KOSHU_TRY(bench_time(&work, b->options->repeats, &row->base.timing));
    row->report.size = sizeof row->report;
    KOSHU_TRY(koshu_laplace_report(s->laplace, &row->report));
    KOSHU_TRY(bench_compare(b, particles, &gradient, &row->base.errors));
    describe(b, row);
    return KOSHU_OK;
}

static koshu_status
measure(struct bench *b, void *user)
{
    struct row *row = user;
    const size_t n = row->base.n;
    b->box = ((const struct options *)b->own)->box;
    const struct koshu_laplace_options options = laplace_options(b, row);
    struct koshu_particles *particles = NULL;
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct subject s = {.points = koshu_laplace_points_default(),
                        .result = koshu_laplace_result_default()};
    koshu_status status;
    double *sums = koshu_alloc(4 * n, sizeof *sums);
    if (!sums)
        return koshu_fail_memory(b->context, 4 * n * sizeof *sums, "sums");
    s.result.potential = sums;
    s.result.gradient_x = sums + n;
    s.result.gradient_y = sums + 2 * n;
    s.result.gradient_z = sums + 3 * n;
    KOSHU_TRY_CLEANUP(bench_particles(b, n, &particles));
    KOSHU_TRY_CLEANUP(koshu_laplace_create(b->context, &options, &s.laplace));
    KOSHU_TRY_CLEANUP(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    s.points.n = n;
    s.points.x = v.x;
    s.points.y = v.y;
    s.points.z = v.z;
    s.points.charge = v.mass;
    status = evaluate(b, particles, &s, row);
    koshu_particles_release_read(particles);
cleanup:
    koshu_laplace_destroy(s.laplace);
    koshu_particles_destroy(particles);
    koshu_free(sums);
    return status;
}

#define OWN(member) BENCH_OPTION(struct options, member)

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .title = "sums of m / r and gradients by the fast multipole method",
        .figure = {.y_label = "seconds",
                   .curves = {{"all stages", ROW(base.timing.seconds)}},
                   .series = ROW(report.multipole_order),
                   .series_name = "p"},
        .measure = measure,
        .axes = {{OWN(order), ROW(order)},
                 {OWN(theta), ROW(theta)},
                 {OWN(tolerance), ROW(tolerance)}},
};

static const struct command_option own[] = {
        {"order", 0, "P,P,...", "order of the expansions, 1 to 20", OWN(order)},
        {"theta", 0, "T,T,...",
         "radii of two cells over their distance, where they act by expansions",
         OWN(theta), .max = 1},
        {"tolerance", 0, "E,E,...",
         "instead: the err_L2 that chooses order and theta (none)",
         OWN(tolerance), .max = 0.1},
        {"n-leaf", 0, "N", "particles of a leaf, at most (0: by the order)",
         OWN(n_leaf)},
        {"periodic", 0, "L",
         "in a periodic box of edge L about 0; the model cube has 1 (0: free)",
         OWN(box)},
        {0}};

static void
check(struct argp_state *state, void *options)
{
    const struct options *o = options;
    if (o->tolerance.given && (o->order.given || o->theta.given))
        argp_error(state, "--tolerance chooses order and theta: take the one "
                          "or the others");
    for (size_t k = 0; k < o->order.n; k++)
        if (o->order.value[k] > 20)
            argp_error(state, "--order: %zu is more than 20",
                       o->order.value[k]);
}

static const struct options defaults = {
        .base = {.n = {1, {1 << 20}}, .seed = 1},
        .order = {1, {8}},
        .theta = {1, {0.5}},
        .tolerance = {1, {0}}};

const struct bench_case bench_fmm = {
        .name = "fmm",
        .summary = "sums of 1 / r by the fast multipole method: stages and "
                   "errors",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_ERROR | BENCH_TAKES_REPEATS | BENCH_TAKES_SEED |
                 BENCH_TAKES_MODEL | BENCH_TAKES_FILE,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .table = &table,
};
