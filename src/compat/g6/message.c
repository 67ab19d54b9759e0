/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <koshu-g6/g6.h>

#include "compat/g6/g6.h"

enum { LINE = 1280 };

static struct {
    pthread_mutex_t lock;
    koshu_g6_handler *handler; /* NULL: stderr */
    void *user;
    char last[LINE]; /* that went to stderr */
} to = {.lock = PTHREAD_MUTEX_INITIALIZER};

void
koshu_g6_set_handler(koshu_g6_handler *handler, void *user)
{
    pthread_mutex_lock(&to.lock);
    to.handler = handler;
    to.user = user;
    to.last[0] = '\0';
    pthread_mutex_unlock(&to.lock);
}

/* A client that goes on after a failure fails at every call. */
static void
print(const char *line)
{
    pthread_mutex_lock(&to.lock);
    if (strcmp(line, to.last) != 0) {
        fprintf(stderr, "koshu-g6: %s\n", line);
        memcpy(to.last, line, strlen(line) + 1);
    }
    pthread_mutex_unlock(&to.lock);
}

/* The handler is called without the lock: it may never come back. */
static void
say(const char *format, va_list arguments)
{
    char line[LINE];
    vsnprintf(line, sizeof line, format, arguments);
    pthread_mutex_lock(&to.lock);
    koshu_g6_handler *handler = to.handler;
    void *user = to.user;
    pthread_mutex_unlock(&to.lock);
    if (handler)
        handler(user, line);
    else
        print(line);
}

void
koshu_g6_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

int
koshu_g6_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return -1;
}
