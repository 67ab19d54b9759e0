/* SPDX-License-Identifier: MIT */
#include "tree/arrays.h"

#include <string.h>

koshu_status
koshu_tree_grow(struct koshu_context *context, void **memory, size_t *room,
                size_t n, size_t size, const char *purpose)
{
    if (n <= *room) return KOSHU_OK;
    const size_t more = n + n / 4;
    void *larger = koshu_alloc(more, size);
    if (!larger)
        return context ? koshu_fail_memory(context, more * size, purpose)
                       : KOSHU_OUT_OF_MEMORY;
    if (*room) memcpy(larger, *memory, *room * size);
    koshu_free(*memory);
    *memory = larger;
    *room = more;
    return KOSHU_OK;
}
