/* SPDX-License-Identifier: MIT */
/* The checksum trailer of checkpoints. */
#include "io/checkpoint_trailer.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/base.h"
#include "io/io.h"

/* The last bytes of a checkpoint, which HDF5 does not read, are a checksum of
 * all bytes before. So a damaged file is never opened with HDF5. */
static const char trailer_mark[8] = "koshu-ck";

struct trailer {
    char mark[sizeof trailer_mark];
    XXH64_canonical_t sum;
};

enum { BLOCK = 1 << 18 }; /* on the stack */

static void
make_trailer(XXH64_state_t *state, struct trailer *trailer)
{
    memcpy(trailer->mark, trailer_mark, sizeof trailer_mark);
    XXH64_canonicalFromHash(&trailer->sum, XXH64_digest(state));
}

/* Reads the file back. The commit reports what could not be written or read. */
koshu_status
koshu_checkpoint_put_trailer(struct koshu_file *file)
{
    char block[BLOCK];
    XXH64_state_t state;
    struct trailer trailer;
    uint64_t end = 0;
    XXH64_reset(&state, 0);
    for (size_t n; (n = koshu_file_read_at(file, end, block, BLOCK)) > 0;
         end += n)
        XXH64_update(&state, block, n);
    make_trailer(&state, &trailer);
    return koshu_file_write_at(file, end, &trailer, sizeof trailer);
}

static koshu_status
check_trailer(struct koshu_reader *reader)
{
    char block[BLOCK];
    struct trailer expected, trailer;
    uint64_t size = reader->size;
    uint64_t left = size < sizeof trailer ? 0 : size - sizeof trailer;
    XXH64_state_t state;
    XXH64_reset(&state, 0);
    while (left > 0) {
        size_t n = left < BLOCK ? (size_t)left : BLOCK;
        KOSHU_TRY(koshu_reader_read(reader, block, n, "a checkpoint"));
        XXH64_update(&state, block, n);
        left -= n;
    }
    make_trailer(&state, &expected);
    KOSHU_TRY(koshu_reader_read(reader, &trailer, sizeof trailer,
                                "the checksum"));
    if (memcmp(&trailer, &expected, sizeof trailer) == 0) return KOSHU_OK;
    return koshu_reader_refuse(reader, KOSHU_ERROR_BAD_FORMAT,
                               "the checksum does not fit: this is not a whole "
                               "checkpoint of koshu");
}

koshu_status
koshu_checkpoint_check(struct koshu_context *context, const char *path)
{
    struct koshu_reader *reader;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    koshu_status status = check_trailer(reader);
    koshu_reader_close(reader);
    return status;
}

koshu_status
koshu_is_checkpoint(struct koshu_context *context, const char *path,
                    bool *is_checkpoint)
{
    struct koshu_reader *reader;
    struct trailer end;
    koshu_status status = KOSHU_OK;
    memset(&end, 0, sizeof end);
    KOSHU_TRY(koshu_reader_open_snapshot(context, path, &reader));
    if (reader->size > sizeof end) {
        status = koshu_reader_seek(reader, reader->size - sizeof end);
        if (status == KOSHU_OK)
            status = koshu_reader_read(reader, &end, sizeof end, "its end");
    }
    koshu_reader_close(reader);
    *is_checkpoint = memcmp(end.mark, trailer_mark, sizeof trailer_mark) == 0;
    return status;
}
