/* SPDX-License-Identifier: MIT */
/* Finds keys and sections by path. */
#include <string.h>

#include "parameters/parameters.h"

int
koshu_key_find(const char *path)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (strcmp(koshu_keys[k].path, path) == 0) return k;
    return -1;
}

const char *
koshu_key_find_former(const char *path, int *k)
{
    for (*k = 0; *k < KOSHU_N_KEYS; ++*k)
        if (koshu_keys[*k].former && strcmp(koshu_keys[*k].former, path) == 0)
            return koshu_keys[*k].former;
    *k = -1;
    return NULL;
}

int
koshu_section_find(const char *path)
{
    for (int k = 0; k < KOSHU_N_SECTIONS; k++)
        if (strcmp(koshu_sections[k].path, path) == 0) return k;
    return -1;
}

const char *
koshu_key_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

size_t
koshu_key_section_length(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? (size_t)(dot - path) : 0;
}

bool
koshu_key_is_below(const char *path, const char *section)
{
    size_t length = koshu_key_section_length(path);
    return strlen(section) == length && strncmp(path, section, length) == 0;
}

const char *
koshu_key_default(const struct koshu_key *key, enum koshu_scheme scheme)
{
    if (scheme == KOSHU_SCHEME_HERMITE && key->hermite) return key->hermite;
    if (scheme == KOSHU_SCHEME_ARCHAIN && key->archain) return key->archain;
    return key->value;
}
