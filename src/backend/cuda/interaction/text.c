/* SPDX-License-Identifier: MIT */
/* Makes the text of a program for NVRTC from a kernel source. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/interaction/interaction.h"
#include "base/base.h"

/* ---- shapes -------------------------------------------------------------- */

/* Approximate number of instructions per pair: one per operator, several per
 * function. A loop is assumed to make four passes. */
static size_t
weight_of(const char *body)
{
    enum { FUNCTION = 8, PASSES = 4, LEAST = 4 };
    size_t weight = 0;
    char before = '(';
    for (const char *c = body; *c; c++) {
        if (strchr("+-*/<>?", *c)) weight++;
        if (*c == '(' && isalnum((unsigned char)before)) weight += FUNCTION;
        if (!isspace((unsigned char)*c)) before = *c;
    }
    if (strstr(body, "for") || strstr(body, "while")) weight *= PASSES;
    return weight > LEAST ? weight : LEAST;
}

struct koshu_pair_size
koshu_pair_size_of(const struct koshu_kernel_source *source)
{
    struct koshu_pair_size size = {
            .n_i_fields = source->list[KOSHU_LIST_I].n,
            .n_outputs = source->list[KOSHU_LIST_OUT].n,
            .row = source->list[KOSHU_LIST_J].n,
            .real = source->precision == KOSHU_PRECISION_DOUBLE ? sizeof(double)
                                                                : sizeof(float),
            .weight = weight_of(source->body),
    };
    const size_t vector = 16 / size.real;
    for (size_t k = 0; k < size.n_outputs; k++)
        size.n_sums += source->reduction[k] == KOSHU_REDUCE_SUM;
    if (vector % size.row != 0)
        size.row = (size.row + vector - 1) / vector * vector;
    return size;
}

/* The largest power of two up to `max` and `limit`; at least 1. */
static int
largest_power_of_two(size_t limit, int max)
{
    int p = max;
    while (p > 1 && (size_t)p > limit) p /= 2;
    return p;
}

/* Registers of an i-particle and its results; sums in float have a copy in
 * double. */
static size_t
registers_of(const struct koshu_pair_size *size)
{
    return size->real == sizeof(float)
                   ? size->n_i_fields + size->n_outputs + 2 * size->n_sums
                   : 2 * (size->n_i_fields + size->n_outputs);
}

static struct koshu_pair_shape
shape_of(const struct koshu_pair_size *size, int per_thread, int warps,
         int blocks)
{
    /* limits for the unrolled loop and the tiles of a block */
    const size_t max_bytes = 40960;
    const size_t max_instructions = size->real == sizeof(float) ? 1700 : 850;
    const size_t row_bytes = size->row * size->real;
    struct koshu_pair_shape shape = {
            .per_thread = per_thread,
            .warps = warps,
            .tile = largest_power_of_two(
                    max_bytes / (2 * (size_t)warps * row_bytes), 128),
            .unroll = largest_power_of_two(
                    max_instructions / ((size_t)per_thread * size->weight), 16),
            .blocks = blocks,
    };
    if (shape.unroll > shape.tile) shape.unroll = shape.tile;
    return shape;
}

size_t
koshu_pair_shapes(const struct koshu_pair_size *size,
                  struct koshu_pair_shape shapes[KOSHU_PAIR_SHAPES])
{
    enum { WIDEST = 4 };
    const size_t max_registers = 80; /* for the i-particles of a lane */
    const size_t each = registers_of(size);
    size_t n = 0;
    for (int width = WIDEST; width > 1; width /= 2) {
        /* in double, the body's temporaries take twice as many */
        const bool many = size->real == sizeof(double) && width < WIDEST;
        if ((size_t)width * each <= max_registers)
            shapes[n++] = shape_of(size, width, 4, many ? 3 : 4);
    }
    shapes[n++] = shape_of(size, 1, 4, each <= max_registers ? 4 : 2);
    /* for few i-particles; wide rows do not allow many warps */
    const int max_warps = each <= max_registers ? 16 : 8;
    const int warps =
            largest_power_of_two(8192 / (size->row * size->real), max_warps);
    if (warps > 4) shapes[n++] = shape_of(size, 1, warps, 1);
    return n;
}

