/* SPDX-License-Identifier: MIT */
/* Runs gnuplot on a script, and writes the picture that it makes. */
#include "output/gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "output/picture_format.h"

/* ---- the script -------------------------------------------------------- */

/* A file in memory, whose descriptor is none of the three standard streams; -1:
 * see errno. */
static int
open_memory(void)
{
    int fd = memfd_create("koshu-picture", MFD_CLOEXEC);
    if (fd < 0 || fd > STDERR_FILENO) return fd;
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return higher;
}

static koshu_status
open_script(struct koshu_gnuplot *g)
{
    int fd = open_memory();
    if (fd >= 0) g->script = fdopen(fd, "w");
    if (g->script) return KOSHU_OK;
    koshu_status status = koshu_fail_errno(
            g->context, KOSHU_ERROR_OUT_OF_MEMORY, "script of a picture");
    if (fd >= 0) close(fd);
    return status;
}

static koshu_status
check_pixels(struct koshu_context *context, const struct koshu_canvas *c)
{
    const int max = KOSHU_GNUPLOT_PIXELS_MAX;
    const double width = c->width * c->scale, height = c->height * c->scale;
    if (width <= max && height <= max) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "a picture of %.0f x %.0f pixels is larger than the "
                      "%d x %d that can be drawn; use fewer pixels or fewer "
                      "panels",
                      width, height, max, max);
}

/* Lines and text in a colour that is visible on the background. */
static void
print_ink(struct koshu_gnuplot *g)
{
    koshu_gnuplot_print(g,
                        "set border linewidth 1.2 linecolor rgb '%s'\n"
                        "set tics textcolor rgb '%s'\n"
                        "set key textcolor rgb '%s'\n",
                        g->ink, g->ink, g->ink);
}

koshu_status
koshu_gnuplot_begin(struct koshu_gnuplot *g, struct koshu_context *context,
                    const struct koshu_canvas *canvas)
{
    *g = (struct koshu_gnuplot){.context = context,
                                .canvas = *canvas,
                                .ink = canvas->dark ? "#e8e8e8" : "#000000"};
    struct koshu_canvas *c = &g->canvas;
    if (!(c->scale > 0)) c->scale = 1;
    KOSHU_TRY(check_pixels(context, c));
    KOSHU_TRY(open_script(g));
    locale_t users = koshu_plain_numbers();
    koshu_picture_format_print(g->script, koshu_picture_format_of(c->path),
                               c->width, c->height, c->font, c->scale,
                               c->dark ? "#000000" : "#ffffff");
    uselocale(users);
    print_ink(g);
    return KOSHU_OK;
}

void
koshu_gnuplot_print(struct koshu_gnuplot *g, const char *format, ...)
{
    locale_t users = koshu_plain_numbers();
    va_list arguments;
    va_start(arguments, format);
    vfprintf(g->script, format, arguments);
    va_end(arguments);
    uselocale(users);
}

/* Everything that gnuplot might interpret (quotes, backslashes, backquotes and
 * whatever its next release adds) is written as a character code: doubled
 * single quotes do not work at the beginning of a text. A digit after a code
 * would be read as a part of it, so it is written as a code too. */
void
koshu_gnuplot_quote(struct koshu_gnuplot *g, const char *text)
{
    bool number = false;
    putc('"', g->script);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool control = c < ' ' || c == 127;
        number = !control && c != ' ' && c < 128 &&
                 (!isalnum(c) || (number && isdigit(c)));
        if (number)
            fprintf(g->script, "\\%03o", c);
        else
            putc(control ? ' ' : c, g->script);
    }
    putc('"', g->script);
}

void
koshu_gnuplot_place(struct koshu_gnuplot *g, double left, double bottom,
                    double wide, double high)
{
    g->high = high;
    koshu_gnuplot_print(g,
                        "set lmargin at screen %.8f\nset rmargin at screen "
                        "%.8f\nset bmargin at screen %.8f\nset tmargin at "
                        "screen %.8f\n",
                        left / g->canvas.width, (left + wide) / g->canvas.width,
                        bottom / g->canvas.height,
                        (bottom + high) / g->canvas.height);
}

void
koshu_gnuplot_title(struct koshu_gnuplot *g, const char *text, double left,
                    double bottom)
{
    if (!text) return;
    koshu_gnuplot_print(g, "set label 1 ");
    koshu_gnuplot_quote(g, text);
    koshu_gnuplot_print(g,
                        " noenhanced at screen %.8f,screen %.8f center "
                        "textcolor rgb '%s'\n",
                        left / g->canvas.width, bottom / g->canvas.height,
                        g->ink);
}

void
koshu_gnuplot_data(struct koshu_gnuplot *g, const double *data, size_t n)
{
    if (n > 0) fwrite(data, sizeof *data, n, g->script);
}

/* ---- running it -------------------------------------------------------- */

struct job {
    int in, out, err; /* files in memory */
    const char *path; /* for messages */
};

