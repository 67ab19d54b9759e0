/* SPDX-License-Identifier: MIT */
/* koshu bench jerk: accelerations and jerks from a j-particle store. */
#include <math.h>

#include <koshu/j_store.h>

#include "bench/cases.h"

static const char doc[] =
        "Accelerations, jerks and potentials of particles of a Plummer sphere "
        "from a j-particle store, as individual time steps take them: "
        "time, rate, and errors against ref in double precision. A call sets a "
        "new time, predicts the N j-particles to it, sums them on ni of them, "
        "and waits for the results. In single precision positions are rounded "
        "to float beforehand, for ref too.\v"
        "With ni = N, beside it, where the paper has that N: Belleman et al. "
        "2008, Table 4. Gflop/s are counted as 60 per interaction, as there.";

struct options {
    struct bench_options base;
    struct count_list ni; /* none given: N */
    bool nearest;
};

struct row {
    struct bench_row base;
    struct bench_errors jerk;
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"ni", "ni", "%8lld", ROW(base.n_i)},
        BENCH_SHOW("threads", "%7lld", threads),
        BENCH_SHOW("seconds", "%10.4e", timing.seconds),
        BENCH_SHOW("pairs/s", "%9.3e", rate),
        BENCH_SHOW("GF/s(60)", "%8.1f", gflops[0]),
        BENCH_SHOW("a: med", "%7.1e", errors.median),
        BENCH_SHOW("p99", "%7.1e", errors.p99),
        BENCH_SHOW("max", "%7.1e", errors.max),
        {"jerk_err_median", "j: med", "%7.1e", ROW(jerk.median)},
        {"jerk_err_p99", "p99", "%7.1e", ROW(jerk.p99)},
        {"jerk_err_max", "max", "%7.1e", ROW(jerk.max)},
        {"jerk_err_rms", .field = ROW(jerk.rms)},
        BENCH_BAR(0),
        {"belleman08-4.seconds", "seconds", "%9.3g",
         PAPER("belleman08-4.seconds")},
        {"belleman08-4.gflops", "GF/s(60)", "%8.1f",
         PAPER("belleman08-4.gflops")},
        BENCH_TELL("nearest", struct options, nearest),
        BENCH_TELL("eps2", struct bench_options, eps2),
        BENCH_TELL("offset", struct bench_options, offset),
        {0}};

static koshu_status
sums_make(const struct bench *b, const struct koshu_particle_const_view *v,
          size_t of, size_t n, struct bench_sums *sums)
{
    const bool nearest = ((const struct options *)b->own)->nearest;
    const unsigned what = BENCH_JERKS | (nearest ? BENCH_NEAREST : 0u);
    return bench_sums_make(b, v, of, n, what, sums);
}

struct caller {
    struct koshu_j_store *store;
    struct bench_sums *sums;
    struct koshu_j_store_start_options options;
    double time;
};

/* The time between calls: so short that no bit of a position changes. */
#define TIME_STEP 0x1p-300

static koshu_status
once(void *user)
{
    struct caller *c = user;
    c->time += TIME_STEP;
    KOSHU_TRY(koshu_j_store_set_time(c->store, c->time));
    KOSHU_TRY(koshu_j_store_start(c->store, &c->sums->i, c->sums->j.n,
                                  &c->options));
    return koshu_j_store_wait(c->store, &c->sums->result);
}

/* Makes the sums at time 0 and, if timing is not NULL, times a call. */
static koshu_status
sum(const struct bench *b, struct koshu_context *context,
    struct bench_sums *sums, struct bench_timing *timing)
{
    const struct options *o = b->own;
    struct koshu_j_store_options options = koshu_j_store_options_default();
    struct caller c = {.sums = sums,
                       .options = koshu_j_store_start_options_default()};
    const struct bench_work work = {once, NULL, &c};
    koshu_status status;
    options.precision = o->base.precision;
    c.options.softening = sqrt(o->base.eps2);
    c.options.nearest = o->nearest;
    KOSHU_TRY(koshu_j_store_create(context, sums->j.n, &options, &c.store));
    KOSHU_TRY_CLEANUP(koshu_j_store_set(c.store, NULL, &sums->j));
    if (timing) KOSHU_TRY_CLEANUP(bench_time(&work, o->base.repeats, timing));
    c.time = -TIME_STEP;
    KOSHU_TRY_CLEANUP(once(&c));
cleanup:
    koshu_j_store_destroy(c.store);
    return status;
}

/* ---- errors -------------------------------------------------------------- */

