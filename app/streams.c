/* SPDX-License-Identifier: MIT */
/* Keeps the three standard streams open, and checks that output was written. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"

/* Is standard output a pipe without a reader? If an earlier write was lost,
 * errno does not tell. */
static bool
reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

/* Detects a full disk under `koshu ... > FILE`. A reader that closes its pipe
 * is not a failure. */
static int output_error; /* errno of the first write that failed */

static void
check_output(void)
{
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    /* this is our last exit handler; silenced ranks have one stream for both */
    if (stdout != stderr) failed |= fclose(stdout) != 0;
    int error = output_error;
    if (!failed || error == EPIPE || reader_is_gone()) return;
    fprintf(stderr, "koshu: cannot write to standard output%s%s\n",
            error ? ": " : "", error ? strerror(error) : "");
    _exit(EXIT_FAILED);
}

void
guard_streams(void)
{
    /* otherwise the next file opened would become standard output */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) == -1)
            _exit(EXIT_FAILED);
    /* a stream that signals do not interrupt */
    FILE *output = koshu_stream_on(STDOUT_FILENO, &output_error);
    if (output) {
        setvbuf(output, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
        stdout = output;
    }
    if (atexit(check_output) != 0) _exit(EXIT_FAILED);
}
