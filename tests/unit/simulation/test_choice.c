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

/* Three stars at distances of 1; runs for two steps. */
static enum koshu_precision
precision_of_stars_at(const char *x)
{
    scratch_enter();
    FILE *out = fopen("three.csv", "w");
    assert_non_null(out);
    fprintf(out, "mass,x,y,z,vx,vy,vz\n");
    for (int k = 0; k < 3; k++)
        fprintf(out, "1,%s%d,%d,0,0,0,0\n", x, k == 1, k == 2);
    fclose(out);
    struct koshu_simulation *s;
    struct koshu_parameters *p;
    assert_ok(context, koshu_parameters_create(context, &p));
    assert_ok(context, koshu_parameters_parse(p, "x",
                                              "initial: {file: three.csv}\n"
                                              "solver: {softening: 1/16}\n"
                                              "integrator: {dt: 1/8, end: 1}\n"
                                              "output: {directory: .}\n"));
    assert_ok(context, koshu_simulation_create(context, p, NULL, &s));
    const struct koshu_solver_options o = options_of(s);
    koshu_simulation_destroy(s);
    koshu_parameters_destroy(p);
    scratch_leave();
    assert_int_equal(o.method, KOSHU_METHOD_DIRECT);
    return o.precision;
}

/* Direct sums in single precision round positions, so they are not chosen for
 * particles far from the origin relative to their distances. */
static void
stars_far_from_the_origin_are_not_rounded(void **state)
{
    (void)state;
    assert_int_equal(precision_of_stars_at("0."), KOSHU_PRECISION_SINGLE);
    assert_int_equal(precision_of_stars_at("8000."), KOSHU_PRECISION_MIXED);
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

/* A run started by an earlier koshu, or with a method in its file, keeps
 * that. */
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
            cmocka_unit_test(stars_far_from_the_origin_are_not_rounded),
            cmocka_unit_test(a_restart_goes_on_with_the_choice),
            cmocka_unit_test(a_restart_keeps_what_another_would_not_choose),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
