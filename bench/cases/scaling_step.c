/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: the forces of a tree or of the FMM on several ranks, and
 * on each rank by itself, in turns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <koshu/ranks.h>

#include "bench/cases/scaling_tree.h"

/* A system whose forces are timed, and its fastest forces. */
struct subject {
    struct bench_system system;
    /* the system's; NULL: it is on another rank */
    struct koshu_context *context;
    /* of all ranks: those without a system sleep */
    struct koshu_context *sleep;
    size_t n;
    double least;
    double wall, processor; /* seconds of all repeats */
    struct koshu_tree_report report;
};

/* ---- systems ------------------------------------------------------------- */

static struct koshu_solver_options
solver_options(const struct bench *b)
{
    const struct scaling_options *o = b->own;
    struct koshu_solver_options solver = bench_solver_options(b);
    solver.method = o->method;
    solver.transport = o->transport;
    solver.tree = &o->tree;
    solver.fmm = &o->fmm;
    return solver;
}

/* The first evaluation lacks accelerations for the relative criterion and
 * counts to weight the domains; the second is the first with weights, and
 * changes the domains. */
static koshu_status
settle(struct subject *s)
{
    enum { EVALUATIONS = 2 };
    for (int k = 0; k < EVALUATIONS; k++) KOSHU_TRY(bench_forces(&s->system));
    return bench_wait(&s->system);
}

/* ---- particles apart ----------------------------------------------------- */

/* The number of axes at which a part of 2^axes ranks is divided: 0 if it is no
 * such number. */
static int
axes_of(int ranks)
{
    int axes = 0;
    while (axes < 3 && 1 << axes < ranks) axes++;
    return 1 << axes == ranks ? axes : 0;
}

/* Reflects the particles of each rank at planes through the origin, into the
 * place of its domain in a grid of 2 x 2 x 2, or fewer: of a model with these
 * symmetries another realisation. */
