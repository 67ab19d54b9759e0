/* SPDX-License-Identifier: MIT */
/* Parameters as a checkpoint stores them, and the comparison of two runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "parameters/object.h"

static bool
is_of(unsigned choices, int choice)
{
    return !choices || choices & 1u << choice;
}

/* Whether a flow does not use the key: it uses only the integrator's step and
 * end, and its snapshots have one format. */
static bool
is_of_particles(const char *path)
{
    static const char *const begins[] = {"initial.",
                                         "solver.",
                                         "external.",
                                         "stars.",
                                         "units.",
                                         "integrator.",
                                         "domain.",
                                         "stop.",
                                         "cosmology.",
                                         "output.errors.",
                                         "output.log.cluster",
                                         "output.snapshot.format",
                                         "output.snapshot.files",
                                         "output.snapshot.redshifts"};
    if (strcmp(path, "integrator.dt") == 0 ||
        strcmp(path, "integrator.end") == 0)
        return false;
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
        if (strncmp(path, begins[k], strlen(begins[k])) == 0) return true;
    return false;
}

bool
koshu_parameters_concern(const struct koshu_parameters *p,
                         const struct koshu_key *key)
{
    return p->values.flow.method == KOSHU_FLOW_METHOD_NONE
                   ? strncmp(key->path, "flow.", 5) != 0
                   : !is_of_particles(key->path);
}

/* Whether the key affects the forces or the steps of this run. */
static bool
in_force(const struct koshu_parameters *p, const struct koshu_key *key)
{
    const struct koshu_parameter_values *v = &p->values;
    return key->restart == KOSHU_RESTART_FORCED &&
           koshu_parameters_concern(p, key) &&
           (!key->of_comoving || koshu_is_comoving(v)) &&
           is_of(key->methods, v->solver.method) &&
           is_of(key->criteria, v->tree.opening_criterion) &&
           is_of(key->schemes, v->integrator.scheme);
}

/* ---- text --------------------------------------------------------------- */

/* Whether a key in the section or below it has a text. */
static bool
has_text_below(const char *section, const char *const text[KOSHU_N_KEYS])
{
    const size_t length = strlen(section);
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (text[k] && strncmp(koshu_keys[k].path, section, length) == 0 &&
            koshu_keys[k].path[length] == '.')
            return true;
    return false;
}

static void
put_section(FILE *out, const char *section, int depth,
            const char *const text[KOSHU_N_KEYS])
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (!text[k] || !koshu_key_is_below(key->path, section)) continue;
        fprintf(out, "%*s%s: ", 2 * depth, "", koshu_key_name(key->path));
        if (key->type == KOSHU_KEY_TEXT)
            koshu_yaml_put(out, text[k]);
        else
            fputs(text[k], out);
        fputc('\n', out);
    }
    for (int s = 0; s < KOSHU_N_SECTIONS; s++) {
        const char *path = koshu_sections[s].path;
        if (!koshu_key_is_below(path, section) || !has_text_below(path, text))
            continue;
        fprintf(out, "%*s%s:\n", 2 * depth, "", koshu_key_name(path));
        put_section(out, path, depth + 1, text);
    }
}

/* The default to be stored, if it affects forces or steps, because a later
 * koshu may have another. An empty text has no effect. */
static const char *
default_to_keep(const struct koshu_parameters *p, int k)
{
    const struct koshu_key *key = &koshu_keys[k];
    const char *text = koshu_parameters_text_of(p, k);
    return !key->required && in_force(p, key) && text[0] ? text : NULL;
}

/* Writes the given keys and such defaults. */
koshu_status
koshu_parameters_text(const struct koshu_parameters *parameters, char **text)
{
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(NULL, text);
    const struct koshu_parameters *p = parameters;
    const char *kept[KOSHU_N_KEYS];
    size_t size;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        kept[k] = key->local ? NULL : p->given[k];
        if (!p->given[k]) kept[k] = default_to_keep(p, k);
    }
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (out) put_section(out, "", 0, kept);
    if (out && fclose(out) == 0) return KOSHU_OK;
    free(*text);
    *text = NULL;
    return koshu_fail_memory(p->context, 0, "text of parameters");
}

