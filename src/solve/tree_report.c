/* SPDX-License-Identifier: MIT */
/* Sums and differences of reports, from one list of what is counted. */
#include <stddef.h>
#include <stdlib.h>

#include "solve/solve.h"

#define AT(member) offsetof(struct koshu_tree_report, member)

/* Stages, then what a device counted. */
enum { STAGES = 8 };
static const size_t seconds[] = {AT(seconds.keys),
                                 AT(seconds.sort),
                                 AT(seconds.build),
                                 AT(seconds.moments),
                                 AT(seconds.groups),
                                 AT(seconds.walk),
                                 AT(seconds.transfer),
                                 AT(seconds.force),
                                 AT(device.up),
                                 AT(device.sums),
                                 AT(device.down),
                                 AT(exposed),
                                 AT(exposed_seconds.domains),
                                 AT(exposed_seconds.particles),
                                 AT(exposed_seconds.essential),
                                 AT(exposed_seconds.wait)},
                    counts[] = {AT(evaluations),     AT(device.batches),
                                AT(device.bytes_up), AT(device.bytes_down),
                                AT(particles),       AT(cells),
                                AT(groups),          AT(interactions),
                                AT(with_cells),      AT(cells_tested),
                                AT(translations),    AT(largest_interactions),
                                AT(imported),        AT(bytes_sent)};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double *
seconds_of(const struct koshu_tree_report *r, size_t k)
{
    return (double *)((char *)r + seconds[k]);
}

static uint64_t *
count_of(const struct koshu_tree_report *r, size_t k)
{
    return (uint64_t *)((char *)r + counts[k]);
}

static void
accumulate(struct koshu_tree_report *to, const struct koshu_tree_report *from,
           int sign)
{
    for (size_t k = 0; k < COUNT(seconds); k++)
        *seconds_of(to, k) += sign * *seconds_of(from, k);
    for (size_t k = 0; k < COUNT(counts); k++)
        *count_of(to, k) += (uint64_t)sign * *count_of(from, k);
}

void
koshu_tree_report_add(struct koshu_tree_report *total,
                      const struct koshu_tree_report *last)
{
    accumulate(total, last, 1);
    total->n_crit = last->n_crit;
    total->n_leaf = last->n_leaf;
    total->space_filling_curve = last->space_filling_curve;
    total->bytes = last->bytes;
}

struct koshu_tree_report
koshu_tree_report_since(const struct koshu_tree_report *total,
                        const struct koshu_tree_report *before)
{
    struct koshu_tree_report since = *total;
    accumulate(&since, before, -1);
    return since;
}

double
koshu_tree_report_seconds(const struct koshu_tree_report *report)
{
    double sum = 0;
    for (size_t k = 0; k < STAGES; k++) sum += *seconds_of(report, k);
    return sum;
}
