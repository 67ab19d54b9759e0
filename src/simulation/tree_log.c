/* SPDX-License-Identifier: MIT */
/*
 * Two logs of runs with the tree or the FMM. errors.csv: errors of forces on a
 * sample, and lengths of interaction lists; identical for identical runs.
 * performance.csv: the wall time of the stages of the steps since the last row
 * (Hamada09 Fig. 9; Hamada10 Fig. 7).
 */
#include <math.h>

#include "base/base.h"
#include "devices/devices.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

void
koshu_tree_log_begin(struct koshu_simulation *simulation)
{
    simulation->tree_log.before = simulation->solver->tree_total;
}

static double
part(uint64_t a, uint64_t of)
{
    return of > 0 ? (double)a / (double)of : 0;
}

static double
list_length(const struct koshu_tree_report *r)
{
    return part(r->interactions, r->particles);
}

/* ---- the size of the sample ---------------------------------------------- */

/* The cost of errors relative to the interactions of the steps between two
 * rows, at most. It depends on the present step alone, so a restart takes the
 * same sample. */
static const double errors_fraction = 0.01;

/* A tree on the host takes as long as a GPU needs for this many interactions of
 * each particle (500,000 particles: 0.15 s on 16 cores, at 1e12 a second). */
static const double host_tree_length = 1 << 18;

/* Interactions per particle in a step. */
static double
length_of_step(const struct koshu_simulation *s)
{
    if (!koshu_method_has_cells(s->values->solver.method))
        return (double)koshu_particles_total(s->particles);
    return list_length(&s->solver->tree_last);
}

/* Ewald sums cost more: this many interactions of each particle times the root
 * of the sample size (2.2 us, at 1e9 a second). They may take a larger part of
 * a run, and some are always computed. */
static const double ewald_length = 2200;
static const double ewald_fraction = 0.1;
enum { LEAST_BY_EWALD = 16 };

/* Each sample particle costs an interaction with every particle. At least
 * one. */
static size_t
size_of_sample(const struct koshu_simulation *s)
{
    const uint64_t sample = s->values->errors.sample;
    const bool box = koshu_solver_box(s->solver) > 0;
    const double length = (double)s->values->errors.steps * length_of_step(s);
    const double max = box ? pow(ewald_fraction * length / ewald_length, 2)
                           : errors_fraction * length;
    const size_t least = box ? LEAST_BY_EWALD : 1;
    if (max >= (double)sample) return sample;
    return max > (double)least ? (size_t)max : least < sample ? least : sample;
}

/* The list length of the original algorithm is measured on one rank only, and
 * while a host can be expected to have memory for another tree: 100 bytes for
 * each particle. */
static bool
has_length(const struct koshu_simulation *s)
{
    const size_t max = (size_t)1 << 28;
    return s->values->solver.method == KOSHU_METHOD_TREE &&
           koshu_context_ranks(s->context) == 1 &&
           koshu_particles_total(s->particles) <= max;
}

/* If a device builds the run's trees, the tree on the host for the original
 * algorithm is made after 2^k times errors.steps; otherwise with each row. */
static bool
original_is_due(const struct koshu_simulation *s, uint64_t steps_made)
{
    const double least = host_tree_length / errors_fraction / length_of_step(s);
    double steps = (double)s->values->errors.steps;
    if (!has_length(s)) return false;
    if (!koshu_solver_tree_on_device(s->solver)) return true;
    while (steps < least) steps *= 2;
    return fmod((double)steps_made, steps) == 0;
}

/* ---- errors.csv ---------------------------------------------------------- */

/* The columns; values as in append_errors(). */
#define ERRORS_0_2(COLUMN, barnes_hut_length) \
    COLUMN(time, job->time)                   \
    COLUMN(sample, (double)e->sample)         \
    COLUMN(err_median, e->median)             \
    COLUMN(err_p90, e->p90)                   \
    COLUMN(err_p99, e->p99)                   \
    COLUMN(err_max, e->max)                   \
    COLUMN(list_length, job->list_length)     \
    COLUMN(barnes_hut_length, job->tells_length ? e->barnes_hut_length : NAN)
#define FORMER(COLUMN) ERRORS_0_2(COLUMN, original_length)
#define WITHOUT_RMS(COLUMN) ERRORS_0_2(COLUMN, barnes_hut_length)
#define WITHOUT_L2(COLUMN) WITHOUT_RMS(COLUMN) COLUMN(err_rms, e->rms)
#define NOW(COLUMN) WITHOUT_L2(COLUMN) COLUMN(err_l2, e->l2)

const char koshu_errors_header[] = KOSHU_CSV_HEADER(NOW);
const char *const koshu_errors_former[] = {KOSHU_CSV_HEADER(WITHOUT_L2),
                                           KOSHU_CSV_HEADER(WITHOUT_RMS),
                                           KOSHU_CSV_HEADER(FORMER), NULL};

static bool
errors_are_due(const struct koshu_simulation *s)
{
    return koshu_log_is_due(s, KOSHU_ERRORS_LOG) &&
           s->integrator->clock.synchronised_steps % s->values->errors.steps ==
                   0;
}

