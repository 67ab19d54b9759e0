/* SPDX-License-Identifier: MIT */
/*
 * Removes particles from a store on the device and adds others. The particles
 * there have an order of their own, and tags identify them. Arriving particles
 * take the indices of leaving ones, then those past the end; if fewer arrive,
 * the last particles move into the remaining gaps.
 */
#include <algorithm>
#include <cstdlib>

#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

/* ---- rows ---------------------------------------------------------------- */

/* Arrays on the device, and the column of each in a row. */
struct row_columns {
    double *array[KOSHU_ARRAYS]; /* NULL: the work, which is in the tags */
    size_t column[KOSHU_ARRAYS];
    size_t n, row;
    particle_tag *tag;
};

static row_columns
columns_of(const koshu_cuda_store *s, unsigned fields, unsigned there)
{
    const fields_list of = list_fields(s->f);
    row_columns r = {};
    r.tag = s->tag;
    for (size_t k = 0; k < KOSHU_ARRAYS; k++) {
        const unsigned field = koshu_particle_arrays[k].field;
        if (field & there) {
            r.array[r.n] = field == KOSHU_FIELD_WORK
                                   ? nullptr
                                   : of.array[k - KOSHU_ARRAY_MASS];
            r.column[r.n++] = r.row;
        }
        r.row += (field & fields) != 0;
    }
    return r;
}

KOSHU_DEVICE void
read_row(const row_columns &r, size_t k, double *row)
{
    for (size_t c = 0; c < r.n; c++)
        row[r.column[c]] =
                r.array[c] ? r.array[c][k] : (double)work_of(r.tag[k]);
}

KOSHU_DEVICE void
write_row(const row_columns &r, size_t k, const double *row)
{
    for (size_t c = 0; c < r.n; c++) {
        const double x = row[r.column[c]];
        if (r.array[c])
            r.array[c][k] = x;
        else
            put_work(&r.tag[k], work_from(x));
    }
}

/* How many of n ascending numbers are below `one`, or up to it (itself). */
KOSHU_DEVICE uint32_t
count_up_to(const uint32_t *number, uint32_t n, uint32_t one, bool itself)
{
    uint32_t begin = 0;
    while (n > 0) {
        const uint32_t half = n / 2, at = number[begin + half];
        const bool before = itself ? at <= one : at < one;
        begin += before ? half + 1 : 0;
        n = before ? n - half - 1 : half;
    }
    return begin;
}

/* Rows that pass through the memory between steps at a time: as much of it as
 * one array, or a block, however many particles change at first. */
static size_t
rows_at_once(const koshu_cuda_store *s, const row_columns &r)
{
    const size_t block = (size_t)1 << 20;
    const size_t bytes = std::max(s->n * sizeof(double), block);
    return std::max(bytes / (r.row * sizeof(double)), (size_t)1);
}

/* Reads n of the rows from memory of the device. */
static cudaError_t
read_some(koshu_cuda_store *s, const row_columns &r, const uint32_t *wanted,
          uint32_t n, void *rows)
{
    const size_t bytes = n * r.row * sizeof(double);
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(bytes));
    double *to = s->cuda->between_steps.as<double>();
    const host_copy copy = {to, rows, bytes};
    KOSHU_CUDA_TRY(for_each(s->cuda, s->n, [=] __device__(size_t k) {
        const uint32_t origin = r.tag[k].origin,
                       at = count_up_to(wanted, n, origin, false);
        if (at < n && wanted[at] == origin) read_row(r, k, to + at * r.row);
    }));
    return download(s->cuda, &copy, 1);
}

