/* SPDX-License-Identifier: MIT */
/* The members of a context; for files of src/base only. */
#ifndef KOSHU_BASE_CONTEXT_H
#define KOSHU_BASE_CONTEXT_H

#include <pthread.h>

#include "base/base.h"

enum { KOSHU_MESSAGE = 1024 };

struct koshu_context {
    int threads;
    /* threads kept free of parallel regions, for other work beside them */
    int left;
    const char *backend; /* one of backend_names */
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
    /* guards message: several threads of a region may fail */
    pthread_mutex_t lock;
    char message[KOSHU_MESSAGE];
};

#endif
