/* SPDX-License-Identifier: MIT */
/* What groups find near them among the particles they know to be around,
 * compared with a search through all, in a cluster whose particles move
 * uniformly. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "integrate/subsystem_near.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

enum { N = 400, PAIRS = 40, ARRAYS = 13 };

struct cluster {
    struct koshu_block_particles p;
    double mass[N], real[ARRAYS][N];
    uint64_t tick[N], step[N];
    struct koshu_subsystems *groups;
};

static const double a_tick = 1e-6;

static double
between(double low, double high)
{
    return low + (high - low) * rand() / (double)RAND_MAX;
}

/* Makes particles k and k + 1 a binary at k's position. */
static void
place_pair(struct cluster *c, size_t k, double a)
{
    const double v = sqrt((c->mass[k] + c->mass[k + 1]) / a);
    for (size_t d = 0; d < 6; d++) c->real[d][k + 1] = c->real[d][k];
    c->real[0][k + 1] += a;
    c->real[4][k + 1] += v;
}

/* A cube with speeds of 1 and a few particles ten times as fast; or with speeds
 * of 0.4, in which the binaries rest and attract little. */
static void
place(struct cluster *c, bool slow)
{
    const double speed = slow ? 0.4 : 1;
    srand(7);
    for (size_t k = 0; k < N; k++) {
        const bool is_fast = k % 16 == 0 && !slow;
        c->mass[k] = between(0.2, 2) / N * (slow ? 1e-4 : 1);
        c->step[k] = UINT64_C(64) << (rand() % 8);
        for (int d = 0; d < 3; d++) {
            c->real[d][k] = between(-1, 1);
            c->real[3 + d][k] = between(-speed, speed);
            if (slow && k < 2 * PAIRS) c->real[3 + d][k] = 0;
        }
        if (is_fast) c->real[3 + k / 16 % 3][k] = k % 32 ? 10 : -10;
    }
    for (size_t k = 0; k < 2 * PAIRS; k += 2)
        place_pair(c, k, pow(10, between(-3.5, -2)));
}

/* Creates groups for the particles as they are. */
static void
create(struct cluster *c)
{
    const struct koshu_subsystem_options options = {
            .distance = 0.02, .tolerance = 1e-10, .perturbation = 1e-5};
    double **const array[ARRAYS] = {
            &c->p.x,  &c->p.y,  &c->p.z,        &c->p.vx, &c->p.vy,
            &c->p.vz, &c->p.ax, &c->p.ay,       &c->p.az, &c->p.jx,
            &c->p.jy, &c->p.jz, &c->p.potential};
    for (int k = 0; k < ARRAYS; k++) *array[k] = c->real[k];
    c->p.n = N;
    c->p.mass = c->mass;
    c->p.tick = c->tick;
    c->p.step = c->step;
    assert_ok(context, koshu_subsystems_create(context, &options, a_tick, 0,
                                               &c->p, c->mass, &c->groups));
}

static void
make(struct cluster *c, bool slow)
{
    *c = (struct cluster){.groups = NULL};
    place(c, slow);
    create(c);
}

static void
form(struct cluster *c, size_t k)
{
    const struct koshu_clump pair = {.n = 2, .first = k, .last = k + 1};
    c->groups->next[k] = k + 1;
    assert_ok(context, koshu_subsystems_form(c->groups, &pair));
    for (int d = 6; d < 12; d++) c->real[d][k] = 0; /* uniform motion */
}

/* Forms all groups at time 0. */
static void
look_first(struct cluster *c)
{
    struct koshu_subsystems *g = c->groups;
    assert_ok(context, koshu_subsystems_gauge(g));
    assert_ok(context, koshu_subsystem_place_all(g, 0));
    for (size_t k = 0; k < g->n; k++)
        assert_ok(context, koshu_subsystems_find_near(g, g->group[k], 0));
}

static void
form_all(struct cluster *c)
{
    for (size_t k = 0; k < 2 * PAIRS; k += 2) form(c, k);
    look_first(c);
}

static void
dissolve(struct cluster *c, struct koshu_subsystem *group)
{
    const size_t k = group->body[0];
    koshu_subsystems_forget(c->groups, group);
    koshu_subsystems_dissolve(c->groups, group);
    for (int d = 6; d < 12; d++) c->real[d][k] = c->real[d][k + 1] = 0;
}

/* The two form a group, or become single. */
static void
change(struct cluster *c, size_t k, uint64_t tick)
{
    static bool is_changed[N];
    const uint64_t changed[] = {k, k + 1};
    is_changed[k] = is_changed[k + 1] = true;
    const struct koshu_subsystem_changes changes = {2, changed, is_changed};
    assert_ok(context, koshu_subsystems_renew_near(
                               c->groups, &changes,
                               koshu_subsystems_time(c->groups, tick)));
    is_changed[k] = is_changed[k + 1] = false;
}

