/* SPDX-License-Identifier: MIT */
/* `koshu plot --movie`: draws pictures in parallel, and encodes them. */
#ifndef KOSHU_APP_MOVIE_H
#define KOSHU_APP_MOVIE_H

#include "plot.h"

/* Does the name end like a movie: .mp4, .mkv, .webm? */
bool names_movie(const char *path);

/* Makes a movie of all files, which are snapshots, in the order of their
 * times. */
koshu_status plot_movie(struct koshu_context *context,
                        const struct plot_arguments *arguments);

/* KOSHU_ERROR_EXTERNAL: there is no ffmpeg; the message says how to install
 * it. */
koshu_status
movie_check_encoder(struct koshu_context *context, const char *movie);

/* Encodes the pictures DIRECTORY/000000.png and so on. The movie is written
 * completely or not at all. KOSHU_ERROR_EXTERNAL, KOSHU_ERROR_IO,
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status movie_encode(struct koshu_context *context, const char *directory,
                          const struct plot_arguments *arguments);

/* ---- a process and its arguments ----------------------------------------- */

enum { MOVIE_WORDS = 48 };
struct movie_words {
    size_t n;
    char *word[MOVIE_WORDS]; /* ends with NULL; to be freed */
};
void movie_add_word(struct movie_words *words, const char *format, ...)
        KOSHU_PRINTF(2, 3);
void movie_free_words(struct movie_words *words);

/* Starts words[0] with our standard error, but not our standard input and
 * output; 0 or an errno. */
int movie_start(const struct movie_words *words, struct koshu_process *process);

#endif
