/* SPDX-License-Identifier: MIT */
/* Interactions for a GPU, as far as none is needed: the program's text, NVRTC,
 * its messages, the cache. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/koshu.h>

#include "backend/cuda/interaction/interaction.h"
#include "check.h"
#define FIXTURE_BACKEND "ref"
#include "fixture.h"
#include "kernel_source/kernel_source.h"

/* ---- kernel sources ------------------------------------------------------ */

static void
read_source(struct koshu_kernel_source *d, const char *name, const char *text,
            enum koshu_precision precision)
{
    const struct koshu_interaction_options options =
            koshu_interaction_options_default();
    *d = (struct koshu_kernel_source){.context = context,
                                      .name = strdup(name),
                                      .text = strdup(text),
                                      .precision = precision};
    assert_ok(context, koshu_kernel_source_read(d, &options));
}

static koshu_status
compile(const char *name, const char *text, enum koshu_precision precision,
        int capability, struct koshu_pair_code *code)
{
    struct koshu_kernel_source d;
    char *program;
    read_source(&d, name, text, precision);
    assert_ok(context, koshu_pair_program_text(&d, &program));
    koshu_status status = koshu_nvrtc_compile(&d, program, capability, code);
    free(program);
    koshu_kernel_source_free(&d);
    return status;
}

static char *
read_file(const char *path)
{
    enum { MAX = 65536 };
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(MAX, 1);
    assert_in_range(fread(text, 1, MAX - 1, file), 1, MAX - 2);
    fclose(file);
    return text;
}

/* Does the code, which is not a string, contain this word? */
static bool
holds(const struct koshu_pair_code *code, const char *word)
{
    return memmem(code->bytes, code->size, word, strlen(word)) != NULL;
}

static void
skip_without_nvrtc(void)
{
    static bool here;
    struct koshu_pair_code code;
    if (here) return;
    if (compile("none", "//! i: x\n//! j: x\n//! out: s\nOUTPUT[0] += 1;\n",
                KOSHU_PRECISION_SINGLE, 90, &code) == KOSHU_OK) {
        free(code.bytes);
        here = true;
        return;
    }
    print_message("skipped: %s\n", koshu_context_message(context));
    skip();
}

/* ---- what is accepted ---------------------------------------------------- */

/* Every rule of koshu/interaction.h, and names that are reserved only in
 * C++. */
static const char all_features[] =
        "//! i: x\n"
        "//! j: x w\n"
        "//! out: sum least most near at far there\n"
        "//! constant G = 2.5\n"
        "//! constant new = 1e-300\n"
        "float this = INPUT_J[0] - INPUT_I[0], operator[2] = {1.0, this};\n"
        "double r = fabs(this) + new;\n"
        "bool other = INDEX_I != INDEX_J;\n"
        "for (int k = 0; k < 2; k++)\n"
        "    if (other && isfinite(r)) OUTPUT[0] += G * operator[k] / "
        "sqrt(r);\n"
        "OUTPUT[0] -= pow(r, 2) + sinf(r) + 1/sqrt(1 + r);\n"
        "MIN(OUTPUT[1], r);\n"
        "MAX(OUTPUT[2], INPUT_J[1]);\n"
        "MINLOC(OUTPUT[3], OUTPUT[4], r);\n"
        "if (other) MAXLOC(OUTPUT[5], OUTPUT[6], r * INPUT_J[1]);\n"
        "else MAXLOC(OUTPUT[5], OUTPUT[6], 0.5);\n";

/* A compute capability newer than any NVRTC knows gets PTX. */
enum { NEWER = 998 };

static void
test_compiles_for_all_architectures(void **state)
{
    (void)state;
    skip_without_nvrtc();
    const struct {
        int capability;
        enum koshu_precision precision;
    } cases[] = {{80, KOSHU_PRECISION_SINGLE},
                 {90, KOSHU_PRECISION_DOUBLE},
                 {100, KOSHU_PRECISION_DOUBLE}};
    for (size_t k = 0; k < 3; k++) {
        struct koshu_pair_code code;
        assert_ok(context, compile("all", all_features, cases[k].precision,
                                   cases[k].capability, &code));
        assert_true(holds(&code, "koshu_2x4"));
        assert_true(holds(&code, "koshu_1x16"));
        free(code.bytes);
    }
}

/* KOSHU_BUILT_IN_KERNELS: the built-in kernels. PTX, and one in three
 * for one device: what differs between these is seen above. */
