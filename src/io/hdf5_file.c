/* SPDX-License-Identifier: MIT */
/* HDF5 files: errors of the library, the file driver, opening and closing. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/hdf5_file.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* ---- errors of the library ---------------------------------------------- */

/* Errors of the thread that has the lock. */
static struct koshu_hdf5_errors *current;

static herr_t
note_error(unsigned n, const H5E_error2_t *error, void *user)
{
    struct koshu_hdf5_errors *errors = user;
    errors->no_memory = errors->no_memory || error->min_num == H5E_NOSPACE ||
                        error->min_num == H5E_CANTALLOC;
    if (n > 0 || !error->desc) return 0;
    snprintf(errors->last, sizeof errors->last, "%s", error->desc);
    if (!errors->reason[0]) strcpy(errors->reason, errors->last);
    return 0;
}

/* HDF5 calls this at the end of each function that fails. */
static herr_t
note_failure(hid_t stack, void *errors)
{
    return H5Ewalk2(stack, H5E_WALK_UPWARD, note_error, errors);
}

void
koshu_hdf5_keep_errors(struct koshu_hdf5_errors *errors)
{
    *errors = (struct koshu_hdf5_errors){.function = NULL};
    current = errors;
    H5Eget_auto2(H5E_DEFAULT, &errors->function, &errors->data);
    H5Eset_auto2(H5E_DEFAULT, note_failure, errors);
}

void
koshu_hdf5_no_memory(void)
{
    if (current) current->no_memory = true;
}

koshu_status
koshu_hdf5_status_of(const struct koshu_hdf5_errors *errors,
                     const struct koshu_reader *reader, koshu_status status)
{
    if (errors->read == KOSHU_ERROR_IO ||
        errors->read == KOSHU_ERROR_OUT_OF_MEMORY)
        return koshu_fail(reader->context, errors->read, "%s",
                          errors->read_message);
    if (!errors->no_memory) return status;
    return koshu_reader_refuse(reader, KOSHU_ERROR_OUT_OF_MEMORY,
                               "there is too little memory to read it");
}

pthread_mutex_t koshu_hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

void
koshu_hdf5_begin(struct koshu_hdf5_errors *errors)
{
    pthread_mutex_lock(&koshu_hdf5_lock);
    koshu_hdf5_keep_errors(errors);
}

void
koshu_hdf5_end(const struct koshu_hdf5_errors *errors)
{
    current = NULL;
    H5Eset_auto2(H5E_DEFAULT, errors->function, errors->data);
    pthread_mutex_unlock(&koshu_hdf5_lock);
}

const char *
koshu_hdf5_reason(void)
{
    return current && current->last[0] ? current->last : "unknown reason";
}

/* ---- the file driver -------------------------------------------------- */

/* What the driver reads or writes: one of the first two. */
struct source {
    struct koshu_reader *reader;
    struct koshu_file *file;
    struct koshu_hdf5_file *owner;
};

struct driver {
    H5FD_t base; /* must be first: HDF5's part */
    struct source source;
    haddr_t end_of_space, end_of_file;
};

static H5FD_t *
driver_open(const char *name, unsigned flags, hid_t access, haddr_t maximum)
{
    (void)name;
    (void)flags;
    (void)maximum;
    const struct source *source = H5Pget_driver_info(access);
    struct driver *d = calloc(1, sizeof *d);
    if (!d || !source) {
        if (!d) koshu_hdf5_no_memory();
        free(d);
        return NULL;
    }
    d->source = *source;
    if (source->reader) d->end_of_file = source->reader->size;
    source->owner->open_driver = d;
    return &d->base;
}

static herr_t
driver_close(H5FD_t *base)
{
    struct driver *d = (struct driver *)base;
    if (d->source.owner) d->source.owner->open_driver = NULL;
    free(d);
    return 0;
}

static haddr_t
driver_get_end_of_space(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver *)base)->end_of_space;
}

static herr_t
driver_set_end_of_space(H5FD_t *base, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((struct driver *)base)->end_of_space = end;
    return 0;
}

static haddr_t
driver_get_end_of_file(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver *)base)->end_of_file;
}

static herr_t
note_read(const struct koshu_reader *reader, koshu_status status)
{
    if (status == KOSHU_OK) return 0;
    if (current && current->read == KOSHU_OK) {
        current->read = status;
        snprintf(current->read_message, sizeof current->read_message, "%s",
                 koshu_context_message(reader->context));
    }
    return -1;
}

static herr_t
driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at,
            size_t size, void *bytes)
{
    (void)type;
    (void)transfer;
    struct koshu_reader *reader = ((struct driver *)base)->source.reader;
    if (!reader) return -1;
    koshu_status status = koshu_reader_seek(reader, at);
    if (status == KOSHU_OK)
        status = koshu_reader_read(reader, bytes, size, "HDF5");
    return note_read(reader, status);
}

