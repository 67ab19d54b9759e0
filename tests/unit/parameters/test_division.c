/* SPDX-License-Identifier: MIT */
/* Keys that divide a run: its domains, and its snapshots into files. */
#include "parsed.h"

static void
grids_are_three_whole_numbers_for_as_many_ranks(void **state)
{
    (void)state;
    static const struct {
        const char *value, *message;
    } bad[] = {
            {"[2, 2]", "domain.grid: three numbers are expected"},
            {"[2, 1.5, 2]", "expected a list of whole numbers in [1, 1e+06]"},
            {"[2, 0, 2]", "got '[2, 0, 2]'"},
            {"4", "expected a list of whole numbers"}};
    static const char base[] = "initial: {model: plummer}\n"
                               "solver: {softening: 0, method: tree}\n"
                               "integrator: {end: 1}\n"
                               "domain: {grid: [3, 1, 2]}\n";
    struct koshu_parameters *p = parsed(base);
    int grid[3];
    assert_ok(context, koshu_parameters_check(p));
    assert_ok(context, koshu_parameters_grid(p, 6, grid));
    assert_true(grid[0] == 3 && grid[1] == 1 && grid[2] == 2);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "run.yaml:4: domain.grid: 3 x 1 x 2 is 6 domains, but the run "
                 "has 4 ranks",
                 koshu_parameters_grid(p, 4, grid));
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        koshu_status status =
                koshu_parameters_set(p, "domain.grid", bad[k].value);
        if (status == KOSHU_OK) status = koshu_parameters_check(p);
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, bad[k].message, status);
    }
    koshu_parameters_destroy(p);
}

/* Formats that do not allow several files have one file per snapshot. */
static void
several_files_need_a_format_that_has_them(void **state)
{
    (void)state;
    struct koshu_parameters *p =
            parsed("initial: {model: plummer}\n"
                   "solver: {softening: 0}\n"
                   "integrator: {end: 1}\n"
                   "output: {snapshot: {format: gadget2, files: 4}}\n");
    assert_ok(context, koshu_parameters_check(p));
    assert_ok(context,
              koshu_parameters_set(p, "output.snapshot.format", "tipsy"));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "run.yaml:4: output.snapshot.files: only hdf5",
                 koshu_parameters_check(p));
    koshu_parameters_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(grids_are_three_whole_numbers_for_as_many_ranks),
            cmocka_unit_test(several_files_need_a_format_that_has_them),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
