/* SPDX-License-Identifier: MIT */
/* koshu bench jerk: accelerations and jerks from a j-particle store. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    struct count_list ni; /* none: N */
    bool nearest;
};

struct row {
    struct bench_row base;
    struct bench_errors jerk;
};

/* ---- columns ------------------------------------------------------------- */

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"ni", "ni", "%8lld", BENCH_ROW(struct bench_row, n_i)},
        BENCH_SHOW("threads", "%7lld", threads),
        BENCH_SHOW("seconds", "%10.4e", timing.seconds),
        BENCH_SHOW("pairs/s", "%9.3e", rate),
        BENCH_SHOW("GF/s(60)", "%8.1f", gflops[0]),
        BENCH_SHOW("a: med", "%7.1e", errors.median),
        BENCH_SHOW("p99", "%7.1e", errors.p99),
        BENCH_SHOW("max", "%7.1e", errors.max),
        {"jerk_err_median", "j: med", "%7.1e",
         BENCH_ROW(struct row, jerk.median)},
        {"jerk_err_p99", "p99", "%7.1e", BENCH_ROW(struct row, jerk.p99)},
        {"jerk_err_max", "max", "%7.1e", BENCH_ROW(struct row, jerk.max)},
        {"jerk_err_rms", .field = BENCH_ROW(struct row, jerk.rms)},
        BENCH_BAR(0),
        {"belleman08-4.seconds", "seconds", "%9.3g",
         BENCH_PAPER("belleman08-4.seconds")},
        {"belleman08-4.gflops", "GF/s(60)", "%8.1f",
         BENCH_PAPER("belleman08-4.gflops")},
        BENCH_TELL("nearest", struct options, nearest),
        BENCH_TELL("eps2", struct bench_options, eps2),
        BENCH_TELL("offset", struct bench_options, offset),
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {60},
        .title = "acceleration + jerk + potential from a j-particle store",
        .figure = {.y_label = "interactions / s",
                   .curves = {{"koshu", BENCH_ROW(struct bench_row, rate)}},
                   .series = BENCH_ROW(struct bench_row, threads),
                   .series_name = "threads",
                   .papers = {"belleman08-4.seconds"},
                   .rates = true},
};

/* ---- i-particles, and sums on them --------------------------------------- */

struct targets {
    struct koshu_i_particles i;
    struct koshu_force_result sums;
    double *memory;
    int64_t *id; /* in the store of particles */
    uint64_t *nearest;
};

enum { POSITIONS = 6, SUMS = 8 };

static void
targets_free(struct targets *t)
{
    free(t->memory);
    free(t->id);
    free(t->nearest);
}

/* n of the particles, evenly distributed over them; or over other targets. The
 * caller frees them, whatever the status. */
static koshu_status
targets_make(const struct bench *b, const struct koshu_particle_const_view *v,
             const struct targets *others, size_t n, struct targets *t)
{
    const struct options *o = b->own;
    const double *const from[POSITIONS] = {v->x,  v->y,  v->z,
                                           v->vx, v->vy, v->vz};
    double *m = calloc(n, (POSITIONS + SUMS) * sizeof *m);
    *t = (struct targets){.memory = m,
                          .id = calloc(n, sizeof *t->id),
                          .nearest = calloc(n, sizeof *t->nearest)};
    if (!m || !t->id || !t->nearest)
        return koshu_fail_memory(b->context, 16 * n * sizeof *m, "i-particles");
    for (size_t k = 0; k < n; k++) {
        t->id[k] = others ? others->id[k * others->i.n / n]
                          : (int64_t)(k * v->n / n);
        for (size_t c = 0; c < POSITIONS; c++) m[c * n + k] = from[c][t->id[k]];
    }
    t->i = (struct koshu_i_particles){.n = n, .id = t->id};
    t->i.x = m, t->i.y = m + n, t->i.z = m + 2 * n;
    t->i.vx = m + 3 * n, t->i.vy = m + 4 * n, t->i.vz = m + 5 * n;
    double *a = m + POSITIONS * n;
    t->sums = (struct koshu_force_result){.potential = a + 6 * n};
    t->sums.ax = a, t->sums.ay = a + n, t->sums.az = a + 2 * n;
    t->sums.jx = a + 3 * n, t->sums.jy = a + 4 * n, t->sums.jz = a + 5 * n;
    if (o->nearest) t->sums.nearest_r2 = a + 7 * n;
    if (o->nearest) t->sums.nearest = t->nearest;
    return KOSHU_OK;
}

/* ---- a call -------------------------------------------------------------- */

struct caller {
    struct koshu_j_store *store;
    struct targets *targets;
    struct koshu_j_store_start_options options;
    double time;
    size_t n; /* j-particles */
};

/* To the next time: so little that no bit of a position changes. */
#define TIME_STEP 0x1p-300

static koshu_status
once(void *user)
{
    struct caller *c = user;
    c->time += TIME_STEP;
    KOSHU_TRY(koshu_j_store_set_time(c->store, c->time));
    KOSHU_TRY(koshu_j_store_start(c->store, &c->targets->i, c->n, &c->options));
    return koshu_j_store_wait(c->store, &c->targets->sums);
}

