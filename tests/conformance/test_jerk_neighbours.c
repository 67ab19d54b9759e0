/* SPDX-License-Identifier: MIT */
/* Nearest neighbours, also where several are equally near, and neighbour
 * lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "rows.h"
#include "subject.h"
#include "system.h"

enum { N_PRECISIONS = 3 };

/* ---- the nearest --------------------------------------------------------- */

/* n_j particles on a sphere of squared radius 1/4 about the i-particles, except
 * those in far[...]. Distances are exact in every precision. */
static struct cluster *
sphere(size_t n_j)
{
    static const double corner[6][3] = {{0.5, 0, 0}, {-0.5, 0, 0},
                                        {0, 0.5, 0}, {0, -0.5, 0},
                                        {0, 0, 0.5}, {0, 0, -0.5}};
    struct cluster *c = cluster_create(3, n_j, 0);
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) c->i[i].x[k] = 0;
    for (size_t j = 0; j < n_j; j++)
        memcpy(c->j[j].x, corner[j % 6], sizeof corner[0]);
    return c;
}

static void
expect_nearest(const struct cluster *c, uint64_t address, double r2)
{
    for (int w = 0; w < N_PRECISIONS; w++) {
        struct sums *s =
                cluster_sums(subject_context(), c, variants[w].precision);
        for (size_t i = 0; i < c->n_i; i++) {
            assert_int_equal(s->of[i].nearest, address);
            assert_true(s->of[i].nearest_r2 == r2);
        }
        sums_destroy(s);
    }
}

static void
of_several_the_lowest_address(void **state)
{
    (void)state;
    static const size_t n_j[] = {2, 40, 777, 20000};
    for (int k = 0; k < 4; k++) {
        struct cluster *c = sphere(n_j[k]);
        expect_nearest(c, 0, 0.25);
        size_t last = n_j[k] - 1;
        /* all but the last */
        for (size_t j = 0; j < last; j++) c->j[j].x[0] += 8;
        expect_nearest(c, last, 0.25);
        if (last > 4) {
            for (size_t j = last / 2; j < last; j++) c->j[j].x[0] -= 8;
            expect_nearest(c, last / 2, 0.25);
        }
        cluster_destroy(c);
    }
}

static void
of_another_id(void **state)
{
    (void)state;
    struct cluster *c = sphere(1000);
    for (size_t i = 0; i < 3; i++) c->i[i].id = 1000;
    for (size_t j = 0; j < 600; j++) c->j[j].id = 1000;
    expect_nearest(c, 600, 0.25);
    for (size_t j = 0; j < 1000; j++) c->j[j].id = 1000;
    expect_nearest(c, KOSHU_NO_INDEX, INFINITY);
    cluster_destroy(c);
}

static void
without_mass_and_in_the_same_place(void **state)
{
    (void)state;
    struct cluster *c = sphere(100);
    for (size_t j = 0; j < 100; j++) c->j[j].mass = 0;
    expect_nearest(c, 0, 0.25);
    memset(c->j[70].x, 0, sizeof c->j[70].x);
    memset(c->j[50].x, 0, sizeof c->j[50].x);
    expect_nearest(c, 50, 0);
    c->eps = 0;
    expect_nearest(c, 50, 0);
    cluster_destroy(c);
}

/* Particles as far away as the precision allows must still be nearer than
 * whatever padding a kernel uses. */
static void
far_from_each_other(void **state)
{
    (void)state;
    static const size_t n_j[] = {1, 3, 17, 513};
    for (int w = 0; w < N_PRECISIONS; w++)
        for (int k = 0; k < 4; k++) {
            double far = variants[w].precision == KOSHU_PRECISION_DOUBLE
                                 ? 1e100
                                 : 9.9e17;
            struct cluster *c = sphere(n_j[k]);
            c->eps = 0;
            for (int d = 0; d < 3; d++) {
                for (size_t i = 0; i < 3; i++) c->i[i].x[d] = far;
                for (size_t j = 0; j < n_j[k]; j++)
                    c->j[j].x[d] = (1e-3 * (double)j - 1) * far;
            }
            struct sums *s =
                    cluster_sums(subject_context(), c, variants[w].precision);
            for (size_t i = 0; i < 3; i++)
                assert_int_equal(s->of[i].nearest, n_j[k] - 1);
            sums_destroy(s);
            cluster_destroy(c);
        }
}

/* ---- lists --------------------------------------------------------------- */

enum { NOT_WRITTEN = 987654321 };

struct lists {
    size_t max;
    uint64_t *count, *address;
    bool overflow;
};

static struct lists
lists_create(const struct cluster *c, size_t max)
{
    struct lists l = {.max = max};
    size_t n = c->n_i * max;
    l.count = calloc(c->n_i + 1, sizeof *l.count);
    l.address = calloc(n + 1, sizeof *l.address);
    assert_true(l.count && l.address);
    for (size_t k = 0; k < n + 1; k++) l.address[k] = NOT_WRITTEN;
    return l;
}

