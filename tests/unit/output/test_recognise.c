/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "output/output.h"

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
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "nosuch",
                 koshu_is_log(context, "nosuch", &is_log));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_log_is_known_by_its_names),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
