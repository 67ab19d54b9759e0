/* SPDX-License-Identifier: MIT */
/* Particles of domains to other owners: those that change, and no others. */
#include "domain/migration.h"

#include <string.h>

#include "base/base.h"

enum { ELEMENT = KOSHU_ARRAY_ELEMENT };

/* A row has all of a particle: first its place in the store. */
struct migration {
    struct koshu_domain_copy *copy;
    struct koshu_particle_exchange *x;
    size_t ranks, me, width;
    size_t n_old, n_new, n_go, n_come; /* particles, and those that change */
    size_t lane[KOSHU_LANES];          /* of a row's elements */
    char *out, *in;                    /* rows */
    uint64_t *key;                     /* of rows that come; twice */
    uint32_t *row;                     /* sorted by these; twice */
    uint32_t *from; /* of each: which it was, or n_old and its row */
};

/* ---- memory -------------------------------------------------------------- */

static void
begin(struct migration *m, struct koshu_domain_copy *c)
{
    *m = (struct migration){.copy = c,
                            .x = &c->next,
                            .ranks = (size_t)koshu_context_ranks(c->context),
                            .me = (size_t)koshu_context_rank(c->context),
                            .n_old = c->n,
                            .n_new = c->next.n_here};
    m->n_go = m->n_old - m->x->out[m->me];
    m->n_come = m->n_new - m->x->in[m->me];
    m->lane[m->width++] = KOSHU_LANE_INDEX;
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_is_lane(c->fields, k)) m->lane[m->width++] = k;
}

static koshu_status
allocate(struct migration *m)
{
    struct koshu_context *context = m->copy->context;
    const size_t row = m->width * ELEMENT;
    if (m->n_old + m->n_come >= UINT32_MAX)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "%zu particles on one rank, and %zu that come: use "
                          "more ranks",
                          m->n_old, m->n_come);
    m->out = koshu_alloc(m->n_go + 1, row);
    m->in = koshu_alloc(m->n_come + 1, row);
    m->key = koshu_alloc(2 * m->n_come + 1, sizeof *m->key);
    m->row = koshu_alloc(2 * m->n_come + 1, sizeof *m->row);
    m->from = koshu_alloc(m->n_new + 1, sizeof *m->from);
    if (m->out && m->in && m->key && m->row && m->from) return KOSHU_OK;
    return koshu_fail_memory(context, (m->n_go + m->n_come) * row,
                             "particles that change domains");
}

static void
release(struct migration *m)
{
    koshu_free(m->out);
    koshu_free(m->in);
    koshu_free(m->key);
    koshu_free(m->row);
    koshu_free(m->from);
}

/* ---- rows ---------------------------------------------------------------- */

/* Particles before those of rank `to`, in the order of their owners. */
static size_t
before(const size_t *n, size_t to)
{
    size_t sum = 0;
    for (size_t r = 0; r < to; r++) sum += n[r];
    return sum;
}

static void
pack(struct migration *m)
{
    const size_t first = before(m->x->out, m->me),
                 end = first + m->x->out[m->me];
    char *to = m->out;
    for (size_t k = 0; k < m->n_old; k++) {
        if (k == first) k = end;
        if (k >= m->n_old) break;
        for (size_t w = 0; w < m->width; w++, to += ELEMENT)
            memcpy(to,
                   (char *)m->copy->lane[m->lane[w]] + m->x->order[k] * ELEMENT,
                   ELEMENT);
    }
}

/* To each rank, or from each, so many rows; none to itself. */
static void
write_messages(const struct migration *m, const size_t *n, char *rows,
               struct koshu_message *to)
{
    for (size_t r = 0; r < m->ranks; r++) {
        const size_t bytes = r == m->me ? 0 : n[r] * m->width * ELEMENT;
        to[r] = (struct koshu_message){(int)r, rows, bytes};
        rows += bytes;
    }
}

static koshu_status
send_rows(struct migration *m)
{
    struct koshu_message *const message = m->x->messages;
    const struct koshu_transfer transfer = {{m->ranks, message},
                                            {m->ranks, message + m->ranks}};
    pack(m);
    write_messages(m, m->x->out, m->out, message);
    write_messages(m, m->x->in, m->in, message + m->ranks);
    m->x->bytes_sent += m->n_go * m->width * ELEMENT;
    KOSHU_TRY(koshu_transfer_start(m->copy->context, &transfer));
    return koshu_transfer_wait(m->copy->context);
}

/* ---- in the order of the store ------------------------------------------- */

static void
sort_rows(struct migration *m)
{
    const int threads =
            koshu_region_threads(m->copy->context, m->n_come > 1 << 14);
    for (size_t k = 0; k < m->n_come; k++) {
        memcpy(&m->key[k], m->in + k * m->width * ELEMENT, ELEMENT);
        m->row[k] = (uint32_t)k;
    }
    koshu_sort_keys(m->n_come, m->key, m->row, m->key + m->n_come,
                    m->row + m->n_come, threads);
}

/* Those that stay with those that come: both are sorted. */
static void
merge(struct migration *m)
{
    const uint32_t *const stay = m->x->order + before(m->x->out, m->me);
    const uint64_t *const index = m->copy->lane[KOSHU_LANE_INDEX];
    const size_t n_stay = m->x->out[m->me];
    for (size_t k = 0, s = 0, c = 0; k < m->n_new; k++) {
        const bool comes =
                s == n_stay || (c < m->n_come && m->key[c] < index[stay[s]]);
        m->from[k] = comes ? (uint32_t)m->n_old + m->row[c++] : stay[s++];
    }
}

static void
gather(struct migration *m, size_t w)
{
    void **const lane = &m->copy->lane[m->lane[w]],
                 **const spare = &m->copy->lane[KOSHU_LANE_SPARE];
    const char *const old = *lane, *const in = m->in + w * ELEMENT;
    char *const new = *spare;
    const size_t n_old = m->n_old, row = m->width * ELEMENT;
    const int threads =
            koshu_region_threads(m->copy->context, m->n_new > 1 << 14);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < m->n_new; k++) {
        const size_t from = m->from[k];
        memcpy(new + k *ELEMENT,
               from < n_old ? old + from * ELEMENT : in + (from - n_old) * row,
               ELEMENT);
    }
    *spare = *lane;
    *lane = new;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
move(struct migration *m)
{
    KOSHU_TRY(koshu_ranks_collective_status(m->copy->context, allocate(m)));
    KOSHU_TRY(koshu_domain_copy_reserve(m->copy, 0, m->n_new));
    KOSHU_TRY(send_rows(m));
    if (m->n_go + m->n_come > 0) {
        sort_rows(m);
        merge(m);
        for (size_t w = 0; w < m->width; w++) gather(m, w);
    }
    m->copy->n = m->n_new;
    m->copy->traced = false;
    return KOSHU_OK;
}

koshu_status
koshu_domain_copy_divide(struct koshu_domain_copy *copy,
                         const struct koshu_decomposition *cuts)
{
    KOSHU_TRY(koshu_particle_exchange_begin(&copy->next, copy->n));
    KOSHU_TRY(koshu_bisect(cuts, copy->next.owner));
    return koshu_particle_exchange_count(&copy->next);
}

koshu_status
koshu_domain_copy_migrate(struct koshu_domain_copy *copy)
{
    struct migration m;
    begin(&m, copy);
    const koshu_status status = move(&m);
    release(&m);
    return status;
}
