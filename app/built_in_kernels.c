/* SPDX-License-Identifier: MIT */
/* Finds and reads the built-in kernels, and kernels in files. */
#include "built_in_kernels.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "data_folder.h"

static const char ending[] = ".pipe";

/* ---- where it is -------------------------------------------------------- */

/* Sorts by name, whatever the locale, without the ending, which would put a-b
 * before a. */
static int
by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int
is_kernel_source(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name), m = sizeof ending - 1;
    return n > m && strcmp(entry->d_name + n - m, ending) == 0;
}

/* Names without their ending. Frees the entries. */
static koshu_status
take_names(struct koshu_context *context, struct built_in_kernels *g,
           struct dirent **entries, int n)
{
    g->names = calloc((size_t)n + 1, sizeof *g->names);
    bool copied = g->names != NULL;
    for (int k = 0; k < n; k++) {
        size_t length = strlen(entries[k]->d_name) - (sizeof ending - 1);
        if (copied) g->names[k] = strndup(entries[k]->d_name, length);
        copied = copied && g->names[k];
        g->n += copied;
        free(entries[k]);
    }
    free(entries);
    return copied ? KOSHU_OK
                  : koshu_fail_memory(context, 0, "names of kernels");
}

koshu_status
built_in_kernels_open(struct koshu_context *context, struct built_in_kernels *g)
{
    struct dirent **entries;
    char place[PATH_MAX];
    *g = (struct built_in_kernels){0};
    KOSHU_TRY(data_folder(context, "interactions", place));
    /* resolves the .. in the path, if the folder exists */
    if (!realpath(place, g->directory))
        snprintf(g->directory, sizeof g->directory, "%s", place);
    int n = scandir(g->directory, &entries, is_kernel_source, NULL);
    if (n < 0)
        return koshu_fail_errno(context, KOSHU_ERROR_NOT_FOUND,
                                "cannot read the built-in kernels, "
                                "'%s' (KOSHU_DATA names koshu's data folder)",
                                g->directory);
    KOSHU_TRY(take_names(context, g, entries, n));
    qsort(g->names, g->n, sizeof *g->names, by_name);
    return KOSHU_OK;
}

void
built_in_kernels_close(struct built_in_kernels *g)
{
    for (size_t k = 0; k < g->n; k++) free(g->names[k]);
    free(g->names);
    *g = (struct built_in_kernels){0};
}

/* ---- texts --------------------------------------------------------------- */

static koshu_status
fail_unknown(struct koshu_context *context, const char *word,
             const struct built_in_kernels *g)
{
    return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                      "there is no interaction '%s' in %s, and no such file"
                      "%s; `koshu interact --list` lists those there are",
                      word, g->directory,
                      name_hint(word, (const char *const *)g->names, g->n));
}

/* Sets the path of an entry, or of a file. */
static koshu_status
find_among(struct koshu_context *context, const char *word,
           const struct built_in_kernels *g, char path[PATH_MAX])
{
    bool is_entry = false;
    for (size_t k = 0; k < g->n; k++)
        is_entry = is_entry || strcmp(word, g->names[k]) == 0;
    int n = is_entry ? snprintf(path, PATH_MAX, "%s/%s%s", g->directory, word,
                                ending)
                     : snprintf(path, PATH_MAX, "%s", word);
    if (n >= PATH_MAX)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "the name of a file is longer than %d", PATH_MAX);
    if (is_entry || g->n == 0 || access(word, F_OK) == 0) return KOSHU_OK;
    return fail_unknown(context, word, g);
}

/* Sets the path of the source that the word names. */
static koshu_status
find_text(struct koshu_context *context, const char *word, char path[PATH_MAX])
{
    struct built_in_kernels g = {0};
    koshu_status status = KOSHU_OK;
    if (!strpbrk(word, "./")) status = built_in_kernels_open(context, &g);
    if (status == KOSHU_OK) status = find_among(context, word, &g, path);
    built_in_kernels_close(&g);
    return status;
}

koshu_status
kernel_source_read(struct koshu_context *context, const char *word,
                   struct kernel_source *t)
{
    t->text = NULL;
    KOSHU_TRY(find_text(context, word, t->path));
    return koshu_text_read(context, t->path, "kernel source", UINT64_MAX,
                           &t->text);
}

void
kernel_source_summary(const char *text, char *summary, size_t size)
{
    summary[0] = '\0';
    for (const char *line = text; *line == '/' && line[1] == '/';) {
        size_t n = strcspn(line, "\n");
        if (line[2] != '!' && n > 3 &&
            strncmp(line, "// SPDX", strlen("// SPDX")) != 0) {
            snprintf(summary, size, "%.*s", (int)n - 3, line + 3);
            return;
        }
        line += n;
        line += *line == '\n';
    }
}
