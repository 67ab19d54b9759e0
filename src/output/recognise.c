/* SPDX-License-Identifier: MIT */
/* Recognises files that koshu writes by their beginning. */
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "output/output.h"

/* How much of a file is read. */
enum { HEAD = 4096 };

/* Is one of the line's fields this word, with or without a unit? Fields are
 * separated by commas; '\n' ends the line. */
static bool
has_field(const char *line, const char *word)
{
    size_t n = strlen(word);
    for (;;) {
        size_t length = strcspn(line, ",\r\n");
        const size_t name = strcspn(line, " [,\r\n");
        if (name == n && memcmp(line, word, n) == 0) return true;
        if (line[length] != ',') return false;
        line += length + 1;
    }
}

/* The beginning of the file, and in it the line with the column names. */
static koshu_status
read_names(struct koshu_context *context, const char *path, char head[HEAD],
           const char **line)
{
    struct koshu_reader *reader;
    memset(head, 0, HEAD);
    KOSHU_TRY(koshu_reader_open_snapshot(context, path, &reader));
    size_t n = HEAD - 1;
    if (reader->size < n) n = (size_t)reader->size;
    koshu_status status = koshu_reader_read(reader, head, n, "first line");
    koshu_reader_close(reader);
    *line = head;
    while (**line == '#') {
        *line += strcspn(*line, "\n");
        *line += **line == '\n';
    }
    return status;
}

koshu_status
koshu_is_log(struct koshu_context *context, const char *path, bool *is_log)
{
    char head[HEAD];
    const char *line;
    KOSHU_TRY(read_names(context, path, head, &line));
    /* snapshots have positions, and their time in a comment */
    *is_log = has_field(line, "time") && !has_field(line, "x");
    return KOSHU_OK;
}

/* ---- other output -------------------------------------------------------- */

#define ANALYSE(option) \
    "koshu analyse SNAPSHOT --" option " --picture OUT.png draws it"
#define BY_OTHERS "other programs do: it is plain CSV"

/* Tables, recognised by two of their columns. */
static const struct {
    const char *column[2];
    struct koshu_other_output is;
} tables[] = {
        {{"kind", "id1"}, {"log of events", BY_OTHERS}},
        {{"time", "enstrophy"}, {"log of a flow", BY_OTHERS}},
        {{"k", "power"}, {"power spectrum", ANALYSE("power-spectrum")}},
        {{"k", "energy"},
         {"energy spectrum of a flow", ANALYSE("energy-spectrum")}},
        {{"r", "s2_longitudinal"},
         {"structure functions of a flow", ANALYSE("structure-functions")}},
        {{"x", "invariant"},
         {"second invariant of a flow", ANALYSE("second-invariant")}},
        {{"mass", "fof_groups"}, {"mass function", BY_OTHERS}},
        {{"pair", "semi_major_axis"},
         {"list of binaries", ANALYSE("binaries")}},
        {{"shell", "mass_within"},
         {"profile of a star cluster", ANALYSE("profiles")}}};

static const struct koshu_other_output
        flow = {"flow", ANALYSE("energy-spectrum")},
        groups = {"catalogue of groups", "h5py reads it (docs/cosmology.md)"};

static koshu_status
recognise_hdf5(struct koshu_context *context, const char *path,
               const struct koshu_other_output **other)
{
    struct koshu_flow_summary summary;
    bool is;
    KOSHU_TRY(koshu_flow_file_inspect(context, path, &summary, &is));
    if (is) *other = &flow;
    if (is) return KOSHU_OK;
    KOSHU_TRY(koshu_is_catalogue(context, path, &is));
    if (is) *other = &groups;
    return KOSHU_OK;
}

koshu_status
koshu_recognise_other(struct koshu_context *context, const char *path,
                      const struct koshu_other_output **other)
{
    char head[HEAD];
    const char *line;
    *other = NULL;
    KOSHU_TRY(read_names(context, path, head, &line));
    if (memcmp(head, "\x89HDF", 4) == 0)
        return recognise_hdf5(context, path, other);
    for (size_t k = 0; k < sizeof tables / sizeof *tables && !*other; k++)
        if (has_field(line, tables[k].column[0]) &&
            has_field(line, tables[k].column[1]))
            *other = &tables[k].is;
    return KOSHU_OK;
}
