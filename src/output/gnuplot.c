/* SPDX-License-Identifier: MIT */
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

/* ---- the script -------------------------------------------------------- */

/* A file in memory, not one of the three standard streams; -1: errno. */
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

koshu_status
koshu_gnuplot_begin(struct koshu_gnuplot *g, struct koshu_context *context,
                    size_t width, size_t height, double font_size)
{
    const size_t max = KOSHU_GNUPLOT_PIXELS_MAX;
    *g = (struct koshu_gnuplot){.context = context,
                                .width = (double)width,
                                .height = (double)height};
    if (width > max || height > max)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a picture of %zu x %zu pixels is larger than the "
                          "%zu x %zu that can be drawn; use fewer pixels or "
                          "fewer panels",
                          width, height, max, max);
    KOSHU_TRY(open_script(g));
    koshu_gnuplot_print(g,
                        "set encoding utf8\n"
                        "set terminal pngcairo size %zu,%zu font 'Sans,%.3g'\n"
                        "set minussign\n",
                        width, height, font_size);
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

/* All that gnuplot might take for something else, quotes, backslashes,
 * backquotes and whatever its next release finds, is written as a number:
 * between single quotes, doubled ones fail at the beginning of a text. A digit
 * after a number would be taken for a part of it. */
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
    koshu_gnuplot_print(g,
                        "set lmargin at screen %.8f\nset rmargin at screen "
                        "%.8f\nset bmargin at screen %.8f\nset tmargin at "
                        "screen %.8f\n",
                        left / g->width, (left + wide) / g->width,
                        bottom / g->height, (bottom + high) / g->height);
}

void
koshu_gnuplot_title(struct koshu_gnuplot *g, const char *text, double left,
                    double bottom)
{
    if (!text) return;
    koshu_gnuplot_print(g, "set label 1 ");
    koshu_gnuplot_quote(g, text);
    koshu_gnuplot_print(g, " noenhanced at screen %.8f,screen %.8f center\n",
                        left / g->width, bottom / g->height);
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

/* The last line that a file in memory holds, without spaces about it. */
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

/* Large pictures take some seconds; this is a program that hangs. */
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
            .group = true}; /* a gnuplot may be a script around one */
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

/* KOSHU_ERROR_EXTERNAL: what it was, and gnuplot's last words. */
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

static bool
is_whole_png(const unsigned char *bytes, size_t n)
{
    static const unsigned char head[8] = "\x89PNG\r\n\x1a\n";
    static const unsigned char end[8] = "IEND\xae\x42\x60\x82";
    return n > sizeof head + sizeof end &&
           memcmp(bytes, head, sizeof head) == 0 &&
           memcmp(bytes + n - sizeof end, end, sizeof end) == 0;
}

static koshu_status
store(struct koshu_context *context, const struct job *job)
{
    struct stat state;
    if (fstat(job->out, &state) != 0 || state.st_size == 0) state.st_size = 0;
    size_t n = (size_t)state.st_size;
    void *png =
            n ? mmap(NULL, n, PROT_READ, MAP_SHARED, job->out, 0) : MAP_FAILED;
    koshu_status status =
            png != MAP_FAILED && is_whole_png(png, n)
                    ? koshu_file_write_whole(context, job->path, png, n)
                    : fail_words(context, job, "made no picture");
    if (png != MAP_FAILED) munmap(png, n);
    return status;
}

static koshu_status
draw(struct koshu_gnuplot *g, const char *path)
{
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
koshu_gnuplot_finish(struct koshu_gnuplot *g, const char *path)
{
    koshu_status status = draw(g, path);
    koshu_gnuplot_abandon(g);
    return status;
}
