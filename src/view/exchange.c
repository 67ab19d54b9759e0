/* SPDX-License-Identifier: MIT */
/* Hands frames from the run to the server's thread, without a lock. */
#include <stdlib.h>

#include "view/view.h"

struct koshu_view_frame *
koshu_view_exchange_empty(struct koshu_view_exchange *exchange, size_t max)
{
    struct koshu_view_frame *frame = atomic_exchange(&exchange->spare, NULL);
    return frame ? frame : koshu_view_frame_create(max);
}

/* Puts a frame in a place, and frees the one that was there. */
static void
replace(struct koshu_view_frame *_Atomic *place, struct koshu_view_frame *frame)
{
    free(atomic_exchange(place, frame));
}

void
koshu_view_exchange_put(struct koshu_view_exchange *exchange,
                        struct koshu_view_frame *frame)
{
    struct koshu_view_frame *old = atomic_exchange(&exchange->fresh, frame);
    if (old) replace(&exchange->spare, old);
}

struct koshu_view_frame *
koshu_view_exchange_take(struct koshu_view_exchange *exchange,
                         struct koshu_view_frame *old)
{
    struct koshu_view_frame *frame = atomic_exchange(&exchange->fresh, NULL);
    if (!frame) return old;
    if (old) replace(&exchange->spare, old);
    return frame;
}

void
koshu_view_exchange_free(struct koshu_view_exchange *exchange)
{
    replace(&exchange->fresh, NULL);
    replace(&exchange->spare, NULL);
}
