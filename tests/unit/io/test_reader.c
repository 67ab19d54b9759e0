/* SPDX-License-Identifier: MIT */
#include <sys/stat.h>

#include "io/io.h"
#include "fixture.h"

static void
bytes_come_in_order_and_are_counted(void **state)
{
    (void)state;
    struct koshu_reader *r = NULL;
    char text[8] = "";
    scratch_write("a.bin", "0123456789", 10);
    assert_ok(context, koshu_reader_open(context, "a.bin", &r));
    assert_string_equal(r->path, "a.bin");
    assert_ptr_equal(r->context, context);
    assert_int_equal(r->size, 10);
    assert_ok(context, koshu_reader_read(r, text, 3, "head"));
    assert_string_equal(text, "012");
    assert_int_equal(r->at, 3);
    assert_int_equal(koshu_reader_left(r), 7);
    assert_ok(context, koshu_reader_seek(r, 8));
    assert_ok(context, koshu_reader_read(r, text, 2, "tail"));
    assert_string_equal(text, "892");
    assert_int_equal(koshu_reader_left(r), 0);
    koshu_reader_close(r);
    koshu_reader_close(NULL);
}

static void
the_end_is_found_before_memory_is_requested(void **state)
{
    (void)state;
    struct koshu_reader *r = NULL;
    char text[8];
    scratch_write("a.bin", "0123456789", 10);
    assert_ok(context, koshu_reader_open(context, "a.bin", &r));
    assert_ok(context, koshu_reader_seek(r, 4));
    assert_ok(context, koshu_reader_expect(r, 3, 2, "pairs"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "a.bin, byte 4: pairs: expected 4",
                 koshu_reader_expect(r, 4, 2, "pairs"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "truncated",
                 koshu_reader_expect(r, UINT64_MAX, 16, "lies"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "text",
                 koshu_reader_read(r, text, 7, "text"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "ends at byte 10",
                 koshu_reader_seek(r, 11));
    assert_int_equal(r->at, 4);
    koshu_reader_close(r);
}

static void
a_file_that_shrinks_is_told(void **state)
{
    (void)state;
    struct koshu_reader *r = NULL;
    char text[10];
    scratch_write("a.bin", "0123456789", 10);
    assert_ok(context, koshu_reader_open(context, "a.bin", &r));
    assert_int_equal(truncate("a.bin", 5), 0);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "became shorter",
                 koshu_reader_read(r, text, 10, "text"));
    koshu_reader_close(r);
}

static void
what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    struct koshu_reader *r = NULL;
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "'none.bin': No such file",
                 koshu_reader_open(context, "none.bin", &r));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "'.': it is a directory",
                 koshu_reader_open(context, ".", &r));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "it is a device",
                 koshu_reader_open(context, "/dev/zero", &r));
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "it is a device",
                 koshu_reader_open(context, "pipe", &r));
    scratch_write("empty", "", 0);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "'empty': it is empty",
                 koshu_reader_open(context, "empty", &r));
    scratch_write("locked", "x", 1);
    assert_int_equal(chmod("locked", 0), 0);
    if (geteuid() != 0) /* root may read everything */
        assert_fails(context, KOSHU_ERROR_IO, "'locked': Permission denied",
                     koshu_reader_open(context, "locked", &r));
    assert_null(r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(bytes_come_in_order_and_are_counted),
            cmocka_unit_test(the_end_is_found_before_memory_is_requested),
            cmocka_unit_test(a_file_that_shrinks_is_told),
            cmocka_unit_test(what_cannot_be_read_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
