/* SPDX-License-Identifier: MIT */
/* Velocities of random vortices (Hamada09 Fig. 11), and Table 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/cases/turbulence.h"

static const double two_pi = 6.28318530717958647692;

enum { OPERATIONS = 133, MAX_COMPARED = 256 };

struct row {
    struct bench_row base;
    size_t order;
    double theta, reach, core;
    double velocity; /* seconds; those in base are of a step */
    /* fitted to the rows so far; NaN: there is only one */
    double exponent;
    double operations, pairs; /* of a step, per particle */
    double stretching;        /* L2 error, as for velocities */
    struct koshu_laplace_report report;
    bool periodic;
};

#define PRINTED(member) PAPER("hamada09-turbulence." member)

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%9lld", n),
        {"multipole_order", "p", "%2lld", ROW(order)},
        {"velocity_seconds", "velocity", "%10.4e", ROW(velocity)},
        {"exponent", "a", "%5.2f", ROW(exponent)},
        BENCH_SHOW("step", "%10.4e", timing.seconds),
        BENCH_BAR(0),
        {"pairs_per_particle", "pairs/N", "%7.0f", ROW(pairs)},
        {"operations", "operations", "%10.3e", ROW(operations)},
        BENCH_SHOW("GFlop/s", "%8.2f", gflops[0]),
        BENCH_BAR(0),
        BENCH_SHOW("err_L2", "%7.1e", errors.l2),
        BENCH_SHOW("err_max", "%7.1e", errors.max),
        {"err_stretching", "err_str", "%7.1e", ROW(stretching)},
        BENCH_BAR(0),
        {NULL, "H09: step", "%9.3g", PRINTED("seconds")},
        {NULL, "pairs/N", "%7.0f", PRINTED("pairs")},
        {NULL, "GFlop/s", "%8.0f", PRINTED("gflops")},
        {"theta", .field = ROW(theta)},
        {"reach", .field = ROW(reach)},
        {"core", .field = ROW(core)},
        {"periodic", .field = ROW(periodic)},
        {"n_leaf", .field = ROW(report.n_leaf)},
        {"tree_seconds", .field = ROW(report.seconds.tree)},
        {"up_seconds", .field = ROW(report.seconds.up)},
        {"lists_seconds", .field = ROW(report.seconds.lists)},
        {"near_seconds", .field = ROW(report.seconds.near)},
        {"down_seconds", .field = ROW(report.seconds.down)},
        {"copies_seconds", .field = ROW(report.seconds.copies)},
        {"hamada09.seconds", .field = PRINTED("seconds")},
        {"hamada09.pairs_per_particle", .field = PRINTED("pairs")},
        {"hamada09.operations", .field = PRINTED("operations")},
        {"hamada09.gflops", .field = PRINTED("gflops")},
        {0}};

static const struct bench_table table = {
        .name = "turbulence_fmm",
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {OPERATIONS},
};

/* ---- vortices ----------------------------------------------------------- */

/* A reproducible random number in [0, 1) for a state, which it advances. */
static double
next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Positions are rounded to float, so that errors do not include this
 * rounding. */
static koshu_status
scatter(const struct bench *b, struct koshu_context *context, size_t n,
        double box, struct koshu_vortices **vortices)
{
    uint64_t state = b->options->seed;
    KOSHU_TRY(koshu_vortices_create(context, n, vortices));
    struct koshu_vortices *v = *vortices;
    v->core = two_pi / cbrt((double)n);
    v->spacing = v->core;
    v->box = box;
    for (size_t i = 0; i < 3 * n; i++)
        v->state[i] = (float)(two_pi * next(&state) * (1 - 1e-6));
    for (size_t i = 0; i < 3 * n; i++)
        koshu_vortices_strength(v, 0)[i] = next(&state) / (double)n;
    return KOSHU_OK;
}

/* Velocities, and their gradients, from vortices on each other. */
struct sums {
    struct koshu_vortex_solver *solver;
    struct koshu_vortices *v;
    double *u, *g; /* g NULL: only velocities */
};

static koshu_status
once(void *user)
{
    const struct sums *s = user;
    return koshu_vortex_velocities(s->solver, s->v, s->v->n, NULL, s->u, s->g);
}

/* ---- errors ------------------------------------------------------------- */

/* Direct sums: options for which no cell is far enough away, and the core has
 * no cut-off. */
static koshu_status
sum_directly(struct koshu_context *ref, const struct koshu_vortices *v,
             size_t m, const double *places, double *u, double *g)
{
    const struct koshu_vortex_options o = {.precision = KOSHU_PRECISION_DOUBLE,
                                           .reach = 8,
                                           .multipole_order = 1,
                                           .theta = 1e-9};
    struct koshu_vortices there = *v;
    struct koshu_vortex_solver *solver;
    there.context = ref;
    KOSHU_TRY(koshu_vortex_solver_create(ref, &o, &solver));
    const koshu_status status =
            koshu_vortex_velocities(solver, &there, m, places, u, g);
    koshu_vortex_solver_destroy(solver);
    return status;
}

/* (alpha . grad) u_c of particle k; its gradients are element i of n. */
static double
stretching_of(const struct koshu_vortices *v, size_t k, const double *g,
              size_t n, size_t i, size_t c)
{
    double sum = 0;
    for (size_t a = 0; a < 3; a++)
        sum += koshu_vortices_strength(v, (int)a)[k] * g[(3 * c + a) * n + i];
    return sum;
}

/* g: for m of the particles, evenly spread over all. */
static double
stretching_error(const struct sums *s, size_t m, const double *g)
{
    const size_t n = s->v->n;
    double off = 0, size = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t c = 0; c < 3; c++) {
            const size_t k = (size_t)koshu_sample_particle(i, m, n);
            const double is = stretching_of(s->v, k, g, m, i, c);
            off += pow(stretching_of(s->v, k, s->g, n, k, c) - is, 2);
            size += is * is;
        }
    return sqrt(off / size);
}

