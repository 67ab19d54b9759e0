/* SPDX-License-Identifier: MIT */
/*
 * Exchanges essential trees with the other ranks, for any kind of tree. All
 * ranks get the targets of all. What these need of a rank's particles is sent
 * to them in a few messages each, whose sizes are sent first.
 */
#ifndef KOSHU_SOLVE_IMPORTS_H
#define KOSHU_SOLVE_IMPORTS_H

#include "devices/devices.h"

enum { KOSHU_IMPORT_PARTS = 4 }; /* messages of an essential tree */

/* An array of an essential tree, sent as one message: n items of `elements`
 * elements each. Several arrays may share the same n. */
struct koshu_import_part {
    void **array;
    size_t *capacity, *n, element, elements;
};

#define KOSHU_IMPORT_PART(o, a, n, elements)                                   \
    ((struct koshu_import_part){(void **)&(o)->a, &(o)->capacity_##a, &(o)->n, \
                                sizeof *(o)->a, (elements)})

struct koshu_imports;

/* The functions of one kind of tree, whose struct begins with struct
 * koshu_imports. */
struct koshu_imports_ops {
    /* bytes of a target, and largest number of targets of a rank */
    size_t target, max_targets;
    size_t essential; /* bytes of its struct, which is initialised as {0} */

    /* Writes the targets of this rank's particles. Returns their number. */
    size_t (*targets)(const struct koshu_imports *imports, void *target);

    /* Makes the essential tree for n targets; called by any thread.
     * KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*make)(const struct koshu_imports *imports,
                         const void *target, size_t n, void *essential);

    /* Lists the arrays to send. Returns their number. */
    size_t (*parts)(const struct koshu_imports *imports, void *essential,
                    struct koshu_import_part part[KOSHU_IMPORT_PARTS]);

    /* Allocates memory for all trees to be received, as sources; their sizes
     * are known. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED. */
    koshu_status (*reserve)(struct koshu_imports *imports);
    void (*free)(void *essential);
};

/* Initialised as {0} except for the first two. */
struct koshu_imports {
    const struct koshu_imports_ops *ops;
    struct koshu_context *context;
    size_t ranks;
    char *essential;   /* those to send to each rank, then those received */
    char *target;      /* of all ranks, one rank after another */
    size_t *n_targets; /* of each rank */
    uint64_t *items;   /* for each part of the essential trees */
    struct koshu_message *messages; /* likewise */
    size_t capacity_essential, capacity_target, capacity_n_targets,
            capacity_items, capacity_messages;
    uint64_t bytes_sent;
};

/* Starts sending the parts of this rank's particles that other ranks need;
 * parallel: on several threads. There may be no particles. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED: too much for one rank. */
koshu_status koshu_imports_start(struct koshu_imports *imports, bool parallel);
/* The trees received from all ranks, complete after koshu_transfer_wait(). */
const void *koshu_imports_in(const struct koshu_imports *imports);
void koshu_imports_free(struct koshu_imports *imports);

#endif
