/* SPDX-License-Identifier: MIT */
/* The table of snapshot formats, and which of them a name, a path or a file
 * has. */
#include "io/format.h"

#include <string.h>
#include <strings.h>

#include "base/base.h"

/* In the order in which a file is tested for them. CSV is last, as it accepts
 * any text. */
const struct koshu_format_ops *const koshu_formats[KOSHU_FORMATS] = {
        [KOSHU_FORMAT_HDF5] = &koshu_format_hdf5,
        [KOSHU_FORMAT_GADGET1] = &koshu_format_gadget1,
        [KOSHU_FORMAT_GADGET2] = &koshu_format_gadget2,
        [KOSHU_FORMAT_TIPSY] = &koshu_format_tipsy,
        [KOSHU_FORMAT_CSV] = &koshu_format_csv,
};
enum { HEAD = 512 };

const char *
koshu_format_name(enum koshu_format format)
{
    return (unsigned)format < KOSHU_FORMATS ? koshu_formats[format]->name
                                            : NULL;
}

const char *
koshu_format_ending(enum koshu_format format)
{
    return koshu_formats[format]->endings[0];
}

bool
koshu_format_in_files(enum koshu_format format)
{
    return koshu_formats[format]->in_files;
}

static void
name_formats(const char *names[KOSHU_FORMATS])
{
    for (int k = 0; k < KOSHU_FORMATS; k++) names[k] = koshu_formats[k]->name;
}

koshu_status
koshu_format_find(struct koshu_context *context, const char *name,
                  enum koshu_format *format)
{
    KOSHU_REQUIRE(context, name);
    KOSHU_REQUIRE(context, format);
    const char *names[KOSHU_FORMATS];
    unsigned value;
    name_formats(names);
    KOSHU_TRY(koshu_enum_find(context, "a snapshot format", names,
                              KOSHU_FORMATS, name, &value));
    *format = value;
    return KOSHU_OK;
}

static bool
ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

koshu_status
koshu_format_of_path(struct koshu_context *context, const char *path,
                     enum koshu_format *format)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, path);
    KOSHU_REQUIRE(context, format);
    const char *all[KOSHU_FORMATS * 3];
    size_t n = 0;
    for (int k = 0; k < KOSHU_FORMATS; k++)
        for (int e = 0; e < 3 && koshu_formats[k]->endings[e]; e++) {
            all[n++] = koshu_formats[k]->endings[e];
            if (ends_with(path, koshu_formats[k]->endings[e])) {
                *format = (enum koshu_format)k;
                return KOSHU_OK;
            }
        }
    char endings[128];
    koshu_join_names(endings, sizeof endings, all, n);
    return koshu_fail(context, KOSHU_ERROR_NOT_FOUND,
                      "'%s' has no ending that names a snapshot format; such "
                      "endings are %s",
                      path, endings);
}

koshu_status
koshu_format_recognise(struct koshu_reader *reader, enum koshu_format *format)
{
    unsigned char head[HEAD];
    uint64_t size = reader->size;
    size_t n = size < HEAD ? (size_t)size : HEAD;
    KOSHU_TRY(koshu_reader_read(reader, head, n, "the first bytes"));
    KOSHU_TRY(koshu_reader_seek(reader, 0));
    for (int k = 0; k < KOSHU_FORMATS; k++)
        if (koshu_formats[k]->recognise(head, n)) {
            *format = (enum koshu_format)k;
            return KOSHU_OK;
        }
    const char *known[KOSHU_FORMATS];
    char names[128];
    name_formats(known);
    koshu_join_names(names, sizeof names, known, KOSHU_FORMATS);
    return koshu_reader_fail(reader,
                             "this is not the beginning of a snapshot that "
                             "koshu knows (%s)",
                             names);
}
