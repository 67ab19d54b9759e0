/* SPDX-License-Identifier: MIT */
/* Aligned memory, and arrays that grow. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/base.h"

/* Long blocks are of huge pages, where the system has them: 512 times fewer
 * page faults, and scattered accesses find their pages sooner. */
enum { HUGE_PAGE = 1 << 21, LONG_BLOCK = 1 << 23 };

static size_t
alignment_of(size_t bytes)
{
    return bytes < LONG_BLOCK ? KOSHU_ALIGNMENT : HUGE_PAGE;
}

/* Rounded up to whole cache lines or huge pages, at least one; 0: overflow. */
static size_t
bytes_of(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return 0;
    const size_t alignment = alignment_of(bytes);
    if (bytes > SIZE_MAX - alignment) return 0;
    bytes = (bytes + alignment - 1) & ~(alignment - 1);
    return bytes > 0 ? bytes : alignment;
}

static void *
allocate(size_t bytes)
{
    void *memory = aligned_alloc(alignment_of(bytes), bytes);
#ifdef MADV_HUGEPAGE
    if (memory && bytes >= LONG_BLOCK) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

void *
koshu_alloc_unset(size_t count, size_t size)
{
    const size_t bytes = bytes_of(count, size);
    if (bytes == 0) return NULL;
    if (bytes >= KOSHU_LARGE_BLOCK &&
        bytes > koshu_memory_limits(NULL, 1).capacity)
        return NULL;
    return allocate(bytes);
}

/* Pages of a large block that the system takes back come again full of zeros
 * when they are first used: by the threads that use them, or never. */
static void
clear(void *memory, size_t bytes)
{
#ifdef MADV_DONTNEED
    if (bytes >= KOSHU_LARGE_BLOCK &&
        madvise(memory, bytes, MADV_DONTNEED) == 0)
        return;
#endif
    memset(memory, 0, bytes);
}

void *
koshu_alloc(size_t count, size_t size)
{
    void *memory = koshu_alloc_unset(count, size);
    if (memory) clear(memory, bytes_of(count, size));
    return memory;
}

void
koshu_give_back(void *memory, size_t bytes)
{
#ifdef MADV_DONTNEED
    const uintptr_t page = HUGE_PAGE, begin = (uintptr_t)memory,
                    skipped = (page - begin % page) % page;
    if (bytes < KOSHU_LARGE_BLOCK) return;
    const size_t whole = (bytes - skipped) / page * page;
    const int unasked = madvise((char *)memory + skipped, whole, MADV_DONTNEED);
    (void)unasked; /* without it, they just stay */
#endif
}

void
koshu_free(void *memory)
{
    free(memory);
}

koshu_status
koshu_fail_memory(struct koshu_context *context, size_t bytes,
                  const char *purpose)
{
    if (bytes >= KOSHU_LARGE_BLOCK)
        KOSHU_TRY(
                koshu_require_memory(context, bytes, purpose,
                                     "take fewer particles, or more machines"));
    koshu_context_refuse_memory(context, false);
    return koshu_fail(context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "%s: %.1f MiB are not available", purpose,
                      (double)bytes / (1024.0 * 1024.0));
}

koshu_status
koshu_grow(struct koshu_context *context, void **memory, size_t *capacity,
           size_t n, size_t size, const char *purpose)
{
    if (n <= *capacity) return KOSHU_OK;
    const size_t more = n + n / 4;
    void *larger = koshu_alloc(more, size);
    if (!larger)
        return context ? koshu_fail_memory(context, more * size, purpose)
                       : KOSHU_ERROR_OUT_OF_MEMORY;
    if (*capacity) memcpy(larger, *memory, *capacity * size);
    koshu_free(*memory);
    *memory = larger;
    *capacity = more;
    return KOSHU_OK;
}
