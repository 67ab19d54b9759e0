/* SPDX-License-Identifier: MIT */
/* Clouds of particles and their forces, for tests of the cuda backend through
 * the public interface. */
#ifndef KOSHU_TESTS_GPU_CLOUD_H
#define KOSHU_TESTS_GPU_CLOUD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/koshu.h>

/* ---- particles ---------------------------------------------------------- */

struct cloud {
    size_t n;
    double *x, *y, *z, *mass, *ax, *ay, *az, *potential;
};

/* n + 1 NaNs. */
double *poisoned(size_t n);

/* A Plummer sphere with unequal masses, centred at (offset, 0, 0). rounded:
 * positions are rounded to float, so that ref gets the numbers that single
 * precision does. Results are NaN. */
struct cloud cloud_from(uint64_t seed, size_t n, double offset, bool rounded);
struct cloud cloud_make(size_t n, double offset, bool rounded);
void cloud_free(struct cloud *c);

/* A cloud with the same positions and masses, results NaN. */
struct cloud cloud_same(const struct cloud *c);
void cloud_free_results(struct cloud *c);

/* ---- forces ------------------------------------------------------------- */

/* Computes these fields for the cloud as a store; other results stay
 * unchanged. */
void cloud_fields(struct koshu_context *context,
                  const struct koshu_solver_options *options, unsigned fields,
                  struct cloud *c);
/* Computes all fields, in a context or on the named backend. */
void cloud_forces(struct koshu_context *context,
                  const struct koshu_solver_options *options, struct cloud *c);
void cloud_forces_on(const char *backend,
                     const struct koshu_solver_options *options,
                     struct cloud *c);
/* Computes forces as sets, see koshu_force_direct_sets(). */
void cloud_forces_of_sets(const char *backend,
                          const struct koshu_force_options *options,
                          size_t n_sets, const size_t *i_offset,
                          const size_t *j_offset, const int64_t *id,
                          struct cloud *c);

/* ---- comparing ---------------------------------------------------------- */

struct deviation {
    double rms, max, potential;
};

/* Deviation of b from a, relative to the accelerations of a, or to `floor`
 * times the largest of them where that is more. */
struct deviation
cloud_deviation(const struct cloud *b, const struct cloud *a, double floor);

/* The largest |b - a| / |a| over the first n particles. */
double
cloud_largest_error(const struct cloud *b, const struct cloud *a, size_t n);

/* main(): runs the tests, or returns 77 where no device answers. */
#define CUDA_MAIN(tests)                                  \
    int main(void)                                        \
    {                                                     \
        if (koshu_backend_cuda.devices() == 0) {          \
            printf("no CUDA device answers: skipped\n");  \
            return 77;                                    \
        }                                                 \
        return cmocka_run_group_tests(tests, NULL, NULL); \
    }

#endif
