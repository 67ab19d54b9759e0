/* SPDX-License-Identifier: MIT */
/* Messages of the compatibility libraries. */
#include "compat/message.h"

#include <stdio.h>
#include <string.h>

void
koshu_compat_set_handler(struct koshu_compat_messages *m,
                         koshu_compat_handler *handler, void *user)
{
    pthread_mutex_lock(&m->lock);
    m->handler = handler;
    m->user = user;
    m->last[0] = '\0';
    pthread_mutex_unlock(&m->lock);
}

static void
print(struct koshu_compat_messages *m, const char *line)
{
    pthread_mutex_lock(&m->lock);
    if (strcmp(line, m->last) != 0) {
        fprintf(stderr, "%s: %s\n", m->library, line);
        snprintf(m->last, sizeof m->last, "%s", line);
    }
    pthread_mutex_unlock(&m->lock);
}

void
koshu_compat_say(struct koshu_compat_messages *m, const char *line)
{
    pthread_mutex_lock(&m->lock);
    koshu_compat_handler *handler = m->handler;
    void *user = m->user;
    pthread_mutex_unlock(&m->lock);
    if (handler)
        handler(user, line);
    else
        print(m, line);
}
