/* SPDX-License-Identifier: MIT */
/* A compiled interaction: compiled, or taken from the cache, and loaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <koshu/version.h>

#include "backend/compiled/program.h"
#include "base/base.h"

/* ---- the key ------------------------------------------------------------- */

/* The hash of everything that the object depends on. */
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

/* The state while a program is made. */
struct making {
    const struct koshu_kernel_source *source;
    const struct compiled_target *target;
    char *vector_body; /* NULL: the statements as written */
    bool checked;      /* the statements are known to be valid C */
    struct compiler compiler;
    struct cache cache;
    char kept_source[64], kept_object[64]; /* names in the cache */
};

/* File names in the work directory. */
static const char source_name[] = "interaction.c",
                  object_name[] = "interaction.so";

/* Writes the source, and compiles it or only checks it. */
static koshu_status
compile(struct making *m, const char *text, bool to_object)
{
    const struct cache_work *work = &m->cache.work;
    char from[sizeof work->path + 32], to[sizeof work->path + 32];
    KOSHU_TRY(koshu_cache_write(m->source->context, &m->cache, source_name,
                                text, strlen(text)));
    snprintf(from, sizeof from, "%s/%s", work->path, source_name);
    snprintf(to, sizeof to, "%s/%s", work->path, object_name);
    return koshu_compiler_run(&m->compiler, m->target, m->source, work, from,
                              to_object ? to : NULL);
}

/* Errors must refer to the user's own statements, so the compiler checks these
 * before their translation is compiled. */
static koshu_status
check(struct making *m)
{
    char *text;
    if (!m->vector_body) return KOSHU_OK;
    KOSHU_TRY(koshu_compiled_write(m->source, m->target, NULL, &text));
    koshu_status status = compile(m, text, false);
    m->checked = status == KOSHU_OK;
    if (m->cache.work.name[0]) unlinkat(m->cache.work.fd, source_name, 0);
    free(text);
    return status;
}

/* Reads the compiler's output file, which the caller frees. */
static koshu_status
read_object(struct making *m, char **bytes, size_t *n)
{
    fchmodat(m->cache.work.fd, object_name, 0700, 0);
    *bytes = koshu_read_private(m->cache.work.fd, object_name, n);
    if (*bytes) return KOSHU_OK;
    return koshu_fail(m->source->context, KOSHU_ERROR_EXTERNAL,
                      "%s: %s succeeded, but left no object", m->source->name,
                      m->compiler.path);
}

static koshu_status
make_object(struct making *m, const char *text, char **bytes, size_t *n)
{
    KOSHU_TRY(check(m));
    KOSHU_TRY(compile(m, text, true));
    KOSHU_TRY(read_object(m, bytes, n));
    if (renameat(m->cache.work.fd, source_name, m->cache.fd, m->kept_source))
        return koshu_fail_errno(m->source->context, KOSHU_ERROR_IO,
                                "%s/%s cannot be written", m->cache.directory,
                                m->kept_source);
    return koshu_cache_keep(m->source->context, &m->cache, m->kept_object,
                            *bytes, *n);
}

/* ---- loading ------------------------------------------------------------- */

static koshu_status
load(struct making *m, const char *bytes, size_t n,
     struct koshu_interaction_program *p)
{
    KOSHU_TRY(koshu_image_load(m->source->context, &m->cache, m->kept_object,
                               bytes, n, &p->image));
    void *function = dlsym(p->image.object, COMPILED_FUNCTION);
    if (!function)
        return koshu_fail(m->source->context, KOSHU_ERROR_EXTERNAL,
                          "%s holds no interaction", m->kept_object);
    memcpy(&p->function, &function, sizeof function);
    return KOSHU_OK;
}

/* Finds the object in the open cache, or makes it. */
static koshu_status
find_or_make_in(struct making *m, const char *text,
                struct koshu_interaction_program *p)
{
    size_t n;
    koshu_status status = KOSHU_OK;
    char *bytes = koshu_cache_read(&m->cache, m->kept_object, &n);
    if (bytes) {
        koshu_cache_used(&m->cache, m->kept_object);
        koshu_cache_used(&m->cache, m->kept_source);
    } else {
        status = make_object(m, text, &bytes, &n);
        koshu_cache_trim(&m->cache);
    }
    if (status == KOSHU_OK) status = load(m, bytes, n, p);
    free(bytes);
    return status;
}

static koshu_status
find_or_make(struct making *m, const char *text,
             struct koshu_interaction_program *p)
{
    char key[KOSHU_CACHE_KEY + 1];
    KOSHU_TRY(koshu_compiler_find(m->source->context, &m->compiler));
    make_key(text, &m->compiler, m->target, key);
    snprintf(m->kept_source, sizeof m->kept_source, "%s.c", key);
    snprintf(m->kept_object, sizeof m->kept_object, "%s.so", key);
    KOSHU_TRY(koshu_cache_open(m->source->context, &m->cache));
    koshu_status status = find_or_make_in(m, text, p);
    koshu_cache_close(&m->cache);
    return status;
}

/* ---- life ---------------------------------------------------------------- */

static koshu_status
write_and_load(struct making *m, struct koshu_interaction_program *p)
{
    char *text;
    KOSHU_TRY(
            koshu_compiled_write(m->source, m->target, m->vector_body, &text));
    koshu_status status = find_or_make(m, text, p);
    free(text);
    return status;
}

/* Tries vectors first; if this compiler does not support them, the statements
 * as written. */
static koshu_status
make(struct making *m, struct koshu_interaction_program *p)
{
    if (m->target->vector_bytes > 0)
        KOSHU_TRY(koshu_compiled_vectors(m->source, &m->vector_body));
    koshu_status status = write_and_load(m, p);
    if (status != KOSHU_ERROR_BAD_INPUT || !m->checked) return status;
    koshu_log(p->context, KOSHU_LOG_LEVEL_WARNING,
              "%s is not computed in koshu's vectors: this compiler has no "
              "such operations (%s)",
              m->source->name, koshu_context_message(p->context));
    free(m->vector_body);
    m->vector_body = NULL;
    return write_and_load(m, p);
}

koshu_status
koshu_compiled_create(struct koshu_backend *backend,
                      const struct koshu_kernel_source *source,
                      const struct compiled_target *target,
                      struct koshu_interaction_program **program)
{
    struct making *m = calloc(1, sizeof *m);
    struct koshu_interaction_program *p = calloc(1, sizeof *p);
    koshu_status status;
    if (p && m) {
        m->source = p->source = source;
        m->target = target;
        p->context = backend->context;
        p->n_outputs = source->list[KOSHU_LIST_OUT].n;
        for (size_t k = 0; k < source->n_constants; k++)
            p->constants[k] = source->constants[k].value;
        status = make(m, p);
    } else {
        status = koshu_fail_memory(backend->context, sizeof *m, "interaction");
    }
    if (m) free(m->vector_body);
    free(m);
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
    koshu_image_unload(&program->image);
    koshu_simd_plan_free(&program->plan);
    free(program);
}
