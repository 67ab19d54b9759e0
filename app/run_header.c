/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints when a run begins. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/ranks.h>
#include <koshu/version.h>

#include "app.h"
#include "run.h"

void
print_particles(const struct koshu_parameter_values *v, uint64_t n)
{
    print_count("particles  ", n, "particle");
    if (v->initial_file[0])
        printf(", %s\n", printable(v->initial_file));
    else if (v->components[0])
        printf(", components, seed %llu\n",
               (unsigned long long)v->initial.seed);
    else
        printf(", %s, seed %llu\n", koshu_model_name(v->initial.model),
               (unsigned long long)v->initial.seed);
}

enum { DEVICE_SIZE = 160 };

/* How many of the n texts, from `first` on, equal that one; the others become
 * "". */
static size_t
count_alike(char (*texts)[DEVICE_SIZE], size_t first, size_t n)
{
    size_t alike = 1;
    for (size_t k = first + 1; k < n; k++)
        if (strcmp(texts[k], texts[first]) == 0) {
            texts[k][0] = '\0';
            alike++;
        }
    return alike;
}

/* Prints the devices of all ranks, each kind once, which shows if a rank has no
 * GPU where others have one. */
static void
print_devices(struct koshu_context *context, const struct koshu_solver *solver)
{
    size_t ranks = (size_t)koshu_ranks_count(context);
    char mine[DEVICE_SIZE] = "";
    char(*all)[DEVICE_SIZE] = calloc(ranks, sizeof *all);
    snprintf(mine, sizeof mine, "%s: %s", koshu_solver_backend(solver),
             koshu_solver_device(solver));
    bool gathered =
            koshu_ranks_collective_status(
                    context, all ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY) ==
                    KOSHU_OK &&
            koshu_all_gather(context, mine, sizeof mine, all) == KOSHU_OK;
    for (size_t k = 0; gathered && k < ranks; k++) {
        if (!all[k][0]) continue;
        size_t alike = count_alike(all, k, ranks);
        printf("device     %s", all[k]);
        if (alike < ranks) printf(" (%zu ranks of %zu)", alike, ranks);
        putchar('\n');
    }
    free(all);
}

/* How several devices exchange particles. */
static void
print_exchange(struct koshu_context *context,
               const struct koshu_parameter_values *v, size_t n)
{
    struct koshu_backend *backend;
    const struct koshu_force_task task = {.precision = v->solver.precision,
                                          .eps = v->solver.softening,
                                          .potential = true,
                                          .fast = v->solver.fast};
    if (koshu_backend_of(context, &backend) != KOSHU_OK ||
        !backend->group_model[0] || v->solver.method != KOSHU_METHOD_DIRECT)
        return;
    printf("exchange   %s\n",
           koshu_exchange_name(backend->ops->exchange(backend, &task, n)));
}

