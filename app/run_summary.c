/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints at the end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <koshu/ranks.h>

#include "app.h"
#include "run.h"

static void
print_files(const struct report *report, const struct koshu_progress *p)
{
    printf("written    %s/: ", printable(report->values->directory));
    print_count("", p->snapshots, "snapshot");
    print_count(", ", p->log_rows, "row");
    print_count(" of energy.csv, ", p->checkpoints, "checkpoint");
    printf("\n");
}

/* "64 steps", "1134 block steps of 27.5 particles" */
static void
print_done(const struct report *report, const struct koshu_progress *p)
{
    bool blocks = report->values->integrator.step == KOSHU_STEP_RULE_BLOCK;
    print_count("done       ", p->steps, blocks ? "block step" : "step");
    if (blocks && p->steps > 0)
        printf(" of %.1f particles",
               (double)p->particle_steps / (double)p->steps);
}

/* The seconds of the slowest rank. */
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

/* At relative energy errors above this, the orbits cannot be trusted. */
static const double badly_kept = 0.1;

static void
warn_of_energy(const struct report *report,
               const struct koshu_simulation *simulation)
{
    struct koshu_progress p = run_progress(simulation);
    if (fabs(p.energy_error) < badly_kept &&
        koshu_simulation_stopped(simulation) != KOSHU_STOP_ENERGY)
        return;
    fprintf(stderr,
            "koshu: energy was not kept: %s = %+.2e; take a smaller "
            "integrator.%s, or more solver.softening\n",
            energy_name(&p), p.energy_error,
            report->values->integrator.step == KOSHU_STEP_RULE_FIXED ? "dt"
                                                                     : "eta");
}

/* Which groups of close particles may have slowed the run down. */
static void
print_groups(const struct report *report, const struct koshu_progress *p)
{
    char time[QUANTITY_TEXT];
    if (p->group_forces == 0) return;
    koshu_quantity_text(&report->values->units, KOSHU_QUANTITY_TIME,
                        p->hardest_time, sizeof time, time);
    printf("groups     %.2e sums over their bodies; the most in a dt, %.2e, by "
           "%llu with particle %llu, to time %s\n",
           (double)p->group_forces, (double)p->hardest_forces,
           (unsigned long long)p->hardest_bodies,
           (unsigned long long)p->hardest_id, time);
}

static void
print_summary(struct report *report, struct koshu_simulation *simulation)
{
    char text[32], time[QUANTITY_TEXT];
    struct koshu_progress p = run_progress(simulation);
    enum koshu_stop stop = koshu_simulation_stopped(simulation);
    if (report->terminal) {
        printf("\r");
        print_progress(report, &p);
        printf("\033[K\n");
    }
    if (koshu_is_comoving(report->values))
        snprintf(time, sizeof time, "a = %.6g, z = %.4g", p.time,
                 1 / p.time - 1);
    else
        koshu_quantity_text(&report->values->units, KOSHU_QUANTITY_TIME, p.time,
                            sizeof time, time);
    printf("\n%s, at step %llu, time %s\n", koshu_stop_text(stop),
           (unsigned long long)p.step, time);
    print_done(report, &p);
    printf(" in %s", duration_text(p.wall_seconds, text));
    printf(", %.3e pairs, %.2e pairs/s\n", (double)p.interactions,
           p.interactions_per_s);
    print_groups(report, &p);
    printf("energy     %s = %+.2e\n", energy_name(&p), p.energy_error);
    if (p.bytes_copied > 0)
        printf("copied     %s between host and device\n",
               bytes_text(p.bytes_copied, text));
    print_exposed_communication(simulation, &p);
    print_tree(simulation);
    print_times(report, simulation);
    print_files(report, &p);
    print_next(report, stop, &p,
               koshu_particles_context(koshu_simulation_particles(simulation)));
    fflush(stdout);
}

void
report_end(struct report *report, struct koshu_simulation *simulation)
{
    if (!report->quiet) print_summary(report, simulation);
    warn_of_energy(report, simulation);
}
