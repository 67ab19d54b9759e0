/* SPDX-License-Identifier: MIT */
/*
 * Simulates running out of memory: the linker replaces libc's allocation
 * functions by these (koshu_memory_test() in tests/CMakeLists.txt), and one
 * chosen allocation fails.
 */
#ifndef KOSHU_TESTS_NO_MEMORY_H
#define KOSHU_TESTS_NO_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NONE_FAILS = -1 };

static atomic_long allocations; /* so far */
static long the_one_that_fails = NONE_FAILS;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static bool
is_to_be_had(void)
{
    return allocations++ != the_one_that_fails;
}

void *
__wrap_malloc(size_t size)
{
    return is_to_be_had() ? __real_malloc(size) : NULL;
}

void *
__wrap_calloc(size_t count, size_t size)
{
    return is_to_be_had() ? __real_calloc(count, size) : NULL;
}

void *
__wrap_realloc(void *memory, size_t size)
{
    return is_to_be_had() ? __real_realloc(memory, size) : NULL;
}

void *
__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return is_to_be_had() ? __real_aligned_alloc(alignment, size) : NULL;
}

#endif
