/* SPDX-License-Identifier: MIT */
/* Escaping of text from outside before it reaches a terminal. */
#include <string.h>

#include "base/base.h"
#include "check.h"

static const struct {
    const char *from, *but, *to;
} texts[] = {
        {"plain 'text' \\", "", "plain 'text' \\"},
        {"M\xc3\xbcller \xe2\x98\xba \xf0\x9f\x8d\x87", "",
         "M\xc3\xbcller \xe2\x98\xba \xf0\x9f\x8d\x87"},
        {"\x1b[31mred\x1b]0;title\x07", "", "\\x1b[31mred\\x1b]0;title\\x07"},
        {"a\nb\tc\r\x7f", "", "a\\x0ab\\x09c\\x0d\\x7f"},
        {"a\nb\tc\r", "\n\t", "a\nb\tc\\x0d"},
        {"\xc2\x9b"
         "31m",
         "", "\\xc2\\x9b31m"}, /* an 8-bit control character */
        {"\xff\xfe\xc3", "", "\\xff\\xfe\\xc3"},
        {"\xc0\x9b", "", "\\xc0\\x9b"}, /* an overlong form */
        /* half of a surrogate pair */
        {"\xed\xa0\x80", "", "\\xed\\xa0\\x80"},
        /* right-to-left override */
        {"\xe2\x80\xae", "", "\\xe2\\x80\\xae"},
        /* beyond the last code point */
        {"\xf4\x90\x80\x80", "", "\\xf4\\x90\\x80\\x80"},
        {"", "", ""},
};

static void
what_a_terminal_obeys_is_escaped(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char to[64];
        koshu_printable(to, sizeof to, texts[k].from, texts[k].but);
        assert_string_equal(to, texts[k].to);
    }
}

static void
nothing_is_cut_in_two(void **state)
{
    (void)state;
    for (size_t size = 0; size < 12; size++) {
        char to[16];
        memset(to, 'x', sizeof to);
        koshu_printable(to, size, "a\x1b\xe2\x98\xba", "");
        for (size_t k = size; k < sizeof to; k++) assert_int_equal(to[k], 'x');
        if (size > 0)
            assert_string_equal(to, size > 8   ? "a\\x1b\xe2\x98\xba"
                                    : size > 5 ? "a\\x1b"
                                    : size > 1 ? "a"
                                               : "");
    }
}

static void
messages_are_printable(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("ref", 1);
    assert_fails(
            context, KOSHU_ERROR_IO, "file 'a\\x1b[2J\\x0a'",
            koshu_fail(context, KOSHU_ERROR_IO, "file '%s'", "a\x1b[2J\n"));
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_a_terminal_obeys_is_escaped),
            cmocka_unit_test(nothing_is_cut_in_two),
            cmocka_unit_test(messages_are_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
