/* SPDX-License-Identifier: MIT */
/* The steps in which a kernel source is read, for the files of this directory.
 */
#ifndef KOSHU_KERNEL_SOURCE_STEPS_H
#define KOSHU_KERNEL_SOURCE_STEPS_H

#include "base/base.h"
#include "kernel_source/kernel_source.h"

/* KOSHU_ERROR_BAD_INPUT, with a message "name:line: ...". */
koshu_status koshu_kernel_source_fail(const struct koshu_kernel_source *d,
                                      size_t line, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/* In their order; errors as those of koshu_kernel_source_read(). */
koshu_status koshu_kernel_source_tokens(struct koshu_kernel_source *d);
koshu_status
koshu_kernel_source_declare(struct koshu_kernel_source *d,
                            const struct koshu_interaction_options *options);
koshu_status koshu_kernel_source_check(const struct koshu_kernel_source *d);
koshu_status koshu_kernel_source_outputs(struct koshu_kernel_source *d);
koshu_status koshu_kernel_source_body(struct koshu_kernel_source *d);

/* ---- words --------------------------------------------------------------- */

/* The kind of a word; of a function also which it is. */
void koshu_token_classify(struct koshu_token *token);
/* The function nearest to the token; NULL: none is near. */
const char *koshu_nearest_function(const struct koshu_token *token);

#endif
