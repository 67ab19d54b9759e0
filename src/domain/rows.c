/* SPDX-License-Identifier: MIT */
/*
 * Rank 0 writes files in the order of the particles, so that they do not depend
 * on the number of ranks. It requests rows from the others as it needs them; no
 * rank holds more than a chunk of another's particles.
 */
#include <stdlib.h>
#include <string.h>

#include "domain/domain.h"
#include "particles/particles.h"

/* A request of rank 0; n = 0: the end. */
struct request {
    uint64_t column, first, n;
};

enum { ELEMENT = 8 };

struct koshu_rows
koshu_rows_of(const struct koshu_particles *particles)
{
    return (struct koshu_rows){.context = koshu_particles_context(particles),
                               .total = koshu_particles_total(particles),
                               .slice = {koshu_particles_first(particles),
                                         koshu_particles_count(particles)}};
}

void
koshu_rows_add(struct koshu_rows *rows, const struct koshu_particle_view *view)
{
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        rows->column[rows->n_columns++] = koshu_particle_array(view, k);
}

/* ---- rank 0 -------------------------------------------------------------- */

/* The part of rows [first, end) that a rank holds. */
static struct koshu_slice
part_of(const struct koshu_rows *rows, int rank, size_t first, size_t end)
{
    const struct koshu_slice wanted = {first, end - first};
    return koshu_slice_common(
            wanted, koshu_slice_of(rows->total, rank,
                                   koshu_context_ranks(rows->context)));
}

static koshu_status
ask(const struct koshu_rows *rows, const struct request *all)
{
    int ranks = koshu_context_ranks(rows->context);
    for (int r = 1; r < ranks; r++) {
        struct koshu_slice part =
                part_of(rows, r, all->first, all->first + all->n);
        const struct request one = {all->column, part.first, part.n};
        if (part.n > 0)
            KOSHU_TRY(koshu_send(rows->context, r, &one, sizeof one));
    }
    return KOSHU_OK;
}

static koshu_status
collect(const struct koshu_rows *rows, const struct request *all, char *buffer)
{
    int ranks = koshu_context_ranks(rows->context);
    struct koshu_slice own = part_of(rows, 0, all->first, all->first + all->n);
    memcpy(buffer,
           (const char *)rows->column[all->column] + own.first * ELEMENT,
           own.n * ELEMENT);
    for (int r = 1; r < ranks; r++) {
        struct koshu_slice part =
                part_of(rows, r, all->first, all->first + all->n);
        char *to = buffer + (part.first - all->first) * ELEMENT;
        if (part.n > 0)
            KOSHU_TRY(koshu_receive(rows->context, r, to, part.n * ELEMENT));
    }
    return KOSHU_OK;
}

koshu_status
koshu_rows_get(const struct koshu_rows *rows, const void *column, size_t first,
               size_t n, void *buffer, const void **at)
{
    struct request all = {.first = first, .n = n};
    if (first + n <= rows->slice.n) {
        *at = (const char *)column + first * ELEMENT;
        return KOSHU_OK;
    }
    while (rows->column[all.column] != column) all.column++;
    *at = buffer;
    KOSHU_TRY(ask(rows, &all));
    return collect(rows, &all, buffer);
}

koshu_status
koshu_rows_end(const struct koshu_rows *rows)
{
    const struct request end = {0};
    for (int r = 1; r < koshu_context_ranks(rows->context); r++)
        KOSHU_TRY(koshu_send(rows->context, r, &end, sizeof end));
    return KOSHU_OK;
}

/* ---- the others ---------------------------------------------------------- */

koshu_status
koshu_rows_serve(const struct koshu_rows *rows)
{
    for (;;) {
        struct request r;
        KOSHU_TRY(koshu_receive(rows->context, 0, &r, sizeof r));
        if (r.n == 0) return KOSHU_OK;
        const char *column = rows->column[r.column];
        KOSHU_TRY(koshu_send(rows->context, 0,
                             column + (r.first - rows->slice.first) * ELEMENT,
                             r.n * ELEMENT));
    }
}

/* ---- a column of all ---------------------------------------------------- */

koshu_status
koshu_gather_column(struct koshu_particles *particles, const double *mine,
                    double *all)
{
    struct koshu_context *context = koshu_particles_context(particles);
    int ranks = koshu_context_ranks(context);
    size_t *n = calloc((size_t)ranks, sizeof *n);
    koshu_status status = KOSHU_OK;
    if (!n)
        status = koshu_fail_memory(context, (size_t)ranks * sizeof *n,
                                   "sizes of slices");
    status = koshu_ranks_collective_status(context, status);
    for (int r = 0; r < ranks && status == KOSHU_OK; r++)
        n[r] = koshu_slice_of(koshu_particles_total(particles), r, ranks).n;
    if (status == KOSHU_OK)
        status = koshu_all_gather_parts(context, mine, sizeof *mine, n, all);
    free(n);
    return status;
}
