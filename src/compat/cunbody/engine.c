/* SPDX-License-Identifier: MIT */
/* The engine: opening it, taking it, and its messages. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <koshu-cunbody/cunbody.h>

#include "compat/cunbody/cunbody.h"

static struct koshu_compat_messages messages =
        KOSHU_COMPAT_MESSAGES("koshu-cunbody");

static struct {
    pthread_mutex_t lock;
    bool watches_forks;
    bool inherited; /* opened by a parent process: unusable here */
    struct koshu_cunbody_engine engine;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- messages ------------------------------------------------------------ */

void
koshu_cunbody_say(struct koshu_cunbody_engine *e, const char *format, ...)
{
    size_t capacity = sizeof e->lines - e->n_lines;
    if (capacity < 2) return; /* full: the first messages matter most */
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(e->lines + e->n_lines, capacity, format, arguments);
    va_end(arguments);
    if (n < 0) return;
    e->n_lines += ((size_t)n < capacity ? (size_t)n : capacity - 1) + 1;
}

int
koshu_cunbody_check(struct koshu_cunbody_engine *e, const char *function,
                    koshu_status status)
{
    if (status == KOSHU_OK) return 0;
    return koshu_cunbody_fail(e, "%s: %s", function,
                              koshu_compat_reason(e->context, status));
}

int
koshu_cunbody_check_numbers(struct koshu_cunbody_engine *e,
                            const char *function, int ni, int nj)
{
    if (ni >= 0 && nj >= 0) return 0;
    return koshu_cunbody_fail(e,
                              "%s: ni = %d, nj = %d: a number of particles "
                              "cannot be negative",
                              function, ni, nj);
}

static void
pass_on(void *user, enum koshu_log_level level, const char *message)
{
    struct koshu_cunbody_engine *e = user;
    if (koshu_compat_tells(&e->settings, level))
        koshu_cunbody_say(e, "%s", message);
}

/* ---- opening, under the lock --------------------------------------------- */

/* A child process has neither the GPU nor the threads of its parent; waiting
 * for either would never end. */
static void
after_fork(void)
{
    pthread_mutex_init(&the.lock, NULL);
    the.engine.n_lines = 0;
    the.inherited = the.inherited || the.engine.context;
}

static void
watch_forks(void)
{
    if (the.watches_forks) return;
    the.watches_forks = pthread_atfork(NULL, NULL, after_fork) == 0;
}

static int
read_settings(struct koshu_cunbody_engine *e, char *fault)
{
    e->settings = (struct koshu_compat_settings){
            .prefix = "KOSHU_CUNBODY", .precision = KOSHU_PRECISION_SINGLE};
    e->pipeline[0] = '\0';
    if (koshu_compat_settings_read(&e->settings, fault) != 0) return -1;
    return koshu_compat_text("CUNBODY", "PIPELINE", e->pipeline,
                             sizeof e->pipeline, fault);
}

static int
open_engine(struct koshu_cunbody_engine *e)
{
    char fault[KOSHU_COMPAT_LINE];
    if (the.inherited)
        return koshu_cunbody_fail(
                e, "this process is a child of one that has used the library, "
                   "and has neither its GPU nor its threads: use it in the "
                   "parent, or only after fork()");
    watch_forks();
    if (read_settings(e, fault) != 0 ||
        koshu_compat_context(&e->settings, pass_on, e, &e->context, fault) != 0)
        return koshu_cunbody_fail(e, "%s", fault);
    if (e->settings.verbose &&
        koshu_compat_describe(e->context, &e->settings, fault))
        koshu_cunbody_say(e, "%s", fault);
    return 0;
}

/* ---- what the others call ------------------------------------------------ */

struct koshu_cunbody_engine *
koshu_cunbody_take(void)
{
    pthread_mutex_lock(&the.lock);
    struct koshu_cunbody_engine *e = &the.engine;
    bool usable = e->context && !the.inherited;
    if (usable || open_engine(e) == 0) return e;
    koshu_cunbody_give(e);
    return NULL;
}

struct koshu_cunbody_engine *
koshu_cunbody_take_open(void)
{
    pthread_mutex_lock(&the.lock);
    if (the.engine.context && !the.inherited) return &the.engine;
    pthread_mutex_unlock(&the.lock);
    return NULL;
}

void
koshu_cunbody_give(struct koshu_cunbody_engine *e)
{
    char lines[sizeof e->lines];
    size_t n = e->n_lines;
    memcpy(lines, e->lines, n);
    e->n_lines = 0;
    pthread_mutex_unlock(&the.lock);
    for (size_t k = 0; k < n; k += strlen(lines + k) + 1)
        koshu_compat_say(&messages, lines + k);
}

/* ---- the functions of the library ---------------------------------------- */

void
koshu_cunbody_set_handler(koshu_cunbody_handler *handler, void *user)
{
    koshu_compat_set_handler(&messages, handler, user);
}
