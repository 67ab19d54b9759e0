/* SPDX-License-Identifier: MIT */
/* Moves all particles to rank 0, and back to where they belong. */
#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"

enum { ELEMENT = KOSHU_ARRAY_ELEMENT };

/* Particles in transit: packed rows. */
struct parcel {
    struct koshu_particles *particles;
    struct koshu_context *context;
    unsigned fields;
    size_t row; /* bytes of a row */
    char *rows;
    uint32_t *number;
};

static void
drop(struct parcel *p)
{
    koshu_free(p->rows);
    koshu_free(p->number);
}

/* Reserves memory for n particles on this rank. */
static koshu_status
begin(struct koshu_particles *particles, size_t n, struct parcel *p)
{
    const unsigned fields = koshu_particles_fields(particles);
    *p = (struct parcel){.particles = particles,
                         .context = koshu_particles_context(particles),
                         .fields = fields,
                         .row = koshu_row_elements(fields) * ELEMENT};
    koshu_status status = koshu_particles_refuse_views(
            particles, KOSHU_ACCESS_READ, "moving particles to a rank");
    if (status == KOSHU_OK && n >= UINT32_MAX)
        status = koshu_fail(p->context, KOSHU_ERROR_UNSUPPORTED,
                            "%zu particles: at most 2^32 - 2 can be moved to "
                            "one rank",
                            n);
    KOSHU_TRY(koshu_ranks_collective_status(p->context, status));
    status = koshu_particles_leave_device(particles);
    p->rows = koshu_alloc(n, p->row);
    p->number = koshu_alloc(n, sizeof *p->number);
    if (status == KOSHU_OK && (!p->rows || !p->number))
        status = koshu_fail_memory(p->context, n * (p->row + ELEMENT),
                                   "particles of all ranks");
    return koshu_ranks_collective_status(p->context, status);
}

/* Packs particles first ... first + n - 1 of this rank. */
static koshu_status
read_rows(struct parcel *p, size_t first, size_t n, char *rows)
{
    for (size_t k = 0; k < n; k++) p->number[k] = (uint32_t)(first + k);
    return koshu_particles_rows(p->particles, p->fields, n, p->number, rows);
}

/* ---- to rank 0 ----------------------------------------------------------- */

static koshu_status
send_mine(struct parcel *p, size_t n)
{
    KOSHU_TRY(read_rows(p, 0, n, p->rows));
    KOSHU_TRY(koshu_send(p->context, 0, p->rows, n * p->row));
    const struct koshu_change change = {
            .fields = p->fields, .n_go = n, .go = p->number};
    return n > 0 ? koshu_particles_change(p->particles, &change) : KOSHU_OK;
}

/* Appends the others' particles to this rank's, in rank order. */
static koshu_status
receive_all(struct parcel *p, size_t own, size_t total)
{
    const int ranks = koshu_context_ranks(p->context);
    const struct koshu_change change = {.fields = p->fields,
                                        .n_come = total - own,
                                        .at = p->number,
                                        .rows = p->rows};
    char *to = p->rows;
    for (int r = 1; r < ranks; r++) {
        const size_t n = koshu_slice_of(total, r, ranks).n;
        KOSHU_TRY(koshu_receive(p->context, r, to, n * p->row));
        to += n * p->row;
    }
    for (size_t k = 0; k < total - own; k++) p->number[k] = (uint32_t)own;
    return total > own ? koshu_particles_change(p->particles, &change)
                       : KOSHU_OK;
}

koshu_status
koshu_particles_to_first_rank(struct koshu_particles *particles)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const size_t n = koshu_particles_count(particles),
                 total = koshu_particles_total(particles);
    const bool here = koshu_is_first_rank(context);
    struct parcel p;
    if (koshu_context_ranks(context) == 1) return KOSHU_OK;
    koshu_status status = begin(particles, here ? total - n : n, &p);
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(
                context, here ? receive_all(&p, n, total) : send_mine(&p, n));
    drop(&p);
    KOSHU_TRY(status);
    koshu_particles_set_slice(particles, here ? 0 : total, total);
    return KOSHU_OK;
}

/* ---- from it ------------------------------------------------------------- */

/* Sends all but this rank's own particles, which are the first. */
static koshu_status
send_theirs(struct parcel *p, size_t own, size_t total)
{
    const int ranks = koshu_context_ranks(p->context);
    KOSHU_TRY(read_rows(p, own, total - own, p->rows));
    const char *from = p->rows;
    for (int r = 1; r < ranks; r++) {
        const size_t n = koshu_slice_of(total, r, ranks).n;
        KOSHU_TRY(koshu_send(p->context, r, from, n * p->row));
        from += n * p->row;
    }
    const struct koshu_change change = {
            .fields = p->fields, .n_go = total - own, .go = p->number};
    return total > own ? koshu_particles_change(p->particles, &change)
                       : KOSHU_OK;
}

static koshu_status
receive_mine(struct parcel *p, size_t n)
{
    const struct koshu_change change = {
            .fields = p->fields, .n_come = n, .at = p->number, .rows = p->rows};
    KOSHU_TRY(koshu_receive(p->context, 0, p->rows, n * p->row));
    for (size_t k = 0; k < n; k++) p->number[k] = 0;
    return n > 0 ? koshu_particles_change(p->particles, &change) : KOSHU_OK;
}

koshu_status
koshu_particles_to_all_ranks(struct koshu_particles *particles)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const int rank = koshu_context_rank(context),
              ranks = koshu_context_ranks(context);
    uint64_t total = koshu_particles_total(particles);
    struct parcel p;
    if (ranks == 1) return KOSHU_OK;
    KOSHU_TRY(koshu_broadcast(context, 0, &total, sizeof total));
    const struct koshu_slice mine = koshu_slice_of(total, rank, ranks);
    koshu_status status =
            begin(particles, rank == 0 ? total - mine.n : mine.n, &p);
    if (status == KOSHU_OK)
        status = koshu_ranks_collective_status(
                context, rank == 0 ? send_theirs(&p, mine.n, total)
                                   : receive_mine(&p, mine.n));
    drop(&p);
    KOSHU_TRY(status);
    koshu_particles_set_slice(particles, mine.first, total);
    return KOSHU_OK;
}
