/* SPDX-License-Identifier: MIT */
/*
 * Kernel sources of interactions with errors:
 *
 *     fuzz_interaction N [SEED]
 *
 * Mutates words and bytes of the built-in kernels until N of them are refused.
 * Each must be accepted, or refused with one line that starts with its name and
 * a line number and mentions nothing of koshu's own code. A source that breaks
 * this is printed, and the exit status is 1. A seed always gives the same
 * sources.
 */
#include <ctype.h>
#include <dirent.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <koshu/interaction.h>

#include "random.h"

enum { MAX_SEEDS = 64, MAX_WORDS = 8192, LARGEST = 1 << 16 };

/* A source split into words: names and numbers, blanks, and each other
 * character. */
struct text {
    size_t n;
    char *word[MAX_WORDS];
};

static struct text seeds[MAX_SEEDS];
static size_t n_seeds;

/* ---- seeds --------------------------------------------------------------- */

static void
give_up(const char *what)
{
    fprintf(stderr, "fuzz_interaction: %s\n", what);
    exit(2);
}

static size_t
word_length(const char *at)
{
    size_t n = 0;
    if (*at == ' ')
        while (at[n] == ' ') n++;
    else
        while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    return n ? n : 1;
}

static void
split(struct text *t, const char *from)
{
    for (t->n = 0; *from && t->n < MAX_WORDS;) {
        const size_t n = word_length(from);
        t->word[t->n++] = strndup(from, n);
        from += n;
    }
}

