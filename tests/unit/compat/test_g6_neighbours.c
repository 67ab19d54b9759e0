/* SPDX-License-Identifier: MIT */
/* Neighbour lists. */
#include "grape.h"

enum { N = 700, PIPES = 3, LONGEST = N };

/* j-particles at rest on the x axis at 0, 1, ... N - 1 with index 2 x + 5, and
 * three i-particles with this h2. */
static struct grape_i
line(const double x[PIPES], const double h2[PIPES])
{
    struct grape_j *j = grape_j_make(N);
    for (int k = 0; k < N; k++)
        j[k] = (struct grape_j){
                .address = k, .index = 2 * k + 5, .mass = 1, .x = {k, 0, 0}};
    grape_send(0, j, N);
    free(j);
    struct grape_i i = grape_i_make(PIPES);
    for (int k = 0; k < PIPES; k++) {
        i.x[k][0] = x[k];
        i.x[k][1] = i.x[k][2] = 0;
        i.h2[k] = h2[k];
    }
    return i;
}

static void
sum(const struct grape_i *i)
{
    struct grape_result r = grape_result_make(PIPES);
    grape_sum(0, N, i, 100.0, &r); /* softening does not affect distances */
    grape_result_free(&r);
}

static void
assert_list(int pipe, int n, const int *expected)
{
    int list[LONGEST + 1], length = -7;
    memset(list, 0x55, sizeof list);
    int guard = list[LONGEST];
    assert_int_equal(g6_get_neighbour_list(0, pipe, LONGEST, &length, list), 0);
    assert_int_equal(length, n);
    for (int k = 0; k < n; k++) assert_int_equal(list[k], expected[k]);
    for (int k = n; k <= LONGEST; k++) assert_int_equal(list[k], guard);
}

static void
lists_are_indices(void **state)
{
    (void)state;
    struct grape_i i =
            line((double[]){3, 10.5, 300.25}, (double[]){4, 0.25, 0.01});
    i.index[0] = 2 * 3 + 5; /* is j-particle 3 */
    sum(&i);
    assert_int_equal(g6_read_neighbour_list(0), 0);
    assert_list(0, 4, (int[]){7, 9, 13, 15}); /* r^2 = h2 counts */
    assert_list(1, 2, (int[]){25, 27});
    assert_list(2, 0, NULL);
    assert_list(0, 4, (int[]){7, 9, 13, 15}); /* the list can be read again */
    grape_i_free(&i);
}

static void
lists_of_the_last_sums(void **state)
{
    (void)state;
    struct grape_i i = line((double[]){3, 10.5, 300}, (double[]){1, 0.25, 0});
    sum(&i);
    assert_int_equal(g6_read_neighbour_list(0), 0);
    i.h2[0] = 0;
    sum(&i);
    assert_list(0, 1, (int[]){11}); /* without g6_read_neighbour_list() */
    assert_list(2, 1, (int[]){605});
    /* j-particles sent now are used from the next sums on */
    struct grape_j away = {.address = 3, .index = 99, .x = {-50, 0, 0}};
    grape_send(0, &away, 1);
    assert_int_equal(g6_read_neighbour_list(0), 0);
    assert_list(0, 1, (int[]){11});
    sum(&i);
    assert_list(0, 0, NULL);
    grape_i_free(&i);
}

static void
long_lists(void **state)
{
    (void)state;
    struct grape_i i = line((double[]){0, 350, 699}, (double[]){1e9, 1e9, 1});
    sum(&i);
    assert_int_equal(g6_read_neighbour_list(0), 0);
    int all[N];
    for (int k = 0; k < N; k++) all[k] = 2 * k + 5;
    assert_list(0, N, all);
    assert_list(1, N, all);
    assert_list(2, 2, &all[N - 2]);
    grape_i_free(&i);
}

static void
overflow_is_1(void **state)
{
    (void)state;
    struct grape_i i = line((double[]){3, 10.5, 300}, (double[]){4, 0.25, 0});
    sum(&i);
    assert_int_equal(g6_read_neighbour_list(0), 0);
    int list[6] = {-7, -7, -7, -7, -7, -7}, length = -7;
    assert_int_equal(g6_get_neighbour_list(0, 0, 5, &length, list), 0);
    assert_int_equal(length, 5);
    assert_int_equal(g6_get_neighbour_list(0, 0, 4, &length, list), 1);
    assert_int_equal(length, 4);
    const int expected[] = {7, 9, 11, 13, 15, -7};
    assert_memory_equal(list, expected, sizeof list);
    assert_int_equal(g6_get_neighbour_list(0, 0, 0, &length, NULL), 1);
    assert_int_equal(length, 0);
    assert_int_equal(g6_get_neighbour_list(0, 2, 1, &length, list), 0);
    grape_i_free(&i);
}

static void
sorted_by_index_on_demand(void **state)
{
    (void)state;
    struct grape_i i = line((double[]){1, 10.5, 300}, (double[]){1, 0, 0});
    struct grape_j j = {.address = 1, .index = -4, .x = {1, 0, 0}};
    grape_send(0, &j, 1);
    sum(&i);
    assert_list(0, 3, (int[]){5, -4, 9}); /* in the order of addresses */
    assert_int_equal(g6_set_neighbour_list_sort_mode(1), 0);
    assert_list(0, 3, (int[]){-4, 5, 9});
    assert_int_equal(g6_set_neighbour_list_sort_mode(0), 0);
    assert_list(0, 3, (int[]){5, -4, 9});
    grape_i_free(&i);
}

/* Alternately fewer and more i-particles than before. */
static void
any_number_of_lists(void **state)
{
    (void)state;
    struct grape_i i = line((double[]){3, 10.5, 300}, (double[]){4, 0.25, 1e6});
    struct grape_result r = grape_result_make(PIPES);
    for (int n = 0; n < 7; n++) {
        i.n = n % (PIPES + 1);
        grape_sum(0, N, &i, 0, &r);
        assert_int_equal(g6_read_neighbour_list(0), 0);
        if (i.n > 0) assert_list(0, 5, (int[]){7, 9, 11, 13, 15});
        if (i.n > 1) assert_list(1, 2, (int[]){25, 27});
    }
    grape_i_free(&i);
    grape_result_free(&r);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, grape_open, grape_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(lists_are_indices),
            TEST(lists_of_the_last_sums),
            TEST(long_lists),
            TEST(overflow_is_1),
            TEST(sorted_by_index_on_demand),
            TEST(any_number_of_lists),
    };
    if (!grape_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