static void
lists_free(struct lists *l)
{
    free(l->count);
    free(l->address);
}

static struct lists
lists_of(struct koshu_j_store *memory, const struct cluster *c, size_t max)
{
    struct lists l = lists_create(c, max);
    assert_ok(subject_context(),
              koshu_j_store_neighbours(memory, max, l.count, l.address,
                                       &l.overflow));
    return l;
}

/* h is chosen so that float can decide every r^2 < h^2 without doubt. */
static struct lists
lists_by_definition(const struct cluster *c, size_t max, bool of_rounded)
{
    struct lists l = lists_create(c, max);
    for (size_t i = 0; i < c->n_i; i++)
        for (size_t j = 0; j < c->n_j; j++) {
            double r2 = cluster_r2(c, i, j, of_rounded), h2 = c->i[i].h2;
            assert_false(r2 != h2 && fabs(r2 - h2) < 1e-6 * h2);
            if (c->j[j].id == c->i[i].id || r2 > h2) continue;
            if (l.count[i] < max) l.address[i * max + l.count[i]] = j;
            if (++l.count[i] > max) l.overflow = true;
        }
    return l;
}

/* Number of wrong entries; entries past the end of each list must be
 * unwritten. */
static size_t
lists_differ(const struct lists *a, const struct lists *b,
             const struct cluster *c)
{
    size_t wrong = a->overflow != b->overflow;
    for (size_t i = 0; i < c->n_i; i++) wrong += a->count[i] != b->count[i];
    for (size_t k = 0; k < c->n_i * a->max + 1; k++)
        wrong += a->address[k] != b->address[k];
    return wrong;
}

/* Guard elements before and after each list. */
static void
expect_lists(const struct cluster *c, size_t max)
{
    const struct koshu_j_store_start_options options = {sizeof options, c->eps,
                                                        false};
    struct koshu_jerk_result *result = calloc(c->n_i + 1, sizeof *result);
    assert_non_null(result);
    for (int w = 0; w < N_PRECISIONS; w++) {
        struct lists expected =
                lists_by_definition(c, max, variant_rounds(&variants[w]));
        struct koshu_j_store *memory =
                cluster_memory(subject_context(), c, variants[w].precision);
        assert_ok(subject_context(),
                  rows_start(memory, &options, c->n_j, c->n_i, c->i));
        struct lists before = lists_of(memory, c, max);
        assert_int_equal(lists_differ(&before, &expected, c), 0);
        assert_ok(subject_context(), rows_wait(memory, c->n_i, false, result));
        struct lists after = lists_of(memory, c, max);
        assert_int_equal(lists_differ(&after, &expected, c), 0);
        koshu_j_store_destroy(memory);
        lists_free(&expected);
        lists_free(&before);
        lists_free(&after);
    }
    free(result);
}

static void
lists_of_any_size(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1},    {2, 2},    {3, 5},   {7, 100},
                                      {100, 33}, {65, 129}, {5, 1000}};
    for (int k = 0; k < 7; k++) {
        struct cluster *c = cluster_create_self(
                sizes[k][0] < sizes[k][1] ? sizes[k][0] : sizes[k][1],
                sizes[k][1], 0);
        for (size_t i = 0; i < c->n_i; i++)
            c->i[i].h2 = 0.003 * (double)(i % 500) * (double)(i % 7);
        expect_lists(c, 2000);
        cluster_destroy(c);
    }
}

/* Lists that are just full, one entry too short, or of length 0. */
static void
lists_overflow(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(20, 600, 0);
    for (size_t i = 0; i < 20; i++) c->i[i].h2 = 0.21;
    c->i[3].h2 = 100; /* all others are neighbours: 599 */
    static const size_t max[] = {0, 1, 10, 598, 599, 600};
    for (int k = 0; k < 6; k++) expect_lists(c, max[k]);
    for (size_t i = 0; i < 20; i++) c->i[i].h2 = 0;
    expect_lists(c, 0);
    cluster_destroy(c);
}

/* r^2 = h^2 counts as a neighbour, as does the same place; the own id never
 * does. */
static void
lists_at_the_edge(void **state)
{
    (void)state;
    struct cluster *c = sphere(100);
    c->j[40].id = 5;
    for (size_t i = 0; i < 3; i++) c->i[i].id = 5;
    memset(c->j[50].x, 0, sizeof c->j[50].x);
    c->i[0].h2 = 0.25;
    c->i[1].h2 = 0.25 - 1e-5;
    c->i[2].h2 = 0;
    expect_lists(c, 100);
    struct lists l = lists_by_definition(c, 100, false);
    assert_int_equal(l.count[0], 99);
    assert_int_equal(l.count[1], 1);
    assert_int_equal(l.count[2], 1);
    lists_free(&l);
    cluster_destroy(c);
}