static koshu_status
compare(const struct bench *b, const struct bench_sums *sample,
        const struct bench_sums *all, struct row *row)
{
    const struct koshu_force_result *r = &sample->result, *s = &all->result;
    const size_t n = sample->i.n, of = all->i.n;
    const struct bench_vectors a_ref = {{r->ax, r->ay, r->az}, n, 1},
                               jerk_ref = {{r->jx, r->jy, r->jz}, n, 1},
                               a = {{s->ax, s->ay, s->az}, of, 1},
                               jerk = {{s->jx, s->jy, s->jz}, of, 1};
    KOSHU_TRY(bench_errors_between(b, &a_ref, &a, &row->base.errors));
    return bench_errors_between(b, &jerk_ref, &jerk, &row->jerk);
}

/* Compares a sample of the targets with ref. */
static koshu_status
take_errors(struct bench *b, const struct koshu_particle_const_view *v,
            const struct bench_sums *all, struct row *row)
{
    const size_t n = bench_compared_count(b, all->i.n);
    struct bench_sums sample = {0};
    struct koshu_context *ref;
    koshu_status status;
    row->jerk = row->base.errors;
    if (n == 0) return KOSHU_OK;
    KOSHU_TRY(bench_ref(b, &ref));
    KOSHU_TRY_CLEANUP(sums_make(b, v, all->i.n, n, &sample));
    KOSHU_TRY_CLEANUP(bench_status_of(b, ref, sum(b, ref, &sample, NULL)));
    status = compare(b, &sample, all, row);
cleanup:
    bench_sums_free(&sample);
    return status;
}

static koshu_status
measure(struct bench *b, void *user)
{
    struct row *row = user;
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct koshu_particles *particles;
    struct bench_sums sums = {0};
    koshu_status status;
    KOSHU_TRY(bench_particles(b, row->base.n, &particles));
    KOSHU_TRY_CLEANUP(koshu_particles_acquire_read(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY,
            &v));
    KOSHU_TRY_CLEANUP(sums_make(b, &v, v.n, row->base.n_i, &sums));
    KOSHU_TRY_CLEANUP(sum(b, b->context, &sums, &row->base.timing));
    status = take_errors(b, &v, &sums, row);
cleanup:
    bench_sums_free(&sums);
    koshu_particles_destroy(particles);
    return status;
}

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {60},
        .title = "acceleration + jerk + potential from a j-particle store",
        .figure = {.y_label = "interactions / s",
                   .curves = {{"koshu", ROW(base.rate)}},
                   .series = ROW(base.threads),
                   .series_name = "threads",
                   .papers = {"belleman08-4.seconds"},
                   .rates = true},
        .measure = measure,
        .axes = {{BENCH_OPTION(struct options, ni), ROW(base.n_i)}},
};

static koshu_status
check_ni(const struct bench *b)
{
    const struct options *o = b->own;
    for (size_t k = 0; k < o->base.n.n; k++)
        for (size_t i = 0; i < o->ni.n; i++)
            if (o->ni.value[i] > o->base.n.value[k])
                return koshu_fail(b->context, KOSHU_ERROR_BAD_INPUT,
                                  "--ni: %zu is more than the %zu particles",
                                  o->ni.value[i], o->base.n.value[k]);
    return KOSHU_OK;
}

static koshu_status
run(struct bench *b)
{
    KOSHU_TRY(check_ni(b));
    return bench_sweep(b, &table);
}

static const struct command_option own[] = {
        {"ni", 'i', "NI,NI,...",
         "numbers of i-particles, each at most N (N); few: how long a call "
         "takes",
         BENCH_OPTION(struct options, ni)},
        {"nearest", 0, NULL, "find nearest neighbours as well",
         BENCH_OPTION(struct options, nearest)},
        {0}};

static const struct options defaults = {
        .base = {.n = {6, {1024, 2048, 4096, 8192, 16384, 32768}},
                 .precision = KOSHU_PRECISION_MIXED,
                 .eps2 = 1e-4,
                 .seed = 1}};

const struct bench_case bench_jerk = {
        .name = "jerk",
        .items = (const struct bench_item[]){{"Belleman08", "Table 4",
                                              "times of forces and jerks", ""},
                                             {0}},
        .summary = "accelerations and jerks from a j-particle store",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION |
                 BENCH_TAKES_THREAD_LIST | BENCH_TAKES_EPS2 |
                 BENCH_TAKES_ERROR | BENCH_TAKES_OFFSET | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED | BENCH_TAKES_FILE,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .papers = (const char *const[]){"belleman08-4", NULL},
        .rounds = true,
        .run = run,
};
