/* SPDX-License-Identifier: MIT */
/*
 * How the libraries of compat/ tell of failures and warnings: lines of text,
 * to stderr or to a handler of the program's. Each library has messages of its
 * own, and a name that stands before them on stderr.
 */
#ifndef KOSHU_COMPAT_MESSAGE_H
#define KOSHU_COMPAT_MESSAGE_H

#include <pthread.h>

#include <koshu/export.h>

/* The longest line, with its end: longer ones are cut off. */
enum { KOSHU_COMPAT_LINE = 1280 };

typedef void koshu_compat_handler(void *user, const char *line);

struct koshu_compat_messages {
    const char *library;
    pthread_mutex_t lock;
    koshu_compat_handler *handler; /* NULL: stderr */
    void *user;
    char last[KOSHU_COMPAT_LINE]; /* that went to stderr */
};

#define KOSHU_COMPAT_MESSAGES(library)                     \
    {                                                      \
        library, PTHREAD_MUTEX_INITIALIZER, NULL, NULL, "" \
    }

/* Where messages go from now on; NULL: to stderr, as at first. */
void koshu_compat_set_handler(struct koshu_compat_messages *messages,
                              koshu_compat_handler *handler, void *user);

/* Gives a line to the handler, which may call the library, or never come back.
 * stderr does not get the same line twice in a row: a client that goes on
 * after a failure fails at every call. */
void koshu_compat_say(struct koshu_compat_messages *messages, const char *line);

#endif
