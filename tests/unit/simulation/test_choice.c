/* SPDX-License-Identifier: MIT */
/* solver.method: auto. */
#include "same_files.h"

static struct koshu_solver_options
options_of(struct koshu_simulation *s)
{
    struct koshu_solver_options o = {.size = sizeof o};
    assert_ok(context, koshu_solver_options_of(koshu_simulation_solver(s), &o));
    return o;
}

static const char *const many[] = {"initial.n", "8000", "integrator.end", "1/4",
                                   NULL};

static void
few_are_summed_directly_and_many_by_the_tree(void **state)
{
    (void)state;
    scratch_enter();
    struct koshu_simulation *s = started(context, NULL);
    assert_int_equal(options_of(s).method, KOSHU_METHOD_DIRECT);
    koshu_simulation_destroy(s);
    scratch_leave();
    scratch_enter();
    s = started(context, many);
    assert_int_equal(options_of(s).method, KOSHU_METHOD_TREE);
    assert_int_equal(options_of(s).precision, KOSHU_PRECISION_SINGLE);
    koshu_simulation_destroy(s);
    scratch_leave();
}

static void
a_restart_goes_on_with_the_choice(void **state)
{
    (void)state;
    struct files whole = files_of_a_whole_run(many);
    scratch_enter();
    struct koshu_simulation *s = started(context, many);
    advance(context, s, 3);
    assert_ok(context, koshu_simulation_finish(s));
    koshu_simulation_destroy(s);
    complete(context, restarted(many));
    assert_files(&whole);
    scratch_leave();
}

/* What an earlier koshu, or a file with a method, has begun stays as it is. */
static void
a_restart_keeps_what_another_would_not_choose(void **state)
{
    (void)state;
    static const char *const fmm[] = {"initial.n",
                                      "8000",
                                      "integrator.end",
                                      "1/4",
                                      "solver.method",
                                      "fmm",
                                      "solver.expansion_order",
                                      "5",
                                      NULL};
    static const char *const other[] = {
            "initial.n", "8000", "integrator.end", "1/4", "solver.method",
            "tree",      NULL};
    scratch_enter();
    struct koshu_simulation *s = started(context, fmm);
    advance(context, s, 3);
    assert_ok(context, koshu_simulation_finish(s));
    koshu_simulation_destroy(s);
    s = restarted(many);
    assert_int_equal(options_of(s).method, KOSHU_METHOD_FMM);
    assert_int_equal(options_of(s).fmm->multipole_order, 5);
    koshu_simulation_destroy(s);
    struct koshu_parameters *p = parameters_of(context, other);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "solver.method: 'fmm' when",
                 koshu_simulation_restart(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(few_are_summed_directly_and_many_by_the_tree),
            cmocka_unit_test(a_restart_goes_on_with_the_choice),
            cmocka_unit_test(a_restart_keeps_what_another_would_not_choose),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
