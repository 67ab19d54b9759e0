/* SPDX-License-Identifier: MIT */
/* The parts of `koshu predict`. */
#ifndef KOSHU_APP_PREDICT_H
#define KOSHU_APP_PREDICT_H

#include "app.h"
#include "rank_costs.h"
#include "tree_costs.h"

struct predict_arguments {
    const char *constants, *plot;
    struct count_list n, ranks;
    size_t capacity;
    double latency, bandwidth; /* for trees; bandwidth 0: that of the file */
    bool papers, json, force;
};

koshu_status predict_direct(struct koshu_context *context,
                            const struct predict_arguments *a,
                            const struct rank_costs_file *f);
koshu_status predict_tree(struct koshu_context *context,
                          const struct predict_arguments *a,
                          const struct tree_costs_file *f);

/* ---- runs of papers ------------------------------------------------------ */

struct predict_paper {
    const char *name;
    double n;
    int gpus;
    double seconds; /* per step */
};

/* Times of a step of treecodes in papers; the last has no name. */
extern const struct predict_paper predict_papers[];

/* --plot: seconds against the number of ranks for each N, and those of
 * papers. */
koshu_status predict_plot(struct koshu_context *context,
                          const struct predict_arguments *a,
                          const struct tree_costs_file *f);

#endif
