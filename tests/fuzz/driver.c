/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer, with any compiler, the same way each
 * time:
 *
 *     fuzz_NAME ROUNDS [SEED]   the seeds, and this many mutations of them
 *     fuzz_NAME FILE...         these files, for example found by libFuzzer
 *     fuzz_NAME --seeds DIR     writes the seeds, for libFuzzer to start with
 *
 * An input that kills the program is saved as fuzz_NAME.crash.
 */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "random.h"

enum { MAX_SEEDS = 8, LARGEST = 1 << 16 };

struct input {
    size_t n;
    uint8_t bytes[LARGEST];
};

static struct input seeds[MAX_SEEDS], current;
static int n_seeds;
static char crash_name[64];

/* ---- files ------------------------------------------------------------- */

static void
give_up(const char *what, const char *name)
{
    fprintf(stderr, "fuzz_%s: %s %s\n", fuzz_name, what, name);
    exit(2);
}

static void
load(const char *path, struct input *input)
{
    FILE *f = fopen(path, "rb");
    if (!f) give_up("cannot read", path);
    input->n = fread(input->bytes, 1, LARGEST, f);
    fclose(f);
}

static void
load_seeds(void)
{
    char name[] = "/tmp/koshu-fuzz-XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0) give_up("cannot make", name);
    close(fd);
    while (n_seeds < MAX_SEEDS && fuzz_write_seed(n_seeds, name))
        load(name, &seeds[n_seeds++]);
    unlink(name);
}

static void
write_seeds(const char *directory)
{
    char path[1024];
    for (int k = 0; k < MAX_SEEDS; k++) {
        snprintf(path, sizeof path, "%s/%s-%d", directory, fuzz_name, k);
        if (!fuzz_write_seed(k, path)) return;
    }
}

/* ---- the input that killed the program ---------------------------------- */

static void
keep_input(void)
{
    int fd = open(crash_name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0) return;
    ssize_t kept = write(fd, current.bytes, current.n);
    (void)kept;
    close(fd);
}

static void
die(int number)
{
    keep_input();
    signal(number, SIG_DFL);
    raise(number);
}

/* AddressSanitizer ends a program without a signal, so it needs this
 * callback. */
void __sanitizer_set_death_callback(void (*function)(void))
        __attribute__((weak));

static void
watch(void)
{
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    snprintf(crash_name, sizeof crash_name, "fuzz_%s.crash", fuzz_name);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(keep_input);
    for (size_t k = 0; k < sizeof fatal / sizeof fatal[0]; k++)
        if (fatal[k] == SIGABRT || !__sanitizer_set_death_callback)
            signal(fatal[k], die);
}

/* ---- mutations ---------------------------------------------------------- */

static void
flip_bits(struct input *in)
{
    for (size_t k = 1 + below(4); k > 0 && in->n > 0; k--)
        in->bytes[below(in->n)] ^= (uint8_t)(1u << below(8));
}

static void
truncate_input(struct input *in)
{
    in->n = below(in->n);
}

/* Inserts `length` bytes of `from` at `at`. */
static void
put_in(struct input *in, size_t at, const uint8_t *from, size_t length)
{
    if (length > LARGEST - in->n) length = LARGEST - in->n;
    uint8_t kept[LARGEST];
    memcpy(kept, from, length);
    memmove(in->bytes + at + length, in->bytes + at, in->n - at);
    memcpy(in->bytes + at, kept, length);
    in->n += length;
}

static void
duplicate(struct input *in)
{
    size_t from = below(in->n), length = below(in->n - from);
    put_in(in, below(in->n), in->bytes + from, length);
}

static void
put_other(struct input *in)
{
    const struct input *other = &seeds[below((size_t)n_seeds)];
    size_t from = below(other->n), length = below(other->n - from);
    put_in(in, below(in->n), other->bytes + from, length);
}

static void
cut_out(struct input *in)
{
    size_t at = below(in->n), length = below(in->n - at);
    memmove(in->bytes + at, in->bytes + at + length, in->n - at - length);
    in->n -= length;
}

/* Writes an integer of 1 to 8 bytes, in either byte order, with a value that is
 * likely to break counts. */
static void
overwrite(struct input *in)
{
    static const uint64_t odd[] = {0,
                                   1,
                                   3,
                                   255,
                                   256,
                                   INT32_MAX,
                                   (uint64_t)INT32_MAX + 1,
                                   UINT32_MAX,
                                   (uint64_t)1 << 60,
                                   INT64_MAX,
                                   (uint64_t)INT64_MAX + 1,
                                   UINT64_MAX,
                                   0x7ff8000000000000u,  /* NaN */
                                   0xbff0000000000000u}; /* -1 */
    size_t width = (size_t)1 << below(4), at = below(in->n);
    uint64_t value = odd[below(sizeof odd / sizeof odd[0])];
    bool big = random_bits() & 1;
    for (size_t k = 0; k < width && at + k < in->n; k++)
        in->bytes[at + k] = (uint8_t)(value >> 8 * (big ? width - 1 - k : k));
}

/* In text formats, writes a word in place of a number. */
static void
reword(struct input *in)
{
    static const char *const words[] = {"nan",
                                        "-1",
                                        "1e999",
                                        ",",
                                        "\n",
                                        "#",
                                        "-inf",
                                        "",
                                        "0x1p9",
                                        "\r",
                                        "=",
                                        "\"",
                                        "99999999999999999999"};
    const char *word = words[below(sizeof words / sizeof words[0])];
    size_t at = below(in->n), end = at;
    while (end < in->n && (isalnum(in->bytes[end]) || in->bytes[end] == '.'))
        end++;
    memmove(in->bytes + at, in->bytes + end, in->n - end);
    in->n -= end - at;
    put_in(in, at, (const uint8_t *)word, strlen(word));
}

static void
mutate(struct input *in)
{
    static void (*const mutations[])(struct input *) = {
            flip_bits, flip_bits, truncate_input, duplicate, put_other,
            cut_out,   overwrite, overwrite,      overwrite, reword};
    for (size_t k = 1 + below(4); k > 0; k--)
        mutations[below(sizeof mutations / sizeof mutations[0])](in);
}

/* ---- the program --------------------------------------------------------- */

static void
run_rounds(long rounds)
{
    load_seeds();
    for (int k = 0; k < n_seeds; k++) {
        current = seeds[k];
        LLVMFuzzerTestOneInput(current.bytes, current.n);
    }
    for (long k = 0; k < rounds; k++) {
        current = seeds[below((size_t)n_seeds)];
        mutate(&current);
        LLVMFuzzerTestOneInput(current.bytes, current.n);
    }
    printf("fuzz_%s: %d seeds, %ld mutations\n", fuzz_name, n_seeds, rounds);
}

int
main(int argc, char **argv)
{
    char *end = NULL;
    long rounds = argc > 1 ? strtol(argv[1], &end, 10) : 0;
    watch();
    if (argc == 3 && strcmp(argv[1], "--seeds") == 0) {
        write_seeds(argv[2]);
    } else if (end && *end == '\0') {
        random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
        run_rounds(rounds);
    } else {
        for (int k = 1; k < argc; k++) {
            load(argv[k], &current);
            LLVMFuzzerTestOneInput(current.bytes, current.n);
            printf("%s: survived\n", argv[k]);
        }
    }
    return 0;
}
