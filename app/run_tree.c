/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints of the tree when it has ended. */
#include <stdio.h>

#include "app.h"
#include "run.h"

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
void
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
                 all = koshu_tree_report_seconds(&r);
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
