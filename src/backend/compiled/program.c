/* SPDX-License-Identifier: MIT */
/* A compiled interaction: made, or taken from the cache, and loaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <koshu/version.h>

#include "backend/compiled/program.h"
#include "base/base.h"

/* ---- the key ------------------------------------------------------------- */

/* Of all that the object depends on. */
static void
make_key(const char *text, const struct compiler *compiler,
         const struct compiled_target *target, char key[KOSHU_CACHE_KEY + 1])
{
    const char *texts[4 + COMPILER_FLAGS + 1] = {
            KOSHU_VERSION_STRING, compiler->path, compiler->identity, text};
    koshu_compiler_flags(target, texts + 4);
    size_t n = 4;
    while (texts[n]) n++;
    koshu_cache_key(texts, n, key);
}

/* ---- compiling ----------------------------------------------------------- */

/* Of an object, while it is being made: several processes may do so at once,
 * each under a name of its own, and the last one's stays. */
struct files {
    char source[4352], object[4352], kept_source[4352], kept_object[4352];
};

static void
name_files(const struct cache *cache, const char *key, struct files *f)
{
    char own[64];
    koshu_cache_own_name(own, sizeof own);
    const char *d = cache->directory;
    snprintf(f->kept_source, sizeof f->kept_source, "%s/%s.c", d, key);
    snprintf(f->kept_object, sizeof f->kept_object, "%s/%s.so", d, key);
    snprintf(f->source, sizeof f->source, "%s/%s.%s.c", d, key, own);
    snprintf(f->object, sizeof f->object, "%s/%s.%s.so", d, key, own);
}

/* What is known while a program is made. */
struct making {
    struct koshu_context *context;
    const struct koshu_interaction_source *source;
    const struct compiled_target *target;
    bool vectors;
    bool checked; /* the statements are C */
    struct compiler compiler;
    struct cache cache;
    struct files files;
};

/* Errors are told in the words of the user's own statements: before these are
 * compiled in other words, the compiler looks at them as they stand. */
static koshu_status
check(struct making *m)
{
    char *text;
    const char *path = m->files.source;
    if (!m->vectors) return KOSHU_OK;
    KOSHU_TRY(koshu_compiled_write(m->context, m->source, m->target, false,
                                   &text));
    koshu_status status =
            koshu_cache_write(m->context, path, text, strlen(text));
    if (status == KOSHU_OK)
        status = koshu_compiler_run(m->context, &m->compiler, m->target,
                                    m->source, path, NULL);
    m->checked = status == KOSHU_OK;
    unlink(path);
    free(text);
    return status;
}

static koshu_status
make_object(struct making *m, const char *text)
{
    struct koshu_context *context = m->context;
    const struct files *f = &m->files;
    koshu_status status;
    KOSHU_TRY_CLEANUP(check(m));
    KOSHU_TRY_CLEANUP(
            koshu_cache_write(context, f->source, text, strlen(text)));
    KOSHU_TRY_CLEANUP(koshu_compiler_run(context, &m->compiler, m->target,
                                         m->source, f->source, f->object));
    KOSHU_TRY_CLEANUP(koshu_cache_seal(context, f->object));
    if (rename(f->source, f->kept_source) != 0 ||
        rename(f->object, f->kept_object) != 0)
        status = koshu_fail_errno(context, KOSHU_IO, "%s cannot be written",
                                  f->kept_object);
cleanup:
    if (status != KOSHU_OK) {
        unlink(f->source);
        unlink(f->object);
    }
    return status;
}

/* ---- loading ------------------------------------------------------------- */

static koshu_status
load(struct koshu_context *context, const char *path,
     struct koshu_interaction_program *p)
{
    p->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!p->object)
        return koshu_fail(context, KOSHU_EXTERNAL,
                          "a compiled interaction cannot be loaded: %s",
                          dlerror());
    void *function = dlsym(p->object, COMPILED_FUNCTION);
    if (!function)
        return koshu_fail(context, KOSHU_EXTERNAL, "%s holds no interaction",
                          path);
    memcpy(&p->function, &function, sizeof function);
    return KOSHU_OK;
}

