/* SPDX-License-Identifier: MIT */
/*
 * Spheres of a given density about groups of several ranks. Every rank finds
 * the particles in its slab about all centres, and sends them to the rank that
 * asked. Requests whose sphere is too small are repeated with a larger radius.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/place.h"
#include "analysis/ranks.h"
#include "analysis/sphere.h"

enum { AT_ONCE = 4096 }; /* centres per rank */

struct request {
    double centre[3], radius;
    uint64_t rank, at; /* the requesting rank, and the request's index there */
};

struct work {
    struct koshu_context *context;
    const struct koshu_linked_cells *cells;
    double box, density;
    const struct centre *centres;
    struct koshu_fof_sphere *spheres;
    struct koshu_in_sphere_list *lists; /* AT_ONCE lists */
};

/* ---- found --------------------------------------------------------------- */

/* Particles for a requesting rank: near[], for its request `at`. */
struct answer {
    struct koshu_in_sphere_list near;
    uint64_t *at;
    uint32_t *rank;
    size_t capacity_at, capacity_rank;
};

static koshu_status
look(const struct work *w, size_t n, const struct request *requests,
     struct answer *a)
{
    for (size_t k = 0; k < n && w->cells; k++) {
        const struct request *r = &requests[k];
        size_t i = a->near.n;
        KOSHU_TRY(
                koshu_sphere_gather(w->cells, r->centre, r->radius, &a->near));
        KOSHU_TRY(KOSHU_GROW(a, at, a->near.n, NULL, "spheres"));
        KOSHU_TRY(KOSHU_GROW(a, rank, a->near.n, NULL, "spheres"));
        for (; i < a->near.n; i++) {
            a->at[i] = r->at;
            a->rank[i] = (uint32_t)r->rank;
        }
    }
    return KOSHU_OK;
}

/* ---- sent ---------------------------------------------------------------- */

enum { R2, MASS, AT, ANSWER_COLUMNS };

static void
spread(const struct answer *a, struct columns *c)
{
    uint64_t *at = (uint64_t *)c->of[AT];
    for (size_t i = 0; i < a->near.n; i++) {
        c->of[R2][i] = a->near.near[i].r2;
        c->of[MASS][i] = a->near.near[i].mass;
        at[i] = a->at[i];
    }
}

static koshu_status
keep(struct work *w, const struct columns *here)
{
    const uint64_t *at = (const uint64_t *)here->of[AT];
    for (size_t i = 0; i < here->n; i++) {
        struct koshu_in_sphere_list *l = &w->lists[at[i]];
        KOSHU_TRY(KOSHU_GROW(l, near, l->n + 1, w->context, "a sphere"));
        l->near[l->n++] =
                (struct koshu_in_sphere){here->of[R2][i], here->of[MASS][i]};
    }
    return KOSHU_OK;
}

static koshu_status
send_answers(struct work *w, const struct answer *a)
{
    struct koshu_particle_exchange x = {.context = w->context};
    struct columns home = {0}, here = {0};
    koshu_status status = KOSHU_OK;
    if (!koshu_columns_allocate(&home, a->near.n, ANSWER_COLUMNS))
        status = koshu_fail_memory(w->context, 24 * a->near.n, "spheres");
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(w->context, status));
    spread(a, &home);
    KOSHU_TRY_CLEANUP(koshu_particle_exchange_begin(&x, a->near.n));
    for (size_t i = 0; i < a->near.n; i++) x.owner[i] = a->rank[i];
    KOSHU_TRY_CLEANUP(koshu_columns_move(&x, &home, ANSWER_COLUMNS, &here));
    status = koshu_ranks_collective_status(w->context, keep(w, &here));
cleanup:
    koshu_particle_exchange_free(&x);
    koshu_columns_free(&home);
    koshu_columns_free(&here);
    return status;
}

