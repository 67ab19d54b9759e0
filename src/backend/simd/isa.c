/* SPDX-License-Identifier: MIT */
#include "backend/simd/isa.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#ifdef KOSHU_SIMD_X86
static bool
runs_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static bool
runs_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool
runs_sse42(void)
{
    return __builtin_cpu_supports("sse4.2");
}
#endif

static bool
runs_base(void)
{
    return true;
}

static const struct simd_isa isas[] = {
#ifdef KOSHU_SIMD_X86
        {"avx512", "AVX-512", runs_avx512, koshu_simd_kernel_avx512,
         koshu_simd_jerk_avx512, koshu_simd_walk_avx512},
        {"avx2", "AVX2", runs_avx2, koshu_simd_kernel_avx2,
         koshu_simd_jerk_avx2, koshu_simd_walk_avx2},
        {"sse42", "SSE4.2", runs_sse42, koshu_simd_kernel_sse42,
         koshu_simd_jerk_sse42, koshu_simd_walk_sse42},
        {"base", "SSE2", runs_base, koshu_simd_kernel_base,
         koshu_simd_jerk_base, koshu_simd_walk_base},
#elif defined(__aarch64__)
        {"base", "NEON", runs_base, koshu_simd_kernel_base,
         koshu_simd_jerk_base, koshu_simd_walk_base},
#else
        {"base", "plain C", runs_base, koshu_simd_kernel_base,
         koshu_simd_jerk_base, koshu_simd_walk_base},
#endif
};
enum { N_ISAS = sizeof isas / sizeof isas[0] };

const struct simd_isa *
koshu_simd_isa_at(size_t k)
{
    return k < N_ISAS ? &isas[k] : NULL;
}

static koshu_status
unusable(struct koshu_context *context, const char *wanted)
{
    const char *names[N_ISAS];
    size_t n = 0;
    for (size_t k = 0; k < N_ISAS; k++)
        if (isas[k].runs()) names[n++] = isas[k].name;
    char list[128];
    koshu_join_names(list, sizeof list, names, n);
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "KOSHU_ISA=%s is no instruction set of this processor "
                      "and this build; there are: %s",
                      wanted, list);
}

koshu_status
koshu_simd_isa_choose(struct koshu_context *context,
                      const struct simd_isa **isa)
{
    const char *wanted = getenv("KOSHU_ISA");
    for (size_t k = 0; k < N_ISAS; k++)
        if (isas[k].runs() &&
            (!wanted || !wanted[0] || strcmp(wanted, isas[k].name) == 0)) {
            *isa = &isas[k];
            return KOSHU_OK;
        }
    return unusable(context, wanted);
}
