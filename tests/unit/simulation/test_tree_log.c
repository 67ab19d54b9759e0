/* SPDX-License-Identifier: MIT */
/* errors.csv: the cost of its rows is limited. */
#include <math.h>

#include "runs.h"
#include "fixture.h"

enum { N = 512 };

struct totals {
    int rows;
    /* particles per row: in all, the fewest, the most */
    double sample, least, max;
    double lists; /* sum of the lengths of rows' lists */
};

static struct totals
read_errors(void)
{
    struct totals t = {.least = INFINITY};
    char line[1024];
    FILE *file = fopen("errors.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        double sample, length;
        assert_int_equal(sscanf(line, "%*d,%*f,%lf,%*f,%*f,%*f,%*f,%lf",
                                &sample, &length),
                         2);
        t.rows++;
        t.sample += sample;
        t.least = fmin(t.least, sample);
        t.max = fmax(t.max, sample);
        t.lists += length;
    }
    fclose(file);
    return t;
}

static struct totals
run(const char *steps, const char *sample)
{
    const char *const settings[] = {"initial.n",
                                    "512",
                                    "solver.method",
                                    "tree",
                                    "output.errors.steps",
                                    steps,
                                    "output.errors.sample",
                                    sample,
                                    NULL};
    scratch_enter();
    complete(context, started(context, settings));
    const struct totals t = read_errors();
    scratch_leave();
    return t;
}

/* A row costs its sample times N interactions, a step the length of its lists
 * times N. Rows may cost one part in a hundred of all, rounded down to whole
 * particles, which leaves less than one particle per row unused. */
static void
errors_take_a_hundredth_of_the_interactions(void **state)
{
    (void)state;
    struct totals t = run("1", "100000");
    assert_int_equal(t.rows, 33);
    assert_true(t.sample <= 0.01 * t.lists);
    assert_true(t.sample > 0.01 * t.lists - t.rows);
    t = run("4", "100000");
    assert_int_equal(t.rows, 9);
    assert_true(t.sample <= 0.01 * 4 * t.lists);
    assert_true(t.sample > 0.01 * 4 * t.lists - t.rows);
}

/* The requested number where that is less; never 0. */
static void
a_small_sample_is_taken_as_it_is(void **state)
{
    (void)state;
    struct totals t = run("8", "5");
    assert_true(t.least == 5 && t.max == 5);
    t = run("1", "1");
    assert_true(t.least == 1 && t.max == 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(errors_take_a_hundredth_of_the_interactions),
            cmocka_unit_test(a_small_sample_is_taken_as_it_is),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
