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

/* n + 1 NANs. */
double *poisoned(size_t n);

/* A Plummer sphere with unequal masses, its centre at (offset, 0, 0);
 * rounded: positions as floats round them, so that ref sees what single sees.
 * Results are poisoned. */
struct cloud cloud_from(uint64_t seed, size_t n, double offset, bool rounded);
struct cloud cloud_make(size_t n, double offset, bool rounded);
void cloud_free(struct cloud *c);

/* The cloud with the same positions and masses, results poisoned. */
struct cloud cloud_same(const struct cloud *c);
void cloud_free_results(struct cloud *c);

/* ---- forces ------------------------------------------------------------- */

/* As a store; results that are not among the fields stay as they were. */
void cloud_fields(struct koshu_context *context,
                  const struct koshu_solver_options *options, unsigned fields,
                  struct cloud *c);
/* All of them; on the named backend. */
void cloud_forces(struct koshu_context *context,
                  const struct koshu_solver_options *options, struct cloud *c);
void cloud_forces_on(const char *backend,
                     const struct koshu_solver_options *options,
                     struct cloud *c);
/* As sets, see koshu_force_direct_sets(). */
void cloud_forces_of_sets(const char *backend,
                          const struct koshu_force_options *options,
                          size_t n_sets, const size_t *i_offset,
                          const size_t *j_offset, const int64_t *id,
                          struct cloud *c);

/* ---- comparing ---------------------------------------------------------- */

struct deviation {
    double rms, max, potential;
};

/* Of b from a, relative to the accelerations of a; where those are smaller
 * than `floor` times the largest, to that. */
struct deviation
cloud_deviation(const struct cloud *b, const struct cloud *a, double floor);

/* Largest |b - a| / |a| over the first n particles. */
double
cloud_largest_error(const struct cloud *b, const struct cloud *a, size_t n);

/* The tests, or status 77 where no device answers: of main(). */
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
