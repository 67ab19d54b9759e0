/* SPDX-License-Identifier: MIT */
/* Assigns ranks to groups, each of which writes files of a snapshot. */
#include <string.h>

#include "domain/domain.h"
#include "particles/particles.h"

/* The rows of ranks `of`, out of `total` rows. */
static struct koshu_slice
rows_of(size_t total, int ranks, struct koshu_slice of)
{
    const size_t end = of.first + of.n;
    const size_t first = koshu_slice_of(total, (int)of.first, ranks).first;
    if (end == (size_t)ranks) return (struct koshu_slice){first, total - first};
    return (struct koshu_slice){
            first, koshu_slice_of(total, (int)end, ranks).first - first};
}

/* The group of a rank; groups are of consecutive ranks and as equal as
 * possible. */
static int
group_of(int rank, int ranks, int groups)
{
    int g = groups - 1;
    while (koshu_slice_of((size_t)ranks, g, groups).first > (size_t)rank) g--;
    return g;
}

static koshu_status
make_context(struct koshu_context *all, int number, struct koshu_context **own)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.threads = 1;
    koshu_status status = koshu_context_create(&options, own);
    if (status != KOSHU_OK)
        status = koshu_fail(all, status, "%s", koshu_context_message(NULL));
    KOSHU_TRY(koshu_ranks_collective_status(all, status));
    return koshu_split(all, number, *own);
}

void
koshu_writers_end(struct koshu_writers *writers)
{
    if (writers->context != writers->whole)
        koshu_context_destroy(writers->context);
}

koshu_status
koshu_writers_begin(struct koshu_context *context, size_t total, uint64_t files,
                    struct koshu_writers *writers)
{
    /* ranks without particles join the last that has some */
    const size_t ranks = (size_t)koshu_context_ranks(context),
                 used = ranks < total ? ranks : total;
    const uint64_t wanted = files > 1 ? files : 1,
                   n_files = wanted < total ? wanted : total;
    const int groups = n_files < used ? (int)n_files : (int)used;
    const int rank = koshu_context_rank(context),
              number = group_of(rank < (int)used ? rank : (int)used - 1,
                                (int)used, groups);
    struct koshu_slice of = koshu_slice_of(used, number, groups);
    if (number == groups - 1) of.n = ranks - of.first;
    *writers = (struct koshu_writers){
            .whole = context,
            .context = context,
            .groups = groups,
            .rows = rows_of(total, (int)ranks, of),
            .total = total,
            .n_files = n_files,
            .files = koshu_slice_of(n_files, number, groups)};
    if (groups == 1) return KOSHU_OK;
    const koshu_status status =
            make_context(context, number, &writers->context);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_writers_end(writers);
    writers->context = context;
    return status;
}

koshu_status
koshu_writers_status(const struct koshu_writers *writers, koshu_status status)
{
    if (status != KOSHU_OK && writers->context != writers->whole)
        status = koshu_fail(writers->whole, status, "%s",
                            koshu_context_message(writers->context));
    return koshu_ranks_collective_status(writers->whole, status);
}

struct koshu_rows
koshu_writers_rows(const struct koshu_writers *writers,
                   const struct koshu_particles *particles)
{
    const size_t first = koshu_particles_first(particles);
    return (struct koshu_rows){.context = writers->context,
                               .total = writers->rows.n,
                               .slice = {first - writers->rows.first,
                                         koshu_particles_count(particles)}};
}

/* Gathers a column of all particles of the group. */
static koshu_status
gather_array(const struct koshu_rows *rows, const void *mine, void *all)
{
    const void *at;
    KOSHU_TRY(koshu_rows_get(rows, mine, 0, rows->total, all, &at));
    if (at != all) memcpy(all, at, rows->total * KOSHU_ARRAY_ELEMENT);
    return KOSHU_OK;
}

koshu_status
koshu_rows_gather(const struct koshu_rows *rows,
                  const struct koshu_particle_view *mine,
                  const struct koshu_particle_view *all)
{
    koshu_status status = KOSHU_OK;
    for (size_t k = 0; k < KOSHU_ARRAYS && status == KOSHU_OK; k++)
        if (koshu_particle_array(all, k))
            status = gather_array(rows, koshu_particle_array(mine, k),
                                  koshu_particle_array(all, k));
    return status;
}