static koshu_status
set_earlier_defaults(struct koshu_parameters *p)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (key->earlier && !p->place[k] && in_force(p, key))
            KOSHU_TRY(koshu_parameters_set(p, key->path, key->earlier));
    }
    return KOSHU_OK;
}

koshu_status
koshu_parameters_parse_checkpoint(struct koshu_parameters *parameters,
                                  const char *name, const char *text)
{
    const struct koshu_source source = {.context = parameters->context,
                                        .name = name,
                                        .has_lines = true,
                                        .kept = true};
    KOSHU_TRY(koshu_parameters_take_document(parameters, &source, text));
    return set_earlier_defaults(parameters);
}

koshu_status
koshu_parameters_copy(struct koshu_context *context,
                      const struct koshu_parameters *from,
                      struct koshu_parameters **copy)
{
    koshu_status status = koshu_parameters_create(context, copy);
    for (int k = 0; k < KOSHU_N_KEYS && status == KOSHU_OK; k++)
        if (from->given[k])
            status = koshu_parameters_take(*copy, k, from->given[k],
                                           from->place[k]);
    if (status == KOSHU_OK) {
        koshu_parameters_settle(*copy);
        return KOSHU_OK;
    }
    koshu_parameters_destroy(*copy);
    *copy = NULL;
    return status;
}

/* ---- two runs ----------------------------------------------------------- */

/* Compares numbers with units up to the rounding of a conversion. */
static bool
same_size(const struct koshu_key *key, const struct koshu_parameter_values *va,
          const struct koshu_parameter_values *vb)
{
    double a, b;
    if (!key->quantity || key->type != KOSHU_KEY_REAL) return false;
    memcpy(&a, (const char *)va + key->offset, sizeof a);
    memcpy(&b, (const char *)vb + key->offset, sizeof b);
    return fabs(a - b) <= 1e-14 * fabs(a);
}

/* Compares values: 1/64 and 0.015625, true and yes, 1 Myr and 1000 kyr are
 * equal. */
static bool
same_value(const struct koshu_parameters *a, const struct koshu_parameters *b,
           int k)
{
    const struct koshu_key *key = &koshu_keys[k];
    struct koshu_parameter_values va = {0}, vb = {0};
    const char *sa = koshu_parameters_text_of(a, k);
    const char *sb = koshu_parameters_text_of(b, k);
    if (key->type == KOSHU_KEY_TEXT) return strcmp(sa, sb) == 0;
    return koshu_value_store(key, sa, koshu_parameters_units(a), a->list[k],
                             &va) &&
           koshu_value_store(key, sb, koshu_parameters_units(b), b->list[k],
                             &vb) &&
           (memcmp(&va, &vb, sizeof va) == 0 || same_size(key, &va, &vb));
}

const struct koshu_key *
koshu_parameters_conflict(const struct koshu_parameters *old,
                          const struct koshu_parameters *new, bool forced,
                          const char **old_value, const char **new_value)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (key->restart == KOSHU_RESTART_FREE ||
            (key->restart == KOSHU_RESTART_FORCED &&
             (forced || (!in_force(old, key) && !in_force(new, key)))) ||
            same_value(old, new, k))
            continue;
        *old_value = koshu_parameters_text_of(old, k);
        *new_value = koshu_parameters_text_of(new, k);
        return key;
    }
    return NULL;
}

const struct koshu_key *
koshu_parameters_difference(const struct koshu_parameters *a,
                            const struct koshu_parameters *b,
                            const char **value_a, const char **value_b)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        *value_a = koshu_parameters_text_of(a, k);
        *value_b = koshu_parameters_text_of(b, k);
        if (!key->local && strcmp(*value_a, *value_b) != 0 &&
            !same_value(a, b, k))
            return key;
    }
    return NULL;
}
