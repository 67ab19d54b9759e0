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

const char koshu_errors_header[] =
        "step,time,sample,err_median,err_p90,err_p99,err_max,"
        "list_length,original_length\n";
const char koshu_performance_header[] =
        "step,time,steps,keys,sort,build,moments,groups,walk,transfer,force,"
        "integration,list_length,list_cells,groups_made,cells,visits,n_crit,"
        "gflops_38,gflops_corrected\n";

void
koshu_tree_log_begin(struct koshu_simulation *simulation)
{
    simulation->tree_log.before = koshu_solver_tree_total(simulation->solver);
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

static koshu_status
write_errors(struct koshu_simulation *s)
{
    struct koshu_tree_log *log = &s->tree_log;
    const struct koshu_integrator_clock now = koshu_clock_of(s);
    if (!log->errors || now.rounds % s->values->errors.steps != 0)
        return KOSHU_OK;
    struct koshu_tree_errors *e = &log->last;
    KOSHU_TRY(koshu_solver_tree_errors(s->solver, s->particles,
                                       s->values->errors.sample, e));
    const struct koshu_tree_report last = koshu_solver_tree_report(s->solver);
    const double row[] = {
            now.time, (double)e->sample,  e->median,         e->p90, e->p99,
            e->max,   list_length(&last), e->original_length};
    return koshu_csv_log_append(log->errors, now.steps, row,
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
    d.visits -= a->visits;
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
    const struct koshu_integrator_clock now = koshu_clock_of(s);
    const struct koshu_tree_report total = koshu_solver_tree_total(s->solver);
    const struct koshu_tree_report r = difference(&total, &log->before);
    if (r.evaluations == 0) return KOSHU_OK;
    const double n = (double)r.evaluations, forces = seconds_of(&r);
    const double rate = 38e-9 * (double)r.interactions / log->stepping;
    const double length = list_length(&r);
    /* not known until errors have been measured, after a restart again */
    const double corrected = log->last.sample > 0
                                     ? rate * log->last.original_length / length
                                     : NAN;
    const double row[] = {now.time,
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
                          part(r.visits, r.groups),
                          (double)r.n_crit,
                          rate,
                          corrected};
    log->before = total;
    log->stepping = 0;
    return koshu_csv_log_append(log->performance, now.steps, row,
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
