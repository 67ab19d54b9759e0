/* SPDX-License-Identifier: MIT */
/*
 * The built-in kernels: sources of interactions (koshu/interaction.h) that come
 * with koshu, each in a file NAME.pipe in the data folder `interactions`
 * (data_folder.h).
 */
#ifndef KOSHU_APP_BUILT_IN_KERNELS_H
#define KOSHU_APP_BUILT_IN_KERNELS_H

#include <limits.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

struct built_in_kernels {
    char directory[PATH_MAX];
    size_t n;
    char **names; /* sorted, without .pipe */
};

/* Lists them. KOSHU_ERROR_NOT_FOUND: there is no such folder;
 * KOSHU_ERROR_OUT_OF_MEMORY. The caller closes it, whatever the status. */
koshu_status built_in_kernels_open(struct koshu_context *context,
                                   struct built_in_kernels *kernels);
void built_in_kernels_close(struct built_in_kernels *kernels);

/* A kernel source, built-in or of the user's own. */
struct kernel_source {
    char path[PATH_MAX]; /* of the file; also for messages */
    char *text;          /* to be freed */
};

/*
 * Reads a kernel source. word: the name of a built-in kernel, or the path of a
 * file: a word with a dot or a slash, or one that names no built-in kernel.
 * KOSHU_ERROR_NOT_FOUND: it is neither; and the statuses of reading a file.
 */
koshu_status kernel_source_read(struct koshu_context *context, const char *word,
                                struct kernel_source *text);

/* What the kernel computes, in one line: its first comment, apart from the
 * licence, without //. "" where it has none. */
void kernel_source_summary(const char *text, char *summary, size_t size);

#endif
