/* SPDX-License-Identifier: MIT */
/* Shared by the parts of `koshu plot`. */
#ifndef KOSHU_APP_PLOT_H
#define KOSHU_APP_PLOT_H

#include <stdbool.h>

#include <koshu/picture.h>
#include <koshu/snapshot.h>

#include "fields.h"
#include "internal.h"

struct plot_arguments {
    struct word_list files;
    const char *output, *movie, *title; /* output or movie */
    double fps;
    bool force, dark;
    enum koshu_axis axis;
    enum koshu_weight weight;
    bool of_snapshots; /* any option for snapshots was given */
    double centre[3];  /* NaN: automatic */
    double half_width; /* 0: automatic */
    size_t pixels;     /* 0: automatic */
    double half_speed; /* 0: automatic */
    double min, max;   /* NaN: automatic */
    const char *what;  /* NULL: chosen by the files */
};

/* A snapshot, and what is drawn of it. */
struct plot_panel {
    const char *path;
    struct koshu_snapshot_info info; /* in the units of the first snapshot */
    /* from other units, which has been reported */
    bool converted;
    double centre[3], velocity[3]; /* of the panel's middle */
    double radius;                 /* contains most of the mass */
    char label[96];
    double *sigma;                 /* to be freed, */
    struct koshu_star_panel stars; /* as its stars */
};

/* A picture of snapshots being made. */
struct plot {
    struct koshu_context *context;
    const struct plot_arguments *a;
    size_t n; /* panels */
    struct plot_panel *panels;
    bool stars; /* drawn one by one, not as a density */
    bool in_phase_space;
    struct koshu_phase_view phase;
    struct koshu_plane plane; /* in phase space */
    /* The snapshot read last, so that a single one is not read twice. */
    struct koshu_particles *particles;
    size_t read;
    struct koshu_picture_view view;
    struct koshu_density_options options;
    char title[256];
};

/* Makes a panel for each file. KOSHU_ERROR_OUT_OF_MEMORY. plot_free() in any
 * case. */
koshu_status plot_begin(struct koshu_context *context,
                        const struct plot_arguments *arguments,
                        struct plot *plot);
void plot_free(struct plot *plot);

/* plot_fill() fills panel k; the other function frees what it holds. */
koshu_status plot_fill(struct plot *plot, size_t k);
void plot_empty(struct plot *plot, size_t k);

/* Chooses one range of colours for all panels, from about so many of them. */
koshu_status plot_choose_range(struct plot *plot, size_t sample);

/* Reads snapshot k, unless it was the last one read. */
koshu_status plot_read(struct plot *plot, size_t k);

/* Replaces the particles of a periodic box, read as snapshot k, by their images
 * in the box around the picture's centre. */
koshu_status plot_wrap(struct plot *plot, size_t k);

/* Puts the name of file k before the message of a failure, as the library does
 * not know file names. */
koshu_status plot_name_file(struct plot *plot, size_t k, koshu_status status);

/* Reads all snapshots, and chooses the centre of each panel, a common width,
 * and whether there are so few particles that each is drawn. */
koshu_status plot_choose_view(struct plot *plot);

/* The same for phase space: chooses the range of velocities. */
koshu_status plot_choose_phase(struct plot *plot);

/* Writes title and labels: time, and number of particles. */
void plot_write_texts(struct plot *plot);

/* "t = 0.5 Myr"; cosmological: "z = 4.5". */
void
plot_time_text(const struct koshu_snapshot_info *info, size_t size, char *text);

/* The title of a run, from the parameters in a snapshot, or in the first
 * snapshot beside a log; "": none. */
void plot_title_of(struct koshu_context *context, const char *snapshot,
                   char *title, size_t size);
void plot_title_of_log(struct koshu_context *context, const char *log,
                       char *title, size_t size);

/* Draws the density profiles of all files, which are snapshots, in one
 * picture. */
koshu_status plot_profiles(struct koshu_context *context,
                           const struct plot_arguments *arguments);

/* Draws all files, which are snapshots, in one picture. */
koshu_status plot_snapshots(struct koshu_context *context,
                            const struct plot_arguments *arguments);

#endif
