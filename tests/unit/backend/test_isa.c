/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/simd/isa.h"
#include "check.h"
#define FIXTURE_BACKEND "simd"
#define FIXTURE_THREADS 3
#include "fixture.h"

static void
the_best_is_chosen_unless_one_is_named(void **state)
{
    (void)state;
    const struct simd_isa *isa, *best = NULL, *each;
    for (size_t k = 0; (each = koshu_simd_isa_at(k)); k++)
        if (!best && each->runs()) best = each;
    unsetenv("KOSHU_ISA");
    assert_ok(context, koshu_simd_isa_choose(context, &isa));
    assert_ptr_equal(isa, best);
    setenv("KOSHU_ISA", "", 1);
    assert_ok(context, koshu_simd_isa_choose(context, &isa));
    assert_ptr_equal(isa, best);
    setenv("KOSHU_ISA", "base", 1);
    assert_ok(context, koshu_simd_isa_choose(context, &isa));
    assert_string_equal(isa->name, "base");
    unsetenv("KOSHU_ISA");
}

static void
the_last_runs_anywhere(void **state)
{
    (void)state;
    const struct simd_isa *isa, *last = NULL;
    for (size_t k = 0; (isa = koshu_simd_isa_at(k)); k++) last = isa;
    assert_non_null(last);
    assert_string_equal(last->name, "base");
    assert_true(last->runs());
}

/* A wrong name is an error when the backend is opened, and is not
 * remembered. */
static void
an_unknown_name_lists_those_that_run(void **state)
{
    (void)state;
    struct koshu_backend *backend;
    setenv("KOSHU_ISA", "mmx", 1);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "KOSHU_ISA=mmx",
                 koshu_backend_of(context, &backend));
    assert_non_null(strstr(koshu_context_message(context), "base"));
    unsetenv("KOSHU_ISA");
    assert_ok(context, koshu_backend_of(context, &backend));
    assert_non_null(strstr(backend->device, "3 threads"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_best_is_chosen_unless_one_is_named),
            cmocka_unit_test(the_last_runs_anywhere),
            cmocka_unit_test(an_unknown_name_lists_those_that_run),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
