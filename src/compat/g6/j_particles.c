/* SPDX-License-Identifier: MIT */
/* Setting j-particles: they are collected in a buffer and sent to the store. */
#include <stdlib.h>

#include "compat/g6/functions.h"
#include "compat/g6/g6.h"

/* A buffer larger than this is freed once it is empty. Before the first sum, it
 * is sent whenever it has so many: the clients' initial particles. */
enum { LARGE = 65536 };

static bool
reserve(struct koshu_g6_buffer *b)
{
    size_t capacity = b->capacity ? 2 * b->capacity : 4 * KOSHU_G6_BLOCK;
    struct koshu_g6_block *block =
            reallocarray(b->block, capacity / KOSHU_G6_BLOCK, sizeof *block);
    if (!block) return false;
    b->block = block;
    b->capacity = capacity;
    return true;
}

static void
empty(struct koshu_g6_buffer *b)
{
    if (b->capacity > LARGE) {
        free(b->block);
        *b = (struct koshu_g6_buffer){0};
    }
    b->n = 0;
    b->last = 0;
}

/* Sends the first n particles of a block. */
static koshu_status
send_block(struct koshu_j_store *store, const struct koshu_g6_block *b,
           size_t n)
{
    const struct koshu_j_particles particles = {
            .n = n,
            .x = b->x[0],
            .y = b->x[1],
            .z = b->x[2],
            .mass = b->mass,
            .id = b->id,
            .vx = b->v[0],
            .vy = b->v[1],
            .vz = b->v[2],
            .ax = b->a[0],
            .ay = b->a[1],
            .az = b->a[2],
            .jx = b->jerk[0],
            .jy = b->jerk[1],
            .jz = b->jerk[2],
            .sx = b->snap[0],
            .sy = b->snap[1],
            .sz = b->snap[2],
            .time = b->time,
    };
    return koshu_j_store_set(store, b->address, &particles);
}

static koshu_status
ensure_capacity(struct koshu_j_store *store, size_t n)
{
    size_t capacity = koshu_j_store_capacity(store);
    if (n <= capacity) return KOSHU_OK;
    if (n < 2 * capacity &&
        koshu_j_store_reserve(store, 2 * capacity) == KOSHU_OK)
        return KOSHU_OK;
    return koshu_j_store_reserve(store, n);
}

int
koshu_g6_send(struct koshu_g6_cluster *c, size_t n_j)
{
    struct koshu_g6_buffer *b = &c->buffer;
    size_t capacity = b->n > 0 && b->last >= n_j ? b->last + 1 : n_j;
    koshu_status status = ensure_capacity(c->store, capacity);
    for (size_t k = 0; k < b->n && status == KOSHU_OK; k += KOSHU_G6_BLOCK)
        status = send_block(c->store, &b->block[k / KOSHU_G6_BLOCK],
                            b->n - k < KOSHU_G6_BLOCK ? b->n - k
                                                      : KOSHU_G6_BLOCK);
    if (koshu_g6_check(c, "sending j-particles", status) != 0) return -1;
    empty(b);
    return 0;
}

/* Returns 0 if a j-particle can be set at the address. */
static int
check(const struct koshu_g6_cluster *c, int address, const double *x)
{
    if (!x)
        return koshu_g6_fail("cluster %d: g6_set_j_particle: the position is "
                             "NULL",
                             c->number);
    if (address < 0)
        return koshu_g6_fail("cluster %d: g6_set_j_particle: address %d: the "
                             "first is 0",
                             c->number, address);
    return koshu_g6_check(c, "g6_set_j_particle",
                          ensure_capacity(c->store, (size_t)address + 1));
}

/* Returns 0 if there is memory for one more. */
static int
ensure_buffer(struct koshu_g6_cluster *c)
{
    struct koshu_g6_buffer *b = &c->buffer;
    if (b->n >= LARGE && !c->sums.started && koshu_g6_send(c, 0) != 0)
        return -1;
    if (b->n == b->capacity && !reserve(b))
        return koshu_g6_no_memory(c, "g6_set_j_particle");
    return 0;
}

/* Copies a derivative times factor; NULL: 0. */
static void
put(double to[3][KOSHU_G6_BLOCK], size_t at, double factor, const double *from)
{
    for (int k = 0; k < 3; k++) to[k][at] = from ? factor * from[k] : 0;
}

int
koshu_g6_set_j_particle(int cluster, int address, int index, double tj,
                        double dtj, double mass, double a2by18[3],
                        double a1by6[3], double aby2[3], double v[3],
                        double x[3])
{
    (void)dtj;
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c || check(c, address, x) != 0 || ensure_buffer(c) != 0) return -1;
    struct koshu_g6_buffer *b = &c->buffer;
    struct koshu_g6_block *p = &b->block[b->n / KOSHU_G6_BLOCK];
    const size_t at = b->n++ % KOSHU_G6_BLOCK;
    p->address[at] = (uint64_t)address;
    p->id[at] = koshu_g6_id_of(index);
    p->time[at] = tj;
    p->mass[at] = mass;
    put(p->x, at, 1, x);
    put(p->v, at, 1, v);
    put(p->a, at, 2, aby2);
    put(p->jerk, at, 6, a1by6);
    put(p->snap, at, 18, a2by18);
    if (b->last < (uint64_t)address) b->last = (uint64_t)address;
    return 0;
}

int
koshu_g6_set_ti(int cluster, double ti)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c) return -1;
    c->time = ti;
    return 0;
}

int
koshu_g6_setup_njdata(int cluster, int nj)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c) return -1;
    if (nj < 0)
        return koshu_g6_fail("cluster %d: g6_setup_njdata: %d j-particles",
                             c->number, nj);
    return koshu_g6_check(c, "g6_setup_njdata",
                          ensure_capacity(c->store, (size_t)nj));
}

int
koshu_g6_initialize_jp_buffer(int cluster, int size)
{
    (void)size;
    return koshu_g6_open(cluster);
}

int
koshu_g6_set_j_particle_mxonly(int cluster, int address, int index, double mass,
                               double x[3])
{
    return koshu_g6_set_j_particle(cluster, address, index, 0, 0, mass, NULL,
                                   NULL, NULL, NULL, x);
}

int
koshu_g6_set_j_particle_multisend_mxfast(int cluster, int nclusters,
                                         int address, int index, double mass,
                                         double x[3])
{
    (void)nclusters;
    return koshu_g6_set_j_particle_mxonly(cluster, address, index, mass, x);
}

int
koshu_g6_getnjmax(int cluster)
{
    (void)cluster;
    return 1 << 24;
}
