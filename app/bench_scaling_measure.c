/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_scaling.h"
#include "internal.h"

enum { MIN_TIMES = 3, MAX_TIMES = 25, PAPER_CAPACITY = 1 << 24 };
static const double long_enough = 0.2; /* seconds */

/* ---- one thing, many times ----------------------------------------------- */

/* From when the last rank begins to when the last has ended. */
static koshu_status
time_once(struct koshu_context *c, koshu_status (*once)(void *), void *user,
          double *seconds)
{
    KOSHU_TRY(koshu_ranks_collective_status(c, KOSHU_OK));
    double start = koshu_now();
    koshu_status status = once(user);
    *seconds = koshu_now() - start;
    KOSHU_TRY(koshu_ranks_collective_status(c, status));
    return koshu_largest(c, seconds);
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

koshu_status
scaling_time(struct koshu_context *c, koshu_status (*once)(void *), void *user,
             size_t *repeats, double *seconds)
{
    double first, times[MAX_TIMES];
    KOSHU_TRY(time_once(c, once, user, &first)); /* pages, threads */
    if (first < long_enough) KOSHU_TRY(time_once(c, once, user, &first));
    double wished = fmin(fmax(long_enough / first, MIN_TIMES), MAX_TIMES);
    size_t n = *repeats > 0 && *repeats < MAX_TIMES ? *repeats : (size_t)wished;
    for (size_t k = 0; k < n; k++)
        KOSHU_TRY(time_once(c, once, user, &times[k]));
    qsort(times, n, sizeof *times, compare);
    *repeats = n;
    *seconds = times[n / 2];
    return KOSHU_OK;
}

koshu_status
scaling_fit_line(struct scaling_line *line)
{
    struct koshu_fit_point points[SCALING_SIZES];
    for (size_t k = 0; k < line->n; k++)
        points[k] = (struct koshu_fit_point){line->x[k], 1, 0, line->t[k]};
    return koshu_least_squares(points, line->n, &line->fit);
}

/* ---- sums ---------------------------------------------------------------- */

/* One sum; of GPUs, that begin with the next meanwhile, some in a row, as a run
 * has them. */
struct sums {
    struct bench_forces forces;
    int in_a_row;
};

static koshu_status
sum_once(void *user)
{
    struct sums *s = user;
    struct bench_forces *f = &s->forces;
    for (int k = 0; k < s->in_a_row; k++)
        KOSHU_TRY(koshu_solver_forces(f->solver, f->particles, f->fields));
    return koshu_solver_wait(f->solver);
}

/* Until they take long enough for what is between two of them to be nothing. */
static koshu_status
choose_row(struct koshu_context *c, struct sums *s)
{
    const double longest = 4;
    double seconds;
    s->in_a_row = 1;
    KOSHU_TRY(time_once(c, sum_once, s, &seconds)); /* pages, threads */
    if (seconds < long_enough) KOSHU_TRY(time_once(c, sum_once, s, &seconds));
    s->in_a_row = (int)fmin(fmax(long_enough / seconds, 1), longest);
    return KOSHU_OK;
}

static koshu_status
all_on_devices(struct koshu_context *c, bool *all)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(c, &backend));
    unsigned without = backend->unit[0] == 0;
    KOSHU_TRY(koshu_collective_status(c, KOSHU_OK, &without));
    *all = without == 0;
    return KOSHU_OK;
}

/* On a terminal: a line that the next one replaces. */
static void
show_progress(const struct scaling_options *o, size_t ranks, size_t n)
{
    if (is_terminal(STDERR_FILENO))
        fprintf(stderr, "\r\033[Kkoshu bench scaling: %zu %s%s, N = %zu", ranks,
                o->gpus ? "GPU" : "rank", ranks == 1 ? "" : "s", n);
}

static koshu_status
make_forces(struct koshu_context *c, const struct scaling_options *o, size_t n,
            struct bench_forces *f)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = o->problem.precision;
    options.softening = sqrt(o->problem.eps2);
    options.j_capacity = o->capacity;
    options.transport = o->transport;
    *f = (struct bench_forces){.fields = KOSHU_FIELD_ACCELERATION};
    KOSHU_TRY(koshu_solver_create(c, &options, &f->solver));
    return bench_particles_of(c, &o->problem, n, &f->particles);
}

