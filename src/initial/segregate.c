/* SPDX-License-Identifier: MIT */
/*
 * Mass segregation: which orbit of the model each system gets.
 *
 * 1. The systems, the heaviest first, are put in an order: each takes the free
 * place with the index floor((1 - X^(1 - S)) k) among the k that are left, X
 * uniform in (0, 1) (Küpper et al. 2011). S = 0: any order; S = 1: the order of
 * mass.
 *
 * 2. N' orbits of the model are sorted by energy, the most bound first. A
 * system that covers the fractions a to b of the cumulative mass in that order
 * gets one of the orbits between a N' and b N' (Baumgardt et al. 2008,
 * appendix). So the mass profile is that of the model, whichever system is
 * where. N' is large enough for each system to have an orbit.
 *
 * Energies use the potential of the orbits themselves, as spherical shells,
 * which is good enough for an order.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "initial/population.h"

/* ---- an order of numbers ------------------------------------------------- */

struct order {
    size_t n;
    uint64_t *key, *key_other;
    uint32_t *index, *index_other;
};

static koshu_status
make_order(struct koshu_context *context, size_t n, struct order *o)
{
    const size_t bytes = 2 * n * (sizeof *o->key + sizeof *o->index);
    *o = (struct order){
            n, koshu_alloc(n, sizeof *o->key), koshu_alloc(n, sizeof *o->key),
            koshu_alloc(n, sizeof *o->index), koshu_alloc(n, sizeof *o->index)};
    return o->key && o->key_other && o->index && o->index_other
                   ? KOSHU_OK
                   : koshu_fail_memory(context, bytes, "mass segregation");
}

static void
free_order(struct order *o)
{
    koshu_free(o->key);
    koshu_free(o->key_other);
    koshu_free(o->index);
    koshu_free(o->index_other);
}

/* An integer key with the same order as the double, made from its bits. */
static uint64_t
key_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void
sort(struct order *o, int threads)
{
    for (size_t k = 0; k < o->n; k++) o->index[k] = (uint32_t)k;
    koshu_sort_keys(o->n, o->key, o->index, o->key_other, o->index_other,
                    threads);
}

/* ---- free places --------------------------------------------------------- */

/* A Fenwick tree (1994, Software: Practice and Experience 24, 327) of counts of
 * free places: tree[k] is the count among the last b places up to k, where b is
 * the lowest set bit of k + 1. */
struct places {
    size_t n;
    uint32_t *tree;
};

static void
fill_places(struct places *p)
{
    for (size_t k = 0; k < p->n; k++) {
        const size_t number = k + 1;
        p->tree[k] = (uint32_t)(number & -number);
    }
}

/* Takes the free place that has so many free places before it. */
static size_t
take_place(struct places *p, size_t before)
{
    size_t at = 0, step = 1;
    while (step <= p->n / 2) step *= 2;
    for (; step > 0; step /= 2)
        if (at + step <= p->n && p->tree[at + step - 1] <= before) {
            at += step;
            before -= p->tree[at - 1];
        }
    for (size_t k = at + 1; k <= p->n; k += k & -k) p->tree[k - 1]--;
    return at;
}

/* Chooses the system at each place of the order. */
static void
choose_places(const struct koshu_population *p, const struct order *by_mass,
              struct places *free, uint32_t *system_at)
{
    fill_places(free);
    for (size_t k = 0; k < free->n; k++) {
        const size_t left = free->n - k;
        struct koshu_random random = koshu_random_start(
                p->options.seed, by_mass->index[k], KOSHU_DRAW_SEGREGATION);
        const double X = koshu_random_uniform(&random);
        const double part = 1 - pow(X, 1 - p->options.mass_segregation);
        size_t before = (size_t)(part * (double)left);
        if (before >= left) before = left - 1;
        system_at[take_place(free, before)] = by_mass->index[k];
    }
}

/* ---- orbits -------------------------------------------------------------- */

static double
length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* Sets the keys to the distances of the orbits. */
static void
find_distances(const struct koshu_population *p, const void *table,
               struct order *o, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < o->n; k++)
        o->key[k] = key_of(length(koshu_draw_body(&p->options, table, k).x));
}

static double
number_of(uint64_t key)
{
    double x;
    const uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The potential of each orbit, from the order by distance: orbits inside act as
 * a point mass, those outside as shells. */
static void
find_potentials(const struct order *o, double *potential)
{
    const double m = 1 / (double)o->n;
    double outside = 0;
    for (size_t k = o->n; k-- > 0;) {
        const double r = number_of(o->key[k]);
        potential[o->index[k]] = -((double)k * m / r + outside);
        outside += m / r;
    }
}

/* Changes the keys from distances to energies. */
static void
find_energies(const struct koshu_population *p, const void *table,
              struct order *o, const double *potential, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < o->n; k++) {
        const double v = length(koshu_draw_body(&p->options, table, k).v);
        o->key[k] = key_of(v * v / 2 + potential[k]);
    }
}

