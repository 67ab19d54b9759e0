/* SPDX-License-Identifier: MIT */
/*
 * The libcyaml schema, made from the table of keys. Every value is loaded as
 * the text it is written in: libcyaml takes any word but "false" for true,
 * "nan" for a number and no fractions, so values.c decides what a text means.
 */
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include "base/base.h"
#include "parameters/parameters.h"

/* A list of fields per section; the last one is the top level. */
enum { TOP = KOSHU_N_SECTIONS, MAX_FIELDS = 32 };

struct schema {
    cyaml_schema_value_t root, list_entry;
    cyaml_schema_field_t field[KOSHU_N_SECTIONS + 1][MAX_FIELDS];
    int n_fields[KOSHU_N_SECTIONS + 1];
};

static const cyaml_config_t config = {.mem_fn = cyaml_mem};

static cyaml_schema_field_t *
new_field(struct schema *schema, const char *path)
{
    int section = TOP;
    for (int s = 0; s < KOSHU_N_SECTIONS; s++)
        if (koshu_key_is_below(path, koshu_sections[s].path)) section = s;
    return &schema->field[section][schema->n_fields[section]++];
}

/* Under this path: its own, or a former one. */
static void
add_key(struct schema *schema, int k, const char *path)
{
    const struct koshu_key *key = &koshu_keys[k];
    size_t offset = offsetof(struct koshu_raw_values, value) +
                    (size_t)k * sizeof(struct koshu_raw_value);
    cyaml_schema_field_t *f = new_field(schema, path);
    f->key = koshu_key_name(path);
    f->value.flags = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL;
    if (key->type == KOSHU_KEY_REALS) {
        f->data_offset =
                (uint32_t)(offset + offsetof(struct koshu_raw_value, entries));
        f->count_offset = (uint32_t)(offset + offsetof(struct koshu_raw_value,
                                                       n_entries));
        f->count_size = sizeof(unsigned);
        f->value.type = CYAML_SEQUENCE;
        f->value.flags |= CYAML_FLAG_FLOW;
        f->value.data_size = sizeof(char *);
        f->value.sequence.entry = &schema->list_entry;
        f->value.sequence.max = CYAML_UNLIMITED;
    } else {
        f->data_offset =
                (uint32_t)(offset + offsetof(struct koshu_raw_value, text));
        f->value.type = CYAML_STRING;
        f->value.data_size = sizeof(char);
        f->value.string.max = CYAML_UNLIMITED;
    }
}

/* All sections share one flat struct: each is a mapping at offset 0. */
static void
add_section(struct schema *schema, int s)
{
    cyaml_schema_field_t *f = new_field(schema, koshu_sections[s].path);
    f->key = koshu_key_name(koshu_sections[s].path);
    f->value.type = CYAML_MAPPING;
    f->value.flags = CYAML_FLAG_OPTIONAL;
    f->value.data_size = sizeof(struct koshu_raw_values);
    f->value.mapping.fields = schema->field[s];
}

static bool
section_is_wanted(int s, const bool want[KOSHU_N_KEYS])
{
    const char *section = koshu_sections[s].path;
    size_t length = strlen(section);
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (want[k] && strncmp(koshu_keys[k].path, section, length) == 0 &&
            koshu_keys[k].path[length] == '.')
            return true;
    return false;
}

/* The schema of the wanted keys. */
static void
make_schema(const bool want[KOSHU_N_KEYS], struct schema *schema)
{
    memset(schema, 0, sizeof *schema);
    schema->list_entry = (cyaml_schema_value_t){
            CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
    schema->root = (cyaml_schema_value_t){CYAML_VALUE_MAPPING(
            CYAML_FLAG_POINTER, struct koshu_raw_values, schema->field[TOP])};
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (want[k]) add_key(schema, k, koshu_keys[k].path);
    for (int s = 0; s < KOSHU_N_SECTIONS; s++)
        if (section_is_wanted(s, want)) add_section(schema, s);
}

static void
add_former_names(struct schema *schema)
{
    int k;
    const char *former;
    for (size_t n = 0; (former = koshu_key_alias(n, &k)); n++)
        add_key(schema, k, former);
}

koshu_status
koshu_raw_values_load(struct koshu_context *context, const char *name,
                      const char *text, struct koshu_raw_values **raw)
{
    struct schema schema;
    bool want[KOSHU_N_KEYS];
    for (int k = 0; k < KOSHU_N_KEYS; k++) want[k] = true;
    make_schema(want, &schema);
    add_former_names(&schema);
    cyaml_data_t *data = NULL;
    cyaml_err_t error = cyaml_load_data((const uint8_t *)text, strlen(text),
                                        &config, &schema.root, &data, NULL);
    if (error == CYAML_OK && !data) /* an empty document */
        data = calloc(1, sizeof **raw);
    if (!data && (error == CYAML_OK || error == CYAML_ERR_OOM))
        return koshu_fail_memory(context, sizeof **raw, "parameters");
    if (error != CYAML_OK)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s: refused by the schema: %s", name,
                          cyaml_strerror(error));
    *raw = data;
    return KOSHU_OK;
}

koshu_status
koshu_raw_values_save(struct koshu_context *context,
                      const struct koshu_raw_values *raw,
                      const bool want[KOSHU_N_KEYS], char **text)
{
    struct schema schema;
    make_schema(want, &schema);
    char *yaml = NULL;
    size_t length = 0;
    *text = NULL;
    cyaml_err_t error =
            cyaml_save_data(&yaml, &length, &config, &schema.root, raw, 0);
    if (error == CYAML_OK) *text = calloc(length + 1, 1);
    if (*text) memcpy(*text, yaml, length);
    free(yaml);
    return *text ? KOSHU_OK
                 : koshu_fail_memory(context, length, "text of parameters");
}

bool
koshu_raw_value_given(const struct koshu_raw_value *raw)
{
    return raw->text || raw->entries;
}

void
koshu_raw_value_clear(struct koshu_raw_value *raw)
{
    for (unsigned k = 0; k < raw->n_entries; k++) free(raw->entries[k]);
    free(raw->entries);
    free(raw->text);
    *raw = (struct koshu_raw_value){0};
}

void
koshu_raw_values_free(struct koshu_raw_values *raw)
{
    if (!raw) return;
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        koshu_raw_value_clear(&raw->value[k]);
    free(raw);
}
