/* SPDX-License-Identifier: MIT */
/* Sends the particles whose owner has changed to their new owners. If they are
 * many, as at first, they go in turns, so that memory for all their rows is not
 * needed. */
#include "domain/migration.h"

#include <string.h>

#include "base/base.h"
#include "domain/cuts.h"

enum { ELEMENT = KOSHU_ARRAY_ELEMENT, MAX_TURNS = 16 };

static const char purpose[] = "particles that change domains";

/* ---- who changes --------------------------------------------------------- */

static koshu_status
reserve_others(struct koshu_domain_copy *c, size_t n)
{
    KOSHU_TRY(KOSHU_GROW(c, other, 2 * n, c->context, purpose));
    return KOSHU_GROW(c, go, 2 * n, c->context, purpose);
}

/* Lists the particles that are outside this rank's box: mostly as few as have
 * memory already. */
static koshu_status
list_others(struct koshu_domain_copy *c, const struct koshu_cut_ops *ops,
            void *self)
{
    const uint32_t mine = (uint32_t)koshu_context_rank(c->context);
    const size_t few = 2048;
    KOSHU_TRY(reserve_others(c, few));
    size_t capacity = c->capacity_other / 2;
    if (capacity > c->capacity_go / 2) capacity = c->capacity_go / 2;
    KOSHU_TRY(ops->others(self, mine, capacity, c->other, &c->n_others));
    if (c->n_others > capacity) {
        capacity = c->n_others;
        KOSHU_TRY(reserve_others(c, capacity));
        KOSHU_TRY(ops->others(self, mine, capacity, c->other, &c->n_others));
    }
    koshu_sort_keys(c->n_others, c->other, c->go, c->other + c->n_others,
                    c->go + c->n_others, 1);
    return KOSHU_OK;
}

static koshu_status
divide(struct koshu_domain_copy *c, const struct koshu_decomposition *cuts,
       const struct koshu_cut_ops *ops, void *self)
{
    struct koshu_decomposition kept = *cuts;
    kept.last = c->cuts;
    KOSHU_TRY(koshu_bisect_boxes(&kept, ops, self));
    const koshu_status status = list_others(c, ops, self);
    unsigned many = c->n_others > koshu_particles_count(c->here) / 2;
    KOSHU_TRY(koshu_collective_status(c->context, status, &many));
    const int others = koshu_context_ranks(c->context) - 1;
    c->turns = !many ? 1 : others < MAX_TURNS ? others : MAX_TURNS;
    return KOSHU_OK;
}

/* A turn for ranks by how far after this one they come. */
static int
turn_of(const struct koshu_domain_copy *c, uint32_t owner)
{
    const int ranks = koshu_context_ranks(c->context),
              mine = koshu_context_rank(c->context);
    const int behind = ((int)owner - mine + ranks) % ranks;
    return (behind - 1) * c->turns / (ranks - 1);
}

/* Takes the particles of a turn from the list. */
static koshu_status
begin_turn(struct koshu_domain_copy *c, int turn)
{
    size_t n = 0, left = 0;
    for (size_t k = 0; k < c->n_others; k++)
        n += turn_of(c, (uint32_t)c->other[k]) == turn;
    KOSHU_TRY(koshu_particle_exchange_begin(&c->next, n));
    c->n_go = 0;
    for (size_t k = 0; k < c->n_others; k++) {
        const uint64_t other = c->other[k];
        if (turn_of(c, (uint32_t)other) != turn) {
            c->other[left++] = other;
            continue;
        }
        c->next.owner[c->n_go] = (uint32_t)other;
        c->go[c->n_go++] = (uint32_t)(other >> 32);
    }
    c->n_others = left;
    return koshu_particle_exchange_count(&c->next);
}

static koshu_status
check_count(const struct koshu_domain_copy *c)
{
    const size_t n = koshu_particles_count(c->here);
    if (n < UINT32_MAX) return KOSHU_OK;
    return koshu_fail(c->context, KOSHU_ERROR_UNSUPPORTED,
                      "%zu particles on one rank: at most 2^32 - 2 can change "
                      "domains; use more ranks",
                      n);
}