static void
print_method(const struct koshu_parameter_values *v)
{
    const struct koshu_tree_options *t = v->solver.tree;
    const struct koshu_laplace_options *f = v->solver.fmm;
    const char *box =
            v->boundary == KOSHU_BOUNDARY_PERIODIC ? ", periodic" : "";
    if (v->chosen_for > 0) printf("to an rms error of %g: ", v->chosen_for);
    if (v->solver.method == KOSHU_METHOD_DIRECT)
        printf("direct sum");
    else if (v->solver.method == KOSHU_METHOD_INTERACTION)
        printf("direct sum of %s", v->interaction);
    else if (v->solver.method == KOSHU_METHOD_FMM)
        printf("fmm%s, order %u, theta %g%s", box, f->multipole_order, f->theta,
               v->theta_by_motion ? " to 0.8" : "");
    else if (t->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        printf("tree%s, %ss, alpha %g", box,
               koshu_multipole_order_name(t->multipole_order), t->alpha);
    else
        printf("tree%s, %ss, theta %g", box,
               koshu_multipole_order_name(t->multipole_order), t->theta);
}

static const char *
short_text(const struct koshu_parameter_values *v, enum koshu_quantity quantity,
           double value, char text[QUANTITY_TEXT])
{
    koshu_quantity_text(&v->units, quantity, value, QUANTITY_TEXT, text);
    return text;
}

void
print_units(const struct koshu_units *units)
{
    char text[QUANTITY_TEXT];
    if (koshu_units_are_henon(units)) return;
    koshu_units_text(units, sizeof text, text);
    printf("units      %s, G = %.6g\n", text,
           koshu_units_gravitational_constant(units));
}

/* "z = 49"; in physical coordinates the time, with its unit. */
static const char *
time_text(const struct koshu_parameter_values *v, double time,
          char text[QUANTITY_TEXT])
{
    if (koshu_is_comoving(v))
        snprintf(text, QUANTITY_TEXT, "z = %.4g", 1 / time - 1);
    else
        short_text(v, KOSHU_QUANTITY_TIME, time, text);
    return text;
}

static void
print_universe(const struct koshu_simulation *simulation)
{
    const struct koshu_parameter_values *v = simulation->values;
    const struct koshu_checkpoint *c = &simulation->kept;
    if (!koshu_is_comoving(v)) return;
    printf("universe   Omega_m = %g, Omega_Lambda = %g, h = %g", c->omega_m,
           c->omega_lambda, c->hubble);
    if (v->cosmology.w != -1) printf(", w = %g", v->cosmology.w);
    if (v->cosmology.omega_r > 0)
        printf(", Omega_r = %g", v->cosmology.omega_r);
    printf("; %s\n", v->boundary == KOSHU_BOUNDARY_PERIODIC ? "periodic box"
                                                            : "vacuum outside");
    printf("           lengths are comoving, over h; masses over h; files "
           "have sqrt(a) dx/dt\n");
}

void
print_forces(const struct koshu_parameter_values *v)
{
    char eps[QUANTITY_TEXT];
    printf("forces     ");
    print_method(v);
    printf(", %s precision%s, softening %s\n",
           koshu_precision_name(v->solver.precision),
           v->solver.fast ? " (fast)" : "",
           short_text(v, KOSHU_QUANTITY_LENGTH, v->solver.softening, eps));
}

void
print_steps(const struct koshu_parameter_values *v, double begin)
{
    char dt[QUANTITY_TEXT], end[QUANTITY_TEXT], from[QUANTITY_TEXT];
    bool hermite = v->integrator.scheme == KOSHU_SCHEME_HERMITE;
    double eta = v->integrator.eta;
    if (koshu_is_comoving(v))
        snprintf(dt, sizeof dt, "%g of ln a", v->integrator.dt);
    else
        short_text(v, KOSHU_QUANTITY_TIME, v->integrator.dt, dt);
    if (v->integrator.scheme == KOSHU_SCHEME_ARCHAIN)
        printf("steps      archain, to %g, rows every ",
               v->integrator.tolerance);
    else
        printf("steps      %s, ", hermite ? "Hermite" : "leapfrog");
    if (hermite && v->integrator.regularisation > 0)
        printf("groups within %s, ",
               short_text(v, KOSHU_QUANTITY_LENGTH,
                          v->integrator.regularisation, end));
    if (hermite && v->integrator.iterations > 1)
        printf("P(EC)^%" PRIu64 ", ", v->integrator.iterations);
    switch (v->integrator.step) {
    /* the parameters of a run always set the rule */
    case KOSHU_STEP_RULE_DEFAULT:
    case KOSHU_STEP_RULE_FIXED: printf("dt = %s", dt); break;
    case KOSHU_STEP_RULE_ACCELERATION:
        if (koshu_is_comoving(v))
            printf("sqrt(2 * %g eps/|a|), at most %s", eta, dt);
        else
            printf("%g sqrt(eps/|a|), at most %s", eta, dt);
        break;
    case KOSHU_STEP_RULE_BLOCK: printf("blocks of %s / 2^k, eta = %g", dt, eta);
    }
    time_text(v, begin, from);
    time_text(v, v->integrator.end, end);
    if (!koshu_is_comoving(v))
        from[strcspn(from, " ")] = '\0'; /* only the end time shows the unit */
    printf(", from %s%s to %s\n", koshu_is_comoving(v) ? "" : "time ", from,
           end);
}

void
report_title(const struct report *report)
{
    const char *commit = koshu_version_commit();
    const char *title = report->values->title;
    if (report->quiet) return;
    printf("koshu %s%s%s%s%s\n", koshu_version(), commit[0] ? " " : "", commit,
           title[0] ? ": " : "", printable(title));
    fflush(stdout);
}

void
report_begin(struct report *report, struct koshu_simulation *simulation)
{
    const struct koshu_parameter_values *v = report->values;
    struct koshu_solver *solver = koshu_simulation_solver(simulation);
    struct koshu_particles *particles = koshu_simulation_particles(simulation);
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_progress p = run_progress(simulation);
    if (report->quiet) return;
    report_start(report);
    print_devices(context, solver);
    print_exchange(context, v, koshu_particles_total(particles));
    print_ranks(context, v);
    print_units(&v->units);
    print_universe(simulation);
    print_particles(v, koshu_particles_total(particles));
    print_forces(v);
    print_steps(v, p.time);
    if (report->restarted)
        printf("restart    from %s, step %llu\n",
               printable(p.newest_checkpoint), (unsigned long long)p.step);
    printf("output     %s/\n\n", printable(v->directory));
    fflush(stdout);
}
