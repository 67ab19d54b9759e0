/* SPDX-License-Identifier: MIT */
/* output.log.cluster: writes cluster.csv, properties of a run's star cluster,
 * with each row of energy.csv. */
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/base.h"
#include "domain/domain.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

void
koshu_cluster_log_header(const struct koshu_units *units, size_t size,
                         char *text)
{
    char time[64];
    koshu_units_label(units, KOSHU_QUANTITY_TIME, sizeof time, time);
    int used = snprintf(text, size, time[0] ? "step,time [%s]," : "step,time,",
                        time);
    koshu_cluster_header(KOSHU_CLUSTER_TABLE_SUMMARY, units,
                         size - (size_t)used - 1, text + used);
    strcat(text, "\n");
}

/* Divides sums of masses by G. */
static void
remove_g(struct koshu_cluster_summary *c, double g)
{
    double *const sums[] = {&c->mass,          &c->bound_mass, &c->core_mass,
                            &c->kinetic,       &c->potential,  &c->kt,
                            &c->binding_energy};
    for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++) *sums[k] /= g;
}

static koshu_status
measure(struct koshu_simulation *s, struct koshu_cluster_summary *summary)
{
    struct koshu_cluster_options o = koshu_cluster_options_default();
    struct koshu_cluster *cluster;
    o.softening = s->solver->options.softening;
    KOSHU_TRY(koshu_cluster_create(s->particles, &o, &cluster));
    summary->size = sizeof *summary;
    const koshu_status status = koshu_cluster_summary(cluster, summary);
    koshu_cluster_destroy(cluster);
    remove_g(summary, s->kept.mass_factor);
    return status;
}

koshu_status
koshu_cluster_log_write(struct koshu_simulation *s)
{
    double row[1 + KOSHU_CLUSTER_MAX_COLUMNS] = {s->integrator->clock.time};
    struct koshu_cluster_summary summary;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(measure(s, &summary));
    const size_t n =
            koshu_cluster_row(KOSHU_CLUSTER_TABLE_SUMMARY, &summary, row + 1);
    if (koshu_is_first_rank(s->context))
        status = koshu_csv_log_append(s->log[KOSHU_CLUSTER_LOG],
                                      s->integrator->clock.steps, row, n + 1);
    return koshu_ranks_collective_status(s->context, status);
}
