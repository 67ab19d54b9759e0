/* SPDX-License-Identifier: MIT */
/* The list of arguments of a program to start. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "movie.h"

void
movie_add_word(struct movie_words *words, const char *format, ...)
{
    va_list arguments;
    if (words->n + 1 == MOVIE_WORDS) return;
    va_start(arguments, format);
    if (vasprintf(&words->word[words->n], format, arguments) < 0)
        /* marks the end, so that starting the program fails */
        words->word[words->n] = NULL;
    else
        words->n++;
    va_end(arguments);
}

void
movie_free_words(struct movie_words *words)
{
    for (size_t k = 0; k < words->n; k++) free(words->word[k]);
    *words = (struct movie_words){0};
}

int
movie_start(const struct movie_words *words, struct koshu_process *process)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return errno;
    const struct koshu_command command = {.argv = words->word,
                                          .in = nothing,
                                          .out = nothing,
                                          .err = STDERR_FILENO};
    const int error = koshu_process_start(&command, process);
    close(nothing);
    return error;
}
