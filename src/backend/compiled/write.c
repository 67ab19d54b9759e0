/* SPDX-License-Identifier: MIT */
/* Writes the C file of an interaction: before.c.in, the statements with the
 * brace that ends their function, so that a missing brace is reported there,
 * and after.c.in. */
#include <string.h>

#include "backend/compiled/compiled.h"
#include "base/base.h"

/* Size of a tile of j-particles: limited by the first-level cache, and by the
 * numbers that a lane adds up in the program's precision before they go to
 * double. With 128 vectors gravity is 1 % faster, and its largest errors
 * (Hamada07 Table 2) a fifth larger; with 64 it is 1 % slower. */
enum { TILE_BYTES = 32768, TILE_VECTORS = 96, TILE_VECTORS_LEAST = 4 };

extern const struct koshu_text_file koshu_compiled_files[];

/* i-particles side by side, limited by the registers for inputs, sums and
 * temporaries. */
static size_t
width_of(const struct koshu_kernel_source *s,
         const struct compiled_target *target)
{
    return target->vector_bytes == 64 &&
                           s->list[KOSHU_LIST_I].n +
                                           s->list[KOSHU_LIST_OUT].n <=
                                   9
                   ? 2
                   : 1;
}

static void
print_shape(FILE *to, const struct koshu_kernel_source *source,
            const struct compiled_target *target, bool vectors)
{
    const size_t size = source->precision == KOSHU_PRECISION_SINGLE ? 4 : 8;
    size_t lanes = target->vector_bytes / size;
    if (lanes == 0) lanes = 1;
    size_t n = TILE_BYTES / (size * lanes * source->list[KOSHU_LIST_J].n);
    if (n > TILE_VECTORS) n = TILE_VECTORS;
    if (n < TILE_VECTORS_LEAST) n = TILE_VECTORS_LEAST;
    fprintf(to,
            "#define KOSHU_VECTORS %d\n"
            "#define KOSHU_LANES %zu\n"
            "#define KOSHU_TILE %zu\n"
            "#define KOSHU_WIDTH %zu\n",
            vectors, lanes, n * lanes, vectors ? width_of(source, target) : 1);
}

koshu_status
koshu_compiled_write(const struct koshu_kernel_source *source,
                     const struct compiled_target *target,
                     const char *vector_body, char **text)
{
    size_t size;
    *text = NULL;
    FILE *to = open_memstream(text, &size);
    if (to) {
        print_shape(to, source, target, vector_body != NULL);
        koshu_print_source(to, source);
        fprintf(to,
                "%s#line 1 \"" KOSHU_INTERACTION_FILE "\"\n"
                "%s\n}}\n#line 1 \"koshu\"\n%s",
                koshu_compiled_files[0].text,
                vector_body ? vector_body : source->body,
                koshu_compiled_files[1].text);
    }
    return koshu_print_end(source->context, to, text);
}