static void
test_built_in(void **state)
{
    (void)state;
    skip_without_nvrtc();
    const int capabilities[] = {90, NEWER, NEWER};
    glob_t found;
    assert_int_equal(glob(KOSHU_BUILT_IN_KERNELS "/*.pipe", 0, NULL, &found),
                     0);
    for (size_t f = 0; f < found.gl_pathc; f++) {
        struct koshu_pair_code code;
        char *text = read_file(found.gl_pathv[f]);
        assert_ok(context,
                  compile(found.gl_pathv[f], text, KOSHU_PRECISION_SINGLE,
                          capabilities[f % 3], &code));
        assert_true(holds(&code, "koshu_1x4"));
        free(code.bytes);
        free(text);
    }
    globfree(&found);
}

/* PTX is what the driver of a newer device can compile. */
static void
test_newer_device(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct koshu_pair_code code;
    assert_ok(context, compile("all", all_features, KOSHU_PRECISION_SINGLE,
                               NEWER, &code));
    assert_true(holds(&code, ".target sm_"));
    free(code.bytes);
    assert_fails(
            context, KOSHU_ERROR_EXTERNAL, "compute capability 1.0",
            compile("all", all_features, KOSHU_PRECISION_SINGLE, 10, &code));
    assert_null(code.bytes);
}

/* In single precision only the sums are in double: with one output that is a
 * minimum, there is no double. */
static void
test_single_stays_single(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct koshu_pair_code code;
    const char text[] = "//! i: x\n//! j: x\n//! out: least\n"
                        "double d = 3.0 * (INPUT_J[0] - INPUT_I[0]);\n"
                        "MIN(OUTPUT[0], 0.1 + pow(d, 2.0) / sqrt(1 + d*d));\n";
    assert_ok(context,
              compile("single", text, KOSHU_PRECISION_SINGLE, NEWER, &code));
    assert_false(holds(&code, "mul.f64"));
    assert_false(holds(&code, "fma.rn.f64"));
    assert_true(holds(&code, "rsqrt.approx.ftz.f32") ||
                holds(&code, "sqrt.approx.ftz.f32"));
    free(code.bytes);
    assert_ok(context,
              compile("single", text, KOSHU_PRECISION_DOUBLE, NEWER, &code));
    assert_true(holds(&code, "fma.rn.f64")); /* the check must notice one */
    free(code.bytes);
}

/* Far more inputs than registers: narrow shapes must still exist. */
static void
test_wide(void **state)
{
    (void)state;
    skip_without_nvrtc();
    enum { WIDE = 80 };
    char *text = malloc(65536), *at = text;
    const char *lists[] = {"//! i:", "//! j:", "//! out:"};
    for (int list = 0; list < 3; list++) {
        at += sprintf(at, "%s", lists[list]);
        for (int k = 0; k < WIDE; k++) at += sprintf(at, " q%d", k);
        at += sprintf(at, "\n");
    }
    for (int k = 0; k < WIDE; k++)
        at += sprintf(at, "OUTPUT[%d] += INPUT_J[%d] - INPUT_I[%d];\n", k, k,
                      WIDE - 1 - k);
    struct koshu_pair_code code;
    assert_ok(context,
              compile("wide", text, KOSHU_PRECISION_DOUBLE, 90, &code));
    assert_true(holds(&code, "koshu_1x4"));
    free(code.bytes);
    free(text);
}

/* ---- what is refused ----------------------------------------------------- */

static void
test_errors_have_the_users_lines(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct koshu_pair_code code;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "a.pipe:5: identifier \"nowhere\"",
                 compile("a.pipe",
                         "//! i: x\n//! j: x\n//! out: s\n"
                         "float a = 1, b;\n"
                         "b = nowhere;\n"
                         "OUTPUT[0] += b;\n",
                         KOSHU_PRECISION_SINGLE, 90, &code));
    assert_null(code.bytes);
}

