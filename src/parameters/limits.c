/* SPDX-License-Identifier: MIT */
/* Limits the size and nesting of a YAML text, because the libraries that read
 * YAML take time quadratic in depths, lists and directives. */
#include <stdio.h>
#include <string.h>

#include <yaml.h>

#include "base/base.h"
#include "parameters/parameters.h"

enum {
    MAX_DEPTH = 16,   /* of sections and lists; keys need 4 */
    MAX_NODES = 20000 /* keys, values and entries of lists */
};

/* Refuses tag directives: a document may have any number of them, and each is
 * compared with all before. */
static koshu_status
refuse_tags(const struct koshu_source *source, const char *text)
{
    int line = 1;
    for (const char *at = text; at; line++) {
        if (strncmp(at, "%TAG", 4) == 0)
            return koshu_source_fail(
                    source, line,
                    "a parameter file has no %%TAG directives: take the "
                    "line out");
        at = strchr(at, '\n');
        if (at) at++;
    }
    return KOSHU_OK;
}

struct count {
    size_t depth, nodes;
};

static koshu_status
count_event(const struct koshu_source *source, const yaml_event_t *event,
            struct count *c)
{
    const int line = (int)event->start_mark.line + 1;
    switch (event->type) {
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        if (++c->depth > MAX_DEPTH)
            return koshu_source_fail(
                    source, line,
                    "sections and lists within each other, 17 deep: a "
                    "parameter file has at most 16, and needs 4");
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: c->depth--; return KOSHU_OK;
    case YAML_SCALAR_EVENT:
    case YAML_ALIAS_EVENT: break;
    default: return KOSHU_OK;
    }
    if (++c->nodes <= MAX_NODES) return KOSHU_OK;
    return koshu_source_fail(
            source, line,
            "more than 20000 keys, values and entries of lists; for many "
            "snapshots give output.snapshot.interval");
}

/* Counts events; the parser reads no further than the one that is refused. Text
 * that is not YAML is reported by the reader of the keys. */
static koshu_status
count_events(const struct koshu_source *source, yaml_parser_t *parser)
{
    struct count c = {0};
    yaml_event_t event;
    while (yaml_parser_parse(parser, &event)) {
        const bool last = event.type == YAML_STREAM_END_EVENT ||
                          event.type == YAML_NO_EVENT;
        const koshu_status status = count_event(source, &event, &c);
        yaml_event_delete(&event);
        if (status != KOSHU_OK || last) return status;
    }
    return KOSHU_OK;
}

koshu_status
koshu_yaml_check(const struct koshu_source *source, const char *text)
{
    yaml_parser_t parser;
    const size_t n = strlen(text);
    if (n > KOSHU_PARAMETERS_BYTES)
        return koshu_fail(source->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: %zu bytes: a parameter file has at most %d",
                          source->name, n, KOSHU_PARAMETERS_BYTES);
    KOSHU_TRY(refuse_tags(source, text));
    if (!yaml_parser_initialize(&parser))
        return koshu_fail_memory(source->context, sizeof parser, "YAML parser");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    const koshu_status status = count_events(source, &parser);
    yaml_parser_delete(&parser);
    return status;
}
