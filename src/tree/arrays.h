/* SPDX-License-Identifier: MIT */
/* Arrays that are kept from one tree to the next, and grow. */
#ifndef KOSHU_TREE_ARRAYS_H
#define KOSHU_TREE_ARRAYS_H

#include "base/base.h"

/* Makes room for n elements of o->a, of which there are o->room_a; what they
 * hold is kept. NULL context: without a message. KOSHU_OUT_OF_MEMORY. */
#define KOSHU_GROW(o, a, n, context, purpose)                         \
    koshu_tree_grow((context), (void **)&(o)->a, &(o)->room_##a, (n), \
                    sizeof *(o)->a, (purpose))

koshu_status koshu_tree_grow(struct koshu_context *context, void **memory,
                             size_t *room, size_t n, size_t size,
                             const char *purpose);

#endif
