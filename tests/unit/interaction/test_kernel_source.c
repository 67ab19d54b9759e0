/* SPDX-License-Identifier: MIT */
/* Errors that koshu finds in a kernel source before a compiler sees it. */
#include <math.h>
#include <string.h>

#include <koshu/interaction.h>

#include "check.h"
#define FIXTURE_BACKEND "simd"
#include "fixture.h"

struct wrong {
    const char *text, *message;
};

/* Invalid sources, and how the message begins. */
static const struct wrong texts[] = {
        {"#include <stdio.h>\n", "a.pipe:1: directives (#)"},
        {"\n\nasm(\"hlt\");", "a.pipe:3: texts in quotes"},
        {"//! i: x\n//! j: x\n//! out: f\nasm(1);",
         "a.pipe:4: 'asm' cannot be used"},
        {"//! i: x\n//! j: x\n//! out: f\nOUTPUT[0] += 1; return;",
         "a.pipe:4: 'return' cannot"},
        {"/* a\n", "a.pipe:1: the comment that begins here"},
        {"float a = 1.0.0;", "a.pipe:1: '1.0.0' is not a number"},
        {"a $ b", "a.pipe:1: '$' cannot be used"},
        {"a \xc3\xa4", "a.pipe:1: byte 0xc3"},
        {"<% ", "a.pipe:1: '<' cannot be used"},
        {"a.x", "a.pipe:1: '.x' is not a number"},
        {"// \\\nx", "a.pipe:1: a line cannot be continued"},
        {"//! o: x", "a.pipe:1: '//! o' declares nothing; is "},
        {"//! constants G = 1", "is 'constant' meant?"},
        {"//! frequency: x", "there are i:, j:, out: and constant"},
        {"//! i x", "a.pipe:1: ':' is missing"},
        {"//! i:", "a.pipe:1: no names follow"},
        {"//! i: x x", "a.pipe:1: 'x' is declared twice"},
        {"//! i: x\n//! i: y", "a.pipe:2: the numbers of an i-particle are "
                               "declared in line 1 too"},
        {"//! i: 2x", "a.pipe:1: '2x' cannot be a name"},
        {"//! constant sqrt = 1", "a.pipe:1: 'sqrt' cannot be a name"},
        {"//! constant __x = 1", "a.pipe:1: '__x' cannot be a name"},
        {"//! constant = 1", "a.pipe:1: a name is missing"},
        {"//! constant G", "a.pipe:1: the constant 'G' needs a finite value"},
        {"//! constant G = one", "needs a finite value"},
        {"//! constant G = inf", "needs a finite value"},
        {"//! constant G = 1\n//! constant G = 2",
         "a.pipe:2: the constant 'G' is declared twice"},
        {"OUTPUT[0] += 1;", "a.pipe:1: how many numbers an i-particle has"},
        {"//! i: x\n//! j: x\n", "a.pipe:1: how many numbers a result has"},
};

/* The same for bodies after three header lines that declare one number each. */
static const struct wrong bodies[] = {
        {"OUTPUT[1] += 1;", "a.pipe:4: OUTPUT[1] is not there"},
        {"OUTPUT[0] = 1;", "a.pipe:4: OUTPUT[0] can be added to"},
        {"OUTPUT[0]++;", "a.pipe:4: OUTPUT[0] can be added to"},
        {"float a = OUTPUT[0];", "a.pipe:4: OUTPUT[0] can be added to"},
        {"float a = OUTPUT[0] += 1;", "a.pipe:4: OUTPUT[0] can be added to"},
        {"OUTPUT += 1;", "a.pipe:4: an output has a number for an index"},
        {"int k = 0; OUTPUT[k] += 1;", "a.pipe:4: an output has a number"},
        {"float a = 1;\n", "a.pipe:5: OUTPUT[0] is never used"},
        {"OUTPUT[0] += 1;\nMIN(OUTPUT[0], 1);",
         "a.pipe:5: OUTPUT[0] is used in another way than in line 4"},
        {"a = MIN(OUTPUT[0], 1);", "a.pipe:4: MIN(...) is a statement"},
        {"MIN(1, 2);", "a.pipe:4: OUTPUT[k] must stand here"},
        {"MIN(OUTPUT[0]);", "a.pipe:4: a comma must follow OUTPUT[0]"},
        {"MINLOC(OUTPUT[0], 1);", "a.pipe:4: OUTPUT[k] must stand here"},
        {"MINLOC(OUTPUT[0], OUTPUT[0], 1);", "a.pipe:4: OUTPUT[0] is used in"},
        {"OUTPUT[0] += INPUT_I[1];", "a.pipe:4: INPUT_I[1] is not there"},
        {"OUTPUT[0] += INPUT_J[99999999999999999999];", "is not there"},
        {"OUTPUT[0] += INPUT_J;", "a.pipe:4: INPUT_J needs an index"},
        {"INPUT_J[0] = 1; OUTPUT[0] += 1;", "a.pipe:4: INPUT_J can only be"},
        {"INPUT_I[0]++; OUTPUT[0] += 1;", "a.pipe:4: INPUT_I can only be"},
        {"INDEX_J = 1; OUTPUT[0] += 1;", "a.pipe:4: INDEX_J can only be"},
        {"OUTPUT[0] += sqroot(2);",
         "'sqroot' is not a function; is 'sqrt' meant"},
        {"OUTPUT[0] += system(2);", "'system' is not a function of <math.h>"},
        {"float __a = 1; OUTPUT[0] += 1;", "'__a': names that begin so"},
        {"float koshu_a = 1; OUTPUT[0] += 1;", "names that begin so"},
        {"OUTPUT[0] += (1;", "a.pipe:4: the '(' is never closed"},
        {"OUTPUT[0] += 1);", "a.pipe:4: ')' closes nothing"},
        {"OUTPUT[0] += (1\n];", "a.pipe:5: ']' does not match the '(' of "
                                "line 4"},
        {"} void f() { OUTPUT[0] += 1;", "cannot be used"},
        {"} if (1) { OUTPUT[0] += 1;", "a.pipe:4: '}' closes nothing"},
};

