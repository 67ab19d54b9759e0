/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#ifndef KOSHU_OUTPUT_OUTPUT_H
#define KOSHU_OUTPUT_OUTPUT_H

#include <koshu/picture.h>

enum { KOSHU_FRAME_PIXELS_MIN = 16, KOSHU_FRAME_PIXELS_MAX = 8192 };

/* KOSHU_INVALID_ARGUMENT with a message where the frame is impossible. */
koshu_status koshu_frame_check(struct koshu_context *context,
                               const struct koshu_frame *frame);

#endif