static koshu_status
compare(struct bench *b, const struct sums *s, struct row *row)
{
    const size_t n = s->v->n, all = bench_compared_count(b, n),
                 m = all < MAX_COMPARED ? all : MAX_COMPARED;
    struct koshu_context *ref;
    if (m == 0 || s->v->box > 0) return KOSHU_OK;
    KOSHU_TRY(bench_ref(b, &ref));
    double *places = koshu_alloc(15 * m, sizeof *places), *u = places + 3 * m;
    if (!places) return koshu_fail_memory(b->context, 120 * m, "errors");
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; k < m; k++)
            places[c * m + k] =
                    s->v->state[c * n + koshu_sample_particle(k, m, n)];
    koshu_status status = bench_status_of(
            b, ref, sum_directly(ref, s->v, m, places, u, u + 3 * m));
    const struct bench_vectors is = {{u, u + m, u + 2 * m}, m, 1},
                               found = {{s->u, s->u + n, s->u + 2 * n}, n, 1};
    if (status == KOSHU_OK)
        status = bench_errors_between(b, &is, &found, &row->base.errors);
    if (status == KOSHU_OK) row->stretching = stretching_error(s, m, u + 3 * m);
    koshu_free(places);
    return status;
}

/* ---- a row -------------------------------------------------------------- */

static koshu_status
measure(struct bench *b, struct sums *s, struct row *row)
{
    const struct bench_work work = {.once = once, .user = s};
    const size_t repeats = b->options->repeats;
    struct koshu_laplace_report *const report = &row->report;
    struct bench_timing velocity;
    double *const g = s->g;
    s->g = NULL;
    KOSHU_TRY(bench_time(&work, repeats, &velocity));
    s->g = g;
    KOSHU_TRY(bench_time(&work, repeats, &row->base.timing));
    report->size = sizeof *report;
    KOSHU_TRY(koshu_vortex_solver_report(s->solver, report));
    row->velocity = velocity.seconds;
    row->base.interactions = (double)report->pairs;
    row->pairs = (double)report->pairs / (double)s->v->n;
    row->operations = OPERATIONS * (double)report->pairs;
    return compare(b, s, row);
}

static koshu_status
make_sums(struct bench *b, size_t n, struct sums *s)
{
    const struct turbulence_options *o = b->own;
    const struct koshu_vortex_options options = {
            .precision = o->base.precision,
            .reach = o->reach,
            .box = o->periodic ? two_pi : 0,
            .multipole_order = (unsigned)o->order,
            .theta = o->theta};
    KOSHU_TRY(scatter(b, b->context, n, options.box, &s->v));
    s->u = koshu_alloc(12 * n, sizeof *s->u);
    if (!s->u) return koshu_fail_memory(b->context, 96 * n, "velocities");
    s->g = s->u + 3 * n;
    return koshu_vortex_solver_create(b->context, &options, &s->solver);
}

static koshu_status
measure_n(struct bench *b, size_t n, struct row *row)
{
    const struct turbulence_options *o = b->own;
    struct sums s = {0};
    *row = (struct row){.base = bench_row(b, n),
                        .order = o->order,
                        .theta = o->theta,
                        .reach = o->reach,
                        .core = two_pi / cbrt((double)n),
                        .stretching = NAN,
                        .periodic = o->periodic};
    koshu_status status = make_sums(b, n, &s);
    if (status == KOSHU_OK) status = measure(b, &s, row);
    koshu_vortex_solver_destroy(s.solver);
    koshu_vortices_destroy(s.v);
    koshu_free(s.u);
    return status;
}

/* ---- all ---------------------------------------------------------------- */

/* Least squares in logarithms. */
static void
fit(struct turbulence_times *t)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    const double n = (double)t->n;
    for (size_t k = 0; k < t->n; k++) {
        const double a = log(t->xy[k][0]), c = log(t->xy[k][1]);
        x += a / n;
        y += c / n;
        xx += a * a / n;
        xy += a * c / n;
    }
    const double spread = xx - x * x;
    t->exponent = spread > 1e-12 ? (xy - x * y) / spread : NAN;
    t->at_one = exp(y - t->exponent * x);
}

static void
print_head(const struct bench *b)
{
    const struct turbulence_options *o = b->own;
    const struct bench_row row = bench_row(b, 0);
    printf("velocities of random vortices by the fast multipole method, %s "
           "precision, p = %zu, theta = %g, cores to %g sigma, %s\nbackend %s: "
           "%s\n",
           row.precision, o->order, o->theta, o->reach,
           o->periodic ? "periodic" : "free space", row.backend, row.device);
}

koshu_status
turbulence_fmm(struct bench *b, struct turbulence_times *t)
{
    const struct count_list *n = &b->options->n;
    if (!b->options->json) print_head(b);
    bench_start(b, &table, 0);
    for (t->n = 0; t->n < n->n;) {
        struct row row;
        KOSHU_TRY(measure_n(b, n->value[t->n], &row));
        t->xy[t->n][0] = (double)row.base.n;
        t->xy[t->n++][1] = row.velocity;
        fit(t);
        row.exponent = t->exponent;
        KOSHU_TRY(bench_add(b, &row));
    }
    if (!b->options->json && isfinite(t->exponent))
        printf("velocities: %.3g s (N / 10^6)^%.2f (Hamada09 Fig. 11: about "
               "N^1.15)\n",
               t->at_one * pow(1e6, t->exponent), t->exponent);
    return KOSHU_OK;
}
