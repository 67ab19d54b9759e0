/* SPDX-License-Identifier: MIT */
/* The checksum trailer of a checkpoint, which shows that the file is complete.
 * For src/io only. */
#ifndef KOSHU_IO_CHECKPOINT_TRAILER_H
#define KOSHU_IO_CHECKPOINT_TRAILER_H

#include "io/io.h"

/* Reads the file back and appends its checksum. KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status
koshu_checkpoint_put_trailer(struct koshu_file *file);

#endif
