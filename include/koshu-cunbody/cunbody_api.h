/* SPDX-License-Identifier: MIT */
/*
 * The CUNBODY-1 kernel: any pair interaction (Hamada07 appendix A). A source
 * file states how many numbers an i-particle, a j-particle and a result have,
 *
 *     #define IDIM  (4)
 *     #define JDIM  (4)
 *     #define FDIM  (3)
 *     #include <cunbody_api.h>
 *
 * and calls cunbody_api(p_xj, p_xi, p_f, ni, nj), the j-particles first. What
 * a j-particle does to an i-particle is written in a pipeline description
 * (Hamada07 Figs. 14-15; the language is that of koshu/interaction.h). Which
 * one, is decided by the first of these that is there:
 *
 *     cunbody_pipeline_text(text), cunbody_pipeline_file(name)   a call
 *     CUNBODY_PIPELINE    a macro: a file's name, "force.pipe"; defined before
 *                         the include, or for the compiler (-D)
 *     CUNBODY_PIPELINE    a variable of the environment: a file's name
 *
 * All that this header defines belongs to the source file that includes it:
 * others of the program may have other dimensions and other pipelines. A
 * PIPELINE IS CODE: it is compiled, at its first use, and runs with the rights
 * of the program.
 *
 * Threads: any thread may call cunbody_api(), and calls take turns; the
 * pipeline of a source file is set by one thread, before.
 */
#ifndef KOSHU_CUNBODY_CUNBODY_API_H
#define KOSHU_CUNBODY_CUNBODY_API_H

#include "evaluate.h"

#if !defined(IDIM) || !defined(JDIM) || !defined(FDIM)
#error "define IDIM, JDIM and FDIM before #include <cunbody_api.h>"
#endif

#ifdef CUNBODY_PIPELINE
static const char cunbody_pipeline_name[] = CUNBODY_PIPELINE;
#else
#define cunbody_pipeline_name 0
#endif

static struct cunbody_pipeline cunbody_pipeline = {(IDIM), (JDIM), (FDIM), 0,
                                                   cunbody_pipeline_name};

/* The pipeline of this source file from now on; the string must stay. */
static inline void
cunbody_pipeline_file(const char *name)
{
    cunbody_pipeline.text = 0;
    cunbody_pipeline.file = name;
}

/* The pipeline itself, as a text that must stay. */
static inline void
cunbody_pipeline_text(const char *text)
{
    cunbody_pipeline.text = text;
}

/* cunbody_evaluate() with the pipeline of this source file. */
static inline int
cunbody_api(double p_xj[][JDIM], double p_xi[][IDIM], double p_f[][FDIM],
            int ni, int nj)
{
    return cunbody_evaluate(&cunbody_pipeline, p_xj ? p_xj[0] : 0,
                            p_xi ? p_xi[0] : 0, p_f ? p_f[0] : 0, ni, nj);
}

#endif
