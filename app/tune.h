/* SPDX-License-Identifier: MIT */
/* What the two halves of `koshu tune` share. */
#ifndef KOSHU_APP_TUNE_H
#define KOSHU_APP_TUNE_H

#include "internal.h"

/* The table, winners marked; `all`: the other shapes too. */
void tune_print(const struct koshu_backend *backend,
                const struct koshu_tune_table *table, bool all);

/* One object a row. */
koshu_status tune_print_json(const struct koshu_backend *backend,
                             const struct koshu_tune_table *table);

/* A panel for each set. */
koshu_status tune_plot(const struct koshu_backend *backend,
                       const struct koshu_tune_table *table, const char *path);

#endif
