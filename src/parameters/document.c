/* SPDX-License-Identifier: MIT */
/* Reads the keys of a YAML text from libyaml's document tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/base.h"
#include "parameters/parameters.h"

enum { PATH_SIZE = 256, MAX_SIBLINGS = 32 };

struct walk {
    const struct koshu_source *source;
    yaml_document_t *tree;
    struct koshu_document *document;
    int section_line[KOSHU_N_SECTIONS];
};

static int
line_of(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

static const char *
scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

/* ---- unknown keys ------------------------------------------------------ */

/* Lists the names directly below a section; returns their number. */
static size_t
siblings(const char *section, const char *names[MAX_SIBLINGS])
{
    size_t n = 0;
    for (int k = 0; k < KOSHU_N_SECTIONS && n < MAX_SIBLINGS; k++)
        if (koshu_key_is_below(koshu_sections[k].path, section))
            names[n++] = koshu_key_name(koshu_sections[k].path);
    for (int k = 0; k < KOSHU_N_KEYS && n < MAX_SIBLINGS; k++)
        if (koshu_key_is_below(koshu_keys[k].path, section))
            names[n++] = koshu_key_name(koshu_keys[k].path);
    return n;
}

/* Finds a key of this name in any section, to suggest it: a correct name in the
 * wrong place. */
static const char *
same_name_elsewhere(const char *name)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (strcmp(koshu_key_name(koshu_keys[k].path), name) == 0)
            return koshu_keys[k].path;
    return NULL;
}

static koshu_status
unknown_key(struct walk *w, const char *section, const char *path, int line)
{
    const char *names[MAX_SIBLINGS], *name = koshu_key_name(path);
    size_t n = siblings(section, names);
    char list[512];
    koshu_join_names(list, sizeof list, names, n);
    const char *elsewhere = same_name_elsewhere(name);
    const char *nearest = koshu_nearest_name(name, names, n);
    if (elsewhere || nearest)
        return koshu_source_fail(w->source, line,
                                 "unknown key '%s'; did you mean '%s'?", path,
                                 elsewhere ? elsewhere : nearest);
    return koshu_source_fail(w->source, line,
                             "unknown key '%s'; the keys %s%s are %s", path,
                             section[0] ? "of " : "here", section, list);
}

/* ---- the walk ---------------------------------------------------------- */

static koshu_status
note_line(struct walk *w, const char *path, int *first, int line)
{
    if (*first)
        return koshu_source_fail(w->source, line,
                                 "%s is given twice, first in line %d", path,
                                 *first);
    *first = line;
    return KOSHU_OK;
}

/* "[0, 1, 5/2]" */
static void
put_list(FILE *out, struct walk *w, const yaml_node_t *node)
{
    const yaml_node_item_t *first = node->data.sequence.items.start;
    for (const yaml_node_item_t *i = first; i < node->data.sequence.items.top;
         i++)
        fprintf(out, "%s%s", i == first ? "[" : ", ",
                scalar(yaml_document_get_node(w->tree, *i)));
    fputs(node->data.sequence.items.top == first ? "[]" : "]", out);
}

static koshu_status
check_list(struct walk *w, const struct koshu_key *key, const yaml_node_t *node)
{
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; item++) {
        yaml_node_t *entry = yaml_document_get_node(w->tree, *item);
        if (entry->type != YAML_SCALAR_NODE)
            return koshu_source_fail(
                    w->source, line_of(entry),
                    "%s: an entry of the list is itself a list or a "
                    "section",
                    key->path);
    }
    return KOSHU_OK;
}

/* Keeps the text of a value or of a list of values. */
static koshu_status
keep_text(struct walk *w, int k, const yaml_node_t *node)
{
    size_t size;
    FILE *out = open_memstream(&w->document->key[k].text, &size);
    if (out && node->type == YAML_SEQUENCE_NODE) put_list(out, w, node);
    if (out && node->type == YAML_SCALAR_NODE) fputs(scalar(node), out);
    const bool whole = out && !ferror(out);
    /* glibc's fclose() reports no error if it lacks memory for the text */
    if (out && fclose(out) == 0 && whole && w->document->key[k].text)
        return KOSHU_OK;
    return koshu_fail_memory(w->source->context, 0, "value of a parameter");
}

/* former: the name by which the key is given; NULL: its present one. */
static koshu_status
note_key(struct walk *w, int k, const char *former, int line)
{
    int *first = &w->document->key[k].line;
    const char *path = koshu_keys[k].path;
    const char *before = w->document->key[k].former;
    if (*first && before != former)
        return koshu_source_fail(
                w->source, line,
                "%s is the former name of %s: both are given, in lines "
                "%d and %d; remove the former",
                former ? former : before, path, *first, line);
    KOSHU_TRY(note_line(w, former ? former : path, first, line));
    w->document->key[k].former = former;
    return KOSHU_OK;
}

static koshu_status
refuse_kind(struct walk *w, const struct koshu_key *key,
            const yaml_node_t *value, int line)
{
    char expected[512];
    koshu_key_expectation(key, expected, sizeof expected);
    if (value->type == YAML_SCALAR_NODE)
        return koshu_source_fail(w->source, line, "%s: expected %s, got '%s'",
                                 key->path, expected, scalar(value));
    return koshu_source_fail(
            w->source, line, "%s: expected %s, got a %s", key->path, expected,
            value->type == YAML_SEQUENCE_NODE ? "list" : "section");
}

