/* SPDX-License-Identifier: MIT */
/* energy.csv: the diagnostics of a run. */
#include "simulation/simulation.h"

/* What stands in each column, of the function's arguments. */
#define COLUMNS(COLUMN)                   \
    COLUMN(time, time)                    \
    COLUMN(kinetic, d->kinetic)           \
    COLUMN(potential, d->potential)       \
    COLUMN(total, d->total)               \
    COLUMN(energy_error, energy_error)    \
    COLUMN(virial_ratio, d->virial_ratio) \
    COLUMN(px, d->momentum[0])            \
    COLUMN(py, d->momentum[1])            \
    COLUMN(pz, d->momentum[2])            \
    COLUMN(lx, d->angular_momentum[0])    \
    COLUMN(ly, d->angular_momentum[1])    \
    COLUMN(lz, d->angular_momentum[2])    \
    COLUMN(cx, d->centre[0])              \
    COLUMN(cy, d->centre[1])              \
    COLUMN(cz, d->centre[2])              \
    COLUMN(r01, d->lagrangian_radius[0])  \
    COLUMN(r05, d->lagrangian_radius[1])  \
    COLUMN(r10, d->lagrangian_radius[2])  \
    COLUMN(r25, d->lagrangian_radius[3])  \
    COLUMN(r50, d->lagrangian_radius[4])  \
    COLUMN(r75, d->lagrangian_radius[5])  \
    COLUMN(r90, d->lagrangian_radius[6])

const char koshu_energy_header[] = KOSHU_CSV_HEADER(COLUMNS);

koshu_status
koshu_energy_log_append(struct koshu_csv_log *log, uint64_t step, double time,
                        double energy_error, const struct koshu_diagnostics *d)
{
    const double row[] = KOSHU_CSV_ROW(COLUMNS);
    return koshu_csv_log_append(log, step, row, sizeof row / sizeof row[0]);
}
