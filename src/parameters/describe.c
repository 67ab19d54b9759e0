/* SPDX-License-Identifier: MIT */
/* The table of keys as a parameter file and as a page of documentation. */
#include <stdio.h>
#include <string.h>

#include "parameters/parameters.h"

enum { LAST_COLUMN = 78 };

/* ---- a parameter file ---------------------------------------------------- */

static void
indent(FILE *out, int depth)
{
    fprintf(out, "%*s", 2 * depth, "");
}

/* Writes words as comment lines that end before LAST_COLUMN. */
static void
put_comment(FILE *out, int depth, const char *words)
{
    int column = 0;
    while (*words) {
        int length = (int)strcspn(words, " ");
        if (column > 0 && column + 1 + length > LAST_COLUMN) {
            fputc('\n', out);
            column = 0;
        }
        if (column == 0) {
            indent(out, depth);
            fputc('#', out);
            column = 2 * depth + 1;
        }
        fprintf(out, " %.*s", length, words);
        column += 1 + length;
        words += length;
        words += strspn(words, " ");
    }
    fputc('\n', out);
}

static int
depth_of(const char *path)
{
    int depth = 0;
    for (; *path; path++) depth += *path == '.';
    return depth;
}

/* Keys that cannot be given together with the others are written as comments:
 * those of models, schemes and methods that are not the default, those that
 * replace another key, and those whose default depends on the scheme. */
static bool
is_alternative(const struct koshu_key *key)
{
    if (key->models && !(key->models & 1u << KOSHU_MODEL_PLUMMER)) return true;
    if (key->schemes || key->methods || key->hermite || key->of_comoving)
        return true;
    static const char *const paths[] = {"initial.components", "initial.file",
                                        "output.snapshot.times",
                                        "output.log.interval"};
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++)
        if (strcmp(key->path, paths[k]) == 0) return true;
    return false;
}

static void
put_template_key(FILE *out, const struct koshu_key *key)
{
    char expected[512], words[1024];
    int depth = depth_of(key->path);
    koshu_key_expectation(key, expected, sizeof expected);
    snprintf(words, sizeof words, "%s (%s%s%s%s%s%s)", key->meaning, expected,
             key->required ? ", required" : "",
             key->hermite ? "; with hermite " : "",
             key->hermite ? key->hermite : "",
             key->archain ? "; with archain " : "",
             key->archain ? key->archain : "");
    put_comment(out, depth, words);
    indent(out, depth);
    fprintf(out, "%s%s: %s\n\n", is_alternative(key) ? "# " : "",
            koshu_key_name(key->path), key->value[0] ? key->value : "''");
}

/* Whether all keys of the section are alternatives, so that the section is one
 * too. */
static bool
is_alternative_section(const char *path)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (koshu_key_is_below(koshu_keys[k].path, path) &&
            !is_alternative(&koshu_keys[k]))
            return false;
    for (int s = 0; s < KOSHU_N_SECTIONS; s++)
        if (koshu_key_is_below(koshu_sections[s].path, path)) return false;
    return true;
}

static void
put_template_section(FILE *out, const char *path)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (koshu_key_is_below(koshu_keys[k].path, path))
            put_template_key(out, &koshu_keys[k]);
    for (int s = 0; s < KOSHU_N_SECTIONS; s++) {
        const struct koshu_section *section = &koshu_sections[s];
        if (!koshu_key_is_below(section->path, path)) continue;
        put_comment(out, depth_of(section->path), section->meaning);
        indent(out, depth_of(section->path));
        fprintf(out, "%s%s:\n",
                is_alternative_section(section->path) ? "# " : "",
                koshu_key_name(section->path));
        put_template_section(out, section->path);
    }
}

static char *
to_text(void (*put)(FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    put(out);
    return fclose(out) == 0 ? text : NULL;
}

static void
put_template(FILE *out)
{
    fputs("# All parameters of `koshu run`, at their defaults. This is itself "
          "a parameter\n# file. Numbers may be fractions: 1/256.\n\n",
          out);
    put_template_section(out, "");
}

char *
koshu_parameters_template(void)
{
    return to_text(put_template);
}

/* ---- a page ------------------------------------------------------------ */

static const char *
restart_words(const struct koshu_key *key)
{
    switch (key->restart) {
    case KOSHU_RESTART_FREE: return "may change";
    case KOSHU_RESTART_FORCED: return "with `--force`";
    case KOSHU_RESTART_FIXED: return "no";
    }
    return "";
}

/* Escapes bars, which would end the cell. */
static void
put_cell(FILE *out, const char *text)
{
    for (; *text; text++) fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void
put_markdown_key(FILE *out, const struct koshu_key *key)
{
    char expected[512];
    koshu_key_expectation(key, expected, sizeof expected);
    fprintf(out, "| `%s` | %s | ", key->path, expected);
    if (key->required)
        fprintf(out, "required (`%s`)", key->value);
    else if (key->value[0])
        fprintf(out, "`%s`", key->value);
    if (key->hermite) fprintf(out, "; hermite: `%s`", key->hermite);
    if (key->archain) fprintf(out, "; archain: `%s`", key->archain);
    if (key->comoving) fprintf(out, "; comoving: `%s`", key->comoving);
    fprintf(out, " | %s | ", restart_words(key));
    put_cell(out, key->meaning);
    fputs(" |\n", out);
}

static void
put_markdown_section(FILE *out, const char *path, const char *meaning)
{
    fprintf(out, "\n## %s\n\n%s\n\n", path[0] ? path : "top level", meaning);
    fputs("| key | what it takes | default | on a restart | meaning |\n"
          "| --- | --- | --- | --- | --- |\n",
          out);
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (koshu_key_is_below(koshu_keys[k].path, path))
            put_markdown_key(out, &koshu_keys[k]);
}

static void
put_markdown_former(FILE *out)
{
    fputs("\n"
          "## Renamed keys\n"
          "\n"
          "The names of koshu 0.1 are also read, with a "
          "warning; a file has one or the other.\n"
          "\n",
          out);
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (koshu_keys[k].former)
            fprintf(out, "- `%s`: now `%s`\n", koshu_keys[k].former,
                    koshu_keys[k].path);
}

static void
put_markdown(FILE *out)
{
    fputs("# Parameters of a run\n"
          "\n"
          "Printed by `koshu run --help-parameters=markdown`; "
          "`koshu run --help-parameters`\n"
          "prints a file to start from. In YAML, keys are "
          "nested at their dots; on the command\n"
          "line they are given as `--set KEY=VALUE`. Numbers "
          "may be fractions, `1/256`; lists\n"
          "are written `[0, 1, 5/2]`.\n",
          out);
    put_markdown_section(out, "", "Keys outside any section.");
    for (int s = 0; s < KOSHU_N_SECTIONS; s++) {
        bool has_keys = false;
        for (int k = 0; k < KOSHU_N_KEYS; k++)
            has_keys |= koshu_key_is_below(koshu_keys[k].path,
                                           koshu_sections[s].path);
        if (has_keys)
            put_markdown_section(out, koshu_sections[s].path,
                                 koshu_sections[s].meaning);
    }
    put_markdown_former(out);
}

char *
koshu_parameters_markdown(void)
{
    return to_text(put_markdown);
}
