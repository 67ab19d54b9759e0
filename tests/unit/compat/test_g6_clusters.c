/* SPDX-License-Identifier: MIT */
/* Clusters: any integer names one, and several are independent. */
#include <limits.h>
#include <math.h>
#include <pthread.h>

#include "grape.h"

enum { NJ = 20, NI = 6 };

/* The potential of one i-particle in a cluster that has nj particles. */
static double
potential(int cluster, int nj)
{
    struct grape_i i = grape_i_make(1);
    struct grape_result r = grape_result_make(1);
    grape_sum(cluster, nj, &i, 0.25, &r);
    double pot = r.pot[0];
    grape_i_free(&i);
    grape_result_free(&r);
    return pot;
}

static void
one_cluster_has_every_number(void **state)
{
    (void)state;
    struct grape_j *j = grape_j_make(NJ);
    const int wild[] = {0, 1, -1, 48, INT_MAX, INT_MIN, 32767, -858993460};
    assert_int_equal(g6_open(wild[7]), 0);
    grape_send(wild[6], j, NJ);
    double expected = potential(0, NJ);
    assert_true(expected < 0);
    for (int k = 0; k < 8; k++) assert_true(potential(wild[k], NJ) == expected);
    /* each call gets another number */
    struct grape_i i = grape_i_make(1);
    struct grape_result r = grape_result_make(1);
    g6_set_ti(wild[1], 0);
    g6calc_firsthalf(wild[2], NJ, 1, i.index, i.x, i.v, NULL, NULL, NULL, 0.25,
                     i.h2);
    assert_int_equal(g6calc_lasthalf(wild[3], NJ, 1, i.index, i.x, i.v, 0.25,
                                     i.h2, r.acc, r.jerk, r.pot),
                     0);
    assert_true(r.pot[0] == expected);
    assert_int_equal(g6_close(wild[4]), 0);
    assert_true(potential(0, NJ) == 0); /* a new cluster is empty */
    grape_i_free(&i);
    grape_result_free(&r);
    free(j);
}

static void
two_clusters_at_once(void **state)
{
    (void)state;
    setenv("KOSHU_G6_CLUSTERS", "2", 1);
    struct grape_j *j = grape_j_make(NJ);
    struct grape_i i[2] = {grape_i_make(NI), grape_i_make(NI)};
    struct grape_result got[2], expected[2];
    for (int c = 0; c < 2; c++) {
        got[c] = grape_result_make(NI);
        expected[c] = grape_result_make(NI);
        i[c].x[0][0] = 0.1 * (c + 1);
        assert_int_equal(g6_open(c), 0);
        g6_set_ti(c, c / 4.0);
    }
    /* one half each, alternately */
    grape_send(0, j, NJ / 2);
    for (int k = 0; k < NJ / 2; k++) j[NJ / 2 + k].address = k;
    grape_send(-1, j + NJ / 2, NJ / 2); /* -1 is 1, modulo 2 */
    for (int c = 0; c < 2; c++)
        g6calc_firsthalf(c, NJ / 2, NI, i[c].index, i[c].x, i[c].v, NULL, NULL,
                         NULL, 0.01, i[c].h2);
    for (int c = 1; c >= 0; c--) {
        assert_int_equal(g6calc_lasthalf(c, NJ / 2, NI, i[c].index, i[c].x,
                                         i[c].v, 0.01, i[c].h2, got[c].acc,
                                         got[c].jerk, got[c].pot),
                         0);
        grape_expect(j + c * NJ / 2, NJ / 2, c / 4.0, &i[c], 0.01,
                     &expected[c]);
        assert_near(grape_difference(&got[c], &expected[c], NI), 0.0,
                    GRAPE_ROUNDING);
        grape_i_free(&i[c]);
        grape_result_free(&got[c]);
        grape_result_free(&expected[c]);
    }
    assert_int_equal(g6_close(0), 0); /* the other stays open */
    assert_true(potential(1, NJ / 2) < 0);
    assert_true(potential(0, NJ / 2) == 0);
    free(j);
}

static void
closing_forgets_all(void **state)
{
    (void)state;
    struct grape_j *j = grape_j_make(NJ);
    assert_int_equal(g6_close(0), 0); /* was not open */
    assert_int_equal(g6_open(0), 0);
    grape_send(0, j, NJ);
    assert_int_equal(g6_open(0), 0); /* already open: nothing happens */
    assert_true(potential(0, NJ) < 0);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(g6_close(0), 0);
        assert_int_equal(g6_open(0), 0);
        assert_true(potential(0, NJ) == 0);
        grape_send(0, j, NJ);
    }
    assert_true(potential(0, NJ) < 0);
    free(j);
}

static void
calls_open_what_is_closed(void **state)
{
    (void)state;
    struct grape_j *j = grape_j_make(NJ);
    grape_send(0, j, NJ);
    assert_true(potential(0, NJ) < 0);
    free(j);
}

static void
a_list_of_clusters(void **state)
{
    (void)state;
    setenv("KOSHU_G6_CLUSTERS", "3", 1);
    int list[] = {2, 0};
    assert_int_equal(g6_open_special(2, list), 0);
    assert_int_equal(g6_open_special(0, NULL), 0);
    assert_int_equal(g6_open_special(-1, NULL), 0);
    struct grape_j *j = grape_j_make(NJ);
    grape_send(2, j, NJ);
    assert_true(potential(2, NJ) < 0);
    assert_true(potential(0, NJ) == 0);
    free(j);
}

/* Each thread has a cluster. */
static void *
work(void *number)
{
    int cluster = *(int *)number, nj = 3 + cluster;
    struct grape_j *j = grape_j_make(nj);
    struct grape_i i = grape_i_make(NI);
    struct grape_result got = grape_result_make(NI),
                        expected = grape_result_make(NI);
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        double t = k / 1024.0;
        if (k % 50 == 0) g6_close(cluster);
        grape_send(cluster, j, nj);
        g6_set_ti(cluster, t);
        grape_sum(cluster, nj, &i, 0.01, &got);
        grape_expect(j, nj, t, &i, 0.01, &expected);
        worst = fmax(worst, grape_difference(&got, &expected, NI));
    }
    free(j);
    grape_i_free(&i);
    grape_result_free(&got);
    grape_result_free(&expected);
    return worst < GRAPE_ROUNDING ? number : NULL;
}

static void
a_cluster_for_each_thread(void **state)
{
    (void)state;
    enum { N = 4 };
    setenv("KOSHU_G6_CLUSTERS", "4", 1);
    assert_int_equal(g6_open(N), 0); /* with the settings read before */
    pthread_t thread[N];
    int number[N];
    for (int k = 0; k < N; k++) {
        number[k] = k;
        assert_int_equal(pthread_create(&thread[k], NULL, work, &number[k]), 0);
    }
    for (int k = 0; k < N; k++) {
        void *result;
        assert_int_equal(pthread_join(thread[k], &result), 0);
        assert_ptr_equal(result, &number[k]);
    }
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, grape_open, grape_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(one_cluster_has_every_number), TEST(two_clusters_at_once),
            TEST(closing_forgets_all),          TEST(calls_open_what_is_closed),
            TEST(a_list_of_clusters),           TEST(a_cluster_for_each_thread),
    };
    if (!grape_is_there()) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
