/* SPDX-License-Identifier: MIT */
/* HDF5 snapshots as other programs write them, object by object. If an object
 * cannot be written the test itself is wrong, so the program ends. */
#ifndef KOSHU_TESTS_FOREIGN_H
#define KOSHU_TESTS_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

static inline void
must(bool done, const char *what)
{
    if (done) return;
    fprintf(stderr, "foreign HDF5: %s failed\n", what);
    abort();
}

/* Writes n numbers as an attribute; n = 0 writes a scalar. */
static inline void
put_attribute(hid_t group, const char *name, hid_t type, hsize_t n,
              const void *data)
{
    hid_t space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
    hid_t id = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    must(id >= 0 && H5Awrite(id, type, data) >= 0, name);
    H5Aclose(id);
    H5Sclose(space);
}

static inline void
replace_attribute(hid_t group, const char *name, hid_t type, hsize_t n,
                  const void *data)
{
    must(H5Adelete(group, name) >= 0, name);
    put_attribute(group, name, type, n, data);
}

static inline void
put_text(hid_t group, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    put_attribute(group, name, type, 0, text);
    H5Tclose(type);
}

/* Replaces a dataset of the same name, if there is one. data NULL: the dataset
 * is never written to. list: its creation property list. */
static inline void
put_dataset(hid_t group, const char *name, hid_t stored, hid_t type, int rank,
            const hsize_t size[], hid_t list, const void *data)
{
    if (H5Lexists(group, name, H5P_DEFAULT) > 0)
        H5Ldelete(group, name, H5P_DEFAULT);
    /* only a dataset that can grow may have chunks larger than itself */
    bool grows = list != H5P_DEFAULT && H5Pget_layout(list) == H5D_CHUNKED;
    const hsize_t max[2] = {H5S_UNLIMITED, size[rank - 1]};
    hid_t space = H5Screate_simple(rank, size, grows ? max : NULL);
    hid_t id = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, list,
                          H5P_DEFAULT);
    must(id >= 0, name);
    must(!data || H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
         name);
    H5Dclose(id);
    H5Sclose(space);
}

static inline hid_t
put_group(hid_t file, const char *name)
{
    hid_t id = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    must(id >= 0, name);
    return id;
}

/* A group of n particles (up to 4) in single precision with ids of 32 bits
 * from `first` on; coordinates 100, 101, ..., velocities 0, masses 1/4. */
static inline hid_t
put_type(hid_t file, const char *name, hsize_t n, uint32_t first)
{
    hid_t group = put_group(file, name);
    const hsize_t size[2] = {n, 3};
    float x[12], v[12] = {0}, m[4];
    uint32_t id[4];
    for (uint32_t i = 0; i < n; i++) {
        id[i] = first + i;
        m[i] = 0.25F;
        for (uint32_t k = 0; k < 3; k++)
            x[3 * i + k] = (float)(100 + 3 * i + k);
    }
    put_dataset(group, "Coordinates", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, 2, size,
                H5P_DEFAULT, x);
    put_dataset(group, "Velocities", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, size,
                H5P_DEFAULT, v);
    put_dataset(group, "ParticleIDs", H5T_STD_I32LE, H5T_NATIVE_UINT32, 1, size,
                H5P_DEFAULT, id);
    put_dataset(group, "Masses", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, size,
                H5P_DEFAULT, m);
    return group;
}

struct foreign {
    hid_t file, header, gas, dark;
};

/* A snapshot of 2 gas and 3 dark particles, as GADGET writes it with HDF5's
 * defaults: an old file format, without checksums. */
static inline struct foreign
foreign_begin(const char *path)
{
    struct foreign f;
    const int32_t count[6] = {2, 3};
    const double table[6] = {0}, time = 0.75, box = 10;
    f.file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    must(f.file >= 0, path);
    f.header = put_group(f.file, "Header");
    put_attribute(f.header, "NumPart_ThisFile", H5T_NATIVE_INT32, 6, count);
    put_attribute(f.header, "MassTable", H5T_NATIVE_DOUBLE, 6, table);
    put_attribute(f.header, "Time", H5T_NATIVE_DOUBLE, 0, &time);
    put_attribute(f.header, "BoxSize", H5T_NATIVE_DOUBLE, 0, &box);
    f.gas = put_type(f.file, "PartType0", 2, 10);
    f.dark = put_type(f.file, "PartType1", 3, 20);
    return f;
}

static inline void
foreign_end(struct foreign f)
{
    H5Gclose(f.header);
    H5Gclose(f.gas);
    H5Gclose(f.dark);
    must(H5Fclose(f.file) >= 0, "closing");
}

#endif
