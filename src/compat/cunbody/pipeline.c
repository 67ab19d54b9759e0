/* SPDX-License-Identifier: MIT */
/*
 * cunbody_api(): finds the interaction that a call names, and compiles it at
 * its first use. There are few of them, and their names are short compared with
 * a sum, so they are found by comparing texts; nothing outside points into the
 * engine.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "compat/cunbody/cunbody.h"

struct koshu_cunbody_program {
    struct koshu_cunbody_program *next;
    int idim, jdim, fdim;
    bool is_text;
    char *source; /* text, or the file's name */
    struct koshu_interaction *interaction;
};

/* ---- their files -------------------------------------------------------- */

/* A pipeline is a page or two long. */
enum { MAX_BYTES = 1 << 20 };

static char *
fail(char *fault, const char *name, const char *what)
{
    snprintf(fault, KOSHU_COMPAT_LINE, "%s: %s", name, what);
    return NULL;
}

/* The whole file, zero-terminated; NULL: see fail(). */
static char *
read_all(FILE *file, const char *name, char *fault)
{
    char *text = malloc(MAX_BYTES + 1);
    if (!text) return fail(fault, name, "out of memory");
    errno = 0;
    size_t n = fread(text, 1, MAX_BYTES + 1, file);
    const char *wrong = NULL;
    if (ferror(file))
        wrong = strerror(errno);
    else if (n > MAX_BYTES)
        wrong = "longer than 1 MiB: that is no pipeline";
    else if (memchr(text, '\0', n))
        wrong = "it has zero bytes: that is no text";
    if (wrong) {
        free(text);
        return fail(fault, name, wrong);
    }
    text[n] = '\0';
    return text;
}

/* The text of a file, to be freed; NULL, with the reason in fault. */
static char *
read_file(const char *name, char *fault)
{
    FILE *file = fopen(name, "re");
    if (!file) return fail(fault, name, strerror(errno));
    char *text = read_all(file, name, fault);
    fclose(file);
    return text;
}

/* ---- programs ------------------------------------------------------------ */

static void
destroy(struct koshu_cunbody_program *p)
{
    koshu_interaction_destroy(p->interaction);
    free(p->source);
    free(p);
}

static int
compile_text(struct koshu_cunbody_engine *e, struct koshu_cunbody_program *p,
             const char *text)
{
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    options.name = p->is_text ? "pipeline" : p->source;
    options.n_i_fields = (size_t)p->idim;
    options.n_j_fields = (size_t)p->jdim;
    options.n_outputs = (size_t)p->fdim;
    options.precision = e->settings.precision;
    return koshu_cunbody_check(e, "cunbody_api",
                               koshu_interaction_create(e->context, text,
                                                        &options,
                                                        &p->interaction));
}

static int
compile(struct koshu_cunbody_engine *e, struct koshu_cunbody_program *p)
{
    if (p->is_text) return compile_text(e, p, p->source);
    char fault[KOSHU_COMPAT_LINE];
    char *text = read_file(p->source, fault);
    if (!text) return koshu_cunbody_fail(e, "cunbody_api: %s", fault);
    int failed = compile_text(e, p, text);
    free(text);
    return failed;
}

static struct koshu_cunbody_program *
create(struct koshu_cunbody_engine *e, const struct cunbody_pipeline *pipeline,
       const char *source)
{
    struct koshu_cunbody_program *p = calloc(1, sizeof *p);
    char *copy = strdup(source);
    if (!p || !copy) {
        free(p);
        free(copy);
        koshu_cunbody_say(e, "cunbody_api: out of memory");
        return NULL;
    }
    *p = (struct koshu_cunbody_program){.idim = pipeline->idim,
                                        .jdim = pipeline->jdim,
                                        .fdim = pipeline->fdim,
                                        .is_text = pipeline->text != NULL,
                                        .source = copy};
    if (compile(e, p) != 0) {
        destroy(p);
        return NULL;
    }
    p->next = e->programs;
    e->programs = p;
    return p;
}

static struct koshu_cunbody_program *
find_or_create(struct koshu_cunbody_engine *e,
               const struct cunbody_pipeline *pipeline)
{
    const char *source = pipeline->text   ? pipeline->text
                         : pipeline->file ? pipeline->file
                                          : e->pipeline;
    if (!source[0]) {
        koshu_cunbody_say(e, "cunbody_api: there is no pipeline: define "
                             "CUNBODY_PIPELINE, a file's name, before "
                             "#include <cunbody_api.h>, or set the "
                             "environment variable CUNBODY_PIPELINE, or call "
                             "cunbody_pipeline_file()");
        return NULL;
    }
    for (struct koshu_cunbody_program *p = e->programs; p; p = p->next)
        if (p->idim == pipeline->idim && p->jdim == pipeline->jdim &&
            p->fdim == pipeline->fdim &&
            p->is_text == (pipeline->text != NULL) &&
            strcmp(p->source, source) == 0)
            return p;
    return create(e, pipeline, source);
}

/* ---- the call ------------------------------------------------------------ */

static int
evaluate(struct koshu_cunbody_engine *e, const struct cunbody_pipeline *p,
         const double *xj, const double *xi, double *f, int ni, int nj)
{
    if (p->idim < 1 || p->jdim < 1 || p->fdim < 1)
        return koshu_cunbody_fail(e,
                                  "cunbody_api: IDIM = %d, JDIM = %d, FDIM = "
                                  "%d: each must be 1 or more",
                                  p->idim, p->jdim, p->fdim);
    if (koshu_cunbody_check_numbers(e, "cunbody_api", ni, nj) != 0) return -1;
    struct koshu_cunbody_program *program = find_or_create(e, p);
    if (!program) return -1;
    return koshu_cunbody_check(
            e, "cunbody_api",
            koshu_interaction_evaluate(program->interaction, (size_t)ni,
                                       (size_t)nj, xi, xj, f));
}

int
koshu_cunbody_evaluate(const struct cunbody_pipeline *pipeline,
                       const double *xj, const double *xi, double *f, int ni,
                       int nj)
{
    struct koshu_cunbody_engine *e = koshu_cunbody_take();
    int failed = e ? evaluate(e, pipeline, xj, xi, f, ni, nj) : -1;
    /* so that no program takes these for results */
    for (int k = 0; failed && f && k < ni; k++)
        for (int d = 0; d < pipeline->fdim; d++)
            f[(size_t)k * (size_t)pipeline->fdim + (size_t)d] = NAN;
    if (e) koshu_cunbody_give(e);
    return failed;
}

void
koshu_cunbody_pipeline_close(struct koshu_cunbody_engine *e)
{
    while (e->programs) {
        struct koshu_cunbody_program *p = e->programs;
        e->programs = p->next;
        destroy(p);
    }
}
