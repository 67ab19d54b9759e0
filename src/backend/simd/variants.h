/* SPDX-License-Identifier: MIT */
/* Instantiates one function for each variant of a gravity kernel; see
 * kernel.h. */
#ifndef KOSHU_BACKEND_SIMD_VARIANTS_H
#define KOSHU_BACKEND_SIMD_VARIANTS_H

/* Defines the function `name` of a job, which calls do_it(job, the variant). */
#define KERNEL(do_it, job_type, name, ...)                          \
    static __attribute__((noinline)) void name(const job_type *job) \
    {                                                               \
        do_it(job, (struct variant){__VA_ARGS__});                  \
    }

/* Variants with and without potentials, and with and without zero distances. */
#define KERNELS(do_it, job_type, name, root, root_a, ...)                \
    KERNEL(do_it, job_type, name##_a, root_a, false, false, __VA_ARGS__) \
    KERNEL(do_it, job_type, name##_a_zero_safe, root_a, false, true,     \
           __VA_ARGS__)                                                  \
    KERNEL(do_it, job_type, name##_ap, root, true, false, __VA_ARGS__)   \
    KERNEL(do_it, job_type, name##_ap_zero_safe, root, true, true, __VA_ARGS__)

/* [with potential][zero-safe] */
#define CHOICE(name)                       \
    {                                      \
        {name##_a, name##_a_zero_safe},    \
        {                                  \
            name##_ap, name##_ap_zero_safe \
        }                                  \
    }

#endif