void
koshu_pair_name(const struct koshu_pair_shape *shape, char *text)
{
    snprintf(text, KOSHU_PAIR_NAME, "koshu_%dx%d", shape->per_thread,
             shape->warps);
}

size_t
koshu_pair_step(const struct koshu_pair_size *size,
                const struct koshu_pair_shape *shape)
{
    const size_t rows = 16 / (size->row * size->real);
    const size_t step = (size_t)shape->unroll;
    return (size_t)shape->warps * (step > rows ? step : rows);
}

/* ---- text ---------------------------------------------------------------- */

/* C++ keywords that are valid names in C: they get a suffix _ while the body is
 * read. */
static const char *const words_of_cpp[] = {
        "alignas",   "alignof",  "catch",         "char16_t",     "char32_t",
        "constexpr", "decltype", "delete",        "explicit",     "export",
        "friend",    "mutable",  "namespace",     "new",          "noexcept",
        "nullptr",   "operator", "private",       "protected",    "public",
        "this",      "throw",    "static_assert", "thread_local", "try",
        "typeid",    "typename", "using",         "virtual",      "wchar_t",
};
enum { N_WORDS = sizeof words_of_cpp / sizeof words_of_cpp[0] };

/* Constants are declared outside of the body's braces, so that the body may
 * redefine their names. */
static void
print_pair(FILE *to, const struct koshu_kernel_source *source)
{
    const bool single = source->precision == KOSHU_PRECISION_SINGLE;
    fprintf(to, "#define %s\n", single ? "double float" : "float double");
    for (int k = 0; k < N_WORDS; k++)
        fprintf(to, "#define %s %s_\n", words_of_cpp[k], words_of_cpp[k]);
    fprintf(to, "KOSHU_DEVICE void\n"
                "koshu_pair(const koshu::real *INPUT_I,\n"
                "           const koshu::real *INPUT_J, koshu::real *OUTPUT,\n"
                "           int *OUTPUT_INDEX, int INDEX_I, int INDEX_J)\n"
                "{\n");
    locale_t users = koshu_plain_numbers();
    for (size_t k = 0; k < source->n_constants; k++)
        fprintf(to, "    const koshu::real %s = (koshu::real)%a;\n",
                source->constants[k].name, source->constants[k].value);
    uselocale(users);
    fprintf(to, "    {\n#line 1 \"%s\"\n%s\n    }\n}\n", KOSHU_INTERACTION_FILE,
            source->body);
    for (int k = 0; k < N_WORDS; k++)
        fprintf(to, "#undef %s\n", words_of_cpp[k]);
    fprintf(to, "#undef %s\n", single ? "double" : "float");
}

static void
print_kernels(FILE *to, const struct koshu_pair_size *size)
{
    struct koshu_pair_shape shapes[KOSHU_PAIR_SHAPES];
    const size_t n = koshu_pair_shapes(size, shapes);
    for (const struct koshu_pair_shape *s = shapes; s < shapes + n; s++) {
        char name[KOSHU_PAIR_NAME];
        koshu_pair_name(s, name);
        fprintf(to, "KOSHU_KERNEL(%s, %d, %d, %d, %d, %d)\n", name,
                s->per_thread, s->warps, s->unroll, s->tile, s->blocks);
    }
}

koshu_status
koshu_pair_program_text(const struct koshu_kernel_source *source, char **text)
{
    const struct koshu_pair_size size = koshu_pair_size_of(source);
    size_t length = 0;
    *text = NULL;
    FILE *to = open_memstream(text, &length);
    if (to) {
        koshu_print_source(to, source);
        fprintf(to,
                "#define KOSHU_ROW %zu\n"
                "#include \"backend/cuda/interaction/before.cuh\"\n",
                size.row);
        print_pair(to, source);
        fprintf(to, "#include \"backend/cuda/interaction/sum.cuh\"\n");
        print_kernels(to, &size);
    }
    return koshu_print_end(source->context, to, text);
}
