/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "check.h"
#include "fixture.h"

static void
check_block(size_t bytes)
{
    unsigned char *memory = koshu_alloc(bytes, 1);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % KOSHU_ALIGNMENT, 0);
    for (size_t k = 0; k < bytes; k++) assert_int_equal(memory[k], 0);
    memset(memory, 1, bytes); /* all of it can be written */
    koshu_free(memory);
}

static void
memory_is_aligned_and_zero(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 900; bytes += 21) check_block(bytes);
    /* about the length from which blocks are of huge pages */
    for (size_t bytes = 8 << 20; bytes < (8 << 20) + 130; bytes += 43)
        check_block(bytes - 64);
    assert_null(koshu_alloc(SIZE_MAX / 2, 3));
    assert_null(koshu_alloc(SIZE_MAX, 1));
}

/* Also where the last owner of the memory has written to it. */
static void
large_blocks_are_zero(void **state)
{
    (void)state;
    const size_t n = KOSHU_LARGE_BLOCK / sizeof(uint64_t) + 3;
    for (int turn = 0; turn < 3; turn++) {
        uint64_t *memory = koshu_alloc(n, sizeof *memory), all = 0;
        assert_non_null(memory);
        for (size_t k = 0; k < n; k++) all |= memory[k];
        assert_true(all == 0);
        memset(memory, 1, n * sizeof *memory);
        koshu_free(memory);
    }
}

/* Linux may grant more memory than there is, and kill the program that uses
 * it. */
static void
more_than_there_is_is_not_had(void **state)
{
    (void)state;
    const size_t large = KOSHU_LARGE_BLOCK;
    setenv("KOSHU_MEMORY", "4K", 1);
    assert_null(koshu_alloc(large, 1));
    assert_int_equal(koshu_fail_memory(context, large, "a tree"),
                     KOSHU_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(koshu_context_message(context),
                           "a tree: 0.0625 GiB of memory needed"));
    assert_true(koshu_memory_was_refused(context));
    unsetenv("KOSHU_MEMORY");
    void *memory = koshu_alloc(large, 1);
    assert_non_null(memory);
    koshu_free(memory);
    assert_int_equal(koshu_fail_memory(context, 1, "a tree"),
                     KOSHU_ERROR_OUT_OF_MEMORY);
    assert_false(koshu_memory_was_refused(context));
}

struct growing {
    int *number;
    size_t capacity_number;
};

static void
what_grows_keeps_what_it_holds(void **state)
{
    (void)state;
    struct growing g = {0};
    for (size_t n = 1; n < 1000; n++) {
        assert_ok(context, KOSHU_GROW(&g, number, n, context, "numbers"));
        assert_true(g.capacity_number >= n);
        g.number[n - 1] = (int)n;
    }
    for (int k = 0; k < 999; k++) assert_int_equal(g.number[k], k + 1);
    const struct growing before = g;
    assert_ok(context, KOSHU_GROW(&g, number, 10, context, "numbers"));
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, "numbers",
                 KOSHU_GROW(&g, number, SIZE_MAX / 4, context, "numbers"));
    assert_int_equal(KOSHU_GROW(&g, number, SIZE_MAX / 4, NULL, NULL),
                     KOSHU_ERROR_OUT_OF_MEMORY);
    assert_ptr_equal(g.number, before.number);
    assert_int_equal(g.capacity_number, before.capacity_number);
    koshu_free(g.number);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(memory_is_aligned_and_zero),
            cmocka_unit_test(large_blocks_are_zero),
            cmocka_unit_test(more_than_there_is_is_not_had),
            cmocka_unit_test(what_grows_keeps_what_it_holds),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
