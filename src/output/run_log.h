/* SPDX-License-Identifier: MIT */
/* The log of a run, and the panels of curves that its columns make. */
#ifndef KOSHU_OUTPUT_RUN_LOG_H
#define KOSHU_OUTPUT_RUN_LOG_H

#include <stdbool.h>

#include <koshu/picture.h>

#include "io/io.h"
#include "output/panel.h"

struct koshu_run_log {
    struct koshu_context *context;
    struct koshu_table table;
    size_t time; /* index of its column */
};

double
koshu_run_log_value(const struct koshu_run_log *log, size_t row, size_t column);

/* The index of the column with this name; log->table.n_columns: none has. */
size_t koshu_run_log_column(const struct koshu_run_log *log, const char *name);

/* The unit of a column as "  [Myr]", for the name of an axis; "": none. */
enum { KOSHU_COLUMN_UNIT = 48 };
void koshu_run_log_unit(const struct koshu_run_log *log, size_t column,
                        char text[KOSHU_COLUMN_UNIT]);

/* Makes a series of a column against time. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_run_log_series(const struct koshu_run_log *log, size_t column,
                     struct koshu_series *series);

/* Is the run in a periodic box, its errors relative to the kinetic energy? */
bool koshu_run_log_is_of_box(const struct koshu_run_log *log);

/* The colour of curve k of n: dark to light, without the palette's ends, which
 * are too light for a white page. */
unsigned koshu_curve_colour(size_t k, size_t n);

/* Each makes a panel. KOSHU_ERROR_BAD_FORMAT: a column is missing;
 * KOSHU_ERROR_OUT_OF_MEMORY. The caller frees the panel, whatever the
 * status. */
typedef koshu_status
koshu_make_panel(const struct koshu_run_log *log, struct koshu_panel *panel);
koshu_make_panel koshu_energy_panel, koshu_virial_panel, koshu_lagrangian_panel;

/* The same for star clusters, from the columns of cluster.csv. */
KOSHU_MUST_CHECK koshu_status
koshu_cluster_panel(const struct koshu_run_log *log, enum koshu_curves kind,
                    struct koshu_panel *panel);

/* The same for runs with the tree: the stages of a step, stacked (Hamada09 Fig.
 * 9), Gflop/s (Fig. 8), list lengths, force errors. */
KOSHU_MUST_CHECK koshu_status koshu_tree_panel(const struct koshu_run_log *log,
                                               enum koshu_curves kind,
                                               struct koshu_panel *panel);

#endif
