/* SPDX-License-Identifier: MIT */
/* `koshu plot --movie`: pictures drawn beside each other, and their encoder. */
#ifndef KOSHU_APP_MOVIE_H
#define KOSHU_APP_MOVIE_H

#include "plot.h"

/* Has the name an ending of a movie: .mp4, .mkv, .webm? */
bool names_movie(const char *path);

/* A movie of all files, which are snapshots, in the order of their times. */
koshu_status plot_movie(struct koshu_context *context,
                        const struct plot_arguments *arguments);

/* KOSHU_ERROR_EXTERNAL: there is no ffmpeg; the message says how to get it. */
koshu_status
movie_check_encoder(struct koshu_context *context, const char *movie);

/* Of the pictures DIRECTORY/000000.png and so on, into the movie, whole or not
 * at all. KOSHU_ERROR_EXTERNAL, KOSHU_ERROR_IO, KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status movie_encode(struct koshu_context *context, const char *directory,
                          const struct plot_arguments *arguments);

/* ---- a process and its arguments ----------------------------------------- */

enum { MOVIE_WORDS = 48 };
struct movie_words {
    size_t n;
    char *word[MOVIE_WORDS]; /* the last is NULL; to be freed */
};
void movie_add_word(struct movie_words *words, const char *format, ...)
        KOSHU_PRINTF(2, 3);
void movie_free_words(struct movie_words *words);

/* Starts words[0] with our streams, standard input and output aside; 0 or an
 * errno. */
int movie_start(const struct movie_words *words, struct koshu_process *process);

#endif
