/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#ifndef KOSHU_OUTPUT_OUTPUT_H
#define KOSHU_OUTPUT_OUTPUT_H

#include <stdbool.h>

#include <koshu/picture.h>

enum { KOSHU_FRAME_PIXELS_MIN = 16, KOSHU_FRAME_PIXELS_MAX = 4096 };

/* KOSHU_INVALID_ARGUMENT with a message where the frame is impossible. */
koshu_status koshu_frame_check(struct koshu_context *context,
                               const struct koshu_frame *frame);

/*
 * Does the file look like the log of a run: text that names columns, time one
 * of them? Its name does not matter. KOSHU_NOT_FOUND, KOSHU_BAD_INPUT,
 * KOSHU_IO, KOSHU_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_is_log(struct koshu_context *context,
                                           const char *path, bool *is_log);

#endif
