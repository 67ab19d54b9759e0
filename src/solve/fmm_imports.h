/* SPDX-License-Identifier: MIT */
/* Essential trees of an FMM to the other ranks, and theirs as sources. */
#ifndef KOSHU_SOLVE_FMM_IMPORTS_H
#define KOSHU_SOLVE_FMM_IMPORTS_H

#include "solve/fmm_sides.h"
#include "solve/imports.h"

/* Begun as {0}. */
struct koshu_fmm_imports {
    struct koshu_imports all;
    struct koshu_fmm_forest forest; /* all that have come; may have no roots */
    const struct koshu_fmm *fmm;
    struct koshu_fmm_criterion criterion;
};

/* koshu_imports_start() for the sources; leaves of these are the targets. */
koshu_status koshu_fmm_imports_start(struct koshu_fmm_imports *imports,
                                     const struct koshu_fmm *fmm, double eps);
/* Waits until all have come, and makes the forest. */
koshu_status koshu_fmm_imports_wait(struct koshu_fmm_imports *imports);
void koshu_fmm_imports_free(struct koshu_fmm_imports *imports);

#endif
