/* SPDX-License-Identifier: MIT */
/*
 * Movies. Each picture is drawn by a separate process of this program, with the
 * view and the range of colours of the whole movie; as many run at a time as
 * there are cores.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app.h"
#include "movie.h"
#include "run.h"

enum { MAX_WORKERS = 64, SAMPLE = 9 };

struct movie {
    struct plot plot;
    char directory[4096]; /* of the pictures, beside the movie */
    size_t workers, drawn;
    struct koshu_process running[MAX_WORKERS];
    bool terminal;
    double start; /* in seconds */
};

/* ---- signals ------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void
interrupt(int number)
{
    interrupted = number;
}

/* Removes temporary files before the program ends. */
static void
catch_signals(void)
{
    static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction catch = {.sa_handler = interrupt,
                                    .sa_flags = SA_RESTART};
    for (int k = 0; k < 3; k++) sigaction(stopping[k], &catch, NULL);
}

/* ---- progress ------------------------------------------------------------ */

/* On a terminal a line that is rewritten; otherwise a line for each tenth. */
static void
show_progress(struct movie *m)
{
    const size_t n = m->plot.n, tenth = (n + 9) / 10;
    const double spent = koshu_now() - m->start;
    char left[32] = "";
    if (!m->terminal && m->drawn % tenth && m->drawn < n) return;
    if (m->drawn)
        duration_text(spent / (double)m->drawn * (double)(n - m->drawn), left);
    printf("%spicture %zu of %zu  %s left%s", m->terminal ? "\r\033[K" : "",
           m->drawn, n, left[0] ? left : "-", m->terminal ? "" : "\n");
    if (m->terminal && m->drawn == n) printf("\n");
    fflush(stdout);
}

/* ---- one picture --------------------------------------------------------- */

static void
add_option(struct movie_words *words, const char *name, double value)
{
    movie_add_word(words, "--%s=%.17g", name, value);
}

static void
describe_picture(const struct movie *m, size_t k, struct movie_words *words)
{
    const struct plot *p = &m->plot;
    const double *c = p->panels[k].centre;
    const struct plot_arguments *a = p->a;
    movie_add_word(words, "/proc/self/exe");
    movie_add_word(words, "plot");
    movie_add_word(words, "--output=%s/%06zu.png", m->directory, k);
    movie_add_word(words, "--what=%s",
                   p->in_phase_space ? a->what
                   : p->stars        ? "stars"
                                     : "density");
    movie_add_word(words, "--axis=%s", koshu_axis_name(a->axis));
    movie_add_word(words, "--weight=%s", koshu_weight_name(a->weight));
    movie_add_word(words, "--center=%.17g,%.17g,%.17g", c[0], c[1], c[2]);
    movie_add_word(words, "--pixels=%zu", p->view.pixels);
    add_option(words, "width", p->view.half_width);
    if (p->in_phase_space) add_option(words, "speed", p->phase.half_speed);
    add_option(words, "min", p->options.min);
    add_option(words, "max", p->options.max);
    if (a->title) movie_add_word(words, "--title=%s", a->title);
    if (a->dark) movie_add_word(words, "--dark");
    movie_add_word(words, "--");
    movie_add_word(words, "%s", p->panels[k].path);
}

static koshu_status
start_picture(struct movie *m, size_t k)
{
    struct movie_words words = {0};
    describe_picture(m, k, &words);
    const int error = movie_start(&words, &m->running[k % m->workers]);
    movie_free_words(&words);
    if (!error) return KOSHU_OK;
    return koshu_fail(m->plot.context, KOSHU_ERROR_EXTERNAL,
                      "%s: cannot start koshu to draw %s: %s", m->plot.a->movie,
                      m->plot.panels[k].path, strerror(error));
}

static koshu_status
end_picture(struct movie *m, size_t k)
{
    const int result = koshu_process_wait(&m->running[k % m->workers]);
    m->drawn++;
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0 && !interrupted) {
        show_progress(m);
        return KOSHU_OK;
    }
    return koshu_fail(m->plot.context, KOSHU_ERROR_EXTERNAL,
                      "%s: %s, so there is no movie", m->plot.a->movie,
                      interrupted ? "interrupted"
                                  : "a picture could not be drawn");
}

/* Waits for the processes that were started, whatever happens. */
static koshu_status
draw_pictures(struct movie *m)
{
    koshu_status status = KOSHU_OK;
    size_t started = 0, ended = 0;
    m->start = koshu_now();
    while (ended < (status == KOSHU_OK ? m->plot.n : started)) {
        const bool may = status == KOSHU_OK && started < m->plot.n;
        if (may && started - ended < m->workers) {
            status = start_picture(m, started);
            started += status == KOSHU_OK;
            continue;
        }
        const koshu_status end = end_picture(m, ended++);
        if (status == KOSHU_OK) status = end;
    }
    return status;
}

/* ---- the whole movie ----------------------------------------------------- */

static int
earlier_first(const void *a, const void *b)
{
    const double s = ((const struct plot_panel *)a)->info.time,
                 t = ((const struct plot_panel *)b)->info.time;
    return (s > t) - (s < t);
}

static koshu_status
make_directory(struct movie *m)
{
    const char *movie = m->plot.a->movie, *slash = strrchr(movie, '/');
    snprintf(m->directory, sizeof m->directory, "%.*s.koshu-movie-XXXXXX",
             slash ? (int)(slash - movie) + 1 : 0, movie);
    if (mkdtemp(m->directory)) return KOSHU_OK;
    m->directory[0] = '\0';
    return koshu_fail_errno(m->plot.context, KOSHU_ERROR_IO,
                            "%s: cannot make a directory for its pictures "
                            "beside it",
                            movie);
}

static void
remove_directory(struct movie *m)
{
    char path[sizeof m->directory + 32];
    if (!m->directory[0]) return;
    for (size_t k = 0; k < m->plot.n; k++) {
        snprintf(path, sizeof path, "%s/%06zu.png", m->directory, k);
        unlink(path);
    }
    rmdir(m->directory);
}

static koshu_status
make(struct movie *m)
{
    struct plot *p = &m->plot;
    KOSHU_TRY(movie_check_encoder(p->context, p->a->movie));
    KOSHU_TRY(plot_choose_view(p));
    qsort(p->panels, p->n, sizeof *p->panels, earlier_first);
    p->read = p->n; /* the snapshot that was read is not this one any more */
    KOSHU_TRY(plot_choose_range(p, SAMPLE));
    KOSHU_TRY(make_directory(m));
    catch_signals();
    setenv("OMP_NUM_THREADS", "1", true); /* one core per picture */
    KOSHU_TRY(draw_pictures(m));
    return movie_encode(p->context, m->directory, p->a);
}

koshu_status
plot_movie(struct koshu_context *context,
           const struct plot_arguments *arguments)
{
    struct movie *m = calloc(1, sizeof *m);
    koshu_status status = m ? plot_begin(context, arguments, &m->plot)
                            : koshu_fail_memory(context, sizeof *m, "a movie");
    if (!m) return status;
    m->terminal = is_terminal(STDOUT_FILENO);
    m->workers = (size_t)fmin(koshu_default_threads(), MAX_WORKERS);
    if (status == KOSHU_OK) status = make(m);
    remove_directory(m);
    plot_free(&m->plot);
    free(m);
    return status;
}
