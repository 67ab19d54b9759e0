/* SPDX-License-Identifier: MIT */
/* The end of a checkpoint, by which a whole one is known. For src/io only. */
#ifndef KOSHU_IO_CHECKPOINT_TRAILER_H
#define KOSHU_IO_CHECKPOINT_TRAILER_H

#include "io/io.h"

/* Reads the file back and puts its checksum behind its last byte.
 * KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status
koshu_checkpoint_put_trailer(struct koshu_file *file);

#endif
