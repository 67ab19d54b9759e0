/* SPDX-License-Identifier: MIT */
/* cunbody_api() and its Fortran names: choosing the pipeline, and failures.
 * (The language of pipelines is tested with koshu/interaction.h.) */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define IDIM 1
#define JDIM 2
#define FDIM 2
#include <cunbody_api.h>

#include <koshu-cunbody/cunbody.h>
#include <koshu-cunbody/fortran.h>

#include "bodies.h"
#include "scratch.h"

static const char sums[] = "OUTPUT[0] += INPUT_J[1] * INPUT_J[0];\n"
                           "OUTPUT[1] += INPUT_I[0] - INPUT_J[0];\n";
static const char other_sums[] = "OUTPUT[0] += INPUT_J[1];\n"
                                 "OUTPUT[1] += 2 * INPUT_I[0];\n";

static double xj[3][2] = {{1, 2}, {3, 4}, {5, 8}}, xi[2][1] = {{1}, {0.5}};

/* Small whole numbers, so that sums are exact. */
static void
assert_sums(void)
{
    double f[3][2] = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
    assert_int_equal(cunbody_api(xj, xi, f, 2, 3), 0);
    assert_true(f[0][0] == 54 && f[0][1] == -6);
    assert_true(f[1][0] == 54 && f[1][1] == -7.5);
    assert_true(isnan(f[2][0]));
}

static void
assert_other_sums(void)
{
    double f[2][2] = {{NAN, NAN}, {NAN, NAN}};
    assert_int_equal(cunbody_api(xj, xi, f, 2, 3), 0);
    assert_true(f[0][0] == 14 && f[0][1] == 6);
    assert_true(f[1][0] == 14 && f[1][1] == 3);
}

/* The call fails with this message and has no lasting effect. */
static void
assert_no_results(int ni, int nj, const char *words)
{
    double f[2][2] = {{1, 1}, {1, 1}};
    assert_int_equal(cunbody_api(xj, xi, f, ni, nj), -1);
    assert_reported(&reported, words);
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < 2; d++)
            assert_true(k < ni ? isnan(f[k][d]) : f[k][d] == 1);
}

/* ---- which pipeline ------------------------------------------------------ */

static void
text_before_file_before_environment(void **state)
{
    (void)state;
    scratch_write("sums.pipe", sums, strlen(sums));
    scratch_write("other.pipe", other_sums, strlen(other_sums));
    setenv("CUNBODY_PIPELINE", "other.pipe", 1);
    cunbody_pipeline = (struct cunbody_pipeline){IDIM, JDIM, FDIM, NULL, NULL};
    assert_other_sums();
    cunbody_pipeline_file("sums.pipe");
    assert_sums();
    cunbody_pipeline_text(other_sums);
    assert_other_sums();
    cunbody_pipeline_text(sums);
    assert_sums();
    cunbody_pipeline_file("other.pipe"); /* forgets the text */
    assert_other_sums();
}

/* A file is read once, until the library is closed. */
static void
files_are_read_once(void **state)
{
    (void)state;
    scratch_write("a.pipe", sums, strlen(sums));
    cunbody_pipeline_file("a.pipe");
    assert_sums();
    scratch_write("a.pipe", other_sums, strlen(other_sums));
    assert_sums();
    koshu_cunbody_close();
    assert_other_sums();
}

static void
other_dimensions_are_another_pipeline(void **state)
{
    (void)state;
    static const char text[] = "OUTPUT[0] += INPUT_I[0] * INPUT_J[0];\n";
    const double one[4] = {1, 2, 3, 4};
    double f[2] = {NAN, NAN};
    struct cunbody_pipeline p = {1, 1, 1, text, NULL};
    assert_int_equal(cunbody_evaluate(&p, one, one, f, 1, 4), 0);
    assert_true(f[0] == 10);
    p.jdim = 2;
    assert_int_equal(cunbody_evaluate(&p, one, one, f, 1, 2), 0);
    assert_true(f[0] == 4);
    p.idim = 2;
    assert_int_equal(cunbody_evaluate(&p, one, one, f, 2, 2), 0);
    assert_true(f[0] == 4 && f[1] == 12);
}