koshu_status
koshu_domain_copy_divide(struct koshu_domain_copy *copy,
                         const struct koshu_decomposition *cuts)
{
    struct koshu_domain_copy *c = copy;
    void *device;
    koshu_status status = check_count(c);
    KOSHU_TRY(koshu_ranks_collective_status(c->context, status));
    const struct koshu_resident_ops *there =
            koshu_particles_resident(c->here, &device);
    if (cuts->on_device) return divide(c, cuts, &there->cuts, device);
    struct koshu_host_cuts host = {cuts, NULL};
    host.owner = koshu_alloc(cuts->n + 1, sizeof *host.owner);
    if (!host.owner)
        status = koshu_fail_memory(c->context, cuts->n * sizeof *host.owner,
                                   "owners of particles");
    status = koshu_ranks_collective_status(c->context, status);
    if (status == KOSHU_OK)
        status = divide(c, cuts, &koshu_host_cuts_ops, &host);
    koshu_free(host.owner);
    return status;
}

/* ---- memory -------------------------------------------------------------- */

/* Rows hold all fields of a particle; first its number in the whole. */
struct migration {
    struct koshu_domain_copy *copy;
    struct koshu_particle_exchange *x;
    unsigned fields;
    size_t ranks, row;     /* row: bytes */
    size_t n_go, n_come;   /* particles */
    char *mine, *out, *in; /* rows: as stored here, and in messages */
    uint64_t *key;         /* of arriving rows; two arrays for sorting */
    uint32_t *from;        /* sorted by key; two arrays */
    uint32_t *at;          /* where they are inserted */
};

static void
begin(struct migration *m, struct koshu_domain_copy *c)
{
    const unsigned fields = c->fields | KOSHU_FIELD_ID;
    *m = (struct migration){.copy = c,
                            .x = &c->next,
                            .fields = fields,
                            .ranks = (size_t)koshu_context_ranks(c->context),
                            .row = koshu_row_elements(fields) * ELEMENT,
                            .n_go = c->n_go,
                            .n_come = c->next.n_here};
}

static koshu_status
allocate(struct migration *m)
{
    struct koshu_context *context = m->copy->context;
    const size_t n = koshu_particles_count(m->copy->here),
                 rows = m->n_go > m->n_come ? m->n_go : m->n_come;
    if (n + m->n_come >= UINT32_MAX)
        return koshu_fail(
                context, KOSHU_ERROR_UNSUPPORTED,
                "%zu particles on one rank, and %zu arriving: use more ranks",
                n, m->n_come);
    m->mine = koshu_alloc(rows + 1, m->row);
    m->out = koshu_alloc(m->n_go + 1, m->row);
    m->in = koshu_alloc(m->n_come + 1, m->row);
    m->key = koshu_alloc(2 * m->n_come + 1, sizeof *m->key);
    m->from = koshu_alloc(2 * m->n_come + 1, sizeof *m->from);
    m->at = koshu_alloc(m->n_come + 1, sizeof *m->at);
    if (m->mine && m->out && m->in && m->key && m->from && m->at)
        return KOSHU_OK;
    return koshu_fail_memory(context, 2 * (m->n_go + m->n_come) * m->row,
                             purpose);
}

static void
release(struct migration *m)
{
    koshu_free(m->mine);
    koshu_free(m->out);
    koshu_free(m->in);
    koshu_free(m->key);
    koshu_free(m->from);
    koshu_free(m->at);
}

/* ---- rows ---------------------------------------------------------------- */

/* Packs rows in the order of their owners. */
static koshu_status
pack(struct migration *m)
{
    KOSHU_TRY(koshu_particles_rows(m->copy->here, m->fields, m->n_go,
                                   m->copy->go, m->mine));
    for (size_t k = 0; k < m->n_go; k++)
        memcpy(m->out + k * m->row, m->mine + m->x->order[k] * m->row, m->row);
    return KOSHU_OK;
}

/* Describes the messages to, or from, each rank, n rows each. */
static void
write_messages(const struct migration *m, const size_t *n, char *rows,
               struct koshu_message *to)
{
    for (size_t r = 0; r < m->ranks; r++) {
        to[r] = (struct koshu_message){(int)r, rows, n[r] * m->row};
        rows += n[r] * m->row;
    }
}

