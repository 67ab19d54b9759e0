/* SPDX-License-Identifier: MIT */
/*
 * Communication between ranks.
 *
 * All functions but koshu_send(), koshu_receive() and those of a transfer are
 * collective: every rank of the context calls them, in the same order. In a
 * context of one rank they do the same without MPI. They return
 * KOSHU_ERROR_EXTERNAL, with MPI's message, where MPI failed: the ranks cannot
 * continue then.
 *
 * A rank on which something else has failed still makes the calls that the
 * others make until the end of the phase, where koshu_ranks_collective_status()
 * ends it for all: so no rank waits for one that has returned.
 */
#ifndef KOSHU_DOMAIN_DOMAIN_H
#define KOSHU_DOMAIN_DOMAIN_H

#include <koshu/particles.h>
#include <koshu/ranks.h>

#include "base/base.h"

/* ---- collect.c: all to all ---------------------------------------------- */

/* koshu_ranks_collective_status(), and the flags of all ranks, or-ed. */
koshu_status koshu_collective_status(struct koshu_context *context,
                                     koshu_status status, unsigned *flags);

/* Gathers the same number of bytes from each rank, in the order of ranks. */
koshu_status koshu_all_gather(struct koshu_context *context, const void *mine,
                              size_t bytes, void *all);

/* n[r] items of so many bytes from rank r, in the order of ranks. */
koshu_status koshu_all_gather_parts(struct koshu_context *context,
                                    const void *mine, size_t item,
                                    const size_t n[], void *all);

/*
 * n[r] items for each rank r are in `mine`, in the order of ranks; `all` gets
 * what each rank has for this one, n[rank] items each, in the order of ranks.
 */
koshu_status koshu_all_to_all(struct koshu_context *context, const void *mine,
                              size_t item, const size_t n[], void *all);

/* Copies the bytes of rank `from` to all. */
koshu_status
koshu_broadcast(struct koshu_context *context, int from, void *bytes, size_t n);

/* The largest of all ranks' numbers. */
koshu_status koshu_largest(struct koshu_context *context, double *number);

/* A column of the particles of all ranks, in their order; mine: this rank's. */
koshu_status koshu_gather_column(struct koshu_particles *particles,
                                 const double *mine, double *all);

/* Makes `context` of each of the first n ranks one of n ranks of their own. On
 * the other ranks it stays as it is. */
koshu_status koshu_split_first(struct koshu_context *whole, int n,
                               struct koshu_context *context);

/* Returns when all ranks have called it; sleeps until then, so that ranks that
 * still compute have the processors for themselves. */
koshu_status koshu_wait_for_all(struct koshu_context *context);

/* ---- from one to another; not in a context of one rank ------------------ */

koshu_status
koshu_send(struct koshu_context *context, int to, const void *bytes, size_t n);
koshu_status
koshu_receive(struct koshu_context *context, int from, void *bytes, size_t n);

/*
 * Columns of doubles that go to one rank while others come from one, and the
 * processor computes. At most one transfer of a context is under way; the
 * arrays are left alone until it is finished. They may lie on devices where
 * koshu_transfer_reads_devices().
 */
enum { KOSHU_TRANSFER_COLUMNS = 4 };

struct koshu_transfer {
    int to, from, n_columns;
    const double *send[KOSHU_TRANSFER_COLUMNS];
    double *receive[KOSHU_TRANSFER_COLUMNS];
    size_t n_send, n_receive; /* < 2^31; 0: nothing goes that way */
};

koshu_status koshu_transfer_start(struct koshu_context *context,
                                  const struct koshu_transfer *transfer);
/* To be called now and then: few networks move data by themselves. */
koshu_status koshu_transfer_progress(struct koshu_context *context);
koshu_status koshu_transfer_wait(struct koshu_context *context);

/* Does MPI say of itself that it sends and receives the memory of CUDA devices?
 */
bool koshu_transfer_reads_devices(void);

/* What koshu_ranks_transport() says from now on, before the library; at first
 * it is the host's memory. */
#define KOSHU_HOST_STAGED "host-staged"
void koshu_transfer_is_by(struct koshu_context *context, const char *name);

/* Are all ranks on one host? */
bool koshu_ranks_on_one_host(const struct koshu_context *context);

/* ---- sum.c: sums over all particles -------------------------------------- */

/* Adds what particles begin ... end - 1 (of this rank's arrays) give to the
 * sums, in their order. */
typedef void koshu_add_particles(const void *user, size_t begin, size_t end,
                                 struct koshu_sum *sums);

struct koshu_summation {
    struct koshu_context *context;
    int threads;
    struct koshu_slice slice; /* of this rank, and of how many in all */
    size_t total;
    size_t block; /* particles that are summed by one thread in their order;
                     blocks are added in theirs */
    size_t n_sums;
    koshu_add_particles *add;
    const void *user;
};

/* A summation over the particles of a store: the rest is to be filled in. */
struct koshu_summation koshu_summation_of(struct koshu_particles *particles);

/*
 * The sums over the particles of all ranks, the same on each; and the same bits
 * for any number of ranks and threads: a block that lies on two ranks is begun
 * by the one and ended by the other. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_sum_particles(const struct koshu_summation *summation, double *sums);

/* ---- rows.c: what rank 0 writes and reads for all ------------------------ */

/* Files are rank 0's. */
static inline bool
koshu_is_first_rank(const struct koshu_context *context)
{
    return koshu_context_rank(context) == 0;
}

enum { KOSHU_ROWS_COLUMNS = 40 };

/* Columns of 8 bytes a particle that lie on all ranks, each with its part. */
struct koshu_rows {
    struct koshu_context *context;
    size_t total;             /* rows in all */
    struct koshu_slice slice; /* of this rank */
    size_t n_columns;
    const void *column[KOSHU_ROWS_COLUMNS];
};

/* No columns yet. */
struct koshu_rows koshu_rows_of(const struct koshu_particles *particles);
/* The view's arrays, those that it has; the same call on each rank. */
void
koshu_rows_add(struct koshu_rows *rows, const struct koshu_particle_view *view);

/*
 * For rank 0: n rows of a column (one of its own that was added) from `first`
 * on, in the buffer or where they lie. The other ranks are in
 * koshu_rows_serve(), which returns after koshu_rows_end().
 */
koshu_status koshu_rows_get(const struct koshu_rows *rows, const void *column,
                            size_t first, size_t n, void *buffer,
                            const void **at);
koshu_status koshu_rows_end(const struct koshu_rows *rows);
koshu_status koshu_rows_serve(const struct koshu_rows *rows);

/*
 * Distributes a store of all particles, which rank 0 has; elsewhere `whole` is
 * NULL. It is destroyed (with one rank it is the result).
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_distribute_particles(struct koshu_context *context,
                                        struct koshu_particles *whole,
                                        struct koshu_particles **particles);

#endif