/* All particles are synchronised at that tick. */
static void
go_on(struct cluster *c, uint64_t tick)
{
    for (size_t k = 0; k < N; k++) {
        const double dt = (double)(tick - c->tick[k]) * a_tick;
        for (int d = 0; d < 3; d++) c->real[d][k] += dt * c->real[3 + d][k];
        c->tick[k] = tick;
    }
}

static bool
finds(const struct koshu_subsystem *group, size_t k)
{
    for (size_t i = 0; i < group->n_near; i++)
        if (group->near[i] == k) return true;
    return false;
}

/* Compares with all particles; returns how many are near. */
static size_t
check_near(const struct koshu_subsystems *g, struct koshu_subsystem *group,
           double time)
{
    size_t n = 0;
    const double reach3 = koshu_subsystem_reach3(g, group, group->widest);
    const struct koshu_subsystem_approach centre =
            koshu_subsystem_place_of(g, group->body[0], time);
    for (size_t k = 0; k < N; k++) {
        if (k == group->body[0] || g->mass[k] == 0) continue;
        const struct koshu_subsystem_approach at = koshu_subsystem_approach_of(
                koshu_subsystem_place_of(g, k, time), &centre);
        const double r = koshu_subsystem_nearest(g, group, &at);
        const bool is_near = r * r * r < reach3 * at.mass;
        assert_true(is_near == finds(group, k));
        n += is_near;
    }
    assert_int_equal(n, group->n_near);
    return n;
}

static size_t
check_all(struct cluster *c, uint64_t tick)
{
    struct koshu_subsystems *g = c->groups;
    const double time = koshu_subsystems_time(g, tick);
    size_t n = 0;
    assert_ok(context, koshu_subsystems_look(g, g->n, g->group, time));
    for (size_t i = 0; i < g->n; i++) n += check_near(g, g->group[i], time);
    return n;
}

/* 0.26 time units, in which the fast particles cross the cluster. */
static void
check_find_all(bool slow)
{
    static struct cluster c;
    size_t found = 0, around = 0;
    make(&c, slow);
    form_all(&c);
    for (uint64_t tick = 0; tick <= 1 << 18; tick += 1 << 10) {
        go_on(&c, tick);
        found += check_all(&c, tick);
        for (size_t k = 0; k < c.groups->n; k++)
            around += c.groups->group[k]->n_around;
    }
    assert_true(found > 15000);
    /* the list around is not just everything */
    assert_true(around < (size_t)257 * PAIRS * N / 2);
    koshu_subsystems_destroy(c.groups);
}

static void
groups_find_all_that_is_near(void **state)
{
    (void)state;
    check_find_all(false);
    check_find_all(true);
}

/* A light particle that falls from rest onto a heavy binary: its speed comes
 * from the binary's attraction. */
static void
groups_find_what_falls_on_them(void **state)
{
    (void)state;
    enum { faller = 100 };
    static struct cluster c;
    size_t steps = 0;
    c = (struct cluster){.groups = NULL};
    place(&c, true);
    for (size_t k = 0; k < N; k++) c.mass[k] = k < 2 ? 5 : 1e-9;
    c.mass[faller] = 0.1;
    for (int d = 0; d < 6; d++) c.real[d][0] = c.real[d][faller] = 0;
    c.real[0][faller] = 0.6;
    place_pair(&c, 0, 0.01);
    c.real[4][0] = -c.real[4][1] / 2; /* the centre of mass rests */
    c.real[4][1] /= 2;
    create(&c);
    form(&c, 0);
    c.step[0] = 1 << 17;
    look_first(&c);
    struct koshu_subsystem *group = c.groups->group[0];
    for (uint64_t tick = 64; group->n_near == 0; tick += 64, steps++) {
        const double r = c.real[0][faller] - c.real[0][0];
        assert_true(r > 0.1);
        c.real[3][faller] -= 64 * a_tick * 10 / (r * r);
        go_on(&c, tick);
        check_all(&c, tick);
    }
    assert_true(steps > 100);
    koshu_subsystems_destroy(c.groups);
}

/* Groups that end and form again. */
static void
groups_find_what_has_changed(void **state)
{
    (void)state;
    static struct cluster c;
    make(&c, false);
    form_all(&c);
    for (uint64_t tick = 1 << 9; tick < 1 << 14; tick += 1 << 9) {
        struct koshu_subsystem *one = c.groups->group[tick >> 9];
        const size_t k = one->body[0];
        go_on(&c, tick);
        assert_ok(context, koshu_subsystems_move(
                                   c.groups, one,
                                   koshu_subsystems_time(c.groups, tick), 0));
        dissolve(&c, one);
        change(&c, k, tick);
        check_all(&c, tick);
        go_on(&c, tick + 8); /* two bodies that do not attract each other */
        form(&c, k);
        change(&c, k, tick + 8);
        check_all(&c, tick + 8);
    }
    koshu_subsystems_destroy(c.groups);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(groups_find_all_that_is_near),
            cmocka_unit_test(groups_find_what_falls_on_them),
            cmocka_unit_test(groups_find_what_has_changed),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
