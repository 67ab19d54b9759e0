/* SPDX-License-Identifier: MIT */
/* Sends essential trees of an FMM to the other ranks, and receives theirs as
 * sources. */
#ifndef KOSHU_SOLVE_FMM_IMPORTS_H
#define KOSHU_SOLVE_FMM_IMPORTS_H

#include "solve/fmm_sides.h"
#include "solve/imports.h"

/* Initialised as {0}. */
struct koshu_fmm_imports {
    struct koshu_imports all;
    struct koshu_fmm_forest forest; /* all received trees; may have no roots */
    const struct koshu_fmm *fmm;
    struct koshu_fmm_criterion criterion;
};

/* koshu_imports_start() for the sources, whose leaves are the targets. */
koshu_status koshu_fmm_imports_start(struct koshu_fmm_imports *imports,
                                     const struct koshu_fmm *fmm, double eps);
/* Waits until all trees have arrived, and makes the forest. */
koshu_status koshu_fmm_imports_wait(struct koshu_fmm_imports *imports);
void koshu_fmm_imports_free(struct koshu_fmm_imports *imports);

#endif