cudaError_t
read_rows(koshu_cuda_store *s, unsigned fields, unsigned there, size_t n,
          const uint32_t *number, void *rows)
{
    KOSHU_CUDA_TRY(start_tree(s));
    const row_columns r = columns_of(s, fields, there);
    KOSHU_CUDA_TRY(s->lists.reserve(n * sizeof *number));
    const uint32_t *wanted = s->lists.as<uint32_t>();
    const host_copy copy = {s->lists.as<void>(), const_cast<uint32_t *>(number),
                            n * sizeof *number};
    KOSHU_CUDA_TRY(upload(s->cuda, &copy, 1));
    const size_t some = rows_at_once(s, r);
    for (size_t k = 0; k < n; k += some)
        KOSHU_CUDA_TRY(read_some(s, r, wanted + k,
                                 (uint32_t)std::min(some, n - k),
                                 static_cast<double *>(rows) + k * r.row));
    return cudaSuccess;
}

/* ---- places -------------------------------------------------------------- */

/* Lists of a change, on the device and on the host, one after another. */
struct change_lists {
    uint32_t *go, *at;   /* as given */
    uint32_t *gap;       /* indices of leaving particles */
    uint32_t *place;     /* indices of arriving particles */
    uint32_t *from, *to; /* moves into the remaining gaps */
};

static size_t
bytes_of_lists(const koshu_change &c)
{
    return (4 * c.n_go + 2 * c.n_come + 1) * sizeof(uint32_t);
}

static change_lists
lay_out_lists(void *memory, const koshu_change &c)
{
    change_lists l;
    l.go = static_cast<uint32_t *>(memory);
    l.at = l.go + c.n_go;
    l.gap = l.at + c.n_come;
    l.place = l.gap + c.n_go;
    l.from = l.place + c.n_come;
    l.to = l.from + c.n_go;
    return l;
}

/* Gives remaining particles their new global numbers, and finds the indices of
 * leaving ones. */
static cudaError_t
renumber(koshu_cuda_store *s, const koshu_change &c, const change_lists &l)
{
    const uint32_t n_go = (uint32_t)c.n_go, n_come = (uint32_t)c.n_come;
    particle_tag *tag = s->tag;
    return for_each(s->cuda, s->n, [=] __device__(size_t k) {
        const uint32_t origin = tag[k].origin,
                       gone = count_up_to(l.go, n_go, origin, false);
        if (gone < n_go && l.go[gone] == origin) {
            l.gap[gone] = (uint32_t)k;
            return;
        }
        const uint32_t stays = origin - gone;
        tag[k].origin = stays + count_up_to(l.at, n_come, stays, true);
    });
}

/* Finds the indices on the host; returns the number of moves. n_old and n_new:
 * number of particles before and after the change. */
static size_t
find_places(const koshu_change &c, size_t n_old, size_t n_new, change_lists *l)
{
    uint32_t *const gap = l->gap, *const end = gap + c.n_go;
    std::sort(gap, end);
    const size_t front = (size_t)(std::lower_bound(gap, end, n_new) - gap);
    for (size_t k = 0; k < c.n_come; k++)
        l->place[k] = k < front ? gap[k] : (uint32_t)(n_old + (k - front));
    size_t n = 0, at = front;
    for (size_t k = n_new; k < n_old; k++) {
        if (at < c.n_go && gap[at] == k)
            at++;
        else
            l->from[n++] = (uint32_t)k;
    }
    for (size_t k = 0; k < n; k++) l->to[k] = gap[c.n_come + k];
    return n;
}

/* ---- the change ---------------------------------------------------------- */

/* Writes n arriving particles from the first-th on. */
static cudaError_t
write_some(koshu_cuda_store *s, const row_columns &r, const change_lists &l,
           size_t first, size_t n, const double *rows)
{
    const size_t bytes = n * r.row * sizeof(double);
    KOSHU_CUDA_TRY(s->cuda->between_steps.reserve(bytes));
    const double *from = s->cuda->between_steps.as<double>();
    const host_copy copy = {s->cuda->between_steps.as<void>(),
                            const_cast<double *>(rows), bytes};
    KOSHU_CUDA_TRY(upload(s->cuda, &copy, 1));
    return for_each(s->cuda, n, [=] __device__(size_t k) {
        const uint32_t to = l.place[first + k];
        write_row(r, to, from + k * r.row);
        r.tag[to].origin = l.at[first + k] + (uint32_t)(first + k);
    });
}

