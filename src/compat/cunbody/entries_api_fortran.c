/* SPDX-License-Identifier: MIT */
/* In C each source file names its pipeline by macros. Fortran has none, so here
 * one pipeline is in use until another is named. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <koshu-cunbody/cunbody.h>
#include <koshu-cunbody/fortran.h>

#include "compat/cunbody/cunbody.h"

static struct {
    pthread_mutex_t lock;
    struct cunbody_pipeline pipeline; /* owns its text or file name */
} current = {PTHREAD_MUTEX_INITIALIZER, {1, 1, 1, NULL, NULL}};

/* A Fortran string without trailing blanks, to be freed. */
static char *
string_of(const char *characters, size_t length)
{
    size_t n = strnlen(characters, length);
    while (n > 0 && characters[n - 1] == ' ') n--;
    return strndup(characters, n);
}

static void
free_strings(const struct cunbody_pipeline *p)
{
    free((char *)p->text);
    free((char *)p->file);
}

static void
set(const struct cunbody_pipeline *pipeline)
{
    pthread_mutex_lock(&current.lock);
    free_strings(&current.pipeline);
    current.pipeline = *pipeline;
    pthread_mutex_unlock(&current.lock);
}

/* A copy of the pipeline in use, for free_strings(). */
static struct cunbody_pipeline
copy(void)
{
    pthread_mutex_lock(&current.lock);
    struct cunbody_pipeline p = current.pipeline;
    if (p.text) p.text = strdup(p.text);
    if (p.file) p.file = strdup(p.file);
    pthread_mutex_unlock(&current.lock);
    return p;
}

KOSHU_API void
cunbody_pipeline_file_(const char *name, const int *idim, const int *jdim,
                       const int *fdim, size_t length)
{
    set(&(struct cunbody_pipeline){*idim, *jdim, *fdim, NULL,
                                   string_of(name, length)});
}

KOSHU_API void
cunbody_pipeline_text_(const char *text, const int *idim, const int *jdim,
                       const int *fdim, size_t length)
{
    set(&(struct cunbody_pipeline){*idim, *jdim, *fdim, string_of(text, length),
                                   NULL});
}

KOSHU_API int
cunbody_api_(const double *p_xj, const double *p_xi, double *p_f, const int *ni,
             const int *nj)
{
    struct cunbody_pipeline p = copy();
    int failed = koshu_cunbody_evaluate(&p, p_xj, p_xi, p_f, *ni, *nj);
    free_strings(&p);
    return failed;
}

KOSHU_API void
koshu_cunbody_close_(void)
{
    koshu_cunbody_close();
}
