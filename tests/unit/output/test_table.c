/* SPDX-License-Identifier: MIT */
#include "output/table.h"

#include "output/output.h"
#include "fixture.h"

static koshu_status
read_text(const char *text, struct koshu_table *t)
{
    scratch_write("t.csv", text, strlen(text));
    return koshu_table_read(context, "t.csv", t);
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
    assert_fails(context, KOSHU_BAD_FORMAT,
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

/* A run that is being watched writes its next line at any moment. */
static void
a_line_in_the_making_is_left_out(void **state)
{
    (void)state;
    struct koshu_table t;
    assert_ok(context, read_text("a,b\n1,2\n3,4", &t));
    assert_int_equal(t.n_rows, 1);
    koshu_table_free(&t);
}

static void
every_fault_names_its_line(void **state)
{
    (void)state;
    struct koshu_table t;
    assert_fails(context, KOSHU_BAD_FORMAT, "line 3: expected 2 numbers",
                 read_text("a,b\n1,2\n3\n", &t));
    assert_fails(context, KOSHU_BAD_FORMAT, "got 3",
                 read_text("a,b\n1,2,3\n", &t));
    assert_fails(context, KOSHU_BAD_FORMAT,
                 "line 2, column 'b': '2x' is not a number",
                 read_text("a,b\n1,2x\n", &t));
    assert_fails(context, KOSHU_BAD_FORMAT, "column 'a': '' is not a number",
                 read_text("a,b\n,2\n", &t));
    assert_fails(context, KOSHU_BAD_FORMAT, "no line of numbers",
                 read_text("a,b\n", &t));
    assert_fails(context, KOSHU_BAD_FORMAT, "line 1", read_text("\n1,2\n", &t));
    assert_fails(context, KOSHU_BAD_FORMAT, "line 1", read_text("a,b", &t));
    assert_fails(context, KOSHU_NOT_FOUND, "nosuch",
                 koshu_table_read(context, "nosuch", &t));
    assert_fails(context, KOSHU_BAD_FORMAT, "line 4: expected 1",
                 read_text("# x\na\n# y\n3,4\n", &t));
    /* nothing is left to free, and freeing it twice does no harm */
    koshu_table_free(&t);
}

/* What a crash of the machine can leave at a file's end. */
static void
a_zero_byte_is_no_text(void **state)
{
    (void)state;
    struct koshu_table t;
    scratch_write("t.csv", "a,b\n1,2\n\0\0\0,x\n", 15);
    assert_fails(context, KOSHU_BAD_FORMAT, "byte 8: a zero byte",
                 koshu_table_read(context, "t.csv", &t));
}

static bool
looks_like_a_log(const char *text, size_t n)
{
    bool is_log;
    scratch_write("f", text, n);
    assert_ok(context, koshu_is_log(context, "f", &is_log));
    return is_log;
}
#define LOOKS(text) looks_like_a_log(text, sizeof text - 1)

static void
a_log_is_known_by_its_names(void **state)
{
    (void)state;
    bool is_log;
    assert_true(LOOKS("step,time,total\n0,0,0\n"));
    assert_true(LOOKS("time\r\n0\r\n"));
    assert_true(LOOKS("# koshu\n# more\ntotal,time\n"));
    assert_false(LOOKS("id,mass,x,y,z,vx,vy,vz\n"));
    assert_false(LOOKS("# time = 3\nid,mass,x,y,z,vx,vy,vz,time\n"));
    assert_false(LOOKS("id,times,mass\ntime\n"));
    assert_false(LOOKS("# nothing but a comment"));
    assert_false(LOOKS("\x89HDF\r\n\x1a\n\0time,"));
    assert_fails(context, KOSHU_NOT_FOUND, "nosuch",
                 koshu_is_log(context, "nosuch", &is_log));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(columns_are_found_by_name),
            cmocka_unit_test(many_rows_are_kept),
            cmocka_unit_test(a_line_in_the_making_is_left_out),
            cmocka_unit_test(every_fault_names_its_line),
            cmocka_unit_test(a_zero_byte_is_no_text),
            cmocka_unit_test(a_log_is_known_by_its_names),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