/* The last line of a file in memory, trimmed. */
static void
last_line(int fd, char *text, size_t size)
{
    char tail[1024];
    off_t end = lseek(fd, 0, SEEK_END);
    off_t begin = end > (off_t)sizeof tail ? end - (off_t)sizeof tail : 0;
    ssize_t n = pread(fd, tail, sizeof tail, begin);
    while (n > 0 && isspace((unsigned char)tail[n - 1])) n--;
    ssize_t first = n > 0 ? n : 0;
    while (first > 0 && tail[first - 1] != '\n') first--;
    while (first < n && isspace((unsigned char)tail[first])) first++;
    snprintf(text, size, "%.*s", n > first ? (int)(n - first) : 0,
             tail + first);
}

/* Seconds until gnuplot is taken to hang; large pictures take some seconds. */
static double
seconds_limit(void)
{
    const char *text = getenv("KOSHU_GNUPLOT_SECONDS");
    char *end;
    const double seconds = text ? strtod(text, &end) : 0;
    return text && end != text && !*end && seconds > 0 ? seconds : 600;
}

static koshu_status
start(struct koshu_context *context, const struct job *job,
      struct koshu_process *process)
{
    char *const arguments[] = {"gnuplot", "--default-settings", NULL};
    const struct koshu_command command = {
            .argv = arguments,
            .in = job->in,
            .out = job->out,
            .err = job->err,
            .group = true}; /* gnuplot may be a script that starts another */
    errno = koshu_process_start(&command, process);
    if (errno == ENOENT)
        return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                          "%s: gnuplot, which draws the pictures, is not in "
                          "PATH; install the package gnuplot-nox",
                          job->path);
    if (!errno) return KOSHU_OK;
    return koshu_fail_errno(context, KOSHU_ERROR_EXTERNAL,
                            "%s: cannot start gnuplot", job->path);
}

/* KOSHU_ERROR_EXTERNAL, with gnuplot's last message. */
static koshu_status
fail_words(struct koshu_context *context, const struct job *job,
           const char *what)
{
    char words[256];
    last_line(job->err, words, sizeof words);
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL, "%s: gnuplot %s: %s",
                      job->path, what, words[0] ? words : "it gave no reason");
}

static koshu_status
run(struct koshu_context *context, const struct job *job)
{
    struct koshu_process process;
    const double seconds = seconds_limit();
    int result;
    char what[64];
    KOSHU_TRY(start(context, job, &process));
    if (!koshu_process_wait_for(&process, seconds, &result))
        return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                          "%s: gnuplot was stopped: it did not end within %g "
                          "seconds; set KOSHU_GNUPLOT_SECONDS to more, or "
                          "draw fewer pixels",
                          job->path, seconds);
    if (result == 0) return KOSHU_OK;
    if (WIFSIGNALED(result))
        snprintf(what, sizeof what, "was ended by signal %d", WTERMSIG(result));
    else
        snprintf(what, sizeof what, "failed with exit status %d",
                 WEXITSTATUS(result));
    return fail_words(context, job, what);
}

/* ---- the picture ------------------------------------------------------- */

static koshu_status
store(struct koshu_context *context, const struct job *job)
{
    const enum koshu_picture_format format = koshu_picture_format_of(job->path);
    struct stat state;
    if (fstat(job->out, &state) != 0 || state.st_size == 0) state.st_size = 0;
    size_t n = (size_t)state.st_size;
    void *picture =
            n ? mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE, job->out, 0)
              : MAP_FAILED;
    koshu_status status;
    if (picture != MAP_FAILED && koshu_picture_is_whole(format, picture, n)) {
        koshu_picture_remove_time(format, picture, n);
        status = koshu_file_write_whole(context, job->path, picture, n);
    } else {
        status = fail_words(context, job, "made no picture");
    }
    if (picture != MAP_FAILED) munmap(picture, n);
    return status;
}

static koshu_status
draw(struct koshu_gnuplot *g)
{
    const char *path = g->canvas.path;
    bool written = fflush(g->script) == 0 && !ferror(g->script);
    if (!written)
        return koshu_fail_errno(g->context, KOSHU_ERROR_OUT_OF_MEMORY,
                                "%s: script of a picture", path);
    struct job job = {fileno(g->script), open_memory(), open_memory(), path};
    koshu_status status;
    lseek(job.in, 0, SEEK_SET);
    if (job.out < 0 || job.err < 0)
        status = koshu_fail_errno(g->context, KOSHU_ERROR_OUT_OF_MEMORY,
                                  "%s: memory for a picture", path);
    else
        status = run(g->context, &job);
    if (status == KOSHU_OK) status = store(g->context, &job);
    if (job.out >= 0) close(job.out);
    if (job.err >= 0) close(job.err);
    return status;
}

void
koshu_gnuplot_abandon(struct koshu_gnuplot *g)
{
    fclose(g->script);
    g->script = NULL;
}

koshu_status
koshu_gnuplot_finish(struct koshu_gnuplot *g)
{
    koshu_status status = draw(g);
    koshu_gnuplot_abandon(g);
    return status;
}
