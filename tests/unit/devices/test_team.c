/* SPDX-License-Identifier: MIT */
/* A team of host threads, one for each of several devices. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "devices/team.h"
#include "check.h"

enum { MEMBERS = 4, ROUNDS = 1000 };

struct tally {
    pthread_t thread[MEMBERS];
    int done[MEMBERS], fails; /* fails: the first member that fails, or -1 */
};

static int
count(void *user, size_t k)
{
    struct tally *t = user;
    if (t->done[k]++ == 0) t->thread[k] = pthread_self();
    return pthread_equal(t->thread[k], pthread_self()) ? 0 : 1000;
}

/* Repeated work, at once and after the threads have gone to sleep, is always
 * done by the same thread and is finished on return. */
static void
each_member_does_its_part(void **state)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = 5000000};
    for (size_t n = 1; n <= MEMBERS; n++) {
        struct koshu_team *team = koshu_team_create(n);
        struct tally t = {0};
        size_t whose;
        assert_non_null(team);
        for (int round = 1; round <= ROUNDS; round++) {
            assert_int_equal(koshu_team_do(team, count, &t, &whose), 0);
            for (size_t k = 0; k < n; k++) assert_int_equal(t.done[k], round);
            if (round % 250 == 0) nanosleep(&pause, NULL);
        }
        assert_true(pthread_equal(t.thread[0], pthread_self()));
        koshu_team_destroy(team);
    }
    koshu_team_destroy(NULL);
}

static int
fail_from(void *user, size_t k)
{
    const struct tally *t = user;
    return t->fails >= 0 && k >= (size_t)t->fails ? 100 + (int)k : 0;
}

static void
the_first_failure_is_told(void **state)
{
    (void)state;
    struct koshu_team *team = koshu_team_create(MEMBERS);
    size_t whose = 77;
    for (int k = 0; k < MEMBERS; k++) {
        struct tally t = {.fails = k};
        assert_int_equal(koshu_team_do(team, fail_from, &t, &whose), 100 + k);
        assert_int_equal(whose, k);
    }
    struct tally none = {.fails = -1};
    assert_int_equal(koshu_team_do(team, fail_from, &none, &whose), 0);
    koshu_team_destroy(team);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(each_member_does_its_part),
            cmocka_unit_test(the_first_failure_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