/* Gathers from all ranks the particles about these centres in w->lists. */
static koshu_status
ask(struct work *w, size_t n, const struct request *mine)
{
    struct request *all;
    struct answer a = {0};
    size_t n_all;
    koshu_status status = koshu_gather_items(w->context, mine, sizeof *mine, n,
                                             (void **)&all, &n_all);
    if (status == KOSHU_OK) {
        status = look(w, n_all, all, &a);
        if (status != KOSHU_OK)
            status = koshu_fail_memory(
                    w->context, a.near.n * sizeof *a.near.near, "spheres");
        status = koshu_ranks_collective_status(w->context, status);
    }
    if (status == KOSHU_OK) status = send_answers(w, &a);
    koshu_free(all);
    koshu_free(a.near.near);
    koshu_free(a.at);
    koshu_free(a.rank);
    return status;
}

/* ---- rounds -------------------------------------------------------------- */

/* Moves unfinished requests to the front, with their next radius. */
static size_t
go_on(struct work *w, size_t first, size_t n, struct request *requests)
{
    size_t left = 0;
    for (size_t k = 0; k < n; k++) {
        struct request r = requests[k];
        koshu_sphere_sort(&w->lists[r.at]);
        const bool done =
                koshu_sphere_ends(&w->lists[r.at], w->density, r.radius,
                                  &w->spheres[first + r.at]);
        w->lists[r.at].n = 0;
        if (done || r.radius >= w->box / 2) continue;
        r.radius = koshu_sphere_next(r.radius, w->box);
        requests[left++] = r;
    }
    return left;
}

/* Repeats until no rank has requests left. */
static koshu_status
ask_until_done(struct work *w, size_t first, size_t n, struct request *requests)
{
    for (;;) {
        double largest = (double)n;
        KOSHU_TRY(koshu_largest(w->context, &largest));
        if (largest == 0) return KOSHU_OK;
        KOSHU_TRY(ask(w, n, requests));
        n = go_on(w, first, n, requests);
    }
}

static struct request
request_of(const struct work *w, size_t first, size_t k,
           double density_of_guess)
{
    const struct centre *c = &w->centres[first + k];
    struct request r = {
            .rank = (uint64_t)koshu_context_rank(w->context),
            .at = k,
            .radius = fmin(koshu_sphere_guess(c->mass, density_of_guess),
                           w->box / 2)};
    for (int a = 0; a < 3; a++) r.centre[a] = c->minimum[a];
    return r;
}

static koshu_status
ask_for_all(struct work *w, size_t n, double density_of_guess,
            struct request *requests)
{
    double largest = (double)n;
    KOSHU_TRY(koshu_largest(w->context, &largest));
    for (size_t first = 0; (double)first < largest; first += AT_ONCE) {
        const size_t left = first < n ? n - first : 0,
                     some = left < AT_ONCE ? left : AT_ONCE;
        for (size_t k = 0; k < some; k++)
            requests[k] = request_of(w, first, k, density_of_guess);
        KOSHU_TRY(ask_until_done(w, first, some, requests));
    }
    return KOSHU_OK;
}

koshu_status
koshu_spheres_over_ranks(struct koshu_context *context,
                         const struct columns *particles, double box,
                         double density, double density_of_guess, size_t n,
                         const struct centre *centres,
                         struct koshu_fof_sphere *spheres)
{
    const struct koshu_particle_const_view v = koshu_columns_view(particles);
    struct koshu_linked_cells cells = {0};
    struct work w = {context,
                     v.n > 0 ? &cells : NULL,
                     box,
                     density,
                     centres,
                     spheres,
                     koshu_alloc(AT_ONCE, sizeof *w.lists)};
    struct request *requests = koshu_alloc(AT_ONCE, sizeof *requests);
    koshu_status status =
            w.lists && requests
                    ? KOSHU_OK
                    : koshu_fail_memory(context, AT_ONCE * sizeof *requests,
                                        "spheres");
    if (status == KOSHU_OK && v.n > 0)
        status = koshu_linked_cells_create(context, &v, box, &cells);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK)
        status = ask_for_all(&w, n, density_of_guess, requests);
    for (size_t k = 0; w.lists && k < AT_ONCE; k++) koshu_free(w.lists[k].near);
    koshu_free(w.lists);
    koshu_free(requests);
    koshu_linked_cells_free(&cells);
    return status;
}
