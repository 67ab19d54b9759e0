/* SPDX-License-Identifier: MIT */
/* Groups that helper threads integrate ahead give the same result. */
#include <dirent.h>
#include <time.h>

#include <koshu/integrator.h>

#define FIXTURE_BACKEND "ref"
#include "integrate/subsystem_ahead.h"
#include "integrate/subsystem_helpers.h"
#include "subsystem_store.h"

enum { STEP = 8192, HALF = STEP / 2 };

/* An isolated group. */
static struct koshu_subsystem *
form_alone(struct store *s)
{
    struct koshu_subsystem *group = form_triple(s, 1e6);
    s->step[0] = STEP;
    assert_ok(context, koshu_subsystems_find_near(s->groups, group, 0));
    assert_int_equal(group->n_near, 0);
    return group;
}

/* Waits until a helper has started on the group: a request not yet started is
 * dropped, and the group is integrated as usual. */
static void __attribute__((no_sanitize("thread")))
wait_until_begun(const struct koshu_subsystem *group)
{
    const struct timespec moment = {.tv_nsec = 100000};
    const volatile struct koshu_subsystem_ahead *a = group->ahead;
    for (int k = 0; k < 100000 && a->state == KOSHU_AHEAD_WAITS; k++)
        nanosleep(&moment, NULL);
    assert_int_not_equal(a->state, KOSHU_AHEAD_WAITS);
}

/* Does a helper take the group if its last move took this many evaluations? */
static bool
goes(struct store *s, struct koshu_subsystem *group, uint64_t work)
{
    group->work = work;
    assert_ok(context, koshu_subsystems_note_work(s->groups, group));
    assert_ok(context, koshu_subsystems_go_ahead(s->groups));
    if (group->is_ahead) wait_until_begun(group);
    return group->is_ahead;
}

/* Moves the group with a helper to the end of its step. */
static struct koshu_subsystem *
form_ahead(struct store *s)
{
    struct koshu_subsystem *group = form_alone(s);
    assert_ok(context, koshu_subsystem_helpers_start(s->groups, 1));
    assert_true(goes(s, group, 1000));
    return group;
}

static void
move_to(struct store *s, struct koshu_subsystem *group, uint64_t tick)
{
    assert_ok(context,
              koshu_subsystems_move(s->groups, group,
                                    koshu_subsystems_time(s->groups, tick), 0));
}

static void
assert_same(const struct koshu_subsystem *a, const struct koshu_subsystem *b)
{
    assert_int_equal(a->chain.n, b->chain.n);
    assert_memory_equal(a->chain.y, b->chain.y,
                        koshu_chain_size(&a->chain) * sizeof a->chain.y[0]);
    assert_memory_equal(&a->step.s, &b->step.s, sizeof a->step.s);
    assert_int_equal(a->work, b->work);
}

static void
end(struct store *with, struct store *without)
{
    koshu_subsystems_destroy(with->groups);
    koshu_subsystems_destroy(without->groups);
}

static void
groups_come_to_the_same(void **state)
{
    (void)state;
    struct store with, without;
    struct koshu_subsystem *a = form_ahead(&with), *b = form_alone(&without);
    for (uint64_t tick = STEP; tick <= 4 * STEP; tick += STEP) {
        move_to(&with, a, tick);
        move_to(&without, b, tick);
        assert_false(a->is_ahead);
        assert_same(a, b);
        assert_true(a->work >= 1000); /* long enough for a helper */
        with.tick[0] = tick;
        assert_ok(context, koshu_subsystems_go_ahead(with.groups));
        assert_true(a->is_ahead);
        wait_until_begun(a);
    }
    end(&with, &without);
}

/* The reason: the helper's copy is at another time. */
static void
what_is_wanted_before_is_moved_again(void **state)
{
    (void)state;
    struct store with, without;
    struct koshu_subsystem *a = form_ahead(&with), *b = form_alone(&without);
    for (uint64_t tick = HALF; tick <= STEP; tick += HALF) {
        move_to(&with, a, tick);
        move_to(&without, b, tick);
        assert_same(a, b);
    }
    end(&with, &without);
}

static void
what_is_perturbed_meanwhile_is_moved_again(void **state)
{
    (void)state;
    struct store s[2];
    struct koshu_subsystem *group[] = {form_ahead(&s[0]), form_alone(&s[1])};
    for (int k = 0; k < 2; k++) {
        const double time = koshu_subsystems_time(s[k].groups, HALF);
        s[k].real[0][3] = 8;
        assert_ok(context, koshu_subsystems_gauge(s[k].groups));
        group[k]->until = 0; /* makes it search again */
        assert_ok(context,
                  koshu_subsystems_find_near(s[k].groups, group[k], time));
        assert_int_equal(group[k]->n_near, 1);
        move_to(&s[k], group[k], STEP);
    }
    assert_same(group[0], group[1]);
    end(&s[0], &s[1]);
}

/* The inner two touch on the way, at the same time with and without a
 * helper. */
