/* SPDX-License-Identifier: MIT */
/* Host threads, one for each device of a group. */
#include "devices/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/base.h"

/* Seconds of polling before a thread sleeps. Waking up takes some 0.1 ms, one
 * thousandth of this. */
static const double patience = 0.1;
enum { POLLS_BEFORE_YIELD = 256 };

struct member {
    struct koshu_team *team;
    size_t k;
    pthread_t thread;
    int result;
};

struct koshu_team {
    size_t n, started; /* threads started, besides the caller */
    struct member *members;
    koshu_team_work *work; /* NULL: the threads end */
    void *user;
    atomic_uint number; /* counts items of work */
    atomic_size_t busy;
    atomic_size_t asleep;
    pthread_mutex_t lock;
    pthread_cond_t begun;
};

static void
pause_after(unsigned polls)
{
    if (polls % POLLS_BEFORE_YIELD == 0) sched_yield();
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

static void
sleep_until(struct koshu_team *team, unsigned number)
{
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1);
    while (atomic_load(&team->number) != number)
        pthread_cond_wait(&team->begun, &team->lock);
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->lock);
}

static void
await(struct koshu_team *team, unsigned number)
{
    const double start = koshu_now();
    for (unsigned polls = 1;; polls++) {
        if (atomic_load_explicit(&team->number, memory_order_acquire) == number)
            return;
        pause_after(polls);
        if (polls % POLLS_BEFORE_YIELD == 0 && koshu_now() - start > patience)
            break;
    }
    sleep_until(team, number);
}

static void *
serve(void *user)
{
    struct member *m = user;
    struct koshu_team *team = m->team;
    for (unsigned number = 1;; number++) {
        await(team, number);
        if (!team->work) return NULL;
        m->result = team->work(team->user, m->k);
        atomic_fetch_sub_explicit(&team->busy, 1, memory_order_release);
    }
}

/* Hands the work to all threads. A thread counts itself as sleeping before it
 * reads the number for the last time, so that no sleeper is missed. */
static void
begin(struct koshu_team *team, koshu_team_work *work, void *user)
{
    team->work = work;
    team->user = user;
    atomic_store(&team->busy, team->started);
    atomic_fetch_add(&team->number, 1);
    if (atomic_load(&team->asleep) == 0) return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->lock);
}

int
koshu_team_do(struct koshu_team *team, koshu_team_work *work, void *user,
              size_t *whose)
{
    begin(team, work, user);
    team->members[0].result = work(user, 0);
    for (unsigned polls = 1;
         atomic_load_explicit(&team->busy, memory_order_acquire) > 0; polls++)
        pause_after(polls);
    for (size_t k = 0; k < team->n; k++) {
        *whose = k;
        if (team->members[k].result != 0) return team->members[k].result;
    }
    return 0;
}

struct koshu_team *
koshu_team_create(size_t n)
{
    struct koshu_team *team = calloc(1, sizeof *team);
    if (!team) return NULL;
    team->n = n;
    team->members = calloc(n, sizeof *team->members);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begun, NULL);
    for (size_t k = 1; team->members && k < n; k++) {
        struct member *m = &team->members[k];
        m->team = team;
        m->k = k;
        if (pthread_create(&m->thread, NULL, serve, m) != 0) break;
        team->started++;
    }
    if (team->members && team->started + 1 == n) return team;
    koshu_team_destroy(team);
    return NULL;
}

void
koshu_team_destroy(struct koshu_team *team)
{
    if (!team) return;
    begin(team, NULL, NULL);
    for (size_t k = 1; k <= team->started; k++)
        pthread_join(team->members[k].thread, NULL);
    pthread_cond_destroy(&team->begun);
    pthread_mutex_destroy(&team->lock);
    free(team->members);
    free(team);
}
