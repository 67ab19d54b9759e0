/* SPDX-License-Identifier: MIT */
/* koshu bench fmm: sums of 1 / r by the fast multipole method. */
#include <math.h>
#include <stdio.h>

#include "bench/cases.h"
#include "bench/cases/fmm_map.h"
#include "bench/cases/fmm_sums.h"
#include "bench/harness.h"

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
        "err_L2 is (sum |error|^2 / sum |gradient|^2)^(1/2), err_2nd the same "
        "of second derivatives, of 256 particles. With --periodic "
        "errors are against Ewald sums. On a device ms is what a call takes, "
        "copies the part of it that goes to and fro; stages are its kernels'. "
        "--plot draws the times, or of a single row a map of its errors, in "
        "the "
        "plane through the middle, which is full of faces of cells.";

struct options {
    struct bench_options base;
    struct count_list order;
    struct number_list theta, tolerance;
    uint64_t n_leaf;
    double box;
    struct fmm_wanted wanted;
};

struct row {
    struct bench_row base;
    size_t order;
    double theta, tolerance; /* tolerance 0: order and theta are given */
    const char *model, *what;
    double box, second_error;
    size_t rhs;
    struct koshu_laplace_report report;
    double cell_translations, particle_pairs; /* per target, on average */
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
        MILLISECONDS("copies_seconds", "copies", report.seconds.copies),
        BENCH_BAR(0),
        {"cells", "cells", "%8lld", ROW(report.cells)},
        {"translations_per_cell", "M2L/cell", "%8.0f", ROW(cell_translations)},
        {"pairs_per_particle", "pairs/N", "%7.0f", ROW(particle_pairs)},
        BENCH_BAR(0),
        BENCH_SHOW("err_L2", "%7.1e", errors.l2),
        {"err_second", "err_2nd", "%7.1e", ROW(second_error)},
        BENCH_SHOW_ERRORS(0),
        {"model", .field = ROW(model)},
        {"tolerance", .field = ROW(tolerance)},
        {"box", .field = ROW(box)},
        {"sums_of", .field = ROW(what)},
        {"n_rhs", .field = ROW(rhs)},
        {"copied_bytes", .field = ROW(report.copied_bytes)},
        {0}};

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
    const struct fmm_wanted *w = &((const struct options *)b->own)->wanted;
    row->model = koshu_model_name(b->options->model);
    row->box = b->box;
    row->what = w->vortices ? "vortices" : w->dipoles ? "dipoles" : "charges";
    row->rhs = w->vortices ? 3 : w->rhs;
    row->base.interactions = NAN;
    row->cell_translations = (double)r->translations / (double)r->cells;
    row->particle_pairs = (double)r->pairs / (double)row->base.n;
}

/* For masses, gradients are forces. */
static koshu_status
compare(struct bench *b, struct koshu_particles *particles,
        const struct fmm_sums *s, struct row *row)
{
    const struct fmm_wanted *w = &s->wanted;
    const struct bench_vectors all = fmm_sums_vectors(s);
    struct bench_errors direct;
    row->second_error = NAN;
    if (b->box > 0 && w->vortices) return KOSHU_OK;
    if (w->vortices || w->dipoles)
        return fmm_sums_compare(b, s, &row->base.errors, &row->second_error);
    if (w->hessian)
        KOSHU_TRY(fmm_sums_compare(b, s, &direct, &row->second_error));
    return bench_compare(b, particles, &all, &row->base.errors);
}

static koshu_status
evaluate(struct bench *b, struct koshu_particles *particles, struct fmm_sums *s,
         struct row *row)
{
    const struct bench_work work = {fmm_sums_once, NULL, s};
    KOSHU_TRY(bench_time(&work, b->options->repeats, &row->base.timing));
    row->report.size = sizeof row->report;
    KOSHU_TRY(koshu_laplace_report(s->laplace, &row->report));
    KOSHU_TRY(compare(b, particles, s, row));
    describe(b, row);
    return KOSHU_OK;
}

/* A function that uses the sums of a row's particles. */
typedef koshu_status with_sums(struct bench *b,
                               struct koshu_particles *particles,
                               struct fmm_sums *s, struct row *row);

static koshu_status
make_sums(struct bench *b, struct row *row, with_sums *work)
{
    const struct options *own = b->own;
    b->box = own->box;
    const struct koshu_laplace_options options = laplace_options(b, row);
    struct koshu_particles *particles = NULL;
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct fmm_sums s = {0};
    koshu_status status;
    KOSHU_TRY_CLEANUP(bench_particles(b, row->base.n, &particles));
    KOSHU_TRY_CLEANUP(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    status = fmm_sums_make(b, &own->wanted, &options, &v, &s);
    if (status == KOSHU_OK) status = work(b, particles, &s, row);
    koshu_particles_release_read(particles);
cleanup:
    fmm_sums_free(&s);
    koshu_particles_destroy(particles);
    return status;
}

static koshu_status
measure(struct bench *b, void *user)
{
    return make_sums(b, user, evaluate);
}

/* A single row makes no curve, so --plot shows a map of its errors instead. */
static bool
draws_map(const struct bench *b)
{
    return b->output->n == 1;
}

static koshu_status
map(struct bench *b, struct koshu_particles *particles, struct fmm_sums *s,
    struct row *row)
{
    char what[96];
    (void)particles;
    snprintf(what, sizeof what, "p = %u, theta = %g",
             (unsigned)row->report.multipole_order, row->report.theta);
    return fmm_map_draw(b, s, what);
}

static koshu_status
draw_map(struct bench *b)
{
    struct row row = *(const struct row *)bench_row_at(b, 0);
    return make_sums(b, &row, map);
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
        {"rhs", 0, "N", "right-hand sides, sets of charges (1)",
         OWN(wanted.rhs), .min = 1, .max = 1024},
        {"dipoles", 0, NULL, "charges and dipoles", OWN(wanted.dipoles)},
        {"vortices", 0, NULL, "vortices: velocities instead of gradients",
         OWN(wanted.vortices)},
        {"hessian", 0, NULL,
         "second derivatives, too; of vortices the "
         "gradient of the velocity",
         OWN(wanted.hessian)},
        {0}};

static void
check(struct argp_state *state, void *options)
{
    const struct options *o = options;
    if (o->tolerance.given && (o->order.given || o->theta.given))
        argp_error(state, "--tolerance chooses order and theta: take the one "
                          "or the others");
    if (o->wanted.vortices && (o->wanted.dipoles || o->wanted.rhs > 1))
        argp_error(state, "--vortices are three right-hand sides of charges: "
                          "leave out --rhs and --dipoles");
    for (size_t k = 0; k < o->order.n; k++)
        if (o->order.value[k] > 20)
            argp_error(state, "--order: %zu is more than 20",
                       o->order.value[k]);
}

static const struct options defaults = {
        .base = {.n = {1, {1 << 20}}, .seed = 1},
        .order = {1, {8}},
        .theta = {1, {0.5}},
        .tolerance = {1, {0}},
        .wanted = {.rhs = 1}};

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
        .draws = draws_map,
        .draw = draw_map,
};
