/* SPDX-License-Identifier: MIT */
/* The built-in tuning table of the CUDA backend; needs no device. */
#include <string.h>

#include "backend/cuda/cuda.h"
#include "check.h"

static bool
is_built(enum koshu_shape_set set, const char *name)
{
    const struct koshu_shape *shape;
    char text[KOSHU_SHAPE_NAME];
    for (size_t k = 0; (shape = koshu_cuda_shape_at(set, k)); k++) {
        koshu_shape_name(shape, text);
        if (strcmp(text, name) == 0) return true;
    }
    return false;
}

/* Entries with unknown shape names would be skipped silently. */
static void
names_are_those_of_shapes(void **state)
{
    (void)state;
    const struct koshu_cuda_builtin_tuning *entry;
    size_t n = 0;
    for (; (entry = koshu_cuda_builtin_tuning_at(n)); n++) {
        assert_in_range(entry->size_class, 0, KOSHU_SIZE_CLASSES - 1);
        assert_in_range(entry->shared_memory + 1, 0, 101);
        if (!is_built(entry->set, entry->shape))
            fail_msg("no shape '%s' in %s precision", entry->shape,
                     koshu_shape_set_name(entry->set));
    }
    assert_true(n > 0);
    assert_false(is_built(KOSHU_SHAPES_SINGLE, "direct t1 i1 u1 f1 b1"));
}

/* Shapes are identified by their names, so these must be distinct. */
static void
names_differ(void **state)
{
    (void)state;
    const struct koshu_shape *a, *b;
    char name_a[KOSHU_SHAPE_NAME], name_b[KOSHU_SHAPE_NAME];
    for (unsigned set = 0; set < KOSHU_SHAPE_SETS; set++) {
        /* each set has at least two */
        assert_non_null(koshu_cuda_shape_at(set, 1));
        for (size_t k = 0; (a = koshu_cuda_shape_at(set, k)); k++)
            for (size_t l = 0; l < k; l++) {
                b = koshu_cuda_shape_at(set, l);
                koshu_shape_name(a, name_a);
                koshu_shape_name(b, name_b);
                assert_string_not_equal(name_a, name_b);
            }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(names_are_those_of_shapes),
            cmocka_unit_test(names_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