static koshu_status
append_errors(struct koshu_simulation *s, const struct koshu_job *job)
{
    const struct koshu_tree_errors *e = &job->errors;
    const double row[] = KOSHU_CSV_ROW(NOW);
    struct koshu_csv_log *const log = s->log[KOSHU_ERRORS_LOG];
    koshu_status status = KOSHU_OK;
    s->tree_log.last = *e;
    if (log)
        status = koshu_csv_log_append(log, job->step, row,
                                      sizeof row / sizeof row[0]);
    return koshu_ranks_collective_status(s->context, status);
}

static koshu_status
find_length(struct koshu_particles *particles, struct koshu_job *job)
{
    if (!job->finds_length) return KOSHU_OK;
    return koshu_solver_barnes_hut_length(job->solver, particles,
                                          job->errors.sample,
                                          &job->errors.barnes_hut_length);
}

/* While a device makes the steps, the host has time to build a tree. */
static koshu_status
write_errors(struct koshu_simulation *s)
{
    const struct koshu_integrator_clock *now = &s->integrator->clock;
    struct koshu_job job = {.work = find_length,
                            .end = append_errors,
                            .fields = KOSHU_FIELD_ALL,
                            .solver = s->solver,
                            .errors = s->tree_log.last,
                            .list_length = length_of_step(s),
                            .step = now->steps,
                            .time = now->time};
    const bool beside = s->rows_beside && koshu_solver_box(s->solver) == 0;
    if (s->row_pending) KOSHU_TRY(koshu_writer_settle(s, true));
    job.tells_length = original_is_due(s, now->synchronised_steps);
    /* also if none is known yet, for the rates in performance.csv */
    job.finds_length =
            job.tells_length || (job.errors.sample == 0 && has_length(s));
    KOSHU_TRY(koshu_solver_tree_errors_of(
            s->solver, s->particles, size_of_sample(s), false, &job.errors));
    if (!job.finds_length || !beside) return koshu_job_do(s, &job);
    s->row_pending = true;
    return koshu_writer_do(s, &job);
}

/* ---- performance.csv ----------------------------------------------------- */

/* Seconds and counts per step; counts of walks and cells per particle. */
#define PERFORMANCE(COLUMN, cells_tested)                \
    COLUMN(time, now->time)                              \
    COLUMN(steps, n)                                     \
    COLUMN(keys, r.seconds.keys / n)                     \
    COLUMN(sort, r.seconds.sort / n)                     \
    COLUMN(build, r.seconds.build / n)                   \
    COLUMN(moments, r.seconds.moments / n)               \
    COLUMN(groups, r.seconds.groups / n)                 \
    COLUMN(walk, r.seconds.walk / n)                     \
    COLUMN(transfer, r.seconds.transfer / n)             \
    COLUMN(force, r.seconds.force / n)                   \
    COLUMN(integration, (log->stepping - forces) / n)    \
    COLUMN(list_length, length)                          \
    COLUMN(list_cells, part(r.with_cells, r.particles))  \
    COLUMN(groups_made, (double)r.groups / n)            \
    COLUMN(cells, (double)r.cells / n)                   \
    COLUMN(cells_tested, part(r.cells_tested, r.groups)) \
    COLUMN(n_crit, (double)r.n_crit)                     \
    COLUMN(gflops_38, rate)                              \
    COLUMN(gflops_corrected, corrected)
#undef NOW
#undef FORMER
#define WITHOUT_THETA(COLUMN) PERFORMANCE(COLUMN, cells_tested)
#define NOW(COLUMN) \
    WITHOUT_THETA(COLUMN) COLUMN(theta, koshu_solver_theta(s->solver))
#define FORMER(COLUMN) PERFORMANCE(COLUMN, visits)

const char koshu_performance_header[] = KOSHU_CSV_HEADER(NOW);
const char *const koshu_performance_former[] = {KOSHU_CSV_HEADER(WITHOUT_THETA),
                                                KOSHU_CSV_HEADER(FORMER), NULL};

static koshu_status
write_performance(struct koshu_simulation *s)
{
    struct koshu_tree_log *log = &s->tree_log;
    const struct koshu_integrator_clock *now = &s->integrator->clock;
    const struct koshu_tree_report *total = &s->solver->tree_total,
                                   r = koshu_tree_report_since(total,
                                                               &log->before);
    if (r.evaluations == 0) return KOSHU_OK;
    const double n = (double)r.evaluations,
                 forces = koshu_tree_report_seconds(&r);
    const double rate = 38e-9 * (double)r.interactions / log->stepping;
    const double length = list_length(&r);
    /* unknown until errors have been measured, also after a restart */
    const double corrected =
            log->last.barnes_hut_length > 0
                    ? rate * log->last.barnes_hut_length / length
                    : NAN;
    const double row[] = KOSHU_CSV_ROW(NOW);
    log->before = *total;
    log->stepping = 0;
    return koshu_csv_log_append(s->log[KOSHU_PERFORMANCE_LOG], now->steps, row,
                                sizeof row / sizeof row[0]);
}

koshu_status
koshu_tree_log_write(struct koshu_simulation *s, bool row)
{
    if (errors_are_due(s))
        KOSHU_TRY(koshu_stage_run(s, KOSHU_STAGE_ERRORS, write_errors));
    return row && s->log[KOSHU_PERFORMANCE_LOG]
                   ? koshu_stage_run(s, KOSHU_STAGE_LOG, write_performance)
                   : KOSHU_OK;
}
