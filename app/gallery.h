/* SPDX-License-Identifier: MIT */
/*
 * The gallery: descriptions of interactions (koshu/interaction.h) that come
 * with koshu, one file NAME.pipe each. They lie in the folder `interactions`
 * of $KOSHU_DATA where that is set, else of share/koshu beside the program's
 * own folder, wherever that has been moved to.
 */
#ifndef KOSHU_APP_GALLERY_H
#define KOSHU_APP_GALLERY_H

#include <limits.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

struct gallery {
    char directory[PATH_MAX];
    size_t n;
    char **names; /* in the order of the alphabet, without .pipe */
};

/* KOSHU_ERROR_NOT_FOUND: there is no such folder; KOSHU_ERROR_OUT_OF_MEMORY.
 * The caller closes it, whatever the status. */
koshu_status
gallery_open(struct koshu_context *context, struct gallery *gallery);
void gallery_close(struct gallery *gallery);

/* The text of a description, from the gallery or of the user's own. */
struct gallery_text {
    char path[PATH_MAX]; /* of the file; for messages too */
    char *text;          /* to be freed */
};

/*
 * word: a name of the gallery, or the path of a file: what has a dot or a
 * slash in it, or is no name of the gallery. KOSHU_ERROR_NOT_FOUND: it is
 * neither; and what reading a file returns.
 */
koshu_status gallery_read(struct koshu_context *context, const char *word,
                          struct gallery_text *text);

/* What the description is, in one line: its first comment that is not the
 * licence, without //. Into summary of this size; "" where it has none. */
void gallery_summary(const char *text, char *summary, size_t size);

#endif
