/* SPDX-License-Identifier: MIT */
/*
 * The schemes of Hamada09 Fig. 3: the same lists and the same kernel; they
 * differ in how the work is divided among threads.
 *
 *     i-parallel   one walk after the other, with its i-particles divided
 *                  (Nyland et al. 2007, Belleman08)
 *     j-parallel   one walk after the other, with its list divided; the host
 *                  adds up the partial sums (Hamada07)
 *     walks        many walks at once
 */
#include "bench/cases/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* BATCH: walks whose lists are made before they are summed. DEVICE_PARTS: the
 * parts into which a list is divided on a device, as many as the GeForce 8800
 * has multiprocessors. */
enum { BATCH = 256, MAX_PARTS = 64, DEVICE_PARTS = 16 };

struct tree_schemes {
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_walk_task task;
    struct koshu_tree tree;
    struct koshu_groups groups;
    struct koshu_walker walker[BATCH];
    bool direct; /* a single list, which has been made */
    int threads;
    size_t parts;   /* of a list, at most */
    float *eps2;    /* for the i-particles of all parts of a walk */
    float *i[3];    /* the same i-particles for each part */
    double *sum[4]; /* for all particles, in the order of the lists */
    double *part;   /* 4 * largest for each part */
};

/* ---- life ---------------------------------------------------------------- */

/* Allocates sums over walks of the largest group of n particles. */
static koshu_status
reserve(struct tree_schemes *c, size_t n, double eps)
{
    const size_t max = c->parts * c->groups.largest;
    c->eps2 = koshu_alloc(max, sizeof *c->eps2);
    c->i[0] = koshu_alloc(3 * max, sizeof(float));
    c->sum[0] = koshu_alloc(4 * n, sizeof(double));
    c->part = koshu_alloc(4 * max, sizeof(double));
    if (!c->eps2 || !c->i[0] || !c->sum[0] || !c->part)
        return koshu_fail_memory(c->context, 48 * max + 32 * n,
                                 "a comparison of schemes");
    for (size_t k = 1; k < 3; k++) c->i[k] = c->i[0] + k * max;
    for (size_t k = 1; k < 4; k++) c->sum[k] = c->sum[0] + k * n;
    for (size_t i = 0; i < max; i++) c->eps2[i] = (float)(eps * eps);
    c->task = (struct koshu_walk_task){.eps = eps};
    return KOSHU_OK;
}

static koshu_status
begin(struct koshu_context *context, struct tree_schemes **schemes)
{
    struct tree_schemes *c = calloc(1, sizeof *c);
    *schemes = c;
    if (!c) return koshu_fail_memory(context, sizeof *c, "schemes");
    c->context = c->tree.context = context;
    KOSHU_TRY(koshu_backend_of(context, &c->backend));
    c->threads = koshu_context_threads(context);
    if (c->threads > MAX_PARTS) c->threads = MAX_PARTS;
    c->parts = c->backend->ops->walks_in_caller ? (size_t)c->threads
                                                : DEVICE_PARTS;
    return KOSHU_OK;
}

static koshu_status
make_tree(struct tree_schemes *c, struct koshu_particles *particles)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct koshu_tree_seconds seconds;
    KOSHU_TRY(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    koshu_status status =
            koshu_tree_make(&c->tree, v.n, v.x, v.y, v.z, v.mass, &seconds);
    koshu_particles_release_read(particles);
    return status;
}

