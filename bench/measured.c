/* SPDX-License-Identifier: MIT */
/* Reads what was measured last. */
#include "bench/measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/data_folder.h"
#include "bench/internal.h"

/* Splits a line at tabs; false: it has more or fewer texts. */
static bool
split(char *line, struct bench_measurement *to)
{
    const char **const columns[MEASURED_COLUMNS] = {
            &to->date,    &to->version, &to->device, &to->n,
            &to->seconds, &to->rate,    &to->command};
    for (int c = 0; c < MEASURED_COLUMNS; c++) {
        *columns[c] = line;
        line += strcspn(line, "\t");
        if ((*line == '\t') != (c + 1 < MEASURED_COLUMNS)) return false;
        if (*line) *line++ = '\0';
    }
    return true;
}

static koshu_status
read_lines(struct bench_measured *m, const char *path)
{
    size_t number = 0, capacity = 1;
    for (const char *c = m->text; *c; c++) capacity += *c == '\n';
    m->lines = calloc(capacity, sizeof *m->lines);
    if (!m->lines) return koshu_fail_memory(NULL, capacity, path);
    for (char *next, *line = m->text; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        number++;
        if (*line == '#' || *line == '\0') continue;
        if (!split(line, &m->lines[m->n++]))
            return koshu_fail(NULL, KOSHU_ERROR_BAD_FORMAT,
                              "%s:%zu: expected %d columns, with a tab between",
                              path, number, MEASURED_COLUMNS);
    }
    return KOSHU_OK;
}

static koshu_status
read_file(struct bench_measured *m, const char *path, FILE *file)
{
    enum { CHUNK = 4096 };
    size_t n = 0, got = CHUNK;
    while (got == CHUNK) {
        char *more = realloc(m->text, n + CHUNK + 1);
        if (!more) return koshu_fail_memory(NULL, n, path);
        m->text = more;
        got = fread(m->text + n, 1, CHUNK, file);
        n += got;
        m->text[n] = '\0';
    }
    if (ferror(file))
        return koshu_fail_errno(NULL, KOSHU_ERROR_IO, "cannot read '%s'", path);
    return read_lines(m, path);
}

koshu_status
bench_measured_read(struct bench_measured *m)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    *m = (struct bench_measured){0};
    KOSHU_TRY(data_folder(NULL, "papers", folder));
    snprintf(path, sizeof path, "%s/measured.tsv", folder);
    FILE *file = fopen(path, "r");
    /* the program may be installed without its data */
    if (!file) return KOSHU_OK;
    const koshu_status status = read_file(m, path, file);
    fclose(file);
    return status;
}

void
bench_measured_free(struct bench_measured *m)
{
    free(m->text);
    free(m->lines);
}

const struct bench_measurement *
bench_measured_last(const struct bench_measured *m, const char *command)
{
    const char *plot = strstr(command, " --plot ");
    const size_t length = plot ? (size_t)(plot - command) : strlen(command);
    for (size_t k = m->n; k-- > 0;)
        if (strlen(m->lines[k].command) == length &&
            strncmp(m->lines[k].command, command, length) == 0)
            return &m->lines[k];
    return NULL;
}
