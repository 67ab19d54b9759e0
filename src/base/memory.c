/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void *
koshu_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    if (bytes > SIZE_MAX - KOSHU_ALIGNMENT) return NULL;
    bytes = (bytes + KOSHU_ALIGNMENT - 1) & ~(size_t)(KOSHU_ALIGNMENT - 1);
    if (bytes == 0) bytes = KOSHU_ALIGNMENT;
    void *memory = aligned_alloc(KOSHU_ALIGNMENT, bytes);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void
koshu_free(void *memory)
{
    free(memory);
}
