/* SPDX-License-Identifier: MIT */
/*
 * Groups that take long, ahead of the blocks. A chain that nothing perturbs
 * needs no one else: once it is known when its next step ends, a helper, a
 * thread of its own, moves a copy of it there while other blocks are made. That
 * is where the group would have come to by itself. Where something perturbs it
 * meanwhile, or it is wanted at another time, the copy is dropped.
 */
#include <koshu/integrator.h>

#include <pthread.h>
#include <signal.h>

#include "base/base.h"
#include "integrate/subsystem_ahead.h"

enum { MAX_HELPERS = 8 };

struct koshu_subsystem_helpers {
    size_t n;
    pthread_t thread[MAX_HELPERS];
    pthread_mutex_t lock; /* of all below, and of every `state` */
    pthread_cond_t more, done;
    struct koshu_subsystem_ahead *first; /* of those that wait, a list */
    bool ends;
};

struct koshu_subsystem_ahead {
    struct koshu_subsystem_helpers *helpers;
    enum { WAITS, MOVES, DONE } state;
    struct koshu_subsystem_ahead *next; /* in the list */
    double time;                        /* to which it moves */
    struct koshu_chain chain;
    struct koshu_gbs_step step;
    struct koshu_gbs gbs;
    struct koshu_contact contact;
    koshu_status status;
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
        a->state = MOVES;
        pthread_mutex_unlock(&h->lock);
        move(a);
        pthread_mutex_lock(&h->lock);
        a->state = DONE;
        pthread_cond_broadcast(&h->done);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

/* As many as there can be; they get no signals. */
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

/* ---- a group goes ahead -------------------------------------------------- */

/* What is wanted first is moved first. */
static void
give(struct koshu_subsystem_helpers *h, struct koshu_subsystem_ahead *a)
{
    struct koshu_subsystem_ahead **at = &h->first;
    pthread_mutex_lock(&h->lock);
    while (*at && (*at)->time <= a->time) at = &(*at)->next;
    a->state = WAITS;
    a->next = *at;
    *at = a;
    pthread_cond_signal(&h->more);
    pthread_mutex_unlock(&h->lock);
}

static koshu_status
go_ahead(struct koshu_subsystems *g, struct koshu_subsystem *group, double time)
{
    struct koshu_subsystem_ahead *a = group->ahead;
    const struct koshu_radius_law *law = &g->options.radius;
    if (!a) a = group->ahead = koshu_alloc(1, sizeof *a);
    if (!a) return koshu_fail_memory(g->context, sizeof *a, "a group");
    a->helpers = g->helpers;
    a->time = time;
    a->chain = group->chain;
    a->chain.perturbers = NULL;
    a->step = group->step;
    a->gbs.tolerance = g->options.tolerance;
    a->gbs.slow_down = g->options.slow_down;
    a->gbs.evaluations = 0;
    a->contact = (struct koshu_contact){law->radius > 0 ? law : NULL,
                                        KOSHU_NO_CONTACT};
    group->is_ahead = true;
    give(g->helpers, a);
    return KOSHU_OK;
}

koshu_status
koshu_subsystems_go_ahead(struct koshu_subsystems *groups)
{
    enum { LONG = 500 }; /* evaluations: it takes 0.1 ms */
    struct koshu_subsystems *g = groups;
    if (!g->helpers || g->helpers->n == 0) return KOSHU_OK;
    for (size_t i = 0; i < g->n_wanted; i++) {
        struct koshu_subsystem *group = g->wanted[i];
        const size_t k = group->body[0];
        const uint64_t end = g->p->tick[k] + g->p->step[k];
        if (group->n > 2 && group->work > LONG &&
            !koshu_subsystem_is_perturbed(group) &&
            end <= g->base + KOSHU_TICKS)
            KOSHU_TRY(go_ahead(g, group, koshu_subsystems_time(g, end)));
    }
    return KOSHU_OK;
}

/* ---- and is where it has come to ----------------------------------------- */

static void
take_from_list(struct koshu_subsystem_helpers *h,
               const struct koshu_subsystem_ahead *a)
{
    struct koshu_subsystem_ahead **at = &h->first;
    while (*at != a) at = &(*at)->next;
    *at = a->next;
}

/* false: it has not been begun, and is not going to be. */
static bool
wait_for(struct koshu_subsystem_ahead *a)
{
    struct koshu_subsystem_helpers *h = a->helpers;
    pthread_mutex_lock(&h->lock);
    const bool begun = a->state != WAITS;
    if (!begun) take_from_list(h, a);
    while (begun && a->state != DONE) pthread_cond_wait(&h->done, &h->lock);
    pthread_mutex_unlock(&h->lock);
    return begun;
}

bool
koshu_subsystem_take_ahead(struct koshu_subsystem *group, double time,
                           struct koshu_contact *contact, koshu_status *status)
{
    const struct koshu_subsystem_ahead *a = group->ahead;
    if (!group->is_ahead) return false;
    group->is_ahead = false;
    if (!wait_for(group->ahead) || a->time != time || group->chain.perturbers)
        return false;
    group->chain = a->chain;
    group->step = a->step;
    group->work = a->gbs.evaluations;
    contact->link = a->contact.link;
    *status = a->status;
    return true;
}

void
koshu_subsystem_drop_ahead(struct koshu_subsystem *group)
{
    if (group->is_ahead) wait_for(group->ahead);
    group->is_ahead = false;
    koshu_free(group->ahead);
    group->ahead = NULL;
}
