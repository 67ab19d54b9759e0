/* SPDX-License-Identifier: MIT */
/* What the file of a flow says of itself. */
#include <stdio.h>

#include "base/base.h"
#include "io/hdf5_file.h"
#include "io/io.h"

/* Rows of a dataset; 0: there is none. */
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

static koshu_status
read_flow(struct koshu_reader *reader, hid_t file, struct koshu_flow_summary *s,
          bool *is_flow)
{
    struct koshu_hdf5_place flow;
    double points = 0;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Flow", &flow));
    *is_flow = flow.id >= 0;
    if (!*is_flow) return KOSHU_OK;
    koshu_hdf5_text(&flow, "Kind", s->kind, sizeof s->kind);
    KOSHU_TRY(koshu_hdf5_number(&flow, "Points", &points));
    if (points > 0 && points < 0x1p32) s->points = (uint64_t)points;
    s->particles = rows_of(flow.id, "Coordinates");
    if (s->particles == 0) s->particles = rows_of(flow.id, "State");
    return read_header(reader, file, s);
}

static koshu_status
inspect(struct koshu_reader *reader, struct koshu_flow_summary *s,
        bool *is_flow)
{
    struct koshu_hdf5_errors errors;
    struct koshu_hdf5_file file;
    koshu_status status = KOSHU_OK;
    koshu_hdf5_begin(&errors);
    if (koshu_hdf5_open(reader, &file))
        status = read_flow(reader, file.id, s, is_flow);
    const bool closed = koshu_hdf5_close(&file);
    (void)closed; /* there is nothing to lose */
    koshu_hdf5_end(&errors);
    return koshu_hdf5_status_of(&errors, reader, status);
}

koshu_status
koshu_flow_file_inspect(struct koshu_context *context, const char *path,
                        struct koshu_flow_summary *s, bool *is_flow)
{
    struct koshu_reader *reader;
    *s = (struct koshu_flow_summary){.kind = ""};
    *is_flow = false;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    const koshu_status status = inspect(reader, s, is_flow);
    koshu_reader_close(reader);
    return status;
}
