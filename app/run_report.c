/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <koshu/ranks.h>
#include <koshu/version.h>

#include "app.h"
#include "internal.h"
#include "run.h"

/* Between two progress lines: on a terminal the line is rewritten. */
static const double terminal_seconds = 0.2, plain_seconds = 10,
                    plain_part = 0.1;

/* It fails for NULL alone. */
static struct koshu_progress
progress_of(const struct koshu_simulation *simulation)
{
    struct koshu_progress p = {.size = sizeof p};
    if (koshu_simulation_progress(simulation, &p) != KOSHU_OK)
        p.newest_checkpoint = "";
    return p;
}

/* ---- quantities as text ----------------------------------------------- */

/* "0:07", "12:34", "3:25:45" */
static const char *
duration(double seconds, char text[32])
{
    unsigned long long s = (unsigned long long)llround(fmin(seconds, 1e15));
    if (s < 3600)
        snprintf(text, 32, "%llu:%02llu", s / 60, s % 60);
    else
        snprintf(text, 32, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    return text;
}

static const char *
bytes(uint64_t n, char text[32])
{
    static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    double x = (double)n;
    int unit = 0;
    for (; x >= 1024 && unit < 6; unit++) x /= 1024;
    snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", x, units[unit]);
    return text;
}

/* "11 snapshots", "1 snapshot" */
static void
print_count(const char *before, uint64_t n, const char *thing)
{
    printf("%s%llu %s%s", before, (unsigned long long)n, thing,
           n == 1 ? "" : "s");
}

/* ---- header ------------------------------------------------------------ */

koshu_status
run_values_read(const struct koshu_parameters *parameters,
                struct run_values *values)
{
    const struct koshu_parameters *p = parameters;
    values->initial = koshu_initial_options_default();
    values->solver = koshu_solver_options_default();
    values->integrator = koshu_integrator_options_default();
    TRY(koshu_parameters_get(p, "title", &values->title));
    TRY(koshu_parameters_get(p, "initial.file", &values->initial_file));
    TRY(koshu_parameters_get(p, "output.directory", &values->directory));
    TRY(koshu_parameters_initial(p, &values->initial));
    TRY(koshu_parameters_solver(p, &values->solver));
    TRY(koshu_parameters_integrator(p, &values->integrator));
    TRY(koshu_parameters_get_real(p, "integrator.end", &values->end));
    return koshu_parameters_get_whole(p, "checkpoint.keep",
                                      &values->checkpoints);
}

static void
print_particles(const struct run_values *v, uint64_t n)
{
    print_count("particles  ", n, "particle");
    if (v->initial_file[0])
        printf(", %s\n", printable(v->initial_file));
    else
        printf(", %s, seed %llu\n", koshu_model_name(v->initial.model),
               (unsigned long long)v->initial.seed);
}

enum { DEVICE_SIZE = 160 };

/* How many of the n texts from `first` on are like that one; they become "". */
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

/* Of all ranks, each kind once: a rank that has no GPU where others have one
 * shows. */
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

/* Of several devices. */
static void
print_exchange(struct koshu_context *context, const struct run_values *v,
               size_t n)
{
    struct koshu_backend *backend;
    const struct koshu_force_task task = {.precision = v->solver.precision,
                                          .eps = v->solver.softening,
                                          .potential = true,
                                          .fast = v->solver.fast};
    if (koshu_backend_of(context, &backend) != KOSHU_OK ||
        !backend->ops->exchange || v->solver.method != KOSHU_METHOD_DIRECT)
        return;
    printf("exchange   %s\n",
           koshu_exchange_name(backend->ops->exchange(backend, &task, n)));
}

static void
print_ranks(const struct koshu_context *context)
{
    if (koshu_ranks_count(context) == 1) return;
    printf("ranks      %d, %s\n", koshu_ranks_count(context),
           koshu_ranks_transport(context));
}

static void
print_forces(const struct run_values *v)
{
    const struct koshu_tree_options *t = v->solver.tree;
    printf("forces     ");
    if (v->solver.method == KOSHU_METHOD_DIRECT)
        printf("direct sum");
    else if (t->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        printf("tree, %ss, alpha %g",
               koshu_multipole_order_name(t->multipole_order), t->alpha);
    else
        printf("tree, %ss, theta %g",
               koshu_multipole_order_name(t->multipole_order), t->theta);
    printf(", %s precision%s, softening %g\n",
           koshu_precision_name(v->solver.precision),
           v->solver.fast ? " (fast)" : "", v->solver.softening);
}

static void
print_steps(const struct run_values *v, double begin)
{
    bool hermite = v->integrator.scheme == KOSHU_SCHEME_HERMITE;
    double dt = v->integrator.dt, eta = v->integrator.eta;
    printf("steps      %s, ", hermite ? "Hermite" : "leapfrog");
    if (hermite && v->integrator.iterations > 1)
        printf("P(EC)^%u, ", v->integrator.iterations);
    switch (v->integrator.step_rule) {
    case KOSHU_STEP_RULE_DEFAULT: /* a run's parameters name the rule */
    case KOSHU_STEP_RULE_FIXED: printf("dt = %g", dt); break;
    case KOSHU_STEP_RULE_ACCELERATION:
        printf("%g sqrt(eps/|a|), at most %g", eta, dt);
        break;
    case KOSHU_STEP_RULE_BLOCK: printf("blocks of %g / 2^k, eta = %g", dt, eta);
    }
    printf(", from time %g to %g\n", begin, v->end);
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
    const struct run_values *v = report->values;
    struct koshu_solver *solver = koshu_simulation_solver(simulation);
    struct koshu_particles *particles = koshu_simulation_particles(simulation);
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_progress p = progress_of(simulation);
    if (report->quiet) return;
    report->terminal = is_terminal(STDOUT_FILENO);
    report->next_part = plain_part;
    report->next_seconds = report->terminal ? 0 : plain_seconds;
    print_devices(context, solver);
    print_exchange(context, v, koshu_particles_total(particles));
    print_ranks(context);
    print_particles(v, koshu_particles_total(particles));
    print_forces(v);
    print_steps(v, p.time);
    if (report->restarted)
        printf("restart    from %s, step %llu\n",
               printable(p.newest_checkpoint), (unsigned long long)p.step);
    printf("output     %s/\n\n", printable(v->directory));
    fflush(stdout);
}

/* ---- progress ---------------------------------------------------------- */

static void
print_progress(const struct koshu_progress *p)
{
    char left[32];
    printf("step %llu  time %.6g of %.6g  dE/E %+.1e  %.2e pairs/s",
           (unsigned long long)p->step, p->time, p->end, p->energy_error,
           p->interactions_per_s);
    if (p->seconds_left >= 0)
        printf("  %s left", duration(p->seconds_left, left));
}

/* Is it time for the next line? */
static bool
is_due(struct report *report, const struct koshu_progress *p)
{
    double left = p->seconds_left < 0 ? INFINITY : p->seconds_left;
    double part = p->wall_seconds / (p->wall_seconds + left);
    bool due = p->wall_seconds >= report->next_seconds;
    if (!report->terminal && part >= report->next_part) due = true;
    if (!due) return false;
    report->next_seconds =
            p->wall_seconds +
            (report->terminal ? terminal_seconds : plain_seconds);
    report->next_part = part + plain_part;
    return true;
}

void
report_progress(struct report *report,
                const struct koshu_simulation *simulation)
{
    if (report->quiet) return;
    struct koshu_progress p = progress_of(simulation);
    if (!is_due(report, &p)) return;
    if (report->terminal) printf("\r");
    print_progress(&p);
    printf(report->terminal ? "\033[K" : "\n");
    fflush(stdout);
}

void
report_break(const struct report *report)
{
    if (!report->quiet && report->terminal) printf("\n");
    fflush(stdout);
}

/* ---- summary ----------------------------------------------------------- */

static void
print_files(const struct report *report, const struct koshu_progress *p)
{
    printf("written    %s/: ", printable(report->values->directory));
    print_count("", p->snapshots, "snapshot");
    print_count(", ", p->log_rows, "row");
    print_count(" of energy.csv, ", p->checkpoints, "checkpoint");
    printf("\n");
}

/* As a shell takes it for one word; what a terminal should not have, as bash
 * and zsh take it. */
static void
print_word(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-+=./,:";
    const bool safe = strcmp(printable(text), text) == 0;
    if (text[0] && text[strspn(text, plain)] == '\0') {
        printf("%s", text);
        return;
    }
    printf(safe ? "'" : "$'");
    for (; *text; text++)
        if (safe)
            printf(*text == '\'' ? "'\\''" : "%c", *text);
        else if (*text == '\'' || *text == '\\')
            printf("\\%c", *text);
        else
            printf(*text >= ' ' && *text < 127 ? "%c" : "\\x%02x",
                   (unsigned char)*text);
    putchar('\'');
}

static void
print_restart(const struct report *report)
{
    printf("  koshu run ");
    print_word(report->file);
    printf(" --restart");
    for (size_t k = 0; k < report->n_settings; k++) {
        printf(" --set ");
        print_word(report->settings[k]);
    }
    printf("\n");
}

static void
print_plot(const char *directory, const char *file, const char *picture)
{
    printf("  koshu plot ");
    print_word(directory);
    printf("/%s -o %s.png\n", file, picture);
}

static void
print_next(const struct report *report, enum koshu_stop stop,
           const struct koshu_progress *p)
{
    const char *directory = report->values->directory;
    printf("next\n");
    if (stop != KOSHU_STOP_END) print_restart(report);
    if (p->snapshots > 0) print_plot(directory, "snapshot_*", "film");
    print_plot(directory, "energy.csv", "energy");
    if (report->values->solver.method == KOSHU_METHOD_TREE)
        print_plot(directory, "performance.csv", "stages");
}

/* "64 steps", "1134 block steps of 27.5 particles" */
static void
print_done(const struct report *report, const struct koshu_progress *p)
{
    bool blocks = report->values->integrator.step_rule == KOSHU_STEP_RULE_BLOCK;
    print_count("done       ", p->steps, blocks ? "block step" : "step");
    if (blocks && p->steps > 0)
        printf(" of %.1f particles",
               (double)p->particle_steps / (double)p->steps);
}

/* What a device does with the lists of the host, while that makes others. */
static void
print_batches(const struct koshu_tree_report *r)
{
    const double n = (double)r->evaluations;
    if (r->device.batches == 0) return;
    printf("device     %.3g GB of lists up in %.3g s, sums in %.3g s, %.3g GB "
           "down in %.3g s\n",
           1e-9 * (double)r->device.bytes_up / n, r->device.up / n,
           r->device.sums / n, 1e-9 * (double)r->device.bytes_down / n,
           r->device.down / n);
}

/* Lists, stages, errors and rates of the tree. */
static void
print_tree(struct koshu_simulation *simulation)
{
    struct koshu_tree_report r = {.size = sizeof r};
    struct koshu_tree_errors errors = {.size = sizeof errors};
    const struct koshu_tree_errors *e = &errors;
    if (koshu_solver_tree_total(koshu_simulation_solver(simulation), &r) !=
                KOSHU_OK ||
        r.evaluations == 0 ||
        koshu_simulation_tree_errors(simulation, &errors) != KOSHU_OK)
        return;
    const double n = (double)r.evaluations,
                 length = (double)r.interactions / (double)r.particles,
                 grown = r.seconds.keys + r.seconds.sort + r.seconds.build +
                         r.seconds.moments + r.seconds.groups,
                 all = grown + r.seconds.walk + r.seconds.transfer +
                       r.seconds.force;
    printf("tree       %.3g s for forces: tree %.0f %%, walks %.0f %%, ",
           all / n, 100 * grown / all, 100 * r.seconds.walk / all);
    if (r.device.batches > 0)
        printf("waits for copies %.0f %%, ", 100 * r.seconds.transfer / all);
    printf("sums %.0f %%; groups of %.0f\n", 100 * r.seconds.force / all,
           (double)r.particles / (double)r.groups);
    print_batches(&r);
    printf("lists      %.0f, %.0f of them cells", length,
           (double)r.with_cells / (double)r.particles);
    if (e->sample > 0)
        printf("; Barnes-Hut list length %.0f", e->barnes_hut_length);
    printf("\nrate       %.1f Gflop/s at 38 per interaction",
           38e-9 * (double)r.interactions / all);
    if (e->sample > 0)
        printf("; corrected to Barnes-Hut lists %.1f\n"
               "errors     median %.1e, 99 %% below %.1e, largest %.1e of %zu "
               "particles",
               38e-9 * e->barnes_hut_length * (double)r.particles / all,
               e->median, e->p99, e->max, e->sample);
    printf("\n");
}

/* Of the rank with the longest. */
static void
print_exposed_communication(struct koshu_simulation *simulation,
                            const struct koshu_progress *p)
{
    struct koshu_particles *particles = koshu_simulation_particles(simulation);
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_solver_report r = {.size = sizeof r};
    if (koshu_ranks_count(context) == 1) return;
    if (koshu_solver_report(koshu_simulation_solver(simulation), &r) !=
        KOSHU_OK)
        return;
    double exposed = r.exposed_communication;
    if (koshu_largest(context, &exposed) != KOSHU_OK) return;
    printf("ranks      exposed communication %.1f%% of the time\n",
           100 * exposed / fmax(p->wall_seconds, 1e-9));
}

/* Above this relative error of the energy the orbits are not to be believed. */
static const double badly_kept = 0.1;

static void
warn_of_energy(const struct report *report,
               const struct koshu_simulation *simulation)
{
    struct koshu_progress p = progress_of(simulation);
    if (fabs(p.energy_error) < badly_kept) return;
    fprintf(stderr,
            "koshu: energy was not kept: dE/E = %+.2e; take a smaller "
            "integrator.%s, or more solver.softening\n",
            p.energy_error,
            report->values->integrator.step_rule == KOSHU_STEP_RULE_FIXED
                    ? "dt"
                    : "eta");
}

static void
print_summary(struct report *report, struct koshu_simulation *simulation)
{
    char text[32];
    struct koshu_progress p = progress_of(simulation);
    enum koshu_stop stop = koshu_simulation_stopped(simulation);
    if (report->terminal) {
        printf("\r");
        print_progress(&p);
        printf("\033[K\n");
    }
    printf("\n%s, at step %llu, time %.6g\n", koshu_stop_text(stop),
           (unsigned long long)p.step, p.time);
    print_done(report, &p);
    printf(" in %s", duration(p.wall_seconds, text));
    printf(", %.3e pairs, %.2e pairs/s\n", (double)p.interactions,
           p.interactions_per_s);
    printf("energy     dE/E = %+.2e\n", p.energy_error);
    if (p.bytes_copied > 0)
        printf("copied     %s between host and device\n",
               bytes(p.bytes_copied, text));
    print_exposed_communication(simulation, &p);
    print_tree(simulation);
    print_files(report, &p);
    print_next(report, stop, &p);
    fflush(stdout);
}

void
report_end(struct report *report, struct koshu_simulation *simulation)
{
    if (!report->quiet) print_summary(report, simulation);
    warn_of_energy(report, simulation);
}

/* ---- estimate ---------------------------------------------------------- */

void
report_estimate(const struct run_values *values, const struct koshu_estimate *e)
{
    char one[32], all[32], time[32];
    print_particles(values, e->n);
    print_forces(values);
    print_steps(values, e->begin);
    printf("would take\n");
    printf("  memory       %s, of %s here\n", bytes(e->bytes, one),
           bytes(koshu_memory_limits(NULL, 1).capacity, all));
    bool blocks = values->integrator.step_rule == KOSHU_STEP_RULE_BLOCK;
    print_count("  steps        ", e->steps, blocks ? "block step" : "step");
    if (blocks) printf(", %.2e of one particle,", (double)e->particle_steps);
    printf("%s\n", e->steps_are_a_guess ? " if they stay like the first" : "");
    print_count("  disk         ", e->snapshots, "snapshot");
    printf(" of %s, %s in all\n", bytes(e->snapshot_bytes, one),
           bytes(e->snapshots * e->snapshot_bytes, all));
    printf("               up to %llu checkpoints of %s\n",
           (unsigned long long)values->checkpoints,
           bytes(e->checkpoint_bytes, one));
    printf("  forces       %.2e pairs/s, measured now\n",
           e->interactions_per_s);
    printf("  time         %s of computing\n", duration(e->seconds, time));
    printf("nothing was written\n");
}
