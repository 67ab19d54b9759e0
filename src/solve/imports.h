/* SPDX-License-Identifier: MIT */
/*
 * Essential trees to the other ranks, and theirs, whatever they are of: all
 * ranks get the targets of all; what these need of a rank's particles goes to
 * them in some messages each, of which first the sizes are told.
 */
#ifndef KOSHU_SOLVE_IMPORTS_H
#define KOSHU_SOLVE_IMPORTS_H

#include "devices/devices.h"

enum { KOSHU_IMPORT_PARTS = 4 }; /* messages of an essential tree */

/* An array of an essential tree, which is a message: n items of so many
 * elements each. Arrays may have the same number of items. */
struct koshu_import_part {
    void **array;
    size_t *capacity, *n, element, elements;
};

#define KOSHU_IMPORT_PART(o, a, n, elements)                                   \
    ((struct koshu_import_part){(void **)&(o)->a, &(o)->capacity_##a, &(o)->n, \
                                sizeof *(o)->a, (elements)})

struct koshu_imports;

/* Of one kind, whose struct begins with that of the imports. */
struct koshu_imports_ops {
    size_t target, max_targets; /* bytes of one, and how many of a rank */
    size_t essential;           /* bytes of its struct, which begins as {0} */

    /* Those of this rank's particles. Returns their number. */
    size_t (*targets)(const struct koshu_imports *imports, void *target);

    /* What n targets need; by any thread. KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*make)(const struct koshu_imports *imports,
                         const void *target, size_t n, void *essential);

    /* Returns the number of its parts. */
    size_t (*parts)(const struct koshu_imports *imports, void *essential,
                    struct koshu_import_part part[KOSHU_IMPORT_PARTS]);

    /* Memory for all that come as sources; their sizes are known.
     * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED. */
    koshu_status (*reserve)(struct koshu_imports *imports);
    void (*free)(void *essential);
};

/* Begun as {0} but for the first two. */
struct koshu_imports {
    const struct koshu_imports_ops *ops;
    struct koshu_context *context;
    size_t ranks;
    char *essential;   /* what goes to each rank, then what comes from it */
    char *target;      /* of all ranks, one after another */
    size_t *n_targets; /* of each rank */
    uint64_t *items;   /* of each part, as the essential trees */
    struct koshu_message *messages; /* the same */
    size_t capacity_essential, capacity_target, capacity_n_targets,
            capacity_items, capacity_messages;
    uint64_t bytes_sent;
};

/* What others need of this rank's particles begins to go to them; parallel: by
 * several threads. There may be no particles. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED: too much for one rank. */
koshu_status koshu_imports_start(struct koshu_imports *imports, bool parallel);
/* Of all ranks what comes, and is there after koshu_transfer_wait(). */
const void *koshu_imports_in(const struct koshu_imports *imports);
void koshu_imports_free(struct koshu_imports *imports);

#endif
