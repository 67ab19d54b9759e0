/* SPDX-License-Identifier: MIT */
/*
 * Direct sums over ranks with a device each, as a backend makes them; a part of
 * backend.h, which includes it.
 *
 * The particles stay on the devices. All ranks compute equal shares of all
 * pairs, each pair once, from the packed particles of all; what each has summed
 * for those of the others is sent back to them. Who sends what to whom is up to
 * the caller (solve/device_exchange.c).
 */
#ifndef KOSHU_BACKEND_SHARE_H
#define KOSHU_BACKEND_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/particles.h>

struct koshu_backend;
struct koshu_force_task;

/* A rank's part; each backend puts its own behind it. */
struct koshu_backend_share;

/* Arrays in which slices lie one after another, in the order of ranks. */
enum koshu_share_array {
    KOSHU_SHARE_POINTS, /* all particles, packed */
    KOSHU_SHARE_SUMS,   /* this rank's sums for all particles */
    KOSHU_SHARE_COME    /* others' sums: room for as many */
};

/* The slices of ranks first ... first + n - 1, where they belong; those of
 * KOSHU_SHARE_COME at its beginning. */
struct koshu_share_range {
    enum koshu_share_array array;
    int first, n;
};

/* Memory of the device. A range consists of at most KOSHU_SHARE_PIECES, all of
 * the same size. */
struct koshu_share_piece {
    void *memory;
    size_t bytes; /* a multiple of 8 */
};
enum { KOSHU_SHARE_PIECES = 2 };

/* What units follow from: of the particles of a rank, or of all. */
struct koshu_share_extent {
    double low[3], high[3], largest_mass;
};

/* ---- ways from rank to rank -----------------------------------------------
 */

/* By memory of the host that the device reads and writes by itself: two buffers
 * for each direction. */
enum { KOSHU_SHARE_BUFFERS = 2, KOSHU_SHARE_BUFFER = 1 << 20 };

struct koshu_share_stage_ops {
    koshu_status (*open)(struct koshu_backend_share *share);
    /* A buffer of KOSHU_SHARE_BUFFER bytes. */
    void *(*buffer)(const struct koshu_backend_share *share, bool out, int k);
    /* What is copied from now on was there when this is enqueued. */
    koshu_status (*begin)(struct koshu_backend_share *share);
    /* Enqueue copies, at most a buffer full, beside the sums. */
    koshu_status (*out)(struct koshu_backend_share *share, int k,
                        const struct koshu_share_piece *from);
    koshu_status (*in)(struct koshu_backend_share *share, int k,
                       const struct koshu_share_piece *to);
    /* Waits for the last copy of a buffer. */
    koshu_status (*wait)(struct koshu_backend_share *share, bool out, int k);
    /* What has been copied is there for what is enqueued afterwards. */
    koshu_status (*end)(struct koshu_backend_share *share);
};

/* What a rank's device has done by the time it comes to a mark. */
enum koshu_share_mark {
    KOSHU_SHARE_SPREAD, /* its particles are in the arrays of all */
    KOSHU_SHARE_SUMMED, /* and what it has summed for those of the others */
    KOSHU_SHARE_DONE,   /* it has its forces, and needs its arrays no more */
    KOSHU_SHARE_MARKS
};

/* What other ranks need to know to write into this one's arrays, and to wait
 * for its marks. */
struct koshu_share_handle {
    char array[2][64], mark[KOSHU_SHARE_MARKS][64];
};

/* By writing into the arrays of other processes of the host, as kernels go:
 * while this is open, begin() leaves the particles, and sum() its sums, where
 * they are needed, and finish() adds up what has come from all. Each notes a
 * mark at its end. */
struct koshu_share_peer_ops {
    koshu_status (*handle)(struct koshu_backend_share *share,
                           struct koshu_share_handle *handle);
    /* Those of all ranks. KOSHU_ERROR_UNSUPPORTED: the devices cannot. */
    koshu_status (*open)(struct koshu_backend_share *share,
                         const struct koshu_share_handle handles[]);
    void (*close)(struct koshu_backend_share *share);
    /* What is enqueued from now on comes after this mark of all ranks, which
     * have enqueued it before. */
    koshu_status (*await)(struct koshu_backend_share *share,
                          enum koshu_share_mark mark);
};

/* What identifies the ranks that talk by NCCL. */
struct koshu_share_group {
    char bytes[128];
};

/* By NCCL, which is looked for at run time. */
struct koshu_share_nccl_ops {
    /* A new one: that of one rank is for all. KOSHU_ERROR_UNSUPPORTED: NCCL is
     * not there; of join(): it does not work here. */
    koshu_status (*group)(struct koshu_backend_share *share,
                          struct koshu_share_group *group);
    koshu_status (*join)(struct koshu_backend_share *share,
                         const struct koshu_share_group *group);
    koshu_status (*exchange)(struct koshu_backend_share *share, int to,
                             const struct koshu_share_range *send, int from,
                             const struct koshu_share_range *receive);
};

/* ---- the table ------------------------------------------------------------
 */

/* Work is enqueued in the order of the calls, except where it says that a
 * function waits. All ranks have returned from finish() before one calls
 * begin() again. */
struct koshu_share_ops {
    koshu_status (*create)(struct koshu_backend *backend, int rank, int n_ranks,
                           struct koshu_backend_share **share);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_backend_share *share);

    /* Is there room for sums over so many particles? The same on all ranks. If
     * not, other ranks' ways into the arrays are closed, and reserve() makes
     * room; what was there is lost. KOSHU_ERROR_OUT_OF_MEMORY. */
    bool (*has_room)(const struct koshu_backend_share *share,
                     const struct koshu_force_task *task, size_t total);
    koshu_status (*reserve)(struct koshu_backend_share *share,
                            const struct koshu_force_task *task, size_t total);

    /* Begins with sums of this rank's particles: what units follow from, and
     * whether begin() needs that of all. */
    koshu_status (*look)(struct koshu_backend_share *share,
                         const struct koshu_force_task *task,
                         struct koshu_particles *particles, unsigned fields,
                         struct koshu_share_extent *extent, bool *needs_all);
    /* Packs the own slice. all NULL: in the units of the last time. */
    koshu_status (*begin)(struct koshu_backend_share *share,
                          const struct koshu_share_extent *all);
    /* This rank's share of all pairs. */
    koshu_status (*sum)(struct koshu_backend_share *share);
    /* Adds sums that have come to the own. */
    koshu_status (*add)(struct koshu_backend_share *share,
                        const struct koshu_share_range *to,
                        const struct koshu_share_range *come);
    /* The own slice of the sums is complete: makes the forces of it. Waits for
     * the sum before this one. */
    koshu_status (*finish)(struct koshu_backend_share *share);
    /* Waits for all that is enqueued. */
    koshu_status (*wait)(struct koshu_backend_share *share);

    /* How many pieces a range has. */
    size_t (*pieces)(const struct koshu_backend_share *share,
                     const struct koshu_share_range *range,
                     struct koshu_share_piece pieces[KOSHU_SHARE_PIECES]);

    const struct koshu_share_stage_ops *stage; /* REQUIRED */
    const struct koshu_share_peer_ops *peer;   /* OPTIONAL */
    const struct koshu_share_nccl_ops *nccl;   /* OPTIONAL */
};

#endif
