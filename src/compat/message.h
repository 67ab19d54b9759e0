/* SPDX-License-Identifier: MIT */
/*
 * How the libraries of compat/ report failures and warnings: lines of text, to
 * stderr or to a handler of the program. Each library has messages of its own,
 * and its name is put before them on stderr.
 */
#ifndef KOSHU_COMPAT_MESSAGE_H
#define KOSHU_COMPAT_MESSAGE_H

#include <pthread.h>

#include <koshu/export.h>

/* The maximum length of a line, with its terminating 0; longer ones are cut. */
enum { KOSHU_COMPAT_LINE = 1280 };

typedef void koshu_compat_handler(void *user, const char *line);

struct koshu_compat_messages {
    const char *library;
    pthread_mutex_t lock;
    koshu_compat_handler *handler; /* NULL: stderr */
    void *user;
    char last[KOSHU_COMPAT_LINE]; /* the last line that went to stderr */
};

#define KOSHU_COMPAT_MESSAGES(library)                     \
    {                                                      \
        library, PTHREAD_MUTEX_INITIALIZER, NULL, NULL, "" \
    }

/* Sets the handler of messages; NULL: they go to stderr, which is the
 * default. */
void koshu_compat_set_handler(struct koshu_compat_messages *messages,
                              koshu_compat_handler *handler, void *user);

/* Passes a line to the handler, which may call the library, or never return.
 * stderr does not get the same line twice in a row, as a client that continues
 * after a failure fails at every call. */
void koshu_compat_say(struct koshu_compat_messages *messages, const char *line);

#endif
