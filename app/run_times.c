/* SPDX-License-Identifier: MIT */
/* Prints where the wall time of `koshu run` went. */
#include <math.h>
#include <stdio.h>

#include "app.h"
#include "run.h"

static void
print_stage(const char *what, double seconds, double total)
{
    const double percent = 100 * seconds / fmax(total, 1e-9);
    if (seconds > 0)
        printf("  %-11s %10.3f s  %5.1f %%\n", what, seconds, percent);
}

/* The times of the run, and of the program before and besides it. */
void
print_times(const struct report *report,
            const struct koshu_simulation *simulation)
{
    struct koshu_run_seconds s = {.size = sizeof s};
    if (koshu_simulation_seconds(simulation, &s) != KOSHU_OK) return;
    const double total = koshu_now() - report->began;
    const struct {
        const char *what;
        double seconds;
    } stages[] = {{"forces", s.forces},
                  {"steps", s.steps},
                  {"start", s.start},
                  {"errors", s.errors},
                  {"log", s.log},
                  {"snapshots", s.snapshots},
                  {"checkpoints", s.checkpoints},
                  {"program", s.caller + total - s.total}};
    printf("wall time  %.3g s\n", total);
    for (size_t k = 0; k < sizeof stages / sizeof stages[0]; k++)
        print_stage(stages[k].what, stages[k].seconds, total);
    if (s.hidden > 0)
        printf("  and %.3g s of files beside the steps\n", s.hidden);
}