static koshu_status
visit_key(struct walk *w, int k, const char *former, const yaml_node_t *value,
          int line)
{
    const struct koshu_key *key = &koshu_keys[k];
    KOSHU_TRY(note_key(w, k, former, line));
    bool is_list = koshu_key_is_list(key);
    if (value->type != (is_list ? YAML_SEQUENCE_NODE : YAML_SCALAR_NODE))
        return refuse_kind(w, key, value, line);
    if (is_list) KOSHU_TRY(check_list(w, key, value));
    return keep_text(w, k, value);
}

/* One unit of "units: pc, Msun, Myr". */
static koshu_status
visit_unit(struct walk *w, const char *part, int line)
{
    const int k = koshu_unit_key(part);
    if (k < 0)
        return koshu_source_fail(
                w->source, line,
                "units: '%s' is not a unit of length, mass, time "
                "or velocity; expected such as pc, Msun, Myr, "
                "or henon",
                part);
    KOSHU_TRY(note_key(w, k, NULL, line));
    w->document->key[k].text = strdup(part);
    return w->document->key[k].text
                   ? KOSHU_OK
                   : koshu_fail_memory(w->source->context, strlen(part),
                                       "value of a parameter");
}

static koshu_status
visit_units(struct walk *w, const char *text, int line)
{
    do {
        char part[64];
        text += strspn(text, " ");
        const size_t n = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)(n < 63 ? n : 63), text);
        KOSHU_TRY(visit_unit(w, part, line));
        text += n;
    } while (*text++ == ',');
    return KOSHU_OK;
}

static koshu_status visit_section(struct walk *w, const char *path,
                                  const yaml_node_t *node, int line);

static koshu_status
visit_pair(struct walk *w, const char *section, const yaml_node_pair_t *pair)
{
    yaml_node_t *name = yaml_document_get_node(w->tree, pair->key);
    yaml_node_t *value = yaml_document_get_node(w->tree, pair->value);
    int line = line_of(name);
    if (name->type != YAML_SCALAR_NODE)
        return koshu_source_fail(w->source, line,
                                 "a key must be a word, got a list or section");
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s%s%s", section, section[0] ? "." : "",
             scalar(name));
    int k = koshu_key_find(path), s = koshu_section_find(path);
    const char *former = k < 0 ? koshu_key_find_former(path, &k) : NULL;
    if (k >= 0) return visit_key(w, k, former, value, line);
    if (s < 0) return unknown_key(w, section, path, line);
    KOSHU_TRY(note_line(w, path, &w->section_line[s], line));
    return visit_section(w, path, value, line);
}

static koshu_status
visit_section(struct walk *w, const char *path, const yaml_node_t *node,
              int line)
{
    if (node->type == YAML_SCALAR_NODE && strcmp(path, "units") == 0 &&
        scalar(node)[0])
        return visit_units(w, scalar(node), line);
    if (node->type != YAML_MAPPING_NODE) {
        const char *names[MAX_SIBLINGS];
        char list[512];
        koshu_join_names(list, sizeof list, names, siblings(path, names));
        return koshu_source_fail(w->source, line,
                                 "%s: expected keys (%s), got %s",
                                 path[0] ? path : "a parameter file", list,
                                 node->type == YAML_SEQUENCE_NODE ? "a list"
                                 : scalar(node)[0] ? "a single value"
                                                   : "nothing");
    }
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        KOSHU_TRY(visit_pair(w, path, pair));
    return KOSHU_OK;
}

/* An empty document has no keys, which is allowed. */
static koshu_status
visit_document(struct walk *w)
{
    yaml_node_t *root = yaml_document_get_root_node(w->tree);
    return root ? visit_section(w, "", root, line_of(root)) : KOSHU_OK;
}

static koshu_status
not_yaml(struct walk *w, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return koshu_fail_memory(w->source->context, 0, "parameter file");
    return koshu_source_fail(w->source, (int)parser->problem_mark.line + 1,
                             "not YAML: %s%s%s", parser->problem,
                             parser->context ? ", " : "",
                             parser->context ? parser->context : "");
}

/* Refuses a second document, whose keys would be ignored. */
static koshu_status
refuse_second_document(struct walk *w, yaml_parser_t *parser)
{
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document)) return not_yaml(w, parser);
    yaml_node_t *root = yaml_document_get_root_node(&document);
    koshu_status status = KOSHU_OK;
    if (root)
        status = koshu_source_fail(
                w->source, line_of(root),
                "a second YAML document begins here; a parameter file "
                "is one: take the line '---' out");
    yaml_document_delete(&document);
    return status;
}

static koshu_status
read_tree(struct walk *w, yaml_parser_t *parser)
{
    yaml_document_t tree;
    if (!yaml_parser_load(parser, &tree)) return not_yaml(w, parser);
    w->tree = &tree;
    koshu_status status = visit_document(w);
    yaml_document_delete(&tree);
    KOSHU_TRY(status);
    return refuse_second_document(w, parser);
}

koshu_status
koshu_document_read(const struct koshu_source *source, const char *text,
                    struct koshu_document *document)
{
    yaml_parser_t parser;
    struct walk w = {.source = source, .document = document};
    *document = (struct koshu_document){0};
    KOSHU_TRY(koshu_yaml_check(source, text));
    if (!yaml_parser_initialize(&parser))
        return koshu_fail_memory(source->context, sizeof parser, "YAML parser");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text,
                                 strlen(text));
    koshu_status status = read_tree(&w, &parser);
    yaml_parser_delete(&parser);
    return status;
}

void
koshu_document_free(struct koshu_document *document)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) free(document->key[k].text);
}