/* Errors that the compiler finds, reported with the source's line. */
static const struct wrong for_compiler[] = {
        {"OUTPUT[0] += a;", "a.pipe:4: "},
        {"OUTPUT[0] += 1", "a.pipe:4: expected"},
        {"\n\nfloat x = 1;\nfloat x = 2;\nOUTPUT[0] += 1;", "a.pipe:7: "},
        {"break; OUTPUT[0] += 1;", "a.pipe:4: break statement"},
        {"OUTPUT[0] += sin(1, 2);", "a.pipe:4: too many arguments"},
        {"for (int k = 0; k < 3; k++ { OUTPUT[0] += 1; }", "a.pipe:4: "},
        {"G = 2; OUTPUT[0] += 1;", "a.pipe:4: "},
};

static const char head[] = "//! i: x\n//! j: x\n//! out: f\n";

static void
expect_refusal(const char *text, const char *message)
{
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a = (void *)&o;
    o.name = "a.pipe";
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, message,
                 koshu_interaction_create(context, text, &o, &a));
    assert_null(a);
    assert_int_equal(strncmp(koshu_context_message(context), "a.pipe:", 7), 0);
    assert_null(strchr(koshu_context_message(context), '\n'));
}

static void
test_texts(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        expect_refusal(texts[k].text, texts[k].message);
}

static void
expect_refused_bodies(const struct wrong *bodies_, size_t n)
{
    char text[512];
    for (size_t k = 0; k < n; k++) {
        snprintf(text, sizeof text, "%s%s", head, bodies_[k].text);
        expect_refusal(text, bodies_[k].message);
    }
}

static void
test_bodies(void **state)
{
    (void)state;
    expect_refused_bodies(bodies, sizeof bodies / sizeof bodies[0]);
}

static void
test_compiler(void **state)
{
    (void)state;
    expect_refused_bodies(for_compiler,
                          sizeof for_compiler / sizeof for_compiler[0]);
}

static void
expect_status(koshu_status status, const char *message,
              const struct koshu_interaction_options *o)
{
    struct koshu_interaction *a;
    char text[512];
    snprintf(text, sizeof text, "%sOUTPUT[0] += 1;", head);
    assert_fails(context, status, message,
                 koshu_interaction_create(context, text, o, &a));
}

static void
test_options(void **state)
{
    (void)state;
    struct koshu_interaction_options o;
    struct koshu_interaction_constant c = {"G", 1};
    o = koshu_interaction_options_default();
    o.n_j_fields = 2;
    expect_status(KOSHU_ERROR_BAD_INPUT,
                  "interaction:2: 1 numbers of a j-particle are declared, but "
                  "the option n_j_fields says 2",
                  &o);
    o = koshu_interaction_options_default();
    o.precision = KOSHU_PRECISION_MIXED;
    expect_status(KOSHU_ERROR_UNSUPPORTED, "single or double", &o);
    o.precision = (enum koshu_precision)7;
    expect_status(KOSHU_ERROR_INVALID_ARGUMENT, "unknown precision 7", &o);
    o = koshu_interaction_options_default();
    o.n_i_fields = 257;
    expect_status(KOSHU_ERROR_INVALID_ARGUMENT, "n_i_fields = 257", &o);
    o = koshu_interaction_options_default();
    o.n_constants = 1;
    expect_status(KOSHU_ERROR_INVALID_ARGUMENT, "array is NULL", &o);
    o.constants = &c;
    c.value = NAN;
    expect_status(KOSHU_ERROR_INVALID_ARGUMENT, "'G' = nan is not finite", &o);
    c = (struct koshu_interaction_constant){"sin", 1};
    expect_status(KOSHU_ERROR_INVALID_ARGUMENT, "cannot have the name 'sin'",
                  &o);
    c = (struct koshu_interaction_constant){NULL, 1};
    expect_status(KOSHU_ERROR_INVALID_ARGUMENT, "cannot have the name ''", &o);
}

static void
test_null(void **state)
{
    (void)state;
    struct koshu_interaction *a;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "NULL",
                 koshu_interaction_create(context, NULL, NULL, &a));
    koshu_interaction_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_texts),    cmocka_unit_test(test_bodies),
            cmocka_unit_test(test_compiler), cmocka_unit_test(test_options),
            cmocka_unit_test(test_null),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