static void
each_precision(void **state)
{
    (void)state;
    static const char text[] = "OUTPUT[0] += INPUT_J[0];\n";
    const struct cunbody_pipeline p = {1, 1, 1, text, NULL};
    const double third = 1.0 / 3;
    double f = NAN;
    assert_int_equal(cunbody_evaluate(&p, &third, &third, &f, 1, 1), 0);
    assert_true(f == (float)third);
    koshu_cunbody_close();
    setenv("KOSHU_CUNBODY_PRECISION", "double", 1);
    assert_int_equal(cunbody_evaluate(&p, &third, &third, &f, 1, 1), 0);
    assert_true(f == third);
    koshu_cunbody_close();
    setenv("KOSHU_CUNBODY_PRECISION", "mixed", 1);
    assert_int_equal(cunbody_evaluate(&p, &third, &third, &f, 1, 1), -1);
    assert_reported(&reported, "mixed");
    assert_true(isnan(f));
}

static void
nothing_to_do(void **state)
{
    (void)state;
    double f[1][2] = {{NAN, NAN}};
    cunbody_pipeline_text(sums);
    assert_int_equal(cunbody_api(xj, NULL, NULL, 0, 3), 0);
    assert_int_equal(cunbody_api(NULL, xi, f, 1, 0), 0);
    assert_true(f[0][0] == 0 && f[0][1] == 0);
}

/* ---- failures ------------------------------------------------------------ */

static void
impossible_calls(void **state)
{
    (void)state;
    double f[2][2];
    cunbody_pipeline_text(sums);
    assert_no_results(-1, 3, "cunbody_api: ni = -1, nj = 3: a number");
    assert_no_results(2, -3, "cunbody_api: ni = 2, nj = -3: a number");
    assert_int_equal(cunbody_api(NULL, xi, f, 2, 3), -1);
    assert_reported(&reported, "NULL");
    assert_int_equal(cunbody_api(xj, NULL, f, 2, 3), -1);
    assert_reported(&reported, "NULL");
    assert_int_equal(cunbody_api(xj, xi, NULL, 2, 3), -1);
    assert_reported(&reported, "NULL");
    const struct cunbody_pipeline none = {1, 0, 2, sums, NULL};
    assert_int_equal(cunbody_evaluate(&none, xj[0], xi[0], f[0], 2, 3), -1);
    assert_reported(&reported, "IDIM = 1, JDIM = 0, FDIM = 2: each must be");
    assert_sums();
}

