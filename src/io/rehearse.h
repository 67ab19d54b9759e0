/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_IO_REHEARSE_H
#define KOSHU_IO_REHEARSE_H

#include "io/io.h"

/*
 * Does play(argument) in a child process, as a trial: for a library that a
 * damaged file can crash, or send round in circles. What the child does to
 * memory is lost with it; a failure comes back with its message. If it
 * succeeds here, the caller does the same itself.
 *
 * The child gets a core-less end, a limit on its memory (some times the
 * file's size) and on its processor time. play() must not start threads, log,
 * or depend on a file position that the parent shares (a koshu_reader does
 * not). The parent's other threads do not exist in the child; none of them
 * should be inside the same library at this moment.
 *
 * KOSHU_BAD_FORMAT: the child died; what play() returned otherwise;
 * KOSHU_EXTERNAL: there is no child to be had.
 */
KOSHU_MUST_CHECK koshu_status koshu_rehearse(struct koshu_reader *reader,
                                             koshu_status (*play)(void *),
                                             void *argument);

#endif