/* Makes the lists of these groups. */
static koshu_status
make_lists(struct tree_schemes *c, size_t first, size_t last)
{
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)
    for (size_t k = first; k < last; k++) {
        const koshu_status one = koshu_tree_walk(
                &c->tree, &c->groups.group[k], 0, false, &c->walker[k - first]);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

koshu_status
tree_schemes_make(struct koshu_context *context,
                  const struct koshu_tree_options *options, double eps,
                  bool direct, struct koshu_particles *particles,
                  struct tree_schemes **schemes)
{
    const size_t n = koshu_particles_count(particles);
    KOSHU_TRY(begin(context, schemes));
    struct tree_schemes *c = *schemes;
    c->tree.options = *options;
    c->direct = direct;
    KOSHU_TRY(make_tree(c, particles));
    KOSHU_TRY(koshu_groups_make(&c->groups, &c->tree,
                                direct ? n : options->n_crit));
    KOSHU_TRY(reserve(c, n, eps));
    return direct ? make_lists(c, 0, 1) : KOSHU_OK;
}

void
tree_schemes_free(struct tree_schemes *schemes)
{
    struct tree_schemes *c = schemes;
    if (!c) return;
    for (int k = 0; k < BATCH; k++) koshu_walker_free(&c->walker[k]);
    koshu_tree_free(&c->tree);
    koshu_groups_free(&c->groups);
    koshu_free(c->eps2);
    koshu_free(c->i[0]);
    koshu_free(c->sum[0]);
    koshu_free(c->part);
    free(c);
}

/* ---- pieces of walks ----------------------------------------------------- */

/* A part of a walk: i-particles of a list and some of its j-particles. Lists
 * have no cells, as these are monopoles. Pairs of a particle with itself do not
 * matter: its distance is 0, and the softening is not. */
struct piece {
    const struct koshu_list *list;
    struct span {
        size_t first, last;
    } i, j;
    double *to;     /* sums of i.first; */
    size_t columns; /* potentials and so on follow at this distance */
};

static struct span
part_of(size_t n, size_t part, size_t parts)
{
    return (struct span){n * part / parts, n * (part + 1) / parts};
}

static struct piece
whole(const struct tree_schemes *c, size_t group, const struct koshu_list *list)
{
    const struct koshu_group *g = &c->groups.group[group];
    return (struct piece){.list = list,
                          .i = {0, g->n},
                          .j = {0, list->n_j},
                          .to = c->sum[0] + g->first,
                          .columns = c->tree.n};
}

static koshu_status
sum_piece(const struct tree_schemes *c, const struct piece *p)
{
    const struct span i = p->i, j = p->j;
    size_t i_offset[2] = {0, i.last - i.first},
           j_offset[2] = {0, j.last - j.first}, cell_offset[2] = {0, 0};
    float *const *r = p->list->j;
    const struct koshu_walks walk = {
            .i_offset = i_offset,
            .j_offset = j_offset,
            .cell_offset = cell_offset,
            .i = {r[0] + i.first, r[1] + i.first, r[2] + i.first, c->eps2},
            .j = {r[0] + j.first, r[1] + j.first, r[2] + j.first,
                  r[3] + j.first},
            .result = {p->to, p->to + p->columns, p->to + 2 * p->columns,
                       p->to + 3 * p->columns},
    };
    return c->backend->ops->walks(c->backend, &c->task, 1, &walk);
}

/* Each piece is summed by one thread; a single piece, by the device. */
static koshu_status
sum_pieces(const struct tree_schemes *c, size_t n, const struct piece *pieces)
{
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic) if (n > 1)
    for (size_t k = 0; k < n; k++) {
        const koshu_status one = sum_piece(c, &pieces[k]);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

/* ---- one walk ------------------------------------------------------------ */

static koshu_status
sum_by_i(const struct tree_schemes *c, const struct piece *walk)
{
    const bool threads = c->backend->ops->walks_in_caller;
    const size_t parts = threads ? c->parts : 1;
    struct piece pieces[MAX_PARTS];
    for (size_t p = 0; p < parts; p++) {
        pieces[p] = *walk;
        pieces[p].i = part_of(walk->i.last, p, parts);
        pieces[p].to += pieces[p].i.first;
    }
    return sum_pieces(c, parts, pieces);
}

/* One call: the parts of the list are walks with the same i-particles. */
static koshu_status
device_by_j(const struct tree_schemes *c, const struct piece *walk)
{
    size_t i_offset[DEVICE_PARTS + 1], j_offset[DEVICE_PARTS + 1];
    size_t cell_offset[DEVICE_PARTS + 1] = {0};
    const size_t n = walk->i.last, columns = c->parts * n;
    float *const *r = walk->list->j;
    for (size_t p = 0; p <= c->parts; p++) {
        i_offset[p] = p * n;
        j_offset[p] = part_of(walk->j.last, p, c->parts).first;
    }
    for (size_t p = 0; p < c->parts; p++)
        for (size_t k = 0; k < 3; k++)
            memcpy(c->i[k] + p * n, r[k], n * sizeof(float));
    const struct koshu_walks walks = {
            .i_offset = i_offset,
            .j_offset = j_offset,
            .cell_offset = cell_offset,
            .i = {c->i[0], c->i[1], c->i[2], c->eps2},
            .j = {r[0], r[1], r[2], r[3]},
            .result = {c->part, c->part + columns, c->part + 2 * columns,
                       c->part + 3 * columns},
    };
    return c->backend->ops->walks(c->backend, &c->task, c->parts, &walks);
}

static koshu_status
threads_by_j(const struct tree_schemes *c, const struct piece *walk)
{
    struct piece pieces[MAX_PARTS];
    for (size_t p = 0; p < c->parts; p++) {
        pieces[p] = *walk;
        pieces[p].j = part_of(walk->j.last, p, c->parts);
        pieces[p].to = c->part + p * walk->i.last;
        pieces[p].columns = c->parts * walk->i.last;
    }
    return sum_pieces(c, c->parts, pieces);
}

static koshu_status
sum_by_j(const struct tree_schemes *c, const struct piece *walk)
{
    const size_t n = walk->i.last, columns = c->parts * n;
    KOSHU_TRY(c->backend->ops->walks_in_caller ? threads_by_j(c, walk)
                                               : device_by_j(c, walk));
#pragma omp parallel for num_threads(c->threads) if (n > 1 << 12)
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            double sum = 0;
            for (size_t p = 0; p < c->parts; p++)
                sum += c->part[k * columns + p * n + i];
            walk->to[k * walk->columns + i] = sum;
        }
    return KOSHU_OK;
}

/* ---- all walks ----------------------------------------------------------- */

/* Sums the walks of n groups from `first` on, whose lists have been made. */
static koshu_status
sum_batch(struct tree_schemes *c, enum tree_scheme scheme, size_t first,
          size_t n, struct tree_scheme_time *time)
{
    struct piece walks[BATCH];
    for (size_t k = 0; k < n; k++) {
        walks[k] = whole(c, first + k, &c->walker[k].list);
        time->interactions += (double)(walks[k].i.last * walks[k].j.last);
    }
    if (scheme == TREE_WALKS) return sum_pieces(c, n, walks);
    for (size_t k = 0; k < n; k++)
        KOSHU_TRY(scheme == TREE_I_PARALLEL ? sum_by_i(c, &walks[k])
                                            : sum_by_j(c, &walks[k]));
    return KOSHU_OK;
}

static koshu_status
sum_all(struct tree_schemes *c, enum tree_scheme scheme,
        struct tree_scheme_time *time)
{
    *time = (struct tree_scheme_time){0};
    for (size_t k = 0; k < c->groups.n; k += BATCH) {
        const size_t last = k + BATCH < c->groups.n ? k + BATCH : c->groups.n;
        const double start = koshu_now();
        if (!c->direct) KOSHU_TRY(make_lists(c, k, last));
        const double middle = koshu_now();
        KOSHU_TRY(sum_batch(c, scheme, k, last - k, time));
        if (!c->direct) time->lists += middle - start;
        time->sums += koshu_now() - middle;
    }
    time->seconds = time->lists + time->sums;
    return KOSHU_OK;
}

koshu_status
tree_schemes_time(struct tree_schemes *schemes, enum tree_scheme scheme,
                  size_t repeats, struct tree_scheme_time *best)
{
    struct tree_scheme_time time;
    best->seconds = INFINITY;
    for (size_t r = 0; r < repeats; r++) {
        KOSHU_TRY(sum_all(schemes, scheme, &time));
        if (time.seconds < best->seconds) *best = time;
    }
    return KOSHU_OK;
}