static koshu_status
find_or_make(struct making *m, const char *text,
             struct koshu_interaction_program *p)
{
    char key[KOSHU_CACHE_KEY + 1];
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_compiler_find(m->context, &m->compiler));
    make_key(text, &m->compiler, m->target, key);
    KOSHU_TRY(koshu_cache_open(m->context, &m->cache));
    name_files(&m->cache, key, &m->files);
    if (koshu_cache_is_sealed(m->files.kept_object)) {
        koshu_cache_used(m->files.kept_object);
        koshu_cache_used(m->files.kept_source);
    } else {
        status = make_object(m, text);
        koshu_cache_trim(&m->cache);
    }
    if (status == KOSHU_OK) status = load(m->context, m->files.kept_object, p);
    koshu_cache_close(&m->cache);
    return status;
}

/* ---- life ---------------------------------------------------------------- */

static koshu_status
copy_source(struct koshu_interaction_program *p,
            const struct koshu_interaction_source *s)
{
    const size_t n = s->n_out;
    p->n_in_i = s->n_in_i;
    p->n_in_j = s->n_in_j;
    p->n_out = n;
    p->reduction = calloc(n, sizeof *p->reduction);
    p->index_of = calloc(n, sizeof *p->index_of);
    p->constants = calloc(s->n_constants + 1, sizeof *p->constants);
    if (!p->reduction || !p->index_of || !p->constants)
        return koshu_fail_memory(p->context, n, "interaction");
    memcpy(p->reduction, s->reduction, n * sizeof *p->reduction);
    memcpy(p->index_of, s->index_of, n * sizeof *p->index_of);
    for (size_t k = 0; k < s->n_constants; k++)
        p->constants[k] = s->constants[k].value;
    return KOSHU_OK;
}

static koshu_status
write_and_load(struct making *m, struct koshu_interaction_program *p)
{
    char *text;
    KOSHU_TRY(koshu_compiled_write(m->context, m->source, m->target, m->vectors,
                                   &text));
    koshu_status status = find_or_make(m, text, p);
    free(text);
    return status;
}

koshu_status
koshu_compiled_create(struct koshu_backend *backend,
                      const struct koshu_interaction_source *source,
                      const struct compiled_target *target,
                      struct koshu_interaction_program **program)
{
    struct koshu_context *context = backend->context;
    koshu_status status;
    struct making *m = calloc(1, sizeof *m);
    struct koshu_interaction_program *p = calloc(1, sizeof *p);
    if (!p || !m) {
        status = koshu_fail_memory(context, sizeof *m, "interaction");
        goto cleanup;
    }
    m->context = p->context = context;
    m->source = source;
    m->target = target;
    m->vectors = source->vector_body && target->vector_bytes > 0;
    KOSHU_TRY_CLEANUP(copy_source(p, source));
    status = write_and_load(m, p);
    if (status == KOSHU_BAD_INPUT && m->checked) {
        koshu_log(context, KOSHU_LOG_WARNING,
                  "%s is not computed in koshu's vectors: this compiler has no "
                  "such operations (%s)",
                  source->name, koshu_context_message(context));
        m->vectors = false;
        status = write_and_load(m, p);
    }
    if (status == KOSHU_OK) {
        *program = p;
        p = NULL;
    }
cleanup:
    koshu_compiled_destroy(p);
    free(m);
    return status;
}

void
koshu_compiled_destroy(struct koshu_interaction_program *program)
{
    if (!program) return;
    if (program->object) dlclose(program->object);
    koshu_simd_plan_free(&program->plan);
    free(program->reduction);
    free(program->index_of);
    free(program->constants);
    free(program);
}
