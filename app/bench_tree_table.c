/* SPDX-License-Identifier: MIT */
/* koshu bench tree --table: a Plummer sphere over one time unit by tree and
 * leapfrog, beside Belleman08 Tables 7 and 8. */
#include <math.h>
#include <stdio.h>

#include <koshu/diagnostics.h>
#include <koshu/initial.h>
#include <koshu/integrator.h>

#include "bench_tree.h"
#include "internal.h"

struct table_row {
    size_t n;
    uint64_t steps;
    double seconds, energy_error;
    struct koshu_tree_report total;
    char backend[16], device[128];
};

/* ---- measuring ----------------------------------------------------------- */

struct run {
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
};

static koshu_status
make(struct koshu_context *context, const struct tree_bench_options *o,
     size_t n, struct run *r)
{
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_integrator_options integrator =
            koshu_integrator_options_default();
    struct koshu_solver_options solver = o->solver;
    struct koshu_tree_options tree = o->tree;
    initial.model = o->model;
    initial.n = n;
    initial.seed = o->seed;
    integrator.dt = o->dt;
    tree.theta = o->theta[0];
    tree.n_crit = o->n_crit[0];
    solver.tree = &tree;
    KOSHU_TRY(koshu_initial_create(context, &initial, &r->particles));
    KOSHU_TRY(koshu_solver_create(context, &solver, &r->solver));
    return koshu_integrator_create(r->solver, r->particles, 0, &integrator,
                                   &r->integrator);
}

static koshu_status
energy(const struct run *r, double *total)
{
    struct koshu_diagnostics diagnostics = {.size = sizeof diagnostics};
    KOSHU_TRY(koshu_diagnostics_compute(r->particles, &diagnostics));
    *total = diagnostics.total;
    return KOSHU_OK;
}

static koshu_status
integrate(const struct run *r, struct table_row *row)
{
    const double unit = 1;
    struct koshu_integrator_clock clock = {.size = sizeof clock};
    double first, last;
    const double start = koshu_now();
    KOSHU_TRY(koshu_integrator_evaluate(r->integrator));
    const double evaluated = koshu_now();
    KOSHU_TRY(energy(r, &first));
    const double go_on = koshu_now();
    while (koshu_integrator_time(r->integrator) < unit)
        KOSHU_TRY(koshu_integrator_advance(r->integrator, unit, true));
    KOSHU_TRY(koshu_solver_wait(r->solver));
    row->seconds = koshu_now() - go_on + (evaluated - start);
    KOSHU_TRY(energy(r, &last));
    row->energy_error = (last - first) / fabs(first);
    KOSHU_TRY(koshu_integrator_clock(r->integrator, &clock));
    row->steps = clock.steps;
    row->total.size = sizeof row->total;
    KOSHU_TRY(koshu_solver_tree_total(r->solver, &row->total));
    snprintf(row->backend, sizeof row->backend, "%s",
             koshu_solver_backend(r->solver));
    snprintf(row->device, sizeof row->device, "%s",
             koshu_solver_device(r->solver));
    return KOSHU_OK;
}

static koshu_status
measure(struct koshu_context *context, const struct tree_bench_options *o,
        struct table_row *row)
{
    struct run r = {0};
    koshu_status status = make(context, o, row->n, &r);
    if (status == KOSHU_OK) status = integrate(&r, row);
    koshu_integrator_destroy(r.integrator);
    koshu_solver_destroy(r.solver);
    koshu_particles_destroy(r.particles);
    return status;
}

/* ---- printing ------------------------------------------------------------ */

static double
interactions_per_s(const struct table_row *row)
{
    return (double)row->total.interactions / row->seconds;
}

static double
list_length(const struct table_row *row)
{
    return (double)row->total.interactions / (double)row->total.particles;
}

