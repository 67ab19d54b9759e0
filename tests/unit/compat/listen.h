/* SPDX-License-Identifier: MIT */
/* Collects the messages of a library in compat/ for a test to examine. */
#ifndef KOSHU_TESTS_LISTEN_H
#define KOSHU_TESTS_LISTEN_H

#include <string.h>

#include "check.h"

struct listener {
    int n_lines;
    char last[1280];
};

/* A message handler; user is a struct listener. */
static inline void
listen_to(void *user, const char *line)
{
    struct listener *l = user;
    l->n_lines++;
    snprintf(l->last, sizeof l->last, "%s", line);
}

/* Exactly one line was reported, with these words; forgets it. */
#define assert_reported(listener, words)                           \
    do {                                                           \
        if (!strstr((listener)->last, (words)))                    \
            fail_msg("no '%s' in: %s", (words), (listener)->last); \
        assert_int_equal((listener)->n_lines, 1);                  \
        (listener)->n_lines = 0;                                   \
        (listener)->last[0] = '\0';                                \
    } while (0)

#endif
