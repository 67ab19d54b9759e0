/* SPDX-License-Identifier: MIT */
/* Shared by the files of `koshu tune`. */
#ifndef KOSHU_APP_TUNE_H
#define KOSHU_APP_TUNE_H

#include "internal.h"

/* Prints the table with the winners marked; `all`: with the other shapes
 * too. */
void tune_print(const struct koshu_backend *backend,
                const struct koshu_tune_table *table, bool all);

/* Prints one object per row. */
koshu_status tune_print_json(const struct koshu_backend *backend,
                             const struct koshu_tune_table *table);

/* Draws a panel for each set. */
koshu_status tune_plot(const struct koshu_backend *backend,
                       const struct koshu_tune_table *table, const char *path);

#endif
