/* SPDX-License-Identifier: MIT */
/* Domains of equal weight, for any number of ranks and any distribution of
 * particles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "domain/domain.h"
#include "ranks.h"

enum { N = 6000, MAX_RANKS = 64 };

/* Particle number k, the same on all ranks. */
struct particle {
    double x[3], weight;
};

static double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

enum state { CUBE, CLUSTERED, ONE_POINT, A_LINE, WEIGHTED, STATES };

static struct particle
particle_of(enum state state, size_t k)
{
    uint64_t random = 1000 * k + 17;
    struct particle p = {.weight = 1};
    for (int c = 0; c < 3; c++) uniform(&random);
    const double u = uniform(&random);
    for (int c = 0; c < 3; c++) p.x[c] = uniform(&random) - 0.5;
    const double shrink = pow(u, 6) + 1e-6;
    for (int c = 0; c < 3; c++) {
        if (state == CLUSTERED) p.x[c] = 3 * (k % 4) + shrink * p.x[c];
        if (state == ONE_POINT) p.x[c] = 0.25;
        if (state == A_LINE && c != 1) p.x[c] = 0;
    }
    if (state == WEIGHTED) p.weight = 1 + floor(1e4 * pow(u, 4));
    return p;
}

/* This rank's particles: first, first + step, ... of n. */
struct spread {
    size_t n_here, number[N];
    double x[3][N], weight[N], low[3], high[3];
    struct koshu_particle_exchange exchange;
};

static void
spread_particles(struct spread *s, enum state state, size_t n, bool on_first)
{
    const size_t rank = (size_t)koshu_context_rank(context),
                 ranks = (size_t)koshu_context_ranks(context);
    memset(s, 0, sizeof *s);
    for (int c = 0; c < 3; c++) s->low[c] = INFINITY, s->high[c] = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        const struct particle p = particle_of(state, k);
        for (int c = 0; c < 3; c++) {
            s->low[c] = fmin(s->low[c], p.x[c]);
            s->high[c] = fmax(s->high[c], p.x[c]);
        }
        if (on_first ? rank != 0 : k % ranks != rank) continue;
        for (int c = 0; c < 3; c++) s->x[c][s->n_here] = p.x[c];
        s->weight[s->n_here] = p.weight;
        s->number[s->n_here++] = k;
    }
}

/* last: the cuts of the previous decomposition, or NULL; cube: to be placed, or
 * NULL. */
static void
decompose_with(struct spread *s, const int grid[3], double *last,
               struct koshu_cube *cube)
{
    struct koshu_decomposition d = {.context = context,
                                    .n = s->n_here,
                                    .x = {s->x[0], s->x[1], s->x[2]},
                                    .weight = s->weight,
                                    .last = last,
                                    .cube = cube};
    memcpy(d.low, s->low, sizeof d.low);
    memcpy(d.high, s->high, sizeof d.high);
    const int none[3] = {0, 0, 0};
    assert_ok(context, koshu_ranks_arrange(context, grid ? grid : none));
    s->exchange.context = context;
    assert_ok(context, koshu_particle_exchange_begin(&s->exchange, s->n_here));
    assert_ok(context, koshu_bisect(&d, s->exchange.owner));
    assert_ok(context, koshu_particle_exchange_count(&s->exchange));
}

static void
decompose_after(struct spread *s, const int grid[3], double *last)
{
    decompose_with(s, grid, last, NULL);
}

static void
decompose(struct spread *s, const int grid[3])
{
    decompose_after(s, grid, NULL);
}

/* owner[k]: the rank that owns particle k, known on all ranks. */
static void
gather_owners(const struct spread *s, size_t n, uint64_t *owner)
{
    memset(owner, 0, n * sizeof *owner);
    for (size_t i = 0; i < s->n_here; i++)
        owner[s->number[i]] = s->exchange.owner[i];
    assert_ok(context, koshu_sum_counts(context, owner, n));
}

static double
largest_share(const uint64_t *owner, enum state state, size_t n)
{
    double weight[MAX_RANKS] = {0}, sum = 0, largest = 0;
    for (size_t k = 0; k < n; k++) {
        const double w = particle_of(state, k).weight;
        assert_in_range(owner[k], 0,
                        (uint64_t)koshu_context_ranks(context) - 1);
        weight[owner[k]] += w;
        sum += w;
    }
    for (int r = 0; r < koshu_context_ranks(context); r++)
        largest = fmax(largest, weight[r]);
    return largest * koshu_context_ranks(context) / sum;
}

static void
forget_cuts(double last[KOSHU_CUTS_OF(MAX_RANKS)])
{
    for (size_t r = 0; r < KOSHU_CUTS_OF(MAX_RANKS); r++) last[r] = NAN;
}

