/* SPDX-License-Identifier: MIT */
/* What a context's communicator is; for devices/ only. */
#ifndef KOSHU_DEVICES_COMMUNICATOR_H
#define KOSHU_DEVICES_COMMUNICATOR_H

#include "devices/devices.h"

struct koshu_communicator;

/* What is known of so many ranks fits on the stack: no rank can run
 * out of memory for it while the others wait. */
enum { KOSHU_FEW_RANKS = 1024 };

/* How it is done. The functions of devices.h, checked: there are several
 * ranks. */
struct koshu_communicator_ops {
    koshu_status (*all_gather)(struct koshu_communicator *c, const void *mine,
                               size_t bytes, void *all);
    koshu_status (*all_gather_parts)(struct koshu_communicator *c,
                                     const void *mine, size_t item,
                                     const size_t n[], void *all);
    koshu_status (*all_to_all)(struct koshu_communicator *c, const void *mine,
                               size_t item, const size_t n[], void *all);
    koshu_status (*broadcast)(struct koshu_communicator *c, int from,
                              void *bytes, size_t n);
    koshu_status (*send)(struct koshu_communicator *c, int to,
                         const void *bytes, size_t n);
    koshu_status (*receive)(struct koshu_communicator *c, int from, void *bytes,
                            size_t n);
    koshu_status (*split_first)(struct koshu_communicator *c, int n,
                                struct koshu_context *context);
    koshu_status (*wait)(struct koshu_communicator *c);
};

/* How particles go between ranks while they compute. */
struct koshu_transfer_ops {
    const char *name; /* "host-staged" */
    koshu_status (*begin)(struct koshu_communicator *c,
                          const struct koshu_transfer *transfer);
    koshu_status (*progress)(struct koshu_communicator *c);
    koshu_status (*finish)(struct koshu_communicator *c);
};

/* Each kind of communicator puts its own behind it. */
struct koshu_communicator {
    const struct koshu_communicator_ops *ops;
    const struct koshu_transfer_ops *transport;
    struct koshu_context *context;
    const char *library;       /* that it is made of */
    int rank, n_ranks, n_here; /* n_here: on this host */
    char transport_text[96];
};

static inline struct koshu_communicator *
koshu_communicator_of(const struct koshu_context *context)
{
    return koshu_context_communicator(context);
}

#endif
