/* SPDX-License-Identifier: MIT */
/* What a context is, for the files that keep something in it. */
#ifndef KOSHU_BASE_CONTEXT_H
#define KOSHU_BASE_CONTEXT_H

#include <pthread.h>

#include "base/base.h"

enum { KOSHU_MESSAGE = 1024 };

struct koshu_context {
    int threads;
    int left;            /* of them, for what goes on beside parallel regions */
    const char *backend; /* one of those with a name */
    char devices[256];
    struct koshu_device_list device_list;
    enum koshu_exchange exchange;
    koshu_log_function *log;
    void *log_user;
    void *kept;
    void (*destroy_kept)(void *);
    struct koshu_rank_place place;
    void *communicator;
    void (*leave)(void *);
    bool memory_refused;
    pthread_mutex_t lock; /* of message: parallel regions may fail */
    char message[KOSHU_MESSAGE];
};

#endif