/* ---- the tests ----------------------------------------------------------- */

static void
weights_are_equal(void **state)
{
    (void)state;
    static struct spread s;
    static uint64_t owner[N];
    for (enum state kind = 0; kind < STATES; kind++) {
        spread_particles(&s, kind, N, false);
        decompose(&s, NULL);
        gather_owners(&s, N, owner);
        const double largest = largest_share(owner, kind, N);
        /* Each of three levels of cuts may miss by 1/128, and by one particle:
         * a domain has 750, and the heaviest particle is twenty times the
         * mean. */
        if (kind != ONE_POINT) assert_true(largest < 1.05);
        koshu_particle_exchange_free(&s.exchange);
    }
}

static void
owners_depend_on_particles_alone(void **state)
{
    (void)state;
    static struct spread s;
    static uint64_t owner[N], again[N];
    for (enum state kind = 0; kind < STATES; kind++) {
        spread_particles(&s, kind, N, false);
        decompose(&s, NULL);
        gather_owners(&s, N, owner);
        koshu_particle_exchange_free(&s.exchange);
        spread_particles(&s, kind, N, true);
        decompose(&s, NULL);
        gather_owners(&s, N, again);
        koshu_particle_exchange_free(&s.exchange);
        assert_memory_equal(owner, again, sizeof owner);
    }
}

/* Domains are boxes: along some axis a plane separates any two of them. */
static void
domains_do_not_overlap(void **state)
{
    (void)state;
    static struct spread s;
    static uint64_t owner[N];
    double low[MAX_RANKS][3], high[MAX_RANKS][3];
    const int ranks = koshu_context_ranks(context);
    spread_particles(&s, CLUSTERED, N, false);
    decompose(&s, NULL);
    gather_owners(&s, N, owner);
    koshu_particle_exchange_free(&s.exchange);
    for (int r = 0; r < ranks; r++)
        for (int c = 0; c < 3; c++)
            low[r][c] = INFINITY, high[r][c] = -INFINITY;
    for (size_t k = 0; k < N; k++) {
        const struct particle p = particle_of(CLUSTERED, k);
        for (int c = 0; c < 3; c++) {
            low[owner[k]][c] = fmin(low[owner[k]][c], p.x[c]);
            high[owner[k]][c] = fmax(high[owner[k]][c], p.x[c]);
        }
    }
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < a; b++) {
            bool apart = false;
            for (int c = 0; c < 3; c++)
                apart |= high[a][c] < low[b][c] || high[b][c] < low[a][c];
            assert_true(apart);
        }
}

/* Slabs along x, divided into columns along y and boxes along z. */
static void
grids_are_slabs_columns_and_boxes(void **state)
{
    (void)state;
    static struct spread s;
    static uint64_t owner[N];
    double low[MAX_RANKS], high[MAX_RANKS];
    const int ranks = koshu_context_ranks(context);
    const int grid[3] = {ranks % 2 == 0 ? ranks / 2 : ranks, 1,
                         ranks % 2 == 0 ? 2 : 1};
    spread_particles(&s, CUBE, N, false);
    decompose(&s, grid);
    gather_owners(&s, N, owner);
    koshu_particle_exchange_free(&s.exchange);
    for (int r = 0; r < grid[0]; r++) low[r] = INFINITY, high[r] = -INFINITY;
    for (size_t k = 0; k < N; k++) {
        const size_t slab = owner[k] / (size_t)grid[2];
        low[slab] = fmin(low[slab], particle_of(CUBE, k).x[0]);
        high[slab] = fmax(high[slab], particle_of(CUBE, k).x[0]);
    }
    for (int r = 1; r < grid[0]; r++) assert_true(high[r - 1] < low[r]);
    assert_true(largest_share(owner, CUBE, N) < 1.04);
}

/* Also with fewer particles than ranks, so that most have none. */
static void
columns_go_to_their_owners_and_back(void **state)
{
    (void)state;
    static struct spread s;
    for (size_t n = 1; n <= N; n = 7 * n) {
        spread_particles(&s, CLUSTERED, n, n % 2);
        decompose(&s, NULL);
        static double here[N], back[N];
        const uint64_t mine = s.exchange.n_here;
        uint64_t all = mine;
        assert_ok(context, koshu_sum_counts(context, &all, 1));
        assert_int_equal(all, n);
        assert_ok(context,
                  koshu_particle_exchange_send(&s.exchange, s.x[1], here));
        for (size_t k = 0; k < mine; k++) here[k] = 2 * here[k] + 1;
        assert_ok(context,
                  koshu_particle_exchange_return(&s.exchange, here, back));
        for (size_t i = 0; i < s.n_here; i++)
            assert_true(back[i] == 2 * s.x[1][i] + 1);
        koshu_particle_exchange_free(&s.exchange);
    }
}