static koshu_status
measure_sum(struct koshu_context *c, size_t ranks,
            const struct scaling_options *o, size_t n, struct scaling *s)
{
    struct scaling_point p = {
            .ranks = (int)ranks, .n = n, .repeats = o->repeats};
    struct sums sums = {.in_a_row = 1};
    bool rows = false;
    show_progress(o, ranks, n);
    koshu_status status = make_forces(c, o, n, &sums.forces);
    if (status == KOSHU_OK) status = all_on_devices(c, &rows);
    if (status == KOSHU_OK && rows) status = choose_row(c, &sums);
    if (status == KOSHU_OK)
        status = scaling_time(c, sum_once, &sums, &p.repeats, &p.seconds);
    p.seconds /= sums.in_a_row;
    bench_forces_free(&sums.forces);
    if (status == KOSHU_OK && s->n_points < SCALING_POINTS)
        s->points[s->n_points++] = p;
    return status;
}

/* Has this been measured? */
static bool
has_point(const struct scaling *s, int ranks, size_t n)
{
    for (size_t k = 0; k < s->n_points; k++)
        if (s->points[k].ranks == ranks && s->points[k].n == n) return true;
    return false;
}

koshu_status
scaling_sums(struct koshu_context *c, size_t ranks,
             const struct scaling_options *o, struct scaling *s)
{
    size_t times = ranks == 1 ? o->n_ranks : 1;
    for (size_t t = 0; t < times; t++)
        for (size_t k = 0; k < o->n_sizes; k++) {
            size_t n = o->per_rank[k] * (ranks == 1 ? o->ranks[t] : ranks);
            if (has_point(s, (int)ranks, n)) continue;
            if (t > 0 && n > o->alone) continue;
            KOSHU_TRY(measure_sum(c, ranks, o, n, s));
        }
    return KOSHU_OK;
}

double
scaling_seconds(const struct scaling *s, int ranks, size_t n)
{
    const struct scaling_point *largest = NULL;
    for (size_t k = 0; k < s->n_points; k++) {
        const struct scaling_point *p = &s->points[k];
        if (p->ranks != ranks) continue;
        if (p->n == n) return p->seconds;
        if (!largest || p->n > largest->n) largest = p;
    }
    if (ranks > 1 || !largest || n < largest->n) return NAN;
    double more = (double)n / (double)largest->n;
    return largest->seconds * more * more;
}

/* ---- what else there is -------------------------------------------------- */

struct spending {
    struct koshu_context *context;
    size_t n;
    struct koshu_transfer transfer;
};

static koshu_status
sync_once(void *user)
{
    const struct spending *s = user;
    for (size_t k = 0; k < s->n; k++)
        KOSHU_TRY(koshu_ranks_collective_status(s->context, KOSHU_OK));
    return KOSHU_OK;
}

static koshu_status
measure_sync(struct koshu_context *c, struct scaling_line *line)
{
    for (size_t n = 1; n <= 256; n *= 4, line->n++) {
        struct spending s = {.context = c, .n = n};
        size_t repeats = 0;
        line->x[line->n] = (double)n;
        KOSHU_TRY(scaling_time(c, sync_once, &s, &repeats, &line->t[line->n]));
    }
    return scaling_fit_line(line);
}

static koshu_status
transfer_once(void *user)
{
    const struct spending *s = user;
    KOSHU_TRY(koshu_transfer_start(s->context, &s->transfer));
    return koshu_transfer_wait(s->context);
}

/* In both directions at once between the first two ranks, as a stage does. */
static koshu_status
measure_transfer(struct koshu_context *c, struct scaling_line *line)
{
    enum { FIRST = 64, LAST = 1 << 18 };
    int other = 1 - koshu_ranks_rank(c);
    struct spending s = {.context = c,
                         .transfer = {other, other, KOSHU_TRANSFER_COLUMNS}};
    double *arrays = koshu_alloc(2 * KOSHU_TRANSFER_COLUMNS * (size_t)LAST,
                                 sizeof *arrays);
    koshu_status status = KOSHU_OK;
    if (!arrays)
        status = koshu_fail_memory(c, 8 * sizeof *arrays * LAST, "transfers");
    status = koshu_ranks_collective_status(c, status);
    for (int k = 0; k < KOSHU_TRANSFER_COLUMNS && arrays; k++) {
        s.transfer.send[k] = arrays + (size_t)k * LAST;
        s.transfer.receive[k] = arrays + (size_t)(k + 4) * LAST;
    }
    for (size_t n = FIRST; n <= LAST && status == KOSHU_OK; n *= 4, line->n++) {
        size_t repeats = 0;
        s.transfer.n_send = s.transfer.n_receive = n;
        line->x[line->n] = (double)n;
        status =
                scaling_time(c, transfer_once, &s, &repeats, &line->t[line->n]);
    }
    koshu_free(arrays);
    return status == KOSHU_OK ? scaling_fit_line(line) : status;
}

/* ---- all of it ----------------------------------------------------------- */

