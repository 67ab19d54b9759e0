/* SPDX-License-Identifier: MIT */
/* What the two halves of `koshu plot` share. */
#ifndef KOSHU_APP_PLOT_H
#define KOSHU_APP_PLOT_H

#include <stdbool.h>

#include <koshu/picture.h>

#include "fields.h"

struct plot_arguments {
    struct word_list files;
    const char *output, *title;
    bool force;
    enum koshu_axis axis;
    bool of_snapshots; /* any option for them alone */
    double centre[3];  /* NaN: automatic */
    double half_width; /* 0: automatic */
    size_t pixels;     /* 0: automatic */
    double min, max;   /* NaN: automatic */
    const char *what;  /* NULL: what the files are for */
};

/* One picture of all files, which are snapshots. */
koshu_status plot_snapshots(struct koshu_context *context,
                            const struct plot_arguments *arguments);

#endif
