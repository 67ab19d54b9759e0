/* SPDX-License-Identifier: MIT */
/* Opens the flow stored in a snapshot. */
#include <stdlib.h>

#include "base/base.h"
#include "flow/flow.h"

static koshu_status
read_parameters(struct koshu_context *context, const char *path,
                struct koshu_parameters **p)
{
    char *text = NULL;
    KOSHU_TRY(koshu_snapshot_parameters(context, path, &text));
    koshu_status status = koshu_parameters_create(context, p);
    if (status == KOSHU_OK && !text)
        status = koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                            "%s: contains no parameters of a flow", path);
    if (status == KOSHU_OK)
        status = koshu_parameters_parse_checkpoint(*p, path, text);
    free(text);
    return status;
}

static koshu_status
check_snapshot(struct koshu_context *context, const char *path)
{
    struct koshu_flow_summary summary;
    bool is_flow, is_checkpoint;
    KOSHU_TRY(koshu_flow_file_inspect(context, path, &summary, &is_flow));
    if (!is_flow)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: is not a snapshot of a flow, which koshu run "
                          "writes with flow.method",
                          path);
    KOSHU_TRY(koshu_is_checkpoint(context, path, &is_checkpoint));
    if (!is_checkpoint) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: is a checkpoint; name a snapshot", path);
}

static koshu_status
load(struct koshu_flow *f, const char *path)
{
    struct koshu_flow_file file = {.is_checkpoint = false};
    KOSHU_TRY(koshu_flow_file_read(f->context, path, &file));
    f->time = file.time;
    f->steps = file.step;
    return f->ops->load(f, path, &f->state);
}

koshu_status
koshu_flow_open(struct koshu_context *context, const char *path,
                const struct koshu_flow_fields *fields,
                struct koshu_flow **flow)
{
    struct koshu_parameters *p = NULL;
    *flow = NULL;
    KOSHU_TRY(check_snapshot(context, path));
    koshu_status status = read_parameters(context, path, &p);
    if (status == KOSHU_OK)
        status = koshu_flow_prepare(context, p, fields, flow);
    koshu_parameters_destroy(p);
    KOSHU_TRY(status);
    status = load(*flow, path);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_flow_destroy(*flow);
    *flow = NULL;
    return status;
}