/* The new cuts do not depend on the last ones, which are tried first: whether
 * there are none, those of the same state or of another. */
static void
the_last_cuts_do_not_matter(void **state)
{
    (void)state;
    static struct spread s;
    static uint64_t owner[N], again[N];
    double last[KOSHU_CUTS_OF(MAX_RANKS)];
    forget_cuts(last);
    for (int k = 0; k < 2 * STATES; k++) {
        const enum state kind = (enum state)(k / 2);
        spread_particles(&s, kind, N, false);
        decompose(&s, NULL);
        gather_owners(&s, N, owner);
        koshu_particle_exchange_free(&s.exchange);
        spread_particles(&s, kind, N, false);
        decompose_after(&s, NULL, last);
        gather_owners(&s, N, again);
        koshu_particle_exchange_free(&s.exchange);
        assert_memory_equal(owner, again, sizeof owner);
        for (int r = 0; r + 1 < koshu_context_ranks(context); r++)
            assert_true(isfinite(last[r]));
    }
}

/* Cuts for particles with random weights of 1000 to 1002. */
static void
cut_by_chance(enum state kind, uint64_t chance, double *cuts)
{
    static struct spread s;
    spread_particles(&s, kind, N, false);
    for (size_t i = 0; i < s.n_here; i++) {
        uint64_t random = 100 * s.number[i] + chance;
        for (int c = 0; c < 2; c++) uniform(&random);
        s.weight[i] = 1000 + floor(3 * uniform(&random));
    }
    forget_cuts(cuts);
    decompose_after(&s, NULL, cuts);
    koshu_particle_exchange_free(&s.exchange);
}

/* Counted interactions change this little between steps. A cut close to the
 * tolerance may move back and forth, so not all cuts stay. */
static void
cuts_stay_where_weights_change_little(void **state)
{
    (void)state;
    static const enum state of[] = {CUBE, CLUSTERED, A_LINE};
    double last[KOSHU_CUTS_OF(MAX_RANKS)], cuts[KOSHU_CUTS_OF(MAX_RANKS)];
    int kept = 0, tried = 0;
    for (int k = 0; k < 30; k++) {
        cut_by_chance(of[k / 10], (uint64_t)k, cuts);
        for (int r = 0; k % 10 > 0 && r + 1 < koshu_context_ranks(context);
             r++, tried++)
            kept += last[r] == cuts[r];
        memcpy(last, cuts, sizeof last);
    }
    assert_true(4 * kept >= 3 * tried);
}

/* With a cube to be placed, domains are as equal and as independent of the last
 * cuts; the first cut is at its middle, and all particles are inside. */
static void
check_cube(const struct spread *s, const struct koshu_cube *cube, double cut)
{
    bool in_the_middle = koshu_context_ranks(context) == 1;
    for (int c = 0; c < 3; c++) {
        const double middle = cube->corner[c] + cube->side / 2;
        in_the_middle |= fabs(cut - middle) <= 1e-12 * cube->side;
        assert_true(cube->corner[c] <= s->low[c]);
        assert_true(cube->corner[c] + cube->side >= s->high[c]);
    }
    assert_true(in_the_middle);
}

static void
the_cube_is_about_the_first_cut(void **state)
{
    (void)state;
    static struct spread s;
    static uint64_t owner[N], again[N];
    double last[KOSHU_CUTS_OF(MAX_RANKS)];
    forget_cuts(last);
    for (enum state kind = 0; kind < STATES; kind++) {
        struct koshu_cube cube, same;
        spread_particles(&s, kind, N, false);
        decompose_with(&s, NULL, NULL, &same);
        gather_owners(&s, N, owner);
        koshu_particle_exchange_free(&s.exchange);
        spread_particles(&s, kind, N, true);
        decompose_with(&s, NULL, last, &cube);
        gather_owners(&s, N, again);
        koshu_particle_exchange_free(&s.exchange);
        check_cube(&s, &cube, last[0]);
        assert_memory_equal(&cube, &same, sizeof cube);
        assert_memory_equal(owner, again, sizeof owner);
        if (kind != ONE_POINT)
            assert_true(largest_share(owner, kind, N) < 1.05);
    }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cube_is_about_the_first_cut),
        cmocka_unit_test(cuts_stay_where_weights_change_little),
        cmocka_unit_test(the_last_cuts_do_not_matter),
        cmocka_unit_test(weights_are_equal),
        cmocka_unit_test(owners_depend_on_particles_alone),
        cmocka_unit_test(domains_do_not_overlap),
        cmocka_unit_test(grids_are_slabs_columns_and_boxes),
        cmocka_unit_test(columns_go_to_their_owners_and_back),
};
RANKS_MAIN(tests)