static void
impossible_files(void **state)
{
    (void)state;
    static char page[(1 << 20) + 1];
    memset(page, ' ', sizeof page);
    scratch_write("zero.pipe", "OUTPUT[0]\0 += 1;", 16);
    scratch_write("long.pipe", page, sizeof page);
    assert_int_equal(mkdir("folder.pipe", 0700), 0);
    const char *const wrong[][2] = {
            {"none.pipe", "none.pipe: No such file"},
            {"folder.pipe", "folder.pipe: Is a directory"},
            {"zero.pipe", "zero.pipe: it has zero bytes"},
            {"long.pipe", "long.pipe: longer than 1 MiB"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        cunbody_pipeline_file(wrong[k][0]);
        for (int time = 0; time < 2; time++)
            assert_no_results(2, 3, wrong[k][1]);
    }
    assert_int_equal(rmdir("folder.pipe"), 0);
    cunbody_pipeline = (struct cunbody_pipeline){IDIM, JDIM, FDIM, NULL, NULL};
    assert_no_results(2, 3, "there is no pipeline: define CUNBODY_PIPELINE");
    cunbody_pipeline_text(sums);
    assert_sums();
}

static void
errors_name_the_line(void **state)
{
    (void)state;
    static const char wrong[] = "float x = INPUT_I[0];\n"
                                "float y = INPUT_J[0] -;\n"
                                "OUTPUT[0] += x; OUTPUT[1] += y;\n";
    cunbody_pipeline_text(wrong);
    assert_no_results(2, 3, "cunbody_api: pipeline:2: ");
    scratch_write("wrong.pipe", wrong, strlen(wrong));
    cunbody_pipeline_file("wrong.pipe");
    assert_no_results(2, 3, "cunbody_api: wrong.pipe:2: ");
    cunbody_pipeline_text("OUTPUT[0] += INPUT_I[0];\n"
                          "OUTPUT[1] += INPUT_I[1];\n");
    assert_no_results(2, 3, "pipeline:2: ");
    cunbody_pipeline_text("OUTPUT[0] += INPUT_I[0];\n");
    assert_no_results(2, 3, "OUTPUT[1]");
}

static void
a_compiler_that_is_not_there(void **state)
{
    (void)state;
    const char *backend = getenv("KOSHU_CUNBODY_BACKEND");
    /* other backends need no compiler */
    if (strcmp(backend, "cpu") != 0) skip();
    setenv("KOSHU_CC", "/nowhere/cc", 1);
    cunbody_pipeline_text("OUTPUT[0] += 1; OUTPUT[1] += 4;");
    assert_no_results(2, 3, "apt install gcc");
    unsetenv("KOSHU_CC");
    cunbody_pipeline_text(sums);
    assert_sums();
}

/* ---- Fortran ------------------------------------------------------------- */

static void
fortran_names(void **state)
{
    (void)state;
    const int one = 1, two = 2, three = 3, none = 0, minus = -1;
    double f[2][2] = {{NAN, NAN}, {NAN, NAN}};
    scratch_write("sums.pipe", sums, strlen(sums));
    cunbody_pipeline_file_("sums.pipe     ", &one, &two, &two, 14);
    assert_int_equal(cunbody_api_(xj[0], xi[0], f[0], &two, &three), 0);
    assert_true(f[0][0] == 54 && f[1][1] == -7.5);
    cunbody_pipeline_file_("sums.pipe\0other", &one, &two, &two, 15);
    assert_int_equal(cunbody_api_(xj[0], xi[0], f[0], &one, &none), 0);
    assert_true(f[0][0] == 0 && f[1][1] == -7.5);
    cunbody_pipeline_text_(other_sums, &one, &two, &two, strlen(other_sums));
    koshu_cunbody_close_(); /* the pipeline stays set */
    assert_int_equal(cunbody_api_(xj[0], xi[0], f[0], &two, &three), 0);
    assert_true(f[0][0] == 14 && f[1][1] == 3);
    assert_int_equal(cunbody_api_(xj[0], xi[0], f[0], &minus, &three), -1);
    assert_reported(&reported, "ni = -1");
    assert_true(f[0][0] == 14);
    cunbody_pipeline_file_("none.pipe", &one, &two, &two, 9);
    assert_int_equal(cunbody_api_(xj[0], xi[0], f[0], &one, &three), -1);
    assert_reported(&reported, "none.pipe: No such file");
    assert_true(isnan(f[0][0]) && isnan(f[0][1]) && f[1][1] == 3);
    cunbody_pipeline_text_(sums, &one, &none, &two, sizeof sums);
    assert_int_equal(cunbody_api_(xj[0], xi[0], f[0], &one, &three), -1);
    assert_reported(&reported, "JDIM = 0");
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, bodies_open, bodies_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            TEST(text_before_file_before_environment),
            TEST(files_are_read_once),
            TEST(other_dimensions_are_another_pipeline),
            TEST(each_precision),
            TEST(nothing_to_do),
            TEST(impossible_calls),
            TEST(impossible_files),
            TEST(errors_name_the_line),
            TEST(a_compiler_that_is_not_there),
            TEST(fortran_names),
    };
    if (!bodies_are_there()) return 77;
    scratch_enter();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_leave();
    return failed;
}
