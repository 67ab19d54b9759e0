/* SPDX-License-Identifier: MIT */
/* Finds and runs the system's C compiler, and interprets its messages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"
#include "base/base.h"

/* A kernel source takes a tenth of a second; a compiler that takes this long
 * hangs. */
static const double max_seconds = 60;

/* ---- which it is --------------------------------------------------------- */

static bool
is_program(const char *path, struct stat *found)
{
    return stat(path, found) == 0 && S_ISREG(found->st_mode) &&
           access(path, X_OK) == 0;
}

/* Searches PATH, as a shell would. */
static bool
find_on_path(const char *name, char *path, size_t size, struct stat *found)
{
    const char *at = getenv("PATH");
    if (!at) at = "/usr/local/bin:/usr/bin:/bin";
    while (*at) {
        size_t n = strcspn(at, ":");
        if (n > 0 &&
            snprintf(path, size, "%.*s/%s", (int)n, at, name) < (int)size &&
            is_program(path, found))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

static bool
find(const char *name, struct compiler *c, struct stat *found)
{
    if (!strchr(name, '/'))
        return find_on_path(name, c->path, sizeof c->path, found);
    return snprintf(c->path, sizeof c->path, "%s", name) <
                   (int)sizeof c->path &&
           is_program(c->path, found);
}

koshu_status
koshu_compiler_find(struct koshu_context *context, struct compiler *compiler)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *wanted = getenv("KOSHU_CC");
    struct stat found;
    bool is_there = false;
    if (wanted && wanted[0]) {
        is_there = find(wanted, compiler, &found);
        if (!is_there)
            return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                              "KOSHU_CC=%s is not a program; set it to a C "
                              "compiler (apt install gcc), or unset it",
                              wanted);
    }
    for (size_t k = 0; !is_there && k < sizeof usual / sizeof usual[0]; k++)
        is_there = find(usual[k], compiler, &found);
    if (!is_there)
        return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                          "an interaction needs a C compiler, and cc, gcc and "
                          "clang are not on the PATH: apt install gcc, or set "
                          "KOSHU_CC to one");
    snprintf(compiler->identity, sizeof compiler->identity,
             "%llx:%llx:%llx:%llx.%lx", (unsigned long long)found.st_dev,
             (unsigned long long)found.st_ino,
             (unsigned long long)found.st_size,
             (unsigned long long)found.st_mtim.tv_sec,
             (unsigned long)found.st_mtim.tv_nsec);
    return KOSHU_OK;
}

/* ---- running it ---------------------------------------------------------- */

/* Tells GCC from Clang: some options exist in one of them only, and the other
 * fails on them. */
static koshu_status
is_clang(struct koshu_context *context, const struct compiler *compiler,
         const struct cache_work *work, bool *answer)
{
    char *argv[] = {(char *)compiler->path, (char *)"--version", NULL};
    char *output = NULL;
    int exit_status;
    KOSHU_TRY(
            koshu_run(context, argv, work, max_seconds, &exit_status, &output));
    *answer = strstr(output, "clang") != NULL;
    free(output);
    return KOSHU_OK;
}

static void
add(const char **list, size_t *n, const char *const *more)
{
    while (*more) list[(*n)++] = *more++;
    list[*n] = NULL;
}

void
koshu_compiler_flags(const struct compiled_target *target,
                     const char *flags[COMPILER_FLAGS + 1])
{
    static const char *const always[] = {
            "-std=gnu17", "-Ulinux", "-Uunix",          "-w",
            "-fPIC",      "-shared", "-fno-math-errno", NULL};
    /* NaN and infinity keep their meaning, and sums their order */
    static const char *const fast[] = {"-O3", "-fno-trapping-math",
                                       "-fno-signed-zeros",
                                       "-ffp-contract=fast", NULL};
    static const char *const plain[] = {"-O1", "-ffp-contract=off", NULL};
    size_t n = 0;
    add(flags, &n, always);
    add(flags, &n, target->vector_bytes ? fast : plain);
    add(flags, &n, target->flags);
}

static koshu_status
failure(const struct compiler *compiler,
        const struct koshu_kernel_source *source, int exit_status,
        const char *output)
{
    char message[600];
    if (koshu_compiler_error(output, source, message, sizeof message))
        return koshu_fail(source->context, KOSHU_ERROR_BAD_INPUT, "%s",
                          message);
    return koshu_fail(source->context, KOSHU_ERROR_EXTERNAL,
                      "%s: %s failed (status %d): %.*s", source->name,
                      compiler->path, exit_status, (int)strcspn(output, "\n"),
                      output);
}

koshu_status
koshu_compiler_run(const struct compiler *compiler,
                   const struct compiled_target *target,
                   const struct koshu_kernel_source *source,
                   const struct cache_work *work, const char *from,
                   const char *to)
{
    static const char *const of_clang[] = {"-fveclib=libmvec",
                                           "-fno-caret-diagnostics", NULL};
    /* interleaves the operations of two i-particles */
    static const char *const of_gcc[] = {"-fdiagnostics-plain-output",
                                         "-fschedule-insns", NULL};
    const char *const link[] = {"-o", to, from, "-lm", NULL};
    const char *const check[] = {"-fsyntax-only", from, NULL};
    const char *argv[COMPILER_FLAGS + 16] = {compiler->path};
    char *output = NULL;
    int exit_status;
    bool clang;
    KOSHU_TRY(is_clang(source->context, compiler, work, &clang));
    koshu_compiler_flags(target, argv + 1);
    size_t n = 1;
    while (argv[n]) n++;
    add(argv, &n, clang ? of_clang : of_gcc);
    add(argv, &n, to ? link : check);
    KOSHU_TRY(koshu_run(source->context, (char *const *)argv, work, max_seconds,
                        &exit_status, &output));
    koshu_status status =
            exit_status == 0 ? KOSHU_OK
                             : failure(compiler, source, exit_status, output);
    free(output);
    return status;
}

/* ---- what it says -------------------------------------------------------- */

/* Parses "kernel:7:3: error: words" or, from NVRTC, "kernel(7): error: words"
 * and "kernel(7): error #20: words" into line number and words. */
static bool
parse_error(const char *line, size_t *number, const char **words)
{
    static const char file[] = KOSHU_INTERACTION_FILE;
    static const char *const kinds[] = {": error", ": fatal error"};
    const char *const behind = line + sizeof file - 1;
    if (strncmp(line, file, sizeof file - 1) != 0 ||
        (*behind != ':' && *behind != '('))
        return false;
    char *at;
    *number = strtoul(behind + 1, &at, 10);
    if (*at == ')') at++;
    if (*at == ':' && at[1] >= '0' && at[1] <= '9') strtoul(at + 1, &at, 10);
    for (size_t k = 0; k < 2; k++)
        if (strncmp(at, kinds[k], strlen(kinds[k])) == 0) {
            *words = strstr(at + strlen(kinds[k]), ": ");
            if (*words) *words += strlen(": ");
            return *words != NULL;
        }
    return false;
}

bool
koshu_compiler_error(const char *output,
                     const struct koshu_kernel_source *source, char *message,
                     size_t size)
{
    for (const char *line = output; *line;) {
        size_t n = strcspn(line, "\n"), number;
        const char *words;
        if (parse_error(line, &number, &words)) {
            if (number > source->n_lines) number = source->n_lines;
            snprintf(message, size, "%s:%zu: %.*s", source->name, number,
                     (int)(n - (size_t)(words - line)), words);
            return true;
        }
        line += n + (line[n] == '\n');
    }
    return false;
}