/* A failure stays in the koshu_file, for its commit, and HDF5 sees success: it
 * cannot close a file that it fails to write. */
static herr_t
driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at,
             size_t size, const void *bytes)
{
    (void)type;
    (void)transfer;
    struct driver *d = (struct driver *)base;
    if (d->source.file) {
        koshu_status kept =
                koshu_file_write_at(d->source.file, at, bytes, size);
        (void)kept;
    }
    if (at + size > d->end_of_file) d->end_of_file = at + size;
    return 0;
}

/* Sets the length of the file to the space that HDF5 has allocated in it. */
static herr_t
driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    struct driver *d = (struct driver *)base;
    if (!d->source.file || d->end_of_file == d->end_of_space) return 0;
    koshu_status kept = koshu_file_resize(d->source.file, d->end_of_space);
    (void)kept;
    d->end_of_file = d->end_of_space;
    return 0;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
        .version = H5FD_CLASS_VERSION,
        .value = 511, /* 256 ... 511 are for unregistered drivers */
#endif
        .name = "koshu",
        .maxaddr = INT64_MAX,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(struct source),
        .open = driver_open,
        .close = driver_close,
        .get_eoa = driver_get_end_of_space,
        .set_eoa = driver_set_end_of_space,
        .get_eof = driver_get_end_of_file,
        .read = driver_read,
        .write = driver_write,
        .truncate = driver_truncate,
        .fl_map = H5FD_FLMAP_SINGLE,
};

/* ---- files ------------------------------------------------------------ */

/* Access properties for the bytes of source; negative: failed. */
static hid_t
access_to(const struct source *source, hid_t driver)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool good =
            driver >= 0 && access >= 0 &&
            H5Pset_driver(access, driver, source) >= 0 &&
            H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
            H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0;
    if (good) return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

static hid_t
create(hid_t access)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), id = -1;
    if (creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
        id = H5Fcreate("koshu", H5F_ACC_TRUNC, creation, access);
    if (creation >= 0) H5Pclose(creation);
    return id;
}

/* The driver is registered for as long as the file is open: HDF5 1.10 uses
 * what it keeps of a driver after it has dropped the file's own reference.
 * Not longer, as the host program may shut HDF5 down (H5close) between two
 * files. */
static bool
open_source(const struct source *source, struct koshu_hdf5_file *hdf5)
{
    *hdf5 = (struct koshu_hdf5_file){.id = -1,
                                     .driver = H5FDregister(&driver_class)};
    hid_t access = access_to(source, hdf5->driver);
    if (access >= 0 && source->file)
        hdf5->id = create(access);
    else if (access >= 0)
        hdf5->id = H5Fopen(source->reader->path, H5F_ACC_RDONLY, access);
    if (access >= 0) H5Pclose(access);
    return hdf5->id >= 0;
}

bool
koshu_hdf5_create(struct koshu_file *file, struct koshu_hdf5_file *hdf5)
{
    const struct source source = {.file = file, .owner = hdf5};
    return open_source(&source, hdf5);
}

bool
koshu_hdf5_open(struct koshu_reader *reader, struct koshu_hdf5_file *hdf5)
{
    const struct source source = {.reader = reader, .owner = hdf5};
    return open_source(&source, hdf5);
}

/* A file that cannot be closed stays open in HDF5, which tries again when the
 * program ends; the driver then reads and writes nothing. */
bool
koshu_hdf5_close(struct koshu_hdf5_file *hdf5)
{
    bool good = hdf5->id >= 0 && H5Fclose(hdf5->id) >= 0;
    struct driver *left = hdf5->open_driver;
    if (left)
        left->source = (struct source){0};
    else if (hdf5->driver >= 0)
        H5FDunregister(hdf5->driver);
    return good;
}

static koshu_status
inspect(struct koshu_reader *reader, koshu_hdf5_look *look, void *user)
{
    struct koshu_hdf5_errors errors;
    struct koshu_hdf5_file file;
    koshu_status status = KOSHU_OK;
    koshu_hdf5_begin(&errors);
    if (koshu_hdf5_open(reader, &file)) status = look(reader, file.id, user);
    const bool closed = koshu_hdf5_close(&file);
    (void)closed; /* nothing is lost: the file was only read */
    koshu_hdf5_end(&errors);
    return koshu_hdf5_status_of(&errors, reader, status);
}

koshu_status
koshu_hdf5_inspect(struct koshu_context *context, const char *path,
                   koshu_hdf5_look *look, void *user)
{
    struct koshu_reader *reader;
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    const koshu_status status = inspect(reader, look, user);
    koshu_reader_close(reader);
    return status;
}