/* Lists are of the particles and time at which the sums were started. */
static void
lists_are_of_the_last_sums(void **state)
{
    (void)state;
    const struct koshu_j_store_start_options options = {sizeof options, 0.05,
                                                        true};
    struct cluster *c = cluster_create_self(50, 700, 0);
    c->time = 0.5;
    cluster_match(c);
    for (size_t i = 0; i < 50; i++) c->i[i].h2 = 0.33;
    for (int w = 0; w < N_PRECISIONS; w++) {
        struct lists expected =
                lists_by_definition(c, 50, variant_rounds(&variants[w]));
        struct koshu_j_store *memory =
                cluster_memory(subject_context(), c, variants[w].precision);
        assert_ok(subject_context(),
                  rows_start(memory, &options, c->n_j, c->n_i, c->i));
        for (uint64_t j = 0; j < 700; j++) {
            struct koshu_j_particle gone = {.id = 1000, .x = {50}};
            assert_ok(subject_context(), rows_set(memory, 1, &j, &gone));
        }
        assert_ok(subject_context(), koshu_j_store_set_time(memory, 7));
        assert_ok(subject_context(), koshu_j_store_reserve(memory, 9000));
        struct lists l = lists_of(memory, c, 50);
        assert_int_equal(lists_differ(&l, &expected, c), 0);
        lists_free(&l);
        lists_free(&expected);
        koshu_j_store_destroy(memory);
    }
    cluster_destroy(c);
}

/* ---- indices that were never set ---------------------------------------- */

/* Checks the sums and lists of a store in which only indices j with j % every
 * == rest are set. The definition leaves out the others by giving them the
 * i-particle's id. */
static void
expect_the_set_ones(size_t n_j, size_t every, size_t rest)
{
    struct cluster *c = cluster_create(5, n_j, 0);
    static const double h2[] = {0.3, 4, 1e30, INFINITY, 0};
    for (size_t i = 0; i < 5; i++) c->i[i].h2 = h2[i];
    /* where a kernel might place an empty index */
    memset(c->i[4].x, 0, sizeof c->i[4].x);
    for (size_t j = 0; j < n_j; j++)
        if (j % every != rest) c->j[j].id = -1;
    for (int w = 0; w < N_PRECISIONS; w++) {
        const bool rounds = variant_rounds(&variants[w]);
        struct koshu_j_store *memory;
        assert_ok(subject_context(),
                  rows_create(subject_context(), variants[w].precision, n_j,
                              &memory));
        for (uint64_t j = rest; j < n_j; j += every)
            assert_ok(subject_context(), rows_set(memory, 1, &j, &c->j[j]));
        struct sums *s = memory_sums(subject_context(), memory, c);
        struct sums *expected = cluster_definition(c, rounds);
        assert_int_equal(
                sums_wrong(s, expected, c, rounds, variants[w].tolerance), 0);
        struct lists l = lists_of(memory, c, n_j);
        struct lists right = lists_by_definition(c, n_j, rounds);
        assert_int_equal(lists_differ(&l, &right, c), 0);
        lists_free(&l);
        lists_free(&right);
        sums_destroy(s);
        sums_destroy(expected);
        koshu_j_store_destroy(memory);
    }
    cluster_destroy(c);
}

static void
empty_indices_are_no_neighbours(void **state)
{
    (void)state;
    expect_the_set_ones(1000, 3, 1);
    expect_the_set_ones(1000, 1000, 999);  /* only the last one is set */
    expect_the_set_ones(1000, 2000, 1500); /* none is set */
    expect_the_set_ones(7, 2, 0);
    expect_the_set_ones(20001, 777, 5);
}

static void
planted_errors_are_found(void **state)
{
    (void)state;
    struct cluster *c = cluster_create_self(4, 50, 0);
    for (size_t i = 0; i < 4; i++) c->i[i].h2 = 1;
    struct lists expected = lists_by_definition(c, 10, false);
    struct lists l = lists_by_definition(c, 10, false);
    assert_int_equal(lists_differ(&l, &expected, c), 0);
    l.count[2]++;
    l.address[3] = 49;
    l.address[40] = 1; /* past the end of the list */
    l.overflow = !l.overflow;
    assert_int_equal(lists_differ(&l, &expected, c), 4);
    lists_free(&l);
    lists_free(&expected);
    cluster_destroy(c);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_several_the_lowest_address),
        cmocka_unit_test(of_another_id),
        cmocka_unit_test(without_mass_and_in_the_same_place),
        cmocka_unit_test(far_from_each_other),
        cmocka_unit_test(lists_of_any_size),
        cmocka_unit_test(lists_overflow),
        cmocka_unit_test(lists_at_the_edge),
        cmocka_unit_test(lists_are_of_the_last_sums),
        cmocka_unit_test(empty_indices_are_no_neighbours),
        cmocka_unit_test(planted_errors_are_found),
};

SUBJECT_MAIN(tests)