static koshu_status
sort_orbits(struct koshu_context *context, const struct koshu_population *p,
            const void *table, struct order *o)
{
    const int threads = koshu_region_threads(context, o->n > 1 << 10);
    double *potential = koshu_alloc(o->n, sizeof *potential);
    if (!potential)
        return koshu_fail_memory(context, o->n * sizeof *potential,
                                 "mass segregation");
    find_distances(p, table, o, threads);
    sort(o, threads);
    find_potentials(o, potential);
    find_energies(p, table, o, potential, threads);
    koshu_free(potential);
    sort(o, threads);
    return KOSHU_OK;
}

/* ---- systems ------------------------------------------------------------- */

static double
mass_of(const struct koshu_population *p, size_t system)
{
    const struct koshu_system stars = koshu_population_system(p, system);
    return stars.mass[0] + stars.mass[1];
}

/* Gives each system in turn one of the orbits in its range. */
static void
give_orbits(struct koshu_population *p, const uint32_t *system_at,
            const struct order *orbits)
{
    const double per_mass = (double)orbits->n / p->total;
    double before = 0;
    for (size_t k = 0; k < p->n_systems; k++) {
        const uint32_t s = system_at[k];
        const double after = before + mass_of(p, s);
        const double first = floor(before * per_mass),
                     n = floor(after * per_mass) - first;
        struct koshu_random random =
                koshu_random_start(p->options.seed, s, KOSHU_DRAW_SEGREGATION);
        /* skips the number that chose the place */
        koshu_random_uniform(&random);
        size_t at = (size_t)(first + floor(n * koshu_random_uniform(&random)));
        if (at >= orbits->n) at = orbits->n - 1;
        p->orbit[s] = orbits->index[at];
        before = after;
    }
}

/* N' is twice what the lightest system needs to have an orbit. */
static koshu_status
count_orbits(struct koshu_context *context, const struct koshu_population *p,
             const struct order *by_mass, size_t *n)
{
    const double lightest = mass_of(p, by_mass->index[by_mass->n - 1]);
    const double orbits = ceil(2 * p->total / lightest);
    *n = (size_t)orbits;
    if (orbits < 0x1p32) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "mass_segregation: %g orbits would be needed, twice the "
                      "mass of all stars over the lightest; take fewer stars, "
                      "or a larger mass_min",
                      orbits);
}

struct work {
    struct order by_mass, orbits;
    struct places free;
    uint32_t *system_at;
};

static koshu_status
segregate(struct koshu_context *context, struct koshu_population *p,
          const void *table, struct work *w)
{
    size_t n, systems = p->n_systems;
    KOSHU_TRY(make_order(context, systems, &w->by_mass));
    w->free = (struct places){systems,
                              koshu_alloc(systems, sizeof *w->free.tree)};
    w->system_at = koshu_alloc(systems, sizeof *w->system_at);
    p->orbit = koshu_alloc(systems, sizeof *p->orbit);
    if (!w->free.tree || !w->system_at || !p->orbit)
        return koshu_fail_memory(context, 3 * systems * sizeof *p->orbit,
                                 "mass segregation");
    for (size_t s = 0; s < systems; s++)
        w->by_mass.key[s] = key_of(-mass_of(p, s));
    sort(&w->by_mass, koshu_region_threads(context, true));
    KOSHU_TRY(count_orbits(context, p, &w->by_mass, &n));
    choose_places(p, &w->by_mass, &w->free, w->system_at);
    KOSHU_TRY(make_order(context, n, &w->orbits));
    KOSHU_TRY(sort_orbits(context, p, table, &w->orbits));
    give_orbits(p, w->system_at, &w->orbits);
    return KOSHU_OK;
}

koshu_status
koshu_segregate(struct koshu_context *context, struct koshu_population *p,
                const void *table)
{
    struct work w = {0};
    if (p->options.mass_segregation == 0) return KOSHU_OK;
    if (p->n_systems > UINT32_MAX)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "mass_segregation: for at most 2^32 - 1 stars");
    const koshu_status status = segregate(context, p, table, &w);
    free_order(&w.by_mass);
    free_order(&w.orbits);
    koshu_free(w.free.tree);
    koshu_free(w.system_at);
    return status;
}
