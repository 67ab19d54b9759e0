/* SPDX-License-Identifier: MIT */
/*
 * The schemes of Hamada09 Fig. 3: the same lists and the same kernel; what
 * differs is whose work a thread does.
 *
 *     i-parallel   one walk after the other, its i-particles distributed
 *                  (Nyland et al. 2007, Belleman08)
 *     j-parallel   one walk after the other, its list distributed; the parts
 *                  are added afterwards, by the host (Hamada07)
 *     walks        many walks at once
 */
#include "bench/cases/tree_schemes.h"

#include <math.h>
#include <stdlib.h>

#include "bench/cases/tree_sums.h"
#include "app/app.h"
#include "bench/internal.h"

static const char *const names[TREE_SCHEMES] = {"i-parallel", "j-parallel",
                                                "walks"};

const char *
tree_scheme_name(enum tree_scheme scheme)
{
    return names[scheme];
}

bool
tree_scheme_is_there(const struct koshu_backend *backend,
                     enum tree_scheme scheme)
{
    return backend->ops->walks_in_caller || scheme != TREE_WALKS;
}

/* ---- life ---------------------------------------------------------------- */

/* Memory for sums over walks of at most `largest` particles of n. */
static koshu_status
reserve(struct tree_schemes *c, size_t n, size_t largest, double eps)
{
    const size_t max = c->parts * largest;
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
    if (c->threads > MAX_THREADS) c->threads = MAX_THREADS;
    c->parts = c->backend->ops->walks_in_caller ? (size_t)c->threads
                                                : DEVICE_PARTS;
    return KOSHU_OK;
}

koshu_status
tree_schemes_of_tree(struct koshu_context *context,
                     const struct koshu_tree_options *options, double eps,
                     struct koshu_particles *particles,
                     struct tree_schemes **schemes)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct koshu_tree_seconds seconds;
    KOSHU_TRY(begin(context, schemes));
    struct tree_schemes *c = *schemes;
    KOSHU_TRY(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    c->tree.options = *options;
    koshu_status status =
            koshu_tree_make(&c->tree, v.n, v.x, v.y, v.z, v.mass, &seconds);
    koshu_particles_release_read(particles);
    KOSHU_TRY(status);
    KOSHU_TRY(koshu_groups_make(&c->groups, &c->tree, options->n_crit));
    return reserve(c, v.n, c->groups.largest, eps);
}

koshu_status
tree_schemes_of_all(struct koshu_context *context, double eps,
                    struct koshu_particles *particles,
                    struct tree_schemes **schemes)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    KOSHU_TRY(begin(context, schemes));
    struct tree_schemes *c = *schemes;
    const size_t n = koshu_particles_count(particles);
    struct koshu_list *l = &c->direct;
    l->n_j = l->capacity_j = n;
    l->j[0] = koshu_alloc(4 * n, sizeof(float));
    if (!l->j[0])
        return koshu_fail_memory(context, 16 * n, "a list of particles");
    KOSHU_TRY(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v));
    const double *const from[4] = {v.x, v.y, v.z, v.mass};
    for (size_t r = 0; r < 4; r++) {
        l->j[r] = l->j[0] + r * v.n;
        for (size_t k = 0; k < v.n; k++) l->j[r][k] = (float)from[r][k];
    }
    koshu_particles_release_read(particles);
    return reserve(c, n, n, eps);
}

void
tree_schemes_free(struct tree_schemes *schemes)
{
    struct tree_schemes *c = schemes;
    if (!c) return;
    for (int k = 0; k < BATCH; k++) koshu_walker_free(&c->walker[k]);
    koshu_tree_free(&c->tree);
    koshu_groups_free(&c->groups);
    koshu_free(c->direct.j[0]);
    koshu_free(c->eps2);
    koshu_free(c->i[0]);
    koshu_free(c->sum[0]);
    koshu_free(c->part);
    free(c);
}

/* ---- all walks ----------------------------------------------------------- */

/* One walk after the other. */
static koshu_status
sum_walk(struct tree_schemes *c, enum tree_scheme scheme, struct tree_target t,
         const struct koshu_list *l)
{
    c->interactions += t.n * l->n_j;
    return tree_sum_shared(c, scheme, t, l);
}

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

/* Each walk is one thread's. */
static koshu_status
sum_walks(struct tree_schemes *c, size_t first, size_t last)
{
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)
    for (size_t k = first; k < last; k++) {
        const struct koshu_group *g = &c->groups.group[k];
        const koshu_status one =
                tree_sum_whole(c, (struct tree_target){g->first, g->n},
                               &c->walker[k - first].list);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    for (size_t k = first; k < last; k++)
        c->interactions += c->groups.group[k].n * c->walker[k - first].list.n_j;
    return status;
}

static koshu_status
sum_batch(struct tree_schemes *c, enum tree_scheme scheme, size_t first,
          size_t last)
{
    if (scheme == TREE_WALKS) return sum_walks(c, first, last);
    for (size_t k = first; k < last; k++) {
        const struct koshu_group *g = &c->groups.group[k];
        KOSHU_TRY(sum_walk(c, scheme, (struct tree_target){g->first, g->n},
                           &c->walker[k - first].list));
    }
    return KOSHU_OK;
}

static koshu_status
sum_tree(struct tree_schemes *c, enum tree_scheme scheme)
{
    for (size_t k = 0; k < c->groups.n; k += BATCH) {
        const size_t last = k + BATCH < c->groups.n ? k + BATCH : c->groups.n;
        const double start = koshu_now();
        KOSHU_TRY(make_lists(c, k, last));
        const double middle = koshu_now();
        KOSHU_TRY(sum_batch(c, scheme, k, last));
        c->list_seconds += middle - start;
        c->sum_seconds += koshu_now() - middle;
    }
    return KOSHU_OK;
}

koshu_status
tree_schemes_time(struct tree_schemes *schemes, enum tree_scheme scheme,
                  size_t repeats, struct tree_scheme_time *best)
{
    struct tree_schemes *c = schemes;
    best->seconds = INFINITY;
    for (size_t r = 0; r < repeats; r++) {
        const double start = koshu_now();
        c->interactions = 0;
        c->list_seconds = c->sum_seconds = 0;
        if (c->direct.n_j > 0) {
            const struct tree_target all = {0, c->direct.n_j};
            KOSHU_TRY(sum_walk(c, scheme, all, &c->direct));
            c->sum_seconds = koshu_now() - start;
        } else {
            KOSHU_TRY(sum_tree(c, scheme));
        }
        const double seconds = c->list_seconds + c->sum_seconds;
        if (seconds < best->seconds)
            *best = (struct tree_scheme_time){.seconds = seconds,
                                              .lists = c->list_seconds,
                                              .sums = c->sum_seconds,
                                              .interactions =
                                                      (double)c->interactions};
    }
    return KOSHU_OK;
}