/* The sums at time 0; and what a call takes, where timing is not NULL. */
static koshu_status
sum(const struct bench *b, struct koshu_context *context,
    const struct koshu_particle_const_view *v, struct targets *targets,
    struct bench_timing *timing)
{
    const struct options *o = b->own;
    const struct koshu_j_particles j = {.n = v->n,
                                        .x = v->x,
                                        .y = v->y,
                                        .z = v->z,
                                        .vx = v->vx,
                                        .vy = v->vy,
                                        .vz = v->vz,
                                        .mass = v->mass};
    struct koshu_j_store_options options = koshu_j_store_options_default();
    struct caller c = {.targets = targets,
                       .options = koshu_j_store_start_options_default(),
                       .n = v->n};
    const struct bench_work work = {once, NULL, &c};
    koshu_status status;
    options.precision = o->base.precision;
    c.options.softening = sqrt(o->base.eps2);
    c.options.nearest = o->nearest;
    KOSHU_TRY(koshu_j_store_create(context, v->n, &options, &c.store));
    KOSHU_TRY_CLEANUP(koshu_j_store_set(c.store, NULL, &j));
    if (timing) KOSHU_TRY_CLEANUP(bench_time(&work, o->base.repeats, timing));
    c.time = -TIME_STEP;
    KOSHU_TRY_CLEANUP(once(&c));
cleanup:
    koshu_j_store_destroy(c.store);
    return status;
}

/* ---- errors -------------------------------------------------------------- */

/* Of vectors a of the targets, against those of a sample of them. */
static bool
errors_of(const struct targets *all, const double *const a[3], size_t n,
          const double *const reference[3], struct bench_errors *errors)
{
    double *sample = calloc(n, 3 * sizeof *sample);
    if (!sample) return false;
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; k < n; k++)
            sample[c * n + k] = a[c][k * all->i.n / n];
    const double *const chosen[3] = {sample, sample + n, sample + 2 * n};
    const bool done = bench_errors_between(n, reference, chosen, errors);
    free(sample);
    return done;
}

static koshu_status
compare(struct bench *b, const struct koshu_particle_const_view *v,
        const struct targets *all, struct row *row)
{
    const size_t n = bench_compared_count(b, all->i.n);
    const struct koshu_force_result *s = &all->sums;
    struct koshu_context *ref;
    struct targets sample;
    row->jerk = row->base.errors;
    if (n == 0) return KOSHU_OK;
    KOSHU_TRY(bench_ref(b, &ref));
    koshu_status status = targets_make(b, v, all, n, &sample);
    if (status == KOSHU_OK)
        status = bench_ref_status(b, sum(b, ref, v, &sample, NULL));
    if (status == KOSHU_OK) {
        const struct koshu_force_result *t = &sample.sums;
        const double *const a[3] = {s->ax, s->ay, s->az},
                            *const jerk[3] = {s->jx, s->jy, s->jz},
                            *const a_ref[3] = {t->ax, t->ay, t->az},
                            *const jerk_ref[3] = {t->jx, t->jy, t->jz};
        if (!errors_of(all, a, n, a_ref, &row->base.errors) ||
            !errors_of(all, jerk, n, jerk_ref, &row->jerk))
            status = koshu_fail_memory(b->context, 32 * n, "errors");
    }
    targets_free(&sample);
    return status;
}

/* ---- rows ---------------------------------------------------------------- */

static koshu_status
measure(struct bench *b, struct koshu_particles *particles, size_t ni)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct row row = {.base = bench_row(b, koshu_particles_count(particles))};
    struct targets targets;
    row.base.n_i = ni;
    row.base.interactions = (double)row.base.n * (double)ni;
    KOSHU_TRY(koshu_particles_acquire_read(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY,
            &v));
    koshu_status status = targets_make(b, &v, NULL, ni, &targets);
    if (status == KOSHU_OK)
        status = sum(b, b->context, &v, &targets, &row.base.timing);
    if (status == KOSHU_OK) status = compare(b, &v, &targets, &row);
    targets_free(&targets);
    koshu_particles_release_read(particles);
    return status == KOSHU_OK ? bench_add(b, &row) : status;
}

/* One n, with each ni. */
static koshu_status
run_n(struct bench *b, size_t n)
{
    const struct count_list *ni = &((const struct options *)b->own)->ni;
    struct koshu_particles *particles;
    KOSHU_TRY(bench_particles_rounded(b, n, &particles));
    koshu_status status = KOSHU_OK;
    if (ni->n == 0) status = measure(b, particles, n);
    for (size_t k = 0; status == KOSHU_OK && k < ni->n; k++)
        status = measure(b, particles, ni->value[k]);
    koshu_particles_destroy(particles);
    return status;
}

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
    const struct count_list *n = &b->options->n,
                            *threads = &b->options->threads;
    KOSHU_TRY(check_ni(b));
    bench_start(b, &table, 0);
    for (size_t k = 0; k < n->n; k++)
        for (size_t t = 0; t < (threads->n ? threads->n : 1); t++) {
            KOSHU_TRY(bench_use_threads(b, threads->value[t]));
            KOSHU_TRY(run_n(b, n->value[k]));
        }
    return KOSHU_OK;
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
        .summary = "accelerations and jerks from a j-particle store",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_BACKEND |
                 BENCH_TAKES_THREAD_LIST | BENCH_TAKES_EPS2 |
                 BENCH_TAKES_ERROR | BENCH_TAKES_OFFSET | BENCH_TAKES_REPEATS |
                 BENCH_TAKES_SEED | BENCH_TAKES_FILE | BENCH_TAKES_PLOT,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .papers = (const char *const[]){"belleman08-4", NULL},
        .run = run,
};
