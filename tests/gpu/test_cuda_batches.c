/* SPDX-License-Identifier: MIT */
/* Batches of sets on the cuda backend, compared with ref. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

static void
check_sets(size_t n_sets, size_t largest_i, size_t largest_j, bool with_self)
{
    size_t *i_offset = calloc(n_sets + 1, sizeof *i_offset);
    size_t *j_offset = calloc(n_sets + 1, sizeof *j_offset);
    uint64_t random = 1;
    for (size_t s = 0; s < n_sets; s++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        i_offset[s + 1] = i_offset[s] + (random >> 33) % (largest_i + 1);
        j_offset[s + 1] = j_offset[s] + (random >> 40) % (largest_j + 1);
    }
    size_t n = i_offset[n_sets] > j_offset[n_sets] ? i_offset[n_sets]
                                                   : j_offset[n_sets];
    if (n == 0) n = 1;
    struct cloud truth = cloud_make(n, 0, false);
    struct cloud test = cloud_same(&truth);
    int64_t *id = malloc(n * sizeof *id);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = i_offset[s]; i < i_offset[s + 1]; i++) {
            size_t nj = j_offset[s + 1] - j_offset[s];
            id[i] = nj > 0 && i % 3 > 0 ? (int64_t)(i % nj) : KOSHU_NO_ID;
        }
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = 0.02;
    const int64_t *ids = with_self ? id : NULL;
    cloud_forces_of_sets("ref", &options, n_sets, i_offset, j_offset, ids,
                         &truth);
    cloud_forces_of_sets("cuda", &options, n_sets, i_offset, j_offset, ids,
                         &test);
    truth.n = test.n = i_offset[n_sets];
    if (truth.n > 0) {
        struct deviation d = cloud_deviation(&test, &truth, 1e-3);
        /* 2^-53 sqrt(n), amplified where forces cancel */
        assert_true(d.max < 1e-12);
    }
    free(id);
    free(i_offset);
    free(j_offset);
    cloud_free_results(&test);
    cloud_free(&truth);
}

static void
test_batches(void **state)
{
    (void)state;
    check_sets(1, 10, 0, true);
    check_sets(1, 3000, 700, true);
    check_sets(1, 9000, 9000, true);
    check_sets(1, 9000, 9000, false);
    check_sets(7, 5, 3, true);
    check_sets(100, 200, 900, true);
    check_sets(3, 9000, 5000, false);
    check_sets(30000, 9, 9, true); /* more than fits in one launch */
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
};

CUDA_MAIN(tests)