static void
test_messages(void **state)
{
    (void)state;
    const struct koshu_kernel_source source = {
            .context = context, .name = (char *)"a.pipe", .n_lines = 12};
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "a.pipe:7: identifier \"d\" is undefined",
                 koshu_nvrtc_fail(&source,
                                  "interaction.cu(3): note: something\n"
                                  "kernel(7): error: identifier \"d\" is "
                                  "undefined\n    d = 1;\n    ^\n"));
    assert_null(strchr(koshu_context_message(context), '\n'));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "a.pipe:12: expected a \";\"",
                 koshu_nvrtc_fail(&source, "kernel(12): error #65: expected a "
                                           "\";\"\n"));
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "ptxas error   : too much",
                 koshu_nvrtc_fail(&source,
                                  "something\nptxas error   : too much\nmore"));
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "what is this",
                 koshu_nvrtc_fail(&source, "what is this"));
}

static void
test_without_nvrtc(void **state)
{
    (void)state;
    struct koshu_pair_code code;
    setenv("KOSHU_NVRTC", "/there/is/no/libnvrtc.so", 1);
    assert_fails(
            context, KOSHU_ERROR_EXTERNAL, "cuda-nvrtc-13-0",
            compile("all", all_features, KOSHU_PRECISION_SINGLE, 90, &code));
    assert_null(code.bytes);
    setenv("KOSHU_NVRTC", "libm.so.6", 1);
    assert_fails(
            context, KOSHU_ERROR_EXTERNAL, "no nvrtc",
            compile("all", all_features, KOSHU_PRECISION_SINGLE, 90, &code));
    unsetenv("KOSHU_NVRTC");
}

/* ---- the cache ----------------------------------------------------------- */

static void
test_cache(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct koshu_kernel_source d;
    struct koshu_pair_code first, again;
    read_source(&d, "all", all_features, KOSHU_PRECISION_SINGLE);
    assert_ok(context, koshu_pair_code_of(&d, 90, &first));
    /* found again without NVRTC; not cached for another device */
    setenv("KOSHU_NVRTC", "/there/is/no/libnvrtc.so", 1);
    assert_ok(context, koshu_pair_code_of(&d, 90, &again));
    assert_int_equal(again.size, first.size);
    assert_memory_equal(again.bytes, first.bytes, first.size);
    free(again.bytes);
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "NVRTC",
                 koshu_pair_code_of(&d, 89, &again));
    assert_null(again.bytes);
    unsetenv("KOSHU_NVRTC");
    free(first.bytes);
    koshu_kernel_source_free(&d);
}

/* ---- shapes -------------------------------------------------------------- */

static void
check_shapes(const struct koshu_pair_size *size)
{
    struct koshu_pair_shape shapes[KOSHU_PAIR_SHAPES];
    const size_t n = koshu_pair_shapes(size, shapes);
    bool narrowest = false;
    assert_in_range(n, 1, KOSHU_PAIR_SHAPES);
    for (size_t k = 0; k < n; k++) {
        const struct koshu_pair_shape *s = &shapes[k];
        const size_t row_bytes = size->row * size->real;
        /* static shared memory is limited to 48 KiB */
        assert_in_range((size_t)s->warps * 2 * (size_t)s->tile * row_bytes, 1,
                        49152 - 1024);
        assert_int_equal(s->tile % s->unroll, 0);
        assert_true((size_t)s->tile * row_bytes % 16 == 0);
        assert_true(koshu_pair_step(size, s) / (size_t)s->warps * row_bytes %
                            16 ==
                    0);
        narrowest |= s->per_thread == 1 && s->warps == 4;
    }
    assert_true(narrowest);
}

static void
test_shapes(void **state)
{
    (void)state;
    const char *bodies[] = {"OUTPUT[0] += 1;", all_features};
    for (size_t n = 1; n <= KOSHU_INTERACTION_MAX; n++)
        for (int p = 0; p < 4; p++) {
            const struct koshu_kernel_source source = {
                    .body = (char *)bodies[p / 2],
                    .list = {{.n = n}, {.n = n}, {.n = n}},
                    .precision = p % 2 ? KOSHU_PRECISION_DOUBLE
                                       : KOSHU_PRECISION_SINGLE};
            const struct koshu_pair_size size = koshu_pair_size_of(&source);
            assert_in_range(size.row, n, n + 3);
            check_shapes(&size);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_compiles_for_all_architectures),
            cmocka_unit_test(test_built_in),
            cmocka_unit_test(test_newer_device),
            cmocka_unit_test(test_single_stays_single),
            cmocka_unit_test(test_wide),
            cmocka_unit_test(test_errors_have_the_users_lines),
            cmocka_unit_test(test_messages),
            cmocka_unit_test(test_without_nvrtc),
            cmocka_unit_test(test_cache),
            cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