/* On the ranks of one number of them. */
static koshu_status
measure_ranks(struct koshu_context *c, const struct scaling_options *o,
              struct scaling *s, size_t k)
{
    KOSHU_TRY(scaling_sums(c, (size_t)koshu_ranks_count(c), o, s));
    if (koshu_ranks_count(c) == 1) return bench_launch_cost(c, 0, &s->launch);
    KOSHU_TRY(measure_sync(c, &s->sync[k]));
    if (koshu_ranks_count(c) > 2) return KOSHU_OK;
    return measure_transfer(c, &s->transfer);
}

/* The other ranks sleep. */
static koshu_status
measure_first(const struct scaling_options *o, struct scaling *s, size_t k)
{
    struct koshu_context_options options = koshu_context_options_default();
    struct koshu_context *c;
    int n = (int)o->ranks[k];
    options.backend = o->backend;
    options.threads = koshu_context_threads(s->whole);
    koshu_status status = koshu_context_create(&options, &c);
    KOSHU_TRY(koshu_ranks_collective_status(s->whole, status));
    status = koshu_split_first(s->whole, n, c);
    if (status == KOSHU_OK && koshu_ranks_rank(s->whole) < n) {
        status = measure_ranks(c, o, s, k);
        snprintf(s->transport, sizeof s->transport, "%s",
                 koshu_ranks_transport(c));
        if (status != KOSHU_OK)
            status = koshu_fail(s->whole, status, "%s",
                                koshu_context_message(c));
    }
    koshu_context_destroy(c);
    KOSHU_TRY(koshu_wait_for_all(s->whole));
    return koshu_ranks_collective_status(s->whole, status);
}

static koshu_status
fit_sums(struct scaling *s)
{
    struct koshu_rank_point points[SCALING_POINTS];
    size_t n = 0;
    for (size_t k = 0; k < s->n_points; k++)
        if (s->points[k].ranks == 1)
            points[n++] = (struct koshu_rank_point){s->points[k].n,
                                                    s->points[k].seconds};
    return koshu_rank_fit_sums(points, n, &s->costs.costs, &s->largest);
}

/* A line through the t_sync of each number of ranks, over its logarithm; but
 * for those that were lost in other programs' use of the processors. What more
 * than two GPUs take is predicted from one and two alone. */
static koshu_status
fit_sync(const struct scaling_options *o, struct scaling *s)
{
    struct koshu_fit_point points[BENCH_LIST];
    struct koshu_fit fit = {0};
    size_t n = 0;
    for (size_t k = 0; k < o->n_ranks; k++)
        if (s->sync[k].n > 0 && s->sync[k].fit.a > 0 &&
            (!o->gpus || n == 0 || o->ranks[k] <= 2))
            points[n++] = (struct koshu_fit_point){log2((double)o->ranks[k]), 1,
                                                   0, s->sync[k].fit.a};
    if (n > 0) KOSHU_TRY(koshu_least_squares(points, n, &fit));
    s->costs.costs.sync_doubling = fit.a;
    s->costs.costs.sync = fit.b;
    return KOSHU_OK;
}

static koshu_status
fit(const struct scaling_options *o, struct scaling *s)
{
    struct koshu_rank_costs *c = &s->costs.costs;
    KOSHU_TRY(fit_sums(s));
    KOSHU_TRY(fit_sync(o, s));
    c->particle = s->transfer.fit.a;
    c->message = s->transfer.fit.b;
    c->streams = 1;
    c->capacity = o->capacity > 0 ? o->capacity : PAPER_CAPACITY;
    s->costs.ranks = o->gpus ? (int)o->ranks[o->n_ranks - 1]
                             : koshu_ranks_count(s->whole);
    snprintf(s->costs.precision, sizeof s->costs.precision, "%s",
             koshu_precision_name(o->problem.precision));
    return KOSHU_OK;
}

koshu_status
scaling_measure(const struct scaling_options *options, struct scaling *s)
{
    struct koshu_backend *backend;
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    long ranks_here = here ? strtol(here, NULL, 10) : 1;
    s->crowded = ranks_here * koshu_context_threads(s->whole) >
                 sysconf(_SC_NPROCESSORS_ONLN);
    KOSHU_TRY(koshu_backend_of(s->whole, &backend));
    snprintf(s->costs.device, sizeof s->costs.device, "%s: %s",
             backend->ops->name, backend->device);
    for (size_t k = 0; k < options->n_ranks; k++)
        KOSHU_TRY(options->gpus ? scaling_measure_gpus(options, s, k)
                                : measure_first(options, s, k));
    koshu_status status = KOSHU_OK;
    if (is_terminal(STDERR_FILENO)) fputs("\r\033[K", stderr);
    if (koshu_ranks_rank(s->whole) == 0) status = fit(options, s);
    return koshu_ranks_collective_status(s->whole, status);
}
