/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_IO_CHILD_H
#define KOSHU_IO_CHILD_H

#include <pthread.h>
#include <stddef.h>

#include "io/io.h"

/* Memory that a child process fills for its parent. */
struct koshu_region {
    void *at;
    size_t size;
};

/*
 * Does work(argument) in a child process, for a library that a damaged file
 * can crash, make leak, or put into an endless loop. Of what the child does to
 * memory, the regions come back (when it succeeds) and the context's message
 * (when it fails); the rest is lost with the child.
 *
 * The child ends with the thread that made it, holds no descriptors but the
 * reader's and stderr, may use so much processor time and memory as
 * a file of this size can need, and leaves no core file. work() must not start
 * threads, log, or depend on a file position that the parent shares (a
 * koshu_reader does not). The other threads of the parent do not exist in the
 * child: none of them may be inside the same library at the moment when it is
 * made. `inside` is what they hold where they are; NULL: there is no such
 * thing.
 *
 * What work() returned; KOSHU_ERROR_BAD_FORMAT: the child crashed on the file,
 * or it takes more memory than it can need; KOSHU_ERROR_OUT_OF_MEMORY: the
 * child could not have what it is allowed, or was killed (SIGKILL);
 * KOSHU_ERROR_EXTERNAL: no child could be made, or another signal ended
 * it.
 */
KOSHU_MUST_CHECK koshu_status
koshu_child_run(struct koshu_reader *reader, koshu_status (*work)(void *),
                void *argument, const struct koshu_region *regions,
                size_t n_regions, pthread_mutex_t *inside);

#endif
