/* SPDX-License-Identifier: MIT */
/* Essential trees where a device makes them: parts of its tree to the other
 * ranks, and theirs (backend/fmm_parts.h). What cells and particles are is the
 * backend's; they pass through memory of the host. */
#ifndef KOSHU_SOLVE_PART_IMPORTS_H
#define KOSHU_SOLVE_PART_IMPORTS_H

#include "backend/backend.h"
#include "solve/imports.h"

struct koshu_part_imports;

/* Of one kind of tree. Statuses are the backend's. */
struct koshu_part_ops {
    size_t target, max_targets; /* as of koshu_imports_ops */
    koshu_status (*ready)(struct koshu_imports *imports);
    /* The numbers of what n targets of a rank need; then that itself. */
    koshu_status (*cut)(const struct koshu_part_imports *imports, size_t rank,
                        size_t n, const void *target,
                        struct koshu_fmm_part *part);
    koshu_status (*fetch)(const struct koshu_part_imports *imports, size_t rank,
                          const struct koshu_fmm_part *part);
};

/* Begun as {0} but for ops, engine, and the bytes of a cell and of a particle.
 */
struct koshu_part_imports {
    struct koshu_imports all;
    struct koshu_imports_ops all_ops;
    const struct koshu_part_ops *ops;
    void *engine; /* that the ops know */
    const struct koshu_backend *backend;
    size_t cell_bytes, particle_bytes;
    size_t n_targets;
    const void *target;          /* of this rank */
    struct koshu_fmm_part *part; /* that came from each rank */
    size_t capacity_part;
};

/* Parts begin to go to the others. Collective. As of koshu_imports_start(). */
koshu_status koshu_part_imports_start(struct koshu_part_imports *imports);
/* imports->part, when all have come. */
void koshu_part_imports_gather(struct koshu_part_imports *imports);
/* Cells and particles that came. */
uint64_t koshu_part_imports_count(const struct koshu_part_imports *imports);
void koshu_part_imports_free(struct koshu_part_imports *imports);

#endif
