/* SPDX-License-Identifier: MIT */
/* The steps of reading a kernel source, for files of this directory only. */
#ifndef KOSHU_KERNEL_SOURCE_STEPS_H
#define KOSHU_KERNEL_SOURCE_STEPS_H

#include "base/base.h"
#include "kernel_source/kernel_source.h"

/* Status: KOSHU_ERROR_BAD_INPUT, with a message "name:line: ...". */
koshu_status koshu_kernel_source_fail(const struct koshu_kernel_source *d,
                                      size_t line, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/* The steps in their order. Status: as koshu_kernel_source_read(). */
koshu_status koshu_kernel_source_tokens(struct koshu_kernel_source *d);
koshu_status
koshu_kernel_source_declare(struct koshu_kernel_source *d,
                            const struct koshu_interaction_options *options);
koshu_status koshu_kernel_source_check(const struct koshu_kernel_source *d);
koshu_status koshu_kernel_source_outputs(struct koshu_kernel_source *d);
koshu_status koshu_kernel_source_body(struct koshu_kernel_source *d);

/* ---- words --------------------------------------------------------------- */

/* Sets the kind of a word and, for a function, which one it is. */
void koshu_token_classify(struct koshu_token *token);
/* The function with the most similar name; NULL: none is similar. */
const char *koshu_nearest_function(const struct koshu_token *token);

#endif
