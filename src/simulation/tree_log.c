/* SPDX-License-Identifier: MIT */
/*
 * Two logs of runs with the tree. errors.csv: how good the forces were on a
 * sample, and how long the lists; the same bytes from the same run.
 * performance.csv: what the stages of the steps since the last row took
 * (Hamada09 Fig. 9; Hamada10 Fig. 7), by the clock.
 */
#include <math.h>

#include "base/base.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

#define ERRORS_HEADER(barnes_hut_length)                   \
    "step,time,sample,err_median,err_p90,err_p99,err_max," \
    "list_length," barnes_hut_length "\n"
const char koshu_errors_header[] = ERRORS_HEADER("barnes_hut_length");
const char koshu_errors_former[] = ERRORS_HEADER("original_length");

#define PERFORMANCE_HEADER(cells_tested)                                  \
    "step,time,steps,keys,sort,build,moments,groups,walk,transfer,force," \
    "integration,list_length,list_cells,groups_made,cells," cells_tested  \
    ",n_crit,gflops_38,gflops_corrected\n"
const char koshu_performance_header[] = PERFORMANCE_HEADER("cells_tested");
const char koshu_performance_former[] = PERFORMANCE_HEADER("visits");

void
koshu_tree_log_begin(struct koshu_simulation *simulation)
{
    simulation->tree_log.before = koshu_solver_tree_all(simulation->solver);
}

static double
part(uint64_t a, uint64_t of)
{
    return of > 0 ? (double)a / (double)of : 0;
}

/* Mean length of a list. */
static double
list_length(const struct koshu_tree_report *r)
{
    return part(r->interactions, r->particles);
}

/* ---- how much is measured ------------------------------------------------ */

/* What errors take at most, of the interactions of the steps between two rows.
 * It follows from the present step alone: a restart measures the same. */
static const double errors_fraction = 0.01;

/* A tree of the host takes the time in which a GPU sums so many interactions of
 * each particle (500,000 of them: 0.15 s on 16 cores, and 1e12 a second). */
static const double host_tree_length = 1 << 18;

/* Each of the sample costs an interaction with every particle. One at least. */
static size_t
size_of_sample(const struct koshu_simulation *s,
               const struct koshu_tree_report *step)
{
    const uint64_t sample = s->values->errors.sample;
    const double max = errors_fraction * (double)s->values->errors.steps *
                       list_length(step);
    if (max >= (double)sample) return sample;
    return max > 1 ? (size_t)max : 1;
}

/* Where a device makes the trees of a run, the host's tree for the original
 * algorithm is made after 2^k times errors.steps; else with each row. */
static bool
original_is_due(const struct koshu_simulation *s,
                const struct koshu_tree_report *step, uint64_t steps_made)
{
    const double least = host_tree_length / errors_fraction / list_length(step);
    double steps = (double)s->values->errors.steps;
    if (!koshu_solver_tree_on_device(s->solver)) return true;
    while (steps < least) steps *= 2;
    return fmod((double)steps_made, steps) == 0;
}

/* The Barnes-Hut list length where it is due; and where none is known yet, for
 * the rates of performance.csv. */
static koshu_status
measure(struct koshu_simulation *s, bool due,
        const struct koshu_tree_report *step)
{
    struct koshu_tree_errors *last = &s->tree_log.last;
    return koshu_solver_tree_errors_of(s->solver, s->particles,
                                       size_of_sample(s, step),
                                       due || last->sample == 0, last);
}

/* ---- rows ---------------------------------------------------------------- */

static koshu_status
write_errors(struct koshu_simulation *s)
{
    struct koshu_tree_log *log = &s->tree_log;
    const struct koshu_integrator_clock *now = koshu_clock_of(s);
    if (!log->errors || now->synchronised_steps % s->values->errors.steps != 0)
        return KOSHU_OK;
    const struct koshu_tree_errors *e = &log->last;
    const struct koshu_tree_report step = koshu_solver_tree_last(s->solver);
    const bool due = original_is_due(s, &step, now->synchronised_steps);
    KOSHU_TRY(measure(s, due, &step));
    const double row[] = {now->time,
                          (double)e->sample,
                          e->median,
                          e->p90,
                          e->p99,
                          e->max,
                          list_length(&step),
                          due ? e->barnes_hut_length : NAN};
    return koshu_csv_log_append(log->errors, now->steps, row,
                                sizeof row / sizeof row[0]);
}

/* b - a, of the seconds and counts that a row is made of. */
static struct koshu_tree_report
difference(const struct koshu_tree_report *b, const struct koshu_tree_report *a)
{
    struct koshu_tree_report d = *b;
    d.evaluations -= a->evaluations;
    d.seconds.keys -= a->seconds.keys;
    d.seconds.sort -= a->seconds.sort;
    d.seconds.build -= a->seconds.build;
    d.seconds.moments -= a->seconds.moments;
    d.seconds.groups -= a->seconds.groups;
    d.seconds.walk -= a->seconds.walk;
    d.seconds.transfer -= a->seconds.transfer;
    d.seconds.force -= a->seconds.force;
    d.particles -= a->particles;
    d.cells -= a->cells;
    d.groups -= a->groups;
    d.interactions -= a->interactions;
    d.with_cells -= a->with_cells;
    d.cells_tested -= a->cells_tested;
    return d;
}

static double
seconds_of(const struct koshu_tree_report *r)
{
    return r->seconds.keys + r->seconds.sort + r->seconds.build +
           r->seconds.moments + r->seconds.groups + r->seconds.walk +
           r->seconds.transfer + r->seconds.force;
}

/* Seconds and counts of a step; counts of walks and cells of a particle. */
static koshu_status
write_performance(struct koshu_simulation *s)
{
    struct koshu_tree_log *log = &s->tree_log;
    const struct koshu_integrator_clock *now = koshu_clock_of(s);
    const struct koshu_tree_report total = koshu_solver_tree_all(s->solver);
    const struct koshu_tree_report r = difference(&total, &log->before);
    if (r.evaluations == 0) return KOSHU_OK;
    const double n = (double)r.evaluations, forces = seconds_of(&r);
    const double rate = 38e-9 * (double)r.interactions / log->stepping;
    const double length = list_length(&r);
    /* not known until errors have been measured, after a restart again */
    const double corrected =
            log->last.sample > 0 ? rate * log->last.barnes_hut_length / length
                                 : NAN;
    const double row[] = {now->time,
                          n,
                          r.seconds.keys / n,
                          r.seconds.sort / n,
                          r.seconds.build / n,
                          r.seconds.moments / n,
                          r.seconds.groups / n,
                          r.seconds.walk / n,
                          r.seconds.transfer / n,
                          r.seconds.force / n,
                          (log->stepping - forces) / n,
                          length,
                          part(r.with_cells, r.particles),
                          (double)r.groups / n,
                          (double)r.cells / n,
                          part(r.cells_tested, r.groups),
                          (double)r.n_crit,
                          rate,
                          corrected};
    log->before = total;
    log->stepping = 0;
    return koshu_csv_log_append(log->performance, now->steps, row,
                                sizeof row / sizeof row[0]);
}

koshu_status
koshu_tree_log_write(struct koshu_simulation *simulation, bool row)
{
    struct koshu_simulation *s = simulation;
    if (!s->tree_log.performance) return KOSHU_OK;
    KOSHU_TRY(write_errors(s));
    return row ? write_performance(s) : KOSHU_OK;
}
