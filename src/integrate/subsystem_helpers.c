/* SPDX-License-Identifier: MIT */
/* Helper threads: see subsystem_helpers.h. */
#include "integrate/subsystem_helpers.h"

#include <pthread.h>
#include <signal.h>

#include "base/base.h"
#include "integrate/subsystem_outside.h"

enum { MAX_HELPERS = 8 };

struct koshu_subsystem_helpers {
    size_t n;
    pthread_t thread[MAX_HELPERS];
    pthread_mutex_t lock; /* protects everything below and every `state` */
    pthread_cond_t more, done;
    struct koshu_subsystem_ahead *first; /* of the list of groups that wait */
    bool ends;
};

/* ---- helpers ------------------------------------------------------------- */

static void
move(struct koshu_subsystem_ahead *a)
{
    a->status = koshu_chain_move(&a->gbs, &a->chain, &a->step, a->time,
                                 a->contact.law ? &a->contact : NULL);
}

static void *
help(void *argument)
{
    struct koshu_subsystem_helpers *h = argument;
    pthread_mutex_lock(&h->lock);
    while (!h->ends) {
        struct koshu_subsystem_ahead *a = h->first;
        if (!a) {
            pthread_cond_wait(&h->more, &h->lock);
            continue;
        }
        h->first = a->next;
        a->state = KOSHU_AHEAD_MOVES;
        pthread_mutex_unlock(&h->lock);
        move(a);
        pthread_mutex_lock(&h->lock);
        a->state = KOSHU_AHEAD_DONE;
        pthread_cond_broadcast(&h->done);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

/* Starts as many threads as possible, up to n. Signals are blocked in them. */
static void
start(struct koshu_subsystem_helpers *h, size_t n)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return;
    while (h->n < n && h->n < MAX_HELPERS &&
           pthread_create(&h->thread[h->n], NULL, help, h) == 0)
        h->n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

koshu_status
koshu_subsystem_helpers_start(struct koshu_subsystems *groups, size_t n)
{
    if (n == 0) return KOSHU_OK;
    struct koshu_subsystem_helpers *h = koshu_alloc(1, sizeof *h);
    if (!h) return koshu_fail_memory(groups->context, sizeof *h, "helpers");
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->more, NULL);
    pthread_cond_init(&h->done, NULL);
    groups->helpers = h;
    start(h, n);
    koshu_leave_threads(groups->context, (int)h->n);
    return KOSHU_OK;
}

void
koshu_subsystem_helpers_end(struct koshu_subsystems *groups)
{
    struct koshu_subsystem_helpers *h = groups->helpers;
    if (!h) return;
    pthread_mutex_lock(&h->lock);
    h->ends = true;
    pthread_cond_broadcast(&h->more);
    pthread_mutex_unlock(&h->lock);
    for (size_t k = 0; k < h->n; k++) pthread_join(h->thread[k], NULL);
    pthread_cond_destroy(&h->done);
    pthread_cond_destroy(&h->more);
    pthread_mutex_destroy(&h->lock);
    koshu_leave_threads(groups->context, 0);
    koshu_free(h);
    groups->helpers = NULL;
}

bool
koshu_subsystems_have_helpers(const struct koshu_subsystems *groups)
{
    return groups->helpers && groups->helpers->n > 0;
}

/* ---- a copy of a group --------------------------------------------------- */

void
koshu_subsystem_helpers_take(struct koshu_subsystem_ahead *ahead)
{
    struct koshu_subsystem_ahead *a = ahead;
    struct koshu_subsystem_helpers *h = a->helpers;
    struct koshu_subsystem_ahead **at = &h->first;
    pthread_mutex_lock(&h->lock);
    while (*at && (*at)->time <= a->time) at = &(*at)->next;
    a->state = KOSHU_AHEAD_WAITS;
    a->next = *at;
    *at = a;
    pthread_cond_signal(&h->more);
    pthread_mutex_unlock(&h->lock);
}

koshu_status
koshu_subsystems_note_work(struct koshu_subsystems *groups,
                           struct koshu_subsystem *group)
{
    enum { LONG = 1000 }; /* evaluations */
    struct koshu_subsystems *g = groups;
    koshu_status status = KOSHU_OK;
    if (!koshu_subsystems_have_helpers(g) || group->work < LONG ||
        group->kepler)
        return KOSHU_OK;
#pragma omp critical
    {
        status = KOSHU_GROW(g, slow, g->n_slow + 1, g->context, "groups");
        if (status == KOSHU_OK) g->slow[g->n_slow++] = group;
    }
    return status;
}

/* ---- taking over the result ---------------------------------------------- */

static void
take_from_list(struct koshu_subsystem_helpers *h,
               const struct koshu_subsystem_ahead *a)
{
    struct koshu_subsystem_ahead **at = &h->first;
    while (*at != a) at = &(*at)->next;
    *at = a->next;
}

/* Waits until the helper has finished. If it has not begun, cancels it and
 * returns false. */
static bool
wait_for(struct koshu_subsystem_ahead *a)
{
    struct koshu_subsystem_helpers *h = a->helpers;
    pthread_mutex_lock(&h->lock);
    const bool begun = a->state != KOSHU_AHEAD_WAITS;
    if (!begun) take_from_list(h, a);
    while (begun && a->state != KOSHU_AHEAD_DONE)
        pthread_cond_wait(&h->done, &h->lock);
    pthread_mutex_unlock(&h->lock);
    return begun;
}

static void
swap(struct koshu_subsystem_outside *a, struct koshu_subsystem_outside *b)
{
    const struct koshu_subsystem_outside other = *a;
    *a = *b;
    *b = other;
    a->perturbers.user = a;
    b->perturbers.user = b;
}

bool
koshu_subsystem_take_ahead(struct koshu_subsystem *group, double time,
                           size_t *link)
{
    struct koshu_subsystem_ahead *a = group->ahead;
    if (!group->is_ahead) return false;
    group->is_ahead = false;
    if (!wait_for(a) || a->time != time || group->is_stale ||
        !koshu_subsystem_sees_same_pairs(group, &a->outside) ||
        a->status != KOSHU_OK)
        return false;
    swap(&group->outside, &a->outside);
    group->chain = a->chain;
    if (a->chain.perturbers)
        group->chain.perturbers = &group->outside.perturbers;
    group->is_other = false;
    group->step = a->step;
    group->work = a->gbs.evaluations;
    group->cost += group->work;
    *link = a->contact.link;
    return true;
}

void
koshu_subsystem_drop_ahead(struct koshu_subsystem *group)
{
    if (!group->ahead) return;
    if (group->is_ahead) wait_for(group->ahead);
    group->is_ahead = false;
    koshu_subsystem_outside_free(&group->ahead->outside);
    koshu_free(group->ahead);
    group->ahead = NULL;
}
