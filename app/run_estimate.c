/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints instead of running. */
#include <stdio.h>

#include "app.h"
#include "run.h"

/* "1/128"; with units "0.0078" */
static const char *
step_text(double x, const char *unit, char text[32])
{
    const bool is_fraction = x < 1 && !unit[0];
    snprintf(text, 32, is_fraction ? "1/%g" : "%.2g", is_fraction ? 1 / x : x);
    return text;
}

static void
print_suggestions(const struct koshu_parameter_values *values,
                  const struct koshu_estimate *e)
{
    char step[32], length[QUANTITY_TEXT], time[QUANTITY_TEXT];
    if (e->softening == 0) return;
    printf("suggested for these particles\n");
    unit_text(&values->units, KOSHU_QUANTITY_LENGTH, length);
    unit_text(&values->units, KOSHU_QUANTITY_TIME, time);
    printf("  solver.softening  %.2g%s, the run has %g%s\n", e->softening,
           length, values->solver.softening, length);
    if (e->dt > 0)
        printf("  integrator.dt     %s%s or less, the run has %g%s\n",
               step_text(e->dt, time, step), time, values->integrator.dt, time);
}

/* On several ranks each has a part of the particles. */
static void
print_memory(const struct koshu_estimate *e, uint64_t memory, int ranks)
{
    char one[32], all[32];
    printf("  memory       %s", bytes_text(e->bytes / (uint64_t)ranks, one));
    if (ranks > 1) printf(" on each of %d ranks", ranks);
    printf(", of %s here\n", bytes_text(memory, all));
}

static void
print_time(const struct koshu_estimate *e, int ranks)
{
    char one[32], all[32];
    printf("  time         %s of computing", duration_text(e->seconds, one));
    if (ranks > 1)
        printf(" on one rank, %s on %d at best",
               duration_text(e->seconds / ranks, all), ranks);
    putchar('\n');
}

static void
print_disk(const struct koshu_parameter_values *values,
           const struct koshu_estimate *e)
{
    char one[32], all[32];
    print_count("  disk         ", e->snapshots, "snapshot");
    printf(" of %s, %s in all\n", bytes_text(e->snapshot_bytes, one),
           bytes_text(e->snapshots * e->snapshot_bytes, all));
    printf("               up to %llu checkpoints of %s\n",
           (unsigned long long)values->checkpoint.keep,
           bytes_text(e->checkpoint_bytes, one));
}

void
report_flow_estimate(const struct koshu_parameter_values *values,
                     const struct koshu_estimate *e, uint64_t memory)
{
    const bool grid = values->flow.method == KOSHU_FLOW_METHOD_SPECTRAL;
    print_count("flow       ", e->n, grid ? "point" : "vortex particle");
    printf("\nsteps      dt = %g, from time %g to %g%s\nwould take\n",
           values->integrator.dt, e->begin, values->integrator.end,
           values->flow.turn > 0
                   ? ", in parts where vortices turn by more than flow.turn: "
                     "the time below is of whole ones"
                   : "");
    print_memory(e, memory, 1);
    print_count("  steps        ", e->steps, "step");
    printf("\n");
    print_disk(values, e);
    print_time(e, 1);
    printf("nothing was written\n");
}

void
report_estimate(const struct koshu_parameter_values *values,
                const struct koshu_estimate *e, uint64_t memory, int ranks)
{
    print_units(&values->units);
    print_particles(values, e->n);
    print_forces(values);
    print_steps(values, e->begin);
    printf("would take\n");
    print_memory(e, memory, ranks);
    bool blocks = values->integrator.step == KOSHU_STEP_RULE_BLOCK;
    print_count("  steps        ", e->steps, blocks ? "block step" : "step");
    if (blocks) printf(", %.2e of one particle,", (double)e->particle_steps);
    printf("%s\n", e->steps_are_a_guess ? " if they stay like the first" : "");
    print_disk(values, e);
    printf("  forces       %.2e pairs/s, measured now\n",
           e->interactions_per_s);
    print_time(e, ranks);
    print_suggestions(values, e);
    printf("nothing was written\n");
}
