/* SPDX-License-Identifier: MIT */
/* The device code of an interaction: taken from the cache, or compiled. */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/version.h>

#include "backend/compiled/compiled.h"
#include "backend/cuda/interaction/interaction.h"
#include "base/base.h"

/* The hash of everything that the code depends on, except NVRTC itself, which
 * is not even loaded if the cache has the code. */
static void
make_key(const char *text, int capability, char key[KOSHU_CACHE_KEY + 1])
{
    enum { MAX_FILES = 16 };
    char device[32];
    const char *texts[MAX_FILES + 3] = {KOSHU_VERSION_STRING, device, text};
    size_t n = 3;
    snprintf(device, sizeof device, "cuda %d", capability);
    for (size_t k = 0; koshu_pair_files[k].text; k++)
        texts[n++] = koshu_pair_files[k].text;
    koshu_cache_key(texts, n, key);
}

static koshu_status
find_or_compile(struct cache *cache, const struct koshu_kernel_source *source,
                const char *text, int capability, struct koshu_pair_code *code)
{
    char key[KOSHU_CACHE_KEY + 1], name[64];
    make_key(text, capability, key);
    snprintf(name, sizeof name, "%s.cubin", key);
    code->bytes = koshu_cache_read(cache, name, &code->size);
    if (code->bytes) {
        koshu_cache_used(cache, name);
        return KOSHU_OK;
    }
    KOSHU_TRY(koshu_nvrtc_compile(source, text, capability, code));
    KOSHU_TRY(koshu_cache_keep(source->context, cache, name, code->bytes,
                               code->size));
    koshu_cache_trim(cache);
    return KOSHU_OK;
}

koshu_status
koshu_pair_code_of(const struct koshu_kernel_source *source, int capability,
                   struct koshu_pair_code *code)
{
    char *text;
    struct cache cache;
    *code = (struct koshu_pair_code){0};
    KOSHU_TRY(koshu_pair_program_text(source, &text));
    koshu_status status = koshu_cache_open(source->context, &cache);
    if (status == KOSHU_OK) {
        status = find_or_compile(&cache, source, text, capability, code);
        koshu_cache_close(&cache);
    }
    free(text);
    if (status == KOSHU_OK) return KOSHU_OK;
    free(code->bytes);
    *code = (struct koshu_pair_code){0};
    return status;
}