static koshu_status
send_rows(struct migration *m)
{
    struct koshu_message *const message = m->x->messages;
    const struct koshu_transfer transfer = {{m->ranks, message},
                                            {m->ranks, message + m->ranks}};
    write_messages(m, m->x->out, m->out, message);
    write_messages(m, m->x->in, m->in, message + m->ranks);
    m->x->bytes_sent += m->n_go * m->row;
    KOSHU_TRY(koshu_transfer_start(m->copy->context, &transfer));
    return koshu_transfer_wait(m->copy->context);
}

/* ---- in the order of the whole ------------------------------------------- */

/* Sorts the arriving particles by their number. */
static void
sort_rows(struct migration *m)
{
    const int threads =
            koshu_region_threads(m->copy->context, m->n_come > 1 << 14);
    for (size_t k = 0; k < m->n_come; k++) {
        memcpy(&m->key[k], m->in + k * m->row, ELEMENT);
        m->from[k] = (uint32_t)k;
    }
    koshu_sort_keys(m->n_come, m->key, m->from, m->key + m->n_come,
                    m->from + m->n_come, threads);
    for (size_t k = 0; k < m->n_come; k++)
        memcpy(m->mine + k * m->row, m->in + m->from[k] * m->row, m->row);
}

/* How many of n ascending numbers are below this one. */
static size_t
count_before(size_t n, const uint64_t *id, uint64_t number)
{
    size_t begin = 0;
    while (n > 0) {
        const size_t half = n / 2;
        const bool before = id[begin + half] < number;
        begin += before ? half + 1 : 0;
        n = before ? n - half - 1 : half;
    }
    return begin;
}

/* For each arriving particle: how many staying ones precede it. */
static koshu_status
find_places(struct migration *m)
{
    const struct koshu_domain_copy *c = m->copy;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(c->here, KOSHU_FIELD_ID,
                                      KOSHU_ACCESS_READ, &v));
    const int threads = koshu_region_threads(c->context, m->n_come > 1 << 8);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < m->n_come; k++)
        m->at[k] = (uint32_t)count_before(v.n, v.id, m->key[k]);
    for (size_t k = 0, gone = 0; k < m->n_come; k++) {
        while (gone < m->n_go && c->go[gone] < m->at[k]) gone++;
        m->at[k] -= (uint32_t)gone;
    }
    return KOSHU_OK;
}

/* Gives the particles left for other turns their new indices. */
static void
renumber_others(const struct migration *m)
{
    struct koshu_domain_copy *const c = m->copy;
    size_t gone = 0, come = 0;
    for (size_t k = 0; k < c->n_others; k++) {
        const uint64_t owner = (uint32_t)c->other[k];
        const uint32_t number = (uint32_t)(c->other[k] >> 32);
        while (gone < m->n_go && c->go[gone] < number) gone++;
        const uint32_t stays = number - (uint32_t)gone;
        while (come < m->n_come && m->at[come] <= stays) come++;
        c->other[k] = (uint64_t)(stays + come) << 32 | owner;
    }
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
change(struct migration *m)
{
    struct koshu_domain_copy *const c = m->copy;
    if (m->n_go + m->n_come == 0) return KOSHU_OK;
    sort_rows(m);
    KOSHU_TRY(find_places(m));
    renumber_others(m);
    const struct koshu_change change = {m->fields, m->n_go, m->n_come,
                                        c->go,     m->at,   m->mine};
    return koshu_particles_change(c->here, &change);
}

static koshu_status
move(struct migration *m)
{
    struct koshu_domain_copy *const c = m->copy;
    koshu_status status = allocate(m);
    if (status == KOSHU_OK) status = pack(m);
    KOSHU_TRY(koshu_ranks_collective_status(c->context, status));
    KOSHU_TRY(send_rows(m));
    status = change(m);
    c->traced = false;
    return koshu_ranks_collective_status(c->context, status);
}

koshu_status
koshu_domain_copy_migrate(struct koshu_domain_copy *copy)
{
    koshu_status status = KOSHU_OK;
    for (int turn = 0; turn < copy->turns && status == KOSHU_OK; turn++) {
        struct migration m;
        KOSHU_TRY(begin_turn(copy, turn));
        begin(&m, copy);
        status = move(&m);
        release(&m);
    }
    return status;
}