static void
bodies_that_touch_become_one(void **state)
{
    (void)state;
    struct store s[2];
    struct koshu_mergers mergers[2] = {{0}, {0}};
    struct koshu_subsystem *group[2];
    for (int k = 0; k < 2; k++) {
        group[k] = form_alone(&s[k]);
        s[k].groups->options.radius = (struct koshu_radius_law){9.5e-4, 1, 0};
        s[k].groups->mergers = &mergers[k];
        if (k == 0) {
            assert_ok(context, koshu_subsystem_helpers_start(s[0].groups, 2));
            assert_true(goes(&s[0], group[0], 1000));
        }
        move_to(&s[k], group[k], STEP);
        assert_int_equal(mergers[k].n, 1);
        assert_int_equal(group[k]->chain.n, 2);
    }
    assert_same(group[0], group[1]);
    assert_true(mergers[0].merger[0].time == mergers[1].merger[0].time);
    end(&s[0], &s[1]);
    for (int k = 0; k < 2; k++) koshu_free(mergers[k].merger);
}

static void
others_stay(void **state)
{
    (void)state;
    struct store s;
    struct koshu_subsystem *group = form_alone(&s);
    assert_false(goes(&s, group, 1000)); /* there is no helper */
    assert_ok(context, koshu_subsystem_helpers_start(s.groups, 1));
    assert_false(goes(&s, group, 100)); /* too short to be worth it */
    s.tick[0] = KOSHU_TICKS - STEP + 1;
    assert_false(goes(&s, group, 1000)); /* the step cannot be completed */
    s.tick[0] = 0;
    group->kepler = true;
    assert_false(goes(&s, group, 1000));
    group->kepler = false;
    assert_true(goes(&s, group, 1000));
    koshu_subsystems_destroy(s.groups); /* while it is integrated */
}

/* A nearby particle whose steps are half as long. */
static struct koshu_subsystem *
form_beside(struct store *s)
{
    struct koshu_subsystem *group = form_alone(s);
    s->real[0][3] = 8;
    s->step[3] = HALF;
    group->until = 0; /* makes it search again */
    assert_ok(context, koshu_subsystems_find_near(s->groups, group, 0));
    assert_int_equal(group->n_near, 1);
    return group;
}

/* A helper goes only as far as the perturbers are known. */
static void
perturbed_groups_go_until_others_step(void **state)
{
    (void)state;
    struct store s[2];
    struct koshu_subsystem *group[] = {form_beside(&s[0]), form_beside(&s[1])};
    assert_ok(context, koshu_subsystem_helpers_start(s[0].groups, 1));
    for (uint64_t tick = HALF; tick <= 4 * HALF; tick += HALF) {
        assert_true(goes(&s[0], group[0], 1000));
        for (int k = 0; k < 2; k++) move_to(&s[k], group[k], tick);
        assert_false(group[0]->is_ahead);
        assert_same(group[0], group[1]);
        for (int k = 0; k < 2; k++) {
            s[k].tick[3] = tick; /* between the ends of its steps */
            s[k].real[0][3] += 0.01;
            if (tick % STEP == 0) s[k].tick[0] = tick;
        }
    }
    end(&s[0], &s[1]);
}

/* The group is at its present state, not at that of the helper's copy. */
static void
what_has_changed_pulls_as_it_is_now(void **state)
{
    (void)state;
    struct store s[2];
    struct koshu_subsystem *group[] = {form_beside(&s[0]), form_beside(&s[1])};
    static const uint64_t changed[] = {3};
    static const bool is_changed[FEW] = {[3] = true};
    const struct koshu_subsystem_changes changes = {1, changed, is_changed};
    assert_ok(context, koshu_subsystem_helpers_start(s[0].groups, 1));
    assert_true(goes(&s[0], group[0], 1000));
    for (int k = 0; k < 2; k++) {
        s[k].mass[3] = 10; /* now lighter */
        assert_ok(context,
                  koshu_subsystems_renew_near(s[k].groups, &changes, 0));
        move_to(&s[k], group[k], HALF);
    }
    assert_same(group[0], group[1]);
    end(&s[0], &s[1]);
}

/* Number of threads of this process. */
static int
count_threads(void)
{
    int n = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    while (readdir(tasks)) n++;
    closedir(tasks);
    return n;
}

/* Helpers do not reduce the cores of a parallel region. */
static void
regions_leave_threads_to_helpers(void **state)
{
    (void)state;
    struct store s;
    const int all = koshu_region_threads(context, true),
              threads = count_threads();
    form_alone(&s);
    assert_ok(context, koshu_subsystem_helpers_start(s.groups, 1));
    assert_int_equal(count_threads(), threads + 1);
    assert_int_equal(koshu_region_threads(context, true),
                     all > 1 ? all - 1 : 1);
    koshu_subsystems_destroy(s.groups);
    assert_int_equal(koshu_region_threads(context, true), all);
    assert_int_equal(count_threads(), threads); /* the helper has ended */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(groups_come_to_the_same),
            cmocka_unit_test(what_is_wanted_before_is_moved_again),
            cmocka_unit_test(what_is_perturbed_meanwhile_is_moved_again),
            cmocka_unit_test(bodies_that_touch_become_one),
            cmocka_unit_test(others_stay),
            cmocka_unit_test(perturbed_groups_go_until_others_step),
            cmocka_unit_test(what_has_changed_pulls_as_it_is_now),
            cmocka_unit_test(regions_leave_threads_to_helpers),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
