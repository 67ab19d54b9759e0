/* SPDX-License-Identifier: MIT */
/* The instruction sets of this build, and the choice of the one in use. */
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

#define ISA(isa, title, ...)                                  \
    {                                                         \
#isa, title, runs_##isa, koshu_simd_kernel_##isa,     \
                koshu_simd_jerk_##isa, koshu_simd_walk_##isa, \
                koshu_simd_fmm_##isa, __VA_ARGS__             \
    }
static const struct simd_isa isas[] = {
#ifdef KOSHU_SIMD_X86
        ISA(avx512, "AVX-512",
            {64,
             {"-mavx512f", "-mavx2", "-mfma", "-mprefer-vector-width=512"}}),
        ISA(avx2, "AVX2", {32, {"-mavx2", "-mfma"}}),
        ISA(sse42, "SSE4.2", {16, {"-msse4.2"}}),
#endif
#ifdef __x86_64__
        ISA(base, "SSE2", {16, {NULL}}),
#elif defined(__aarch64__)
        ISA(base, "NEON", {16, {NULL}}),
#else
        ISA(base, "plain C", {16, {NULL}}),
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
    return koshu_fail(
            context, KOSHU_ERROR_INVALID_ARGUMENT,
            "KOSHU_ISA=%s is not an instruction set of this processor "
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