static koshu_status
place_apart(struct koshu_context *context, struct koshu_particles *particles)
{
    const int axes = axes_of(koshu_context_ranks(context)),
              rank = koshu_context_rank(context);
    struct koshu_particle_view v = {.size = sizeof v};
    int grid[3];
    if (axes == 0) return KOSHU_OK;
    for (int c = 0; c < 3; c++) grid[c] = c < axes ? 2 : 1;
    KOSHU_TRY(koshu_ranks_arrange(context, grid));
    KOSHU_TRY(koshu_particles_acquire_write(particles, KOSHU_FIELD_POSITION,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    double *const x[3] = {v.x, v.y, v.z};
    for (int c = 0; c < axes; c++) {
        const double sign = rank >> (axes - 1 - c) & 1 ? 1 : -1;
        for (size_t i = 0; i < v.n; i++) x[c][i] = sign * fabs(x[c][i]);
    }
    koshu_particles_release_write(particles);
    return KOSHU_OK;
}

/* ---- a system's forces --------------------------------------------------- */

/* Makes a system of n particles in this context. */
static koshu_status
make(const struct bench *b, struct koshu_context *context, size_t n,
     struct subject *s)
{
    const struct koshu_solver_options solver = solver_options(b);
    struct bench own = *b;
    *s = (struct subject){.context = context, .n = n};
    own.context = context;
    const bool apart = ((const struct scaling_options *)b->own)->apart;
    koshu_status status = bench_system_make(&own, n, &solver, NULL, &s->system);
    if (status == KOSHU_OK && apart)
        status = place_apart(context, s->system.particles);
    if (status == KOSHU_OK) status = settle(s);
    return bench_status_of(b, context, status);
}

/* ---- forces -------------------------------------------------------------- */

static double
processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static koshu_status
forces(struct subject *s)
{
    const double start = koshu_now(), processor = processor_seconds();
    KOSHU_TRY(bench_forces(&s->system));
    KOSHU_TRY(bench_wait(&s->system));
    const double seconds = koshu_now() - start;
    s->wall += seconds;
    s->processor += processor_seconds() - processor;
    if (s->least > 0 && seconds >= s->least) return KOSHU_OK;
    s->least = seconds;
    s->report.size = sizeof s->report;
    return koshu_solver_tree_report(s->system.solver, &s->report);
}

static koshu_status
once(void *user)
{
    struct subject *s = user;
    const koshu_status status = s->context ? forces(s) : KOSHU_OK;
    if (s->sleep) KOSHU_TRY(koshu_wait_for_all(s->sleep));
    return status;
}

/* ---- contexts ------------------------------------------------------------ */

/* The GPU of this rank in its context; "": none. */
static koshu_status
own_device(const struct bench *b, char text[16])
{
    int number[KOSHU_MAX_DEVICES];
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    const size_t n = backend->unit[0] ? scaling_gpus(b->context, number) : 0;
    const size_t turn = (size_t)koshu_context_local_rank(b->context);
    text[0] = '\0';
    if (n > 0) snprintf(text, 16, "%d", number[turn % n]);
    return KOSHU_OK;
}

/* A context for this rank alone. */
static koshu_status
make_own_context(const struct bench *b, struct koshu_context **own)
{
    struct koshu_context_options options = koshu_context_options_default();
    char device[16];
    KOSHU_TRY(own_device(b, device));
    options.backend = b->options->backend;
    options.devices = device[0] ? device : NULL;
    options.threads = koshu_context_threads(b->context);
    return bench_status_of(b, NULL, koshu_context_create(&options, own));
}

/* ---- reports ------------------------------------------------------------- */

/* Gathers the sum over all ranks, or the first rank's report. */
static koshu_status
gather_report(const struct bench *b, const struct subject *s, bool first,
              struct scaling_forces *to)
{
    const size_t ranks = (size_t)koshu_context_ranks(b->context);
    struct koshu_tree_report *each = calloc(ranks, sizeof *each);
    koshu_status status = KOSHU_OK;
    if (!each)
        status = koshu_fail_memory(b->context, ranks * sizeof *each,
                                   "reports of ranks");
    status = koshu_ranks_collective_status(b->context, status);
    if (status == KOSHU_OK)
        status = koshu_all_gather(b->context, &s->report, sizeof *each, each);
    to->n = s->n;
    to->reports = first ? 1 : ranks;
    for (size_t r = 0; status == KOSHU_OK && r < to->reports; r++)
        koshu_tree_report_add(&to->report, &each[r]);
    free(each);
    return status;
}

struct koshu_tree_report
scaling_mean(const struct scaling_forces *forces)
{
    struct koshu_tree_report r = forces->report;
    const double part = forces->reports > 0 ? 1.0 / (double)forces->reports : 0;
    double *const seconds[] = {&r.seconds.keys,
                               &r.seconds.sort,
                               &r.seconds.build,
                               &r.seconds.moments,
                               &r.seconds.groups,
                               &r.seconds.walk,
                               &r.seconds.transfer,
                               &r.seconds.force,
                               &r.exposed,
                               &r.exposed_seconds.domains,
                               &r.exposed_seconds.particles,
                               &r.exposed_seconds.essential,
                               &r.exposed_seconds.wait};
    uint64_t *const counts[] = {
            &r.interactions, &r.with_cells,           &r.cells_tested,
            &r.translations, &r.largest_interactions, &r.imported,
            &r.bytes_sent};
    for (size_t k = 0; k < sizeof seconds / sizeof seconds[0]; k++)
        *seconds[k] *= part;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        *counts[k] = (uint64_t)((double)*counts[k] * part + 0.5);
    return r;
}

double
scaling_build_seconds(const struct koshu_tree_report *report)
{
    return report->seconds.keys + report->seconds.sort + report->seconds.build +
           report->seconds.moments + report->seconds.groups;
}

/* ---- in turns ------------------------------------------------------------ */

enum which { ALL, EACH, ALONE };

/* The fraction of its processors that a rank had: the minimum of all ranks. */
static koshu_status
least_share(const struct bench *b, const struct subject *s, double *share)
{
    const double threads = koshu_context_threads(b->context);
    double missing = 1 - s->processor / (s->wall * threads);
    KOSHU_TRY(koshu_largest(b->context, &missing));
    *share = 1 - missing;
    return KOSHU_OK;
}

/* Times the first n subjects in turns. */
static koshu_status
time_all(const struct bench *b, struct subject *subjects, size_t n,
         struct scaling_step *step)
{
    struct scaling_forces *const to[] = {&step->all, &step->each, &step->alone};
    struct bench_work works[BENCH_WORKS];
    struct bench_timing timings[BENCH_WORKS];
    for (size_t k = 0; k < n; k++)
        works[k] = (struct bench_work){once, NULL, &subjects[k], b->context, 1};
    KOSHU_TRY(bench_times(n, works, b->options->repeats, timings));
    for (size_t k = 0; k < n; k++) {
        to[k]->timing = timings[k];
        KOSHU_TRY(gather_report(b, &subjects[k], k == ALONE, to[k]));
    }
    return least_share(b, &subjects[n > 1 ? EACH : ALL], &step->share);
}

static koshu_status
make_all(const struct bench *b, struct koshu_context *own, size_t n,
         size_t works, struct subject *s)
{
    const size_t ranks = (size_t)koshu_context_ranks(b->context);
    koshu_status status = make(b, b->context, n, &s[ALL]);
    KOSHU_TRY(koshu_ranks_collective_status(b->context, status));
    if (works > EACH) status = make(b, own, n / ranks, &s[EACH]);
    if (works > ALONE && koshu_is_first_rank(b->context) && status == KOSHU_OK)
        status = make(b, own, n, &s[ALONE]);
    if (works > ALONE) s[ALONE].sleep = b->context;
    return koshu_ranks_collective_status(b->context, status);
}

/* The errors of the last forces by all ranks together. */
static koshu_status
measure_errors(size_t sample, const struct bench_system *system,
               struct scaling_step *step)
{
    struct koshu_tree_errors e = {.size = sizeof e};
    KOSHU_TRY(koshu_solver_tree_errors(system->solver, system->particles,
                                       sample, &e));
    step->errors = (struct bench_errors){.particles = e.sample,
                                         .median = e.median,
                                         .p99 = e.p99,
                                         .max = e.max,
                                         .rms = e.rms,
                                         .l2 = NAN};
    return KOSHU_OK;
}

/* How many of the three to time: one rank gets at most o->alone particles, and
 * those of a file are not divided. */
static size_t
works_of(const struct scaling_options *o, size_t n, size_t ranks)
{
    if (ranks == 1 || n / ranks > o->alone || o->base.file) return 1;
    return n > o->alone ? 2 : 3;
}

koshu_status
scaling_step_time(const struct bench *b, size_t n, struct scaling_step *step)
{
    const struct scaling_options *o = b->own;
    struct subject subjects[BENCH_WORKS] = {{.context = NULL}};
    struct koshu_context *own = NULL;
    const int ranks = koshu_context_ranks(b->context);
    const size_t works = works_of(o, n, (size_t)ranks);
    *step = (struct scaling_step){.ranks = ranks, .n = n};
    koshu_status status = KOSHU_OK;
    if (works > 1) status = make_own_context(b, &own);
    status = koshu_ranks_collective_status(b->context, status);
    if (status == KOSHU_OK) status = make_all(b, own, n, works, subjects);
    if (status == KOSHU_OK) status = time_all(b, subjects, works, step);
    if (status == KOSHU_OK && o->sample > 0)
        status = measure_errors(o->sample, &subjects[ALL].system, step);
    for (int k = 0; k < BENCH_WORKS; k++)
        bench_system_free(&subjects[k].system);
    koshu_context_destroy(own);
    return status;
}
