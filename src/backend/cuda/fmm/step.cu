/* SPDX-License-Identifier: MIT */
/* One evaluation of the forces by the fast multipole method: its memory, and
 * its stages. */
#include <algorithm>
#include <cmath>

#include "backend/cuda/fmm/engine.cuh"

namespace koshu {

/* ---- what it begins with ------------------------------------------------- */

static cudaError_t
note_stage(const fmm_step &s, fmm_stage stage)
{
    return cudaEventRecord(s.fmm->event[stage + 1], s.cuda->stream);
}

/* Entries of lists to a cell, some more than a uniform cube has. */
static size_t
entries_of(const fmm_step &s)
{
    const double theta = s.fmm->options.theta;
    return (size_t)(s.view.n_cells * (64 + 80 / (theta * theta * theta)));
}

/* Rows begin at lines of the memory's sectors. */
static size_t
stride_of(int terms, size_t real)
{
    const size_t sector = 32 / real;
    return ((size_t)terms + sector - 1) / sector * sector;
}

static cudaError_t
reserve(fmm_step *s)
{
    koshu_fmm_engine *f = s->fmm;
    const size_t cells = s->view.n_cells;
    const int terms = (f->options.order + 1) * (f->options.order + 1);
    s->view.stride = stride_of(terms, s->real);
    const size_t row = s->view.stride * s->real;
    const size_t entries = entries_of(*s) * sizeof *s->entry;
    KOSHU_CUDA_TRY(f->places.reserve(cells * sizeof *s->place));
    KOSHU_CUDA_TRY(f->parents.reserve(cells * sizeof *s->parent));
    KOSHU_CUDA_TRY(f->boxes.reserve(cells * 6 * sizeof(double)));
    KOSHU_CUDA_TRY(f->lists.reserve(cells * sizeof *s->lists));
    KOSHU_CUDA_TRY(f->expansions.reserve(2 * cells * row));
    return f->entries.reserve(std::max(entries, f->entries.bytes()));
}

static void
lay_out(fmm_step *s)
{
    const koshu_fmm_engine *f = s->fmm;
    fmm_view *v = &s->view;
    s->place = f->places.as<fmm_place>();
    s->parent = f->parents.as<uint32_t>();
    s->lists = f->lists.as<fmm_lists>();
    s->entry = f->entries.as<uint32_t>();
    s->entry_capacity = f->entries.bytes() / sizeof *s->entry;
    s->counts = f->counts.as<fmm_counts>();
    v->place = s->place;
    v->parent = s->parent;
    v->lists = s->lists;
    v->entry = s->entry;
    v->multipole = f->expansions.as<char>();
    v->local = f->expansions.as<char>() + v->n_cells * v->stride * s->real;
}

static fmm_view
view_of(const tree_step &t)
{
    const fields &f = t.store->f;
    fmm_view v = {};
    v.n = t.n;
    v.x = f.x[0];
    v.y = f.x[1];
    v.z = f.x[2];
    v.mass = f.mass;
    v.n_cells = t.tree->seen->level[TREE_LEVELS];
    v.cell = t.tree->cell;
    const double mass = t.store->largest_mass * sqrt((double)t.n);
    v.per_mass = mass > 0 ? 1 / power_of_two(mass) : 1;
    v.eps = t.task.eps;
    return v;
}

/* ---- stages -------------------------------------------------------------- */

static fmm_operators
operators_of(const koshu_fmm_engine_options &o)
{
    using getter = fmm_operators (*)();
    static constexpr getter by_order[FMM_MAX_ORDER_IN_REGISTERS + 1] = {
            nullptr,
            operators_of_order<1>,
            operators_of_order<2>,
            operators_of_order<3>,
            operators_of_order<4>,
            operators_of_order<5>,
            operators_of_order<6>,
            operators_of_order<7>,
            operators_of_order<8>,
            operators_of_order<9>,
            operators_of_order<10>};
    if (o.precision == KOSHU_PRECISION_DOUBLE)
        return operators_of_any_order<double>();
    if (o.order <= FMM_MAX_ORDER_IN_REGISTERS) return by_order[o.order]();
    return operators_of_any_order<float>();
}

static cudaError_t
sum_far(const fmm_step &s)
{
    KOSHU_CUDA_TRY(s.operators.m2l(s));
    for (size_t level = 1; level < count_levels(s); level++)
        KOSHU_CUDA_TRY(s.operators.l2l(s, level_of(s, level)));
    return cudaSuccess;
}

static cudaError_t
sum_near(const fmm_step &s)
{
    switch (s.tree.task.precision) {
    case KOSHU_PRECISION_DOUBLE: return sum_leaves<double_precision>(s);
    case KOSHU_PRECISION_MIXED: return sum_leaves<mixed_precision>(s);
    default: return sum_leaves<single_precision>(s);
    }
}

static cudaError_t
go_up(const fmm_step &s)
{
    KOSHU_CUDA_TRY(place_cells(s));
    KOSHU_CUDA_TRY(s.operators.p2m(s));
    for (size_t level = count_levels(s); level-- > 0;)
        KOSHU_CUDA_TRY(s.operators.m2m(s, level_of(s, level)));
    return note_stage(s, FMM_STAGE_UP);
}

/* Lists and all that comes of them; the counts to `seen`. */
static cudaError_t
go_down(const fmm_step &s, fmm_counts *seen)
{
    const cudaStream_t stream = s.cuda->stream;
    KOSHU_CUDA_TRY(cudaMemsetAsync(s.counts, 0, sizeof *s.counts, stream));
    KOSHU_CUDA_TRY(make_lists(s));
    KOSHU_CUDA_TRY(note_stage(s, FMM_STAGE_LISTS));
    KOSHU_CUDA_TRY(sum_far(s));
    KOSHU_CUDA_TRY(note_stage(s, FMM_STAGE_FAR));
    KOSHU_CUDA_TRY(sum_near(s));
    KOSHU_CUDA_TRY(note_stage(s, FMM_STAGE_NEAR));
    KOSHU_CUDA_TRY(cudaMemcpyAsync(seen, s.counts, sizeof *seen,
                                   cudaMemcpyDeviceToHost, stream));
    return cudaStreamSynchronize(stream);
}

static cudaError_t
grow_entries(fmm_step *s, unsigned long long entries)
{
    buffer *to = &s->fmm->entries;
    const size_t wanted =
            std::max((size_t)entries, to->bytes() / sizeof(uint32_t));
    KOSHU_CUDA_TRY(to->reserve((wanted + wanted / 2) * sizeof(uint32_t)));
    lay_out(s);
    return cudaSuccess;
}

/* ---- what it took -------------------------------------------------------- */

static cudaError_t
write_report(const fmm_step &s, const fmm_counts &seen,
             koshu_fmm_engine_report *r)
{
    float ms[FMM_STAGES];
    for (int k = 0; k < FMM_STAGES; k++)
        KOSHU_CUDA_TRY(cudaEventElapsedTime(&ms[k], s.fmm->event[k],
                                            s.fmm->event[k + 1]));
    r->n_leaf = s.fmm->options.n_leaf;
    r->cells = s.view.n_cells;
    r->translations = seen.translations;
    r->pairs = seen.pairs;
    r->seconds.tree = 1e-3 * ms[FMM_STAGE_TREE];
    r->seconds.up = 1e-3 * ms[FMM_STAGE_UP];
    r->seconds.down = 1e-3 * (ms[FMM_STAGE_LISTS] + ms[FMM_STAGE_FAR] +
                              ms[FMM_STAGE_NEAR]);
    r->seconds.near = 1e-3 * ms[FMM_STAGE_NEAR];
    r->seconds.lists = 1e-3 * ms[FMM_STAGE_LISTS];
    return cudaSuccess;
}

/* ---- all of it ----------------------------------------------------------- */

static cudaError_t
do_stages(fmm_step *s, koshu_fmm_engine_report *report, koshu_status *outcome)
{
    fmm_counts *seen = s->fmm->counts_on_host.as<fmm_counts>();
    s->view = view_of(s->tree);
    KOSHU_CUDA_TRY(reserve(s));
    lay_out(s);
    KOSHU_CUDA_TRY(go_up(*s));
    KOSHU_CUDA_TRY(go_down(*s, seen));
    while (seen->entries > s->entry_capacity) {
        KOSHU_CUDA_TRY(grow_entries(s, seen->entries));
        KOSHU_CUDA_TRY(go_down(*s, seen));
    }
    *outcome = seen->lost ? KOSHU_ERROR_UNSUPPORTED : KOSHU_OK;
    return write_report(*s, *seen, report);
}

static cudaError_t
do_all(fmm_step *s, koshu_cuda_store *store, const koshu_force_task &task,
       koshu_fmm_engine_report *report, koshu_status *outcome)
{
    koshu_tree_options options = koshu_tree_options_default();
    options.n_leaf = s->fmm->options.n_leaf;
    KOSHU_CUDA_TRY(cudaEventRecord(s->fmm->event[0], s->cuda->stream));
    KOSHU_CUDA_TRY(
            cut_tree(s->fmm->tree, store, task, options, &s->tree, outcome));
    KOSHU_CUDA_TRY(note_stage(*s, FMM_STAGE_TREE));
    if (*outcome != KOSHU_OK) return cudaSuccess;
    return do_stages(s, report, outcome);
}

cudaError_t
do_fmm_step(koshu_fmm_engine *f, koshu_cuda_store *store,
            const koshu_force_task &task, koshu_fmm_engine_report *report,
            koshu_status *outcome)
{
    fmm_step s = {};
    s.fmm = f;
    s.cuda = f->cuda;
    s.real = f->options.precision == KOSHU_PRECISION_DOUBLE ? sizeof(double)
                                                            : sizeof(float);
    s.operators = operators_of(f->options);
    const int shared_memory = f->cuda->shared_memory;
    f->cuda->shared_memory = -1; /* the stages live on the cache */
    const cudaError_t error = do_all(&s, store, task, report, outcome);
    f->cuda->shared_memory = shared_memory;
    if (error == cudaSuccess && *outcome == KOSHU_OK) return cudaSuccess;
    const cudaError_t forgotten = forget_accelerations(store);
    return error != cudaSuccess ? error : forgotten;
}

} /* namespace koshu */
