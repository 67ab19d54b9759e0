/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "io/io.h"

static koshu_status
read_kind(const char *text, enum koshu_table_kind kind, struct koshu_table *t)
{
    scratch_write("t.csv", text, strlen(text));
    return koshu_table_read(context, "t.csv", kind, t);
}

static koshu_status
read_text(const char *text, struct koshu_table *t)
{
    return read_kind(text, KOSHU_TABLE_LOG, t);
}

static void
columns_are_found_by_name(void **state)
{
    (void)state;
    struct koshu_table t;
    assert_ok(
            context,
            read_text(
                    "# koshu\nstep,time,x\n# more\n0,0.5,-1e-3\n1,0.75,nan\n\n"
                    "2,1,3\n",
                    &t));
    assert_int_equal(t.n_columns, 3);
    assert_int_equal(t.n_rows, 3);
    size_t time, x;
    assert_ok(context, koshu_table_find(context, &t, "time", &time));
    assert_ok(context, koshu_table_find(context, &t, "x", &x));
    assert_true(t.values[0 * 3 + time] == 0.5);
    assert_true(t.values[2 * 3 + time] == 1);
    assert_true(t.values[0 * 3 + x] == -1e-3);
    assert_true(t.values[2 * 3 + x] == 3);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "no column 'total' among step, time, x",
                 koshu_table_find(context, &t, "total", &x));
    koshu_table_free(&t);
}

static void
many_rows_are_kept(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    static char text[ROWS * 16 + 16];
    int n = sprintf(text, "a,b\r\n");
    for (int k = 0; k < ROWS; k++) n += sprintf(text + n, "%d,%d\r\n", k, -k);
    struct koshu_table t;
    assert_ok(context, read_text(text, &t));
    assert_int_equal(t.n_rows, ROWS);
    for (int k = 0; k < ROWS; k++)
        assert_true(t.values[2 * k] == k && t.values[2 * k + 1] == -k);
    size_t b;
    assert_ok(context, koshu_table_find(context, &t, "b", &b));
    koshu_table_free(&t);
}

/* A run in progress may write its next line at any moment. */
static void
a_line_in_the_making_is_left_out(void **state)
{
    (void)state;
    struct koshu_table t;
    assert_ok(context, read_text("a,b\n1,2\n3,4", &t));
    assert_int_equal(t.n_rows, 1);
    koshu_table_free(&t);
}

/* Editors may omit the newline of the last line, or add spaces. */
static void
a_last_line_of_data_may_lack_its_end(void **state)
{
    (void)state;
    struct koshu_table t;
    assert_ok(context, read_kind(" a , b\n1, 2\n3 ,4", KOSHU_TABLE_DATA, &t));
    assert_int_equal(t.n_rows, 2);
    assert_string_equal(t.names[0], "a");
    assert_string_equal(t.names[1], "b");
    assert_true(t.values[1] == 2 && t.values[2] == 3 && t.values[3] == 4);
    koshu_table_free(&t);
}

static void
numbers_of_data_are_finite(void **state)
{
    (void)state;
    struct koshu_table t;
    static const char *const words[] = {"nan", "inf", "-inf", "1e999"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        char text[64];
        snprintf(text, sizeof text, "a,b\n1,2\n3,%s\n", words[k]);
        assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "line 3, column 'b'",
                     read_kind(text, KOSHU_TABLE_DATA, &t));
        assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "is not a finite number",
                     read_kind(text, KOSHU_TABLE_DATA, &t));
    }
}

static void
every_fault_names_its_line(void **state)
{
    (void)state;
    struct koshu_table t;
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "line 3: expected 2 numbers",
                 read_text("a,b\n1,2\n3\n", &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "got 3",
                 read_text("a,b\n1,2,3\n", &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "line 2, column 'b': '2x' is not a number",
                 read_text("a,b\n1,2x\n", &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "column 'a': '' is not a number", read_text("a,b\n,2\n", &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "line 2: two columns are named 'b'",
                 read_text("# x\na, b,c,b\n1,2,3,4\n", &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no line of numbers",
                 read_text("a,b\n", &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "line 1",
                 read_text("\n1,2\n", &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "line 1",
                 read_text("a,b", &t));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "nosuch",
                 koshu_table_read(context, "nosuch", KOSHU_TABLE_LOG, &t));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "line 4: expected 1",
                 read_text("# x\na\n# y\n3,4\n", &t));
    /* nothing is left to free, and freeing twice is harmless */
    koshu_table_free(&t);
}

/* What a system crash can leave at the end of a file. */
static void
a_zero_byte_is_no_text(void **state)
{
    (void)state;
    struct koshu_table t;
    scratch_write("t.csv", "a,b\n1,2\n\0\0\0,x\n", 15);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "byte 8: a zero byte",
                 koshu_table_read(context, "t.csv", KOSHU_TABLE_DATA, &t));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(columns_are_found_by_name),
            cmocka_unit_test(many_rows_are_kept),
            cmocka_unit_test(a_line_in_the_making_is_left_out),
            cmocka_unit_test(a_last_line_of_data_may_lack_its_end),
            cmocka_unit_test(numbers_of_data_are_finite),
            cmocka_unit_test(every_fault_names_its_line),
            cmocka_unit_test(a_zero_byte_is_no_text),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