/* Removes comments, which would otherwise absorb most mutations. */
static void
load_seed(const char *path)
{
    char line[1024], *text;
    size_t size;
    FILE *in = fopen(path, "r"), *out = open_memstream(&text, &size);
    if (!in || !out) give_up(path);
    while (fgets(line, sizeof line, in)) {
        char *comment = strstr(line, "//");
        if (comment && strncmp(line, "//!", 3) != 0) strcpy(comment, "\n");
        if (line[0] != '\n') fputs(line, out);
    }
    fclose(in);
    fclose(out);
    split(&seeds[n_seeds++], text);
    free(text);
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void
load_seeds(void)
{
    char path[1024];
    struct dirent **files;
    int n = scandir(FUZZ_BUILT_IN_KERNELS, &files, NULL, by_name);
    for (int k = 0; k < n; k++) {
        if (strstr(files[k]->d_name, ".pipe") && n_seeds < MAX_SEEDS) {
            snprintf(path, sizeof path, FUZZ_BUILT_IN_KERNELS "/%s",
                     files[k]->d_name);
            load_seed(path);
        }
        free(files[k]);
    }
    if (n > 0) free(files);
    if (n_seeds == 0) give_up("no descriptions in " FUZZ_BUILT_IN_KERNELS);
}

/* ---- mutations ----------------------------------------------------------- */

static void
put(struct text *t, size_t at, const char *word)
{
    if (t->n == MAX_WORDS) return;
    memmove(&t->word[at + 1], &t->word[at], (t->n - at) * sizeof t->word[0]);
    t->word[at] = strdup(word);
    t->n++;
}

static void
cut(struct text *t, size_t at)
{
    if (t->n == 0) return;
    free(t->word[at]);
    t->n--;
    memmove(&t->word[at], &t->word[at + 1], (t->n - at) * sizeof t->word[0]);
}

static void
swap(struct text *t)
{
    const size_t a = below(t->n), b = below(t->n);
    char *kept = t->word[a];
    t->word[a] = t->word[b];
    t->word[b] = kept;
}

/* Words with a meaning for koshu's parser or for a compiler. */
/* clang-format off */
static const char *const words[] = {
        "INPUT_I", "INPUT_J", "OUTPUT", "OUTPUT[0]", "MIN", "MINLOC",
        "INDEX_J", "float", "int", "double", "const", "if", "else", "for",
        "while", "return", "asm", "goto", "sqrt", "1/sqrt", "fabs", "system",
        "(", ")", "[", "]", "{", "}", ";", ",", "=", "+=", "==", "?", ":",
        "*", "&", "->", "...", "#", "//", "/*", "*/", "//! i: q", "\n",
        "\n//! ", "\\\n", "\"", "'", "0x", "1e", "1.0.0", "09", "1e999",
        "nan", "inf", "__x", "koshu_e", "%:", "<%", "\xff", "\x01", "0x1p3",
        "1.0", "1", "x", "99999999999999999999"
};
/* clang-format on */

static void
replace(struct text *t)
{
    const size_t at = below(t->n);
    if (below(2)) cut(t, at);
    put(t, at < t->n ? at : t->n, words[below(sizeof words / sizeof words[0])]);
}

static void
change_letter(struct text *t)
{
    char *word = t->word[below(t->n)];
    const size_t at = below(strlen(word));
    const char c = (char)(below(4) ? ' ' + below(95) : 1 + below(255));
    word[at] = c;
}

static void
truncate_text(struct text *t)
{
    const size_t n = below(t->n);
    while (t->n > n) cut(t, t->n - 1);
}

static void
repeat(struct text *t)
{
    const size_t from = below(t->n), to = below(t->n);
    for (size_t n = 1 + below(8), k = 0; k < n && from + k < t->n; k++)
        put(t, to, t->word[from + k]);
}

static void
mutate(struct text *t)
{
    for (size_t k = 1 + below(3); k > 0 && t->n > 1; k--) switch (below(12)) {
        case 0:
        case 1:
        case 2: cut(t, below(t->n)); break;
        case 3:
        case 4: swap(t); break;
        case 5:
        case 6:
        case 7: replace(t); break;
        case 8:
        case 9: change_letter(t); break;
        case 10: repeat(t); break;
        case 11: truncate_text(t); break;
        }
}

/* A mutation of some seed; the caller frees it. */
static char *
wrong_text(void)
{
    static struct text t;
    const struct text *seed = &seeds[below(n_seeds)];
    for (t.n = 0; t.n < seed->n; t.n++) t.word[t.n] = strdup(seed->word[t.n]);
    mutate(&t);
    char *text = calloc(LARGEST + 1, 1);
    size_t n = 0;
    for (size_t k = 0; k < t.n; k++) {
        const size_t length = strlen(t.word[k]);
        if (n + length < LARGEST) {
            memcpy(text + n, t.word[k], length);
            n += length;
        }
        free(t.word[k]);
    }
    return text;
}

/* ---- what must hold ------------------------------------------------------ */

static size_t
count_lines(const char *text)
{
    size_t n = 1;
    for (; *text; text++) n += *text == '\n';
    return n;
}

/* Returns what is wrong with the message, or NULL. */
static const char *
fault_of(const char *message, const char *text)
{
    static const char name[] = "fuzz.pipe:";
    if (strncmp(message, name, sizeof name - 1) != 0)
        return "it does not begin with the name";
    char *end;
    const size_t line = strtoul(message + sizeof name - 1, &end, 10);
    if (line < 1 || line > count_lines(text) || strncmp(end, ": ", 2) != 0)
        return "it names no line of the text";
    if (strlen(end) < 8) return "it says nothing";
    if (strchr(message, '\n')) return "it is more than a line";
    if (strstr(message, "koshu_") && !strstr(text, "koshu_"))
        return "it speaks of koshu's own code";
    return NULL;
}

struct counts {
    long refused, taken;
};

/* false: the source broke the rules. */
static bool
try_text(struct koshu_context *context, const char *text, struct counts *c)
{
    struct koshu_interaction *a;
    struct koshu_interaction_options o = koshu_interaction_options_default();
    o.name = "fuzz.pipe";
    const koshu_status status = koshu_interaction_create(context, text, &o, &a);
    const char *fault = NULL;
    if (status == KOSHU_OK) {
        koshu_interaction_destroy(a);
        c->taken++;
    } else {
        fault = status == KOSHU_ERROR_BAD_INPUT
                        ? fault_of(koshu_context_message(context), text)
                        : koshu_status_name(status);
        c->refused++;
    }
    if (!fault) return true;
    fprintf(stderr,
            "fuzz_interaction: %s\n%s\n--- of the text\n%s\n--- of %ld\n",
            fault, koshu_context_message(context), text, c->refused + c->taken);
    return false;
}

/* ---- the program --------------------------------------------------------- */

static struct koshu_context *
context_of(const char *backend)
{
    struct koshu_context_options o = koshu_context_options_default();
    struct koshu_context *context;
    o.backend = backend;
    o.threads = 1;
    if (koshu_context_create(&o, &context) != KOSHU_OK) give_up("no context");
    return context;
}

static int
remove_one(const char *path, const struct stat *what, int kind, struct FTW *f)
{
    (void)what, (void)kind, (void)f;
    return remove(path);
}

int
main(int argc, char **argv)
{
    char cache[] = "/tmp/koshu-fuzz-XXXXXX";
    const long wanted = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    if (!mkdtemp(cache) || setenv("XDG_CACHE_HOME", cache, 1) != 0)
        give_up("no directory for a cache");
    random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    load_seeds();
    /* ref's code compiles faster; the parser is the same */
    struct koshu_context *ref = context_of("ref"), *simd = context_of("simd");
    struct counts c = {0};
    bool held = true;
    while (held && c.refused < wanted) {
        char *text = wrong_text();
        held = try_text(below(8) ? ref : simd, text, &c);
        free(text);
    }
    koshu_context_destroy(ref);
    koshu_context_destroy(simd);
    nftw(cache, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    printf("fuzz_interaction: %ld texts refused, each in one line that names a "
           "line of it; %ld mutations are kernel sources still\n",
           c.refused, c.taken);
    for (size_t s = 0; s < n_seeds; s++)
        while (seeds[s].n) cut(&seeds[s], seeds[s].n - 1);
    return held ? 0 : 1;
}
