/* SPDX-License-Identifier: MIT */
/* Runs ffmpeg, which makes a movie of pictures. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "movie.h"

static const char *const endings[] = {".mp4", ".mkv", ".webm"};
enum { N_ENDINGS = 3 };

/* The ending of a movie's name; NULL: there is none, or nothing before it. */
static const char *
ending_of(const char *path)
{
    const char *point = strrchr(path, '.');
    for (int k = 0; point && point > path && k < N_ENDINGS; k++)
        if (strcasecmp(point, endings[k]) == 0) return endings[k];
    return NULL;
}

bool
names_movie(const char *path)
{
    return ending_of(path) != NULL;
}

static koshu_status
fail_start(struct koshu_context *context, const char *movie, int error)
{
    if (error == ENOENT)
        return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                          "%s: ffmpeg, which makes movies, is not in PATH; "
                          "install it: apt-get install ffmpeg",
                          movie);
    errno = error;
    return koshu_fail_errno(context, KOSHU_ERROR_EXTERNAL,
                            "%s: cannot start ffmpeg", movie);
}

koshu_status
movie_check_encoder(struct koshu_context *context, const char *movie)
{
    struct movie_words words = {0};
    struct koshu_process process;
    movie_add_word(&words, "ffmpeg");
    movie_add_word(&words, "-version");
    const int error = movie_start(&words, &process);
    movie_free_words(&words);
    if (error) return fail_start(context, movie, error);
    const int result = koshu_process_wait(&process);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                      "%s: ffmpeg, which makes movies, does not even tell its "
                      "version; install it anew: apt-get install --reinstall "
                      "ffmpeg",
                      movie);
}

/* Uses even numbers of pixels, and colours at half the resolution, which every
 * player supports. */
static void
set_words(struct movie_words *words, const char *directory, const char *made,
          const struct plot_arguments *a)
{
    static const char *const plain[] = {"ffmpeg", "-nostdin", "-loglevel",
                                        "error",  "-y",       "-framerate"};
    for (int k = 0; k < 6; k++) movie_add_word(words, "%s", plain[k]);
    movie_add_word(words, "%g", a->fps);
    movie_add_word(words, "-i");
    movie_add_word(words, "%s/%%06d.png", directory);
    movie_add_word(words, "-vf");
    movie_add_word(words, "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=%s",
                   a->dark ? "black" : "white");
    movie_add_word(words, "-pix_fmt");
    movie_add_word(words, "yuv420p");
    movie_add_word(words, "%s", made);
}

/* Renames the movie from its temporary name. */
static koshu_status
put_in_place(struct koshu_context *context, const char *made, const char *movie)
{
    if (rename(made, movie) == 0) return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_ERROR_IO, "%s: cannot write it",
                            movie);
}

koshu_status
movie_encode(struct koshu_context *context, const char *directory,
             const struct plot_arguments *arguments)
{
    const char *movie = arguments->movie;
    struct movie_words words = {0};
    struct koshu_process process;
    char made[4096];
    snprintf(made, sizeof made, "%s/movie%s", directory, ending_of(movie));
    set_words(&words, directory, made, arguments);
    const int error = movie_start(&words, &process);
    movie_free_words(&words);
    if (error) return fail_start(context, movie, error);
    const int result = koshu_process_wait(&process);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0)
        return put_in_place(context, made, movie);
    unlink(made);
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                      "%s: ffmpeg failed; its reason is above", movie);
}