static void
print_json(const struct tree_bench_options *o, const struct table_row *row)
{
    const struct koshu_tree_options *t = &o->tree;
    const struct tree_paper_row *paper = tree_paper_row(row->n);
    const struct koshu_tree_report *r = &row->total;
    json_t *object = json_pack(
            "{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:s, "
            "s:f, s:I, s:f, s:f, s:f}",
            "bench", "tree --table", "table", o->table, "backend", row->backend,
            "device", row->device, "precision",
            koshu_precision_name(o->solver.precision), "n", (json_int_t)row->n,
            "steps", (json_int_t)row->steps, "time_unit", 1.0, "seconds",
            row->seconds, "interactions_per_s", interactions_per_s(row),
            "gflops_38", 38e-9 * interactions_per_s(row), "energy_error",
            row->energy_error, "order",
            koshu_multipole_order_name(t->multipole_order), "theta",
            o->theta[0], "n_crit", (json_int_t)r->n_crit, "list_length",
            list_length(row), "eps2", o->solver.softening * o->solver.softening,
            "dt", o->dt);
    json_t *stages = json_pack(
            "{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "repeats", 1,
            "keys_seconds", r->seconds.keys, "sort_seconds", r->seconds.sort,
            "build_seconds", r->seconds.build, "moments_seconds",
            r->seconds.moments, "groups_seconds", r->seconds.groups,
            "walk_seconds", r->seconds.walk, "transfer_seconds",
            r->seconds.transfer, "force_seconds", r->seconds.force);
    json_object_update(object, stages);
    json_decref(stages);
    if (paper) {
        json_t *theirs = json_pack(
                "{s:f, s:f, s:f, s:f}", "paper_kirin_seconds",
                paper->kirin.seconds, "paper_cpu_seconds", paper->cpu.seconds,
                "paper_kirin_energy_error", paper->kirin.error,
                "paper_cpu_energy_error", paper->cpu.error);
        json_object_update(object, theirs);
        json_decref(theirs);
    }
    bench_print_json(object);
}

static void
print_head(const struct tree_bench_options *o, const struct table_row *first)
{
    const struct koshu_tree_options *t = &o->tree;
    printf("treecode and leapfrog over one time unit, %s, eps = %g, dt = %g, "
           "%ss, theta = %g, %s precision\n"
           "backend %s: %s\n"
           "right: Belleman et al. 2008, Tables 7 and 8: GRAPE-6Af, kirin on a "
           "GeForce 8800 GTX (the\noptimised one), a 3.4 GHz Xeon\n\n"
           "%8s %6s %9s %7s %9s | %8s %8s %8s | %8s %8s %8s\n",
           koshu_model_name(o->model), o->solver.softening, o->dt,
           koshu_multipole_order_name(t->multipole_order), o->theta[0],
           koshu_precision_name(o->solver.precision), first->backend,
           first->device, "N", "steps", "seconds", "list", "dE/E", "7 GRAPE",
           "kirin", "Xeon", "8 GRAPE", "kirin", "Xeon");
}

static void
print_row(const struct table_row *row)
{
    const struct tree_paper_row *p = tree_paper_row(row->n);
    printf("%8zu %6llu %9.4g %7.0f %9.2e", row->n,
           (unsigned long long)row->steps, row->seconds, list_length(row),
           row->energy_error);
    if (p)
        printf(" | %8.4g %8.4g %8.4g | %8.1e %8.1e %8.1e", p->grape.seconds,
               p->kirin.seconds, p->cpu.seconds, p->grape.error, p->kirin.error,
               p->cpu.error);
    printf("\n");
    fflush(stdout);
}

/* ---- rows ---------------------------------------------------------------- */

/* What a row takes, from one before. */
static double
predicted(const struct table_row *before, size_t n)
{
    const double power = 1.2;
    return before->seconds * pow((double)n / (double)before->n, power);
}

static bool
is_skipped(const struct tree_bench_options *o, size_t n,
           const struct table_row *before)
{
    const double longest = 30;
    return !o->n_given && before->n > 0 && predicted(before, n) > longest;
}

koshu_status
tree_bench_table(struct koshu_context *context,
                 const struct tree_bench_options *o)
{
    struct table_row before = {0};
    for (size_t k = 0; k < o->n_count; k++) {
        struct table_row row = {.n = o->n[k]};
        if (is_skipped(o, row.n, &before)) {
            if (!o->json)
                printf("%8zu: left out, it would take %.0f s; request it with "
                       "--n\n",
                       row.n, predicted(&before, row.n));
            continue;
        }
        KOSHU_TRY(measure(context, o, &row));
        if (!o->json && before.n == 0) print_head(o, &row);
        if (o->json)
            print_json(o, &row);
        else
            print_row(&row);
        before = row;
    }
    return KOSHU_OK;
}
