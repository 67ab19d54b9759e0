/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints of the tree at the end. */
#include <stdio.h>

#include <koshu/ranks.h>

#include "app.h"
#include "run.h"

/* What the device does with the lists of the host, which makes the next ones
 * meanwhile. */
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

static double
seconds_of_tree(const struct koshu_tree_report *r)
{
    return r->seconds.keys + r->seconds.sort + r->seconds.build +
           r->seconds.moments + r->seconds.groups;
}

static void
print_walks(const struct koshu_tree_report *r,
            const struct koshu_tree_errors *errors)
{
    const double n = (double)r->evaluations,
                 length = (double)r->interactions / (double)r->particles,
                 all = koshu_tree_report_seconds(r);
    printf("tree       %.3g s for forces: tree %.0f %%, walks %.0f %%, ",
           all / n, 100 * seconds_of_tree(r) / all,
           100 * r->seconds.walk / all);
    if (r->device.batches > 0)
        printf("waits for copies %.0f %%, ", 100 * r->seconds.transfer / all);
    printf("sums %.0f %%; groups of %.0f\n", 100 * r->seconds.force / all,
           (double)r->particles / (double)r->groups);
    print_batches(r);
    printf("lists      %.0f, %.0f of them cells", length,
           (double)r->with_cells / (double)r->particles);
    if (errors->barnes_hut_length > 0)
        printf("; Barnes-Hut list length %.0f", errors->barnes_hut_length);
    printf("\nrate       %.1f Gflop/s at 38 per interaction",
           38e-9 * (double)r->interactions / all);
    if (errors->barnes_hut_length > 0)
        printf("; corrected to Barnes-Hut lists %.1f",
               38e-9 * errors->barnes_hut_length * (double)r->particles / all);
    printf("\n");
}

static void
print_expansions(const struct koshu_tree_report *r)
{
    const double n = (double)r->evaluations, all = koshu_tree_report_seconds(r);
    printf("fmm        %.3g s for forces: tree and multipoles %.0f %%, "
           "expansions %.0f %%, direct sums %.0f %%\n",
           all / n, 100 * seconds_of_tree(r) / all, 100 * r->seconds.walk / all,
           100 * r->seconds.force / all);
    printf("cells      %.0f, leaves of at most %.0f; %.0f translations of a "
           "cell, direct sums over %.0f for a particle\n",
           (double)r->cells / n, (double)r->n_leaf,
           (double)r->translations / (double)r->cells,
           (double)r->interactions / (double)r->particles);
}

static int
ranks_of(struct koshu_simulation *simulation)
{
    struct koshu_particles *particles = koshu_simulation_particles(simulation);
    return koshu_ranks_count(koshu_particles_context(particles));
}

/* Prints the costs of several ranks. */
static void
print_domains(const struct koshu_tree_report *r, int ranks)
{
    const double n = (double)r->evaluations;
    printf("domains    imbalance of interactions %.2f; each step %.3g cells "
           "and particles come from others, %.3g MB are sent\n",
           (double)r->largest_interactions * ranks / (double)r->interactions,
           (double)r->imported / n, 1e-6 * (double)r->bytes_sent / n);
}

/* The exposed communication of this rank by kind, if that was measured. */
static void
print_exposed(const struct koshu_tree_report *r)
{
    const double domains = r->exposed_seconds.domains,
                 particles = r->exposed_seconds.particles,
                 essential = r->exposed_seconds.essential,
                 wait = r->exposed_seconds.wait;
    const double all = domains + particles + essential + wait;
    if (all > 0)
        printf("exposed    domains %.0f%%, particles that cross cuts "
               "%.0f%%, essential trees %.0f%%, waiting for others' %.0f%%\n",
               100 * domains / all, 100 * particles / all,
               100 * essential / all, 100 * wait / all);
}

/* Prints lists or expansions, stages, and errors. */
void
print_tree(struct koshu_simulation *simulation)
{
    struct koshu_tree_report r = {.size = sizeof r};
    struct koshu_tree_errors e = {.size = sizeof e};
    if (koshu_solver_tree_total(koshu_simulation_solver(simulation), &r) !=
                KOSHU_OK ||
        r.evaluations == 0 ||
        koshu_simulation_tree_errors(simulation, &e) != KOSHU_OK)
        return;
    /* with one particle, or on a rank without any, nothing was measured */
    if (koshu_tree_report_seconds(&r) <= 0) return;
    if (r.groups > 0)
        print_walks(&r, &e);
    else
        print_expansions(&r);
    if (r.largest_interactions > 0) print_domains(&r, ranks_of(simulation));
    print_exposed(&r);
    if (e.sample > 0)
        printf("errors     median %.1e, 99 %% below %.1e, largest %.1e of %zu "
               "particles\n",
               e.median, e.p99, e.max, e.sample);
}