static cudaError_t
write_rows(koshu_cuda_store *s, const koshu_change &c, const row_columns &r,
           const change_lists &l)
{
    const size_t some = rows_at_once(s, r);
    const double *const rows = static_cast<const double *>(c.rows);
    for (size_t k = 0; k < c.n_come; k += some)
        KOSHU_CUDA_TRY(write_some(s, r, l, k, std::min(some, c.n_come - k),
                                  rows + k * r.row));
    return cudaSuccess;
}

static cudaError_t
move_last(koshu_cuda_store *s, size_t n, const change_lists &l)
{
    const fields_list of = list_fields(s->f);
    particle_tag *tag = s->tag;
    return for_each(s->cuda, n, [=] __device__(size_t k) {
        const uint32_t from = l.from[k], to = l.to[k];
        for (double *array : of.array) array[to] = array[from];
        tag[to] = tag[from];
    });
}

static cudaError_t
change_by(koshu_cuda_store *s, const koshu_change &c, unsigned there,
          const change_lists &host)
{
    const size_t n_old = s->n, n_new = n_old - c.n_go + c.n_come;
    const size_t u32 = sizeof(uint32_t);
    KOSHU_CUDA_TRY(start_tree(s));
    KOSHU_CUDA_TRY(s->lists.reserve(bytes_of_lists(c)));
    const change_lists l = lay_out_lists(s->lists.as<void>(), c);
    const host_copy given[] = {
            {l.go, const_cast<uint32_t *>(c.go), c.n_go * u32},
            {l.at, const_cast<uint32_t *>(c.at), c.n_come * u32}};
    const host_copy gaps = {l.gap, host.gap, c.n_go * u32};
    KOSHU_CUDA_TRY(upload(s->cuda, given, 2));
    KOSHU_CUDA_TRY(renumber(s, c, l));
    if (c.n_go > 0) KOSHU_CUDA_TRY(download(s->cuda, &gaps, 1));
    change_lists found = host;
    const size_t moved = find_places(c, n_old, n_new, &found);
    const host_copy places = {l.place, host.place,
                              (c.n_come + 2 * c.n_go) * u32};
    KOSHU_CUDA_TRY(upload(s->cuda, &places, 1));
    if (n_new > s->stride) KOSHU_CUDA_TRY(grow_store(s, n_new));
    KOSHU_CUDA_TRY(write_rows(s, c, columns_of(s, c.fields, there), l));
    KOSHU_CUDA_TRY(move_last(s, moved, l));
    return cudaStreamSynchronize(s->cuda->stream);
}

/* Invalidates what was derived from the particles. */
static void
forget(koshu_cuda_store *s, const koshu_change &c, unsigned there)
{
    const size_t row = koshu_row_elements(c.fields);
    const size_t mass = (c.fields & KOSHU_FIELD_ID) != 0; /* its column */
    const double *const rows = static_cast<const double *>(c.rows);
    s->n = s->n - c.n_go + c.n_come;
    s->packed_for = nullptr;
    s->packed_valid = false;
    s->least_mass = -1;
    for (size_t k = 0; there & KOSHU_FIELD_MASS && k < c.n_come; k++)
        s->largest_mass = fmax(s->largest_mass, fabs(rows[k * row + mass]));
}

cudaError_t
change_store(koshu_cuda_store *s, const koshu_change &change, unsigned there)
{
    void *memory = malloc(bytes_of_lists(change));
    if (!memory) return cudaErrorMemoryAllocation;
    const cudaError_t error =
            change_by(s, change, there, lay_out_lists(memory, change));
    free(memory);
    KOSHU_CUDA_TRY(error);
    forget(s, change, there);
    const bool many = s->lists.bytes() > s->n; /* as in the first forces */
    return many ? s->lists.release() : cudaSuccess;
}

} /* namespace koshu */
