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
    enum { FLAGS = sizeof target->flags / sizeof target->flags[0] };
    const char *texts[4 + FLAGS] = {KOSHU_VERSION_STRING, compiler->path,
                                    compiler->identity, text};
    size_t n = 4;
    for (size_t k = 0; target->flags[k]; k++) texts[n++] = target->flags[k];
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

static koshu_status
make_object(struct koshu_context *context, const struct compiler *compiler,
            const struct compiled_target *target, const char *name,
            const char *text, const struct files *f)
{
    koshu_status status;
    KOSHU_TRY_CLEANUP(
            koshu_cache_write(context, f->source, text, strlen(text)));
    KOSHU_TRY_CLEANUP(koshu_compiler_run(context, compiler, target, name,
                                         f->source, f->object));
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

/* What is known while a program is made. */
struct making {
    struct compiler compiler;
    struct cache cache;
    struct files files;
};

static koshu_status
find_or_make(struct koshu_context *context, struct making *m, const char *name,
             const char *text, const struct compiled_target *target,
             struct koshu_interaction_program *p)
{
    char key[KOSHU_CACHE_KEY + 1];
    koshu_status status;
    KOSHU_TRY(koshu_compiler_find(context, &m->compiler));
    make_key(text, &m->compiler, target, key);
    KOSHU_TRY(koshu_cache_open(context, &m->cache));
    name_files(&m->cache, key, &m->files);
    if (!koshu_cache_is_sealed(m->files.kept_object))
        KOSHU_TRY_CLEANUP(make_object(context, &m->compiler, target, name, text,
                                      &m->files));
    status = load(context, m->files.kept_object, p);
cleanup:
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

/* Of vector_body, or of body. */
static koshu_status
compile(struct koshu_context *context,
        const struct koshu_interaction_source *source,
        const struct compiled_target *target, bool vectors,
        struct koshu_interaction_program *p)
{
    koshu_status status;
    char *text = NULL;
    struct making *m = calloc(1, sizeof *m);
    if (!m) return koshu_fail_memory(context, sizeof *m, "interaction");
    KOSHU_TRY_CLEANUP(
            koshu_compiled_write(context, source, target, vectors, &text));
    status = find_or_make(context, m, source->name, text, target, p);
cleanup:
    free(text);
    free(m);
    return status;
}

koshu_status
koshu_compiled_create(struct koshu_backend *backend,
                      const struct koshu_interaction_source *source,
                      const struct compiled_target *target,
                      struct koshu_interaction_program **program)
{
    struct koshu_context *context = backend->context;
    const bool vectors = source->vector_body && target->vector_bytes > 0;
    struct koshu_interaction_program *p = calloc(1, sizeof *p);
    if (!p) return koshu_fail_memory(context, sizeof *p, "interaction");
    p->context = context;
    koshu_status status = copy_source(p, source);
    if (status == KOSHU_OK)
        status = compile(context, source, target, vectors, p);
    /* an error is told in the words of the user's own statements */
    if (status == KOSHU_BAD_INPUT && vectors)
        status = compile(context, source, target, false, p);
    if (status == KOSHU_OK)
        *program = p;
    else
        koshu_compiled_destroy(p);
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
