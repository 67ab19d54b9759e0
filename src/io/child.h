/* SPDX-License-Identifier: MIT */
/* Work in a child process, for libraries that damaged files can crash. */
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

/* What a child does: work(argument), which fills the regions. */
struct koshu_child_task {
    void *argument;
    const struct koshu_region *regions;
    size_t n_regions;
};

/*
 * Calls work(argument) in a child process, for a library that a damaged file
 * can crash, make leak, or put into an endless loop. Of the child's changes to
 * memory, only the regions come back (if it succeeds) and the context's message
 * (if it fails).
 *
 * The child ends with the thread that created it, keeps no descriptors but the
 * reader's and stderr, may use only as much CPU time and memory as a file of
 * this size can need, and leaves no core file. work() must not start threads,
 * log, or depend on a file position that the parent shares (a koshu_reader does
 * not). The other threads of the parent do not exist in the child: none of them
 * may be inside the same library when it is created. `inside` is the lock that
 * they hold while they are; NULL: there is none.
 *
 * Returns what work() returned; KOSHU_ERROR_BAD_FORMAT: the child crashed on
 * the file, or the file takes more time or memory than one of its size can
 * need; KOSHU_ERROR_OUT_OF_MEMORY: the child could not have its allowance, or
 * was killed (SIGKILL); KOSHU_ERROR_EXTERNAL: no child could be created, or
 * another signal ended it.
 */
KOSHU_MUST_CHECK koshu_status
koshu_child_run(struct koshu_reader *reader, koshu_status (*work)(void *),
                const struct koshu_child_task *task, pthread_mutex_t *inside);

/* The same for n tasks in a child each, as many at once as there are threads,
 * or as the system lets there be. No more are begun after a failure, of which
 * the first is reported. */
KOSHU_MUST_CHECK koshu_status koshu_children_run(
        struct koshu_reader *reader, koshu_status (*work)(void *), size_t n,
        const struct koshu_child_task *tasks, pthread_mutex_t *inside);

#endif
