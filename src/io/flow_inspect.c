/* SPDX-License-Identifier: MIT */
/* Reads the summary of a flow's file. */
#include <stdio.h>

#include "base/base.h"
#include "io/hdf5_file.h"
#include "io/io.h"

/* The number of rows of a dataset; 0: there is none. */
static uint64_t
rows_of(hid_t group, const char *name)
{
    hsize_t size[8] = {0};
    if (!koshu_hdf5_has(group, name)) return 0;
    hid_t id = H5Dopen2(group, name, H5P_DEFAULT),
          space = id >= 0 ? H5Dget_space(id) : -1;
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (rank > 0 && rank <= 8) H5Sget_simple_extent_dims(space, size, NULL);
    if (space >= 0) H5Sclose(space);
    if (id >= 0) H5Dclose(id);
    return size[0];
}

static koshu_status
read_header(struct koshu_reader *reader, hid_t file,
            struct koshu_flow_summary *s)
{
    struct koshu_hdf5_place header, code;
    char version[32];
    double step = 0;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Header", &header));
    if (header.id < 0) return koshu_hdf5_fail(&header, "", "is missing");
    KOSHU_TRY(koshu_hdf5_number(&header, "Time", &s->time));
    KOSHU_TRY(koshu_hdf5_number(&header, "BoxSize", &s->box));
    KOSHU_TRY(koshu_hdf5_number(&header, "Step", &step));
    s->step = step > 0 && step < 0x1p63 ? (uint64_t)step : 0;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Code", &code));
    if (code.id < 0) return KOSHU_OK;
    koshu_hdf5_text(&code, "Version", version, sizeof version);
    snprintf(s->program, sizeof s->program, "koshu %s", version);
    return KOSHU_OK;
}

/* Where the results go. */
struct found {
    struct koshu_flow_summary *summary;
    bool *is_flow;
};

static koshu_status
read_flow(struct koshu_reader *reader, hid_t file, void *user)
{
    const struct found *to = user;
    struct koshu_flow_summary *s = to->summary;
    struct koshu_hdf5_place flow;
    double points = 0;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Flow", &flow));
    *to->is_flow = flow.id >= 0;
    if (!*to->is_flow) return KOSHU_OK;
    koshu_hdf5_text(&flow, "Kind", s->kind, sizeof s->kind);
    KOSHU_TRY(koshu_hdf5_number(&flow, "Points", &points));
    if (points > 0 && points < 0x1p32) s->points = (uint64_t)points;
    s->particles = rows_of(flow.id, "Coordinates");
    if (s->particles == 0) s->particles = rows_of(flow.id, "State");
    return read_header(reader, file, s);
}

koshu_status
koshu_flow_file_inspect(struct koshu_context *context, const char *path,
                        struct koshu_flow_summary *s, bool *is_flow)
{
    struct found found = {s, is_flow};
    *s = (struct koshu_flow_summary){.kind = ""};
    *is_flow = false;
    return koshu_hdf5_inspect(context, path, read_flow, &found);
}
