/* SPDX-License-Identifier: MIT */
/* XDMF, version 3: XML that describes the datasets of an HDF5 file. */
#include "base/base.h"
#include "io/io.h"

/* As in the HDF5 file, the slowest first: z, y, x. */
static void
put_dims(FILE *out, const struct koshu_flow_array *a)
{
    for (size_t k = a->rank; k-- > 0;)
        fprintf(out, "%zu%s", a->dims[k], k ? " " : "");
}

static void
put_data(FILE *out, const char *hdf5, const struct koshu_flow_array *a)
{
    fprintf(out, "<DataItem NumberType=\"Float\" Precision=\"8\" "
                 "Format=\"HDF\" Dimensions=\"");
    put_dims(out, a);
    if (a->columns > 1) fprintf(out, " %zu", a->columns);
    fprintf(out, "\">%s:/Flow/%s</DataItem>\n", hdf5, a->name);
}

static void
put_places(FILE *out, const char *hdf5, const struct koshu_flow_array *a)
{
    fprintf(out,
            "  <Topology TopologyType=\"Polyvertex\" "
            "NumberOfElements=\"%zu\"/>\n  <Geometry GeometryType=\"XYZ\">",
            a->dims[0]);
    put_data(out, hdf5, a);
    fprintf(out, "  </Geometry>\n");
}

static void
put_grid(FILE *out, double box, const struct koshu_flow_array *a)
{
    fprintf(out, "  <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"");
    put_dims(out, a);
    fprintf(out, "\"/>\n  <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
                 "   <DataItem Dimensions=\"3\">0 0 0</DataItem>\n"
                 "   <DataItem Dimensions=\"3\">");
    for (size_t k = 3; k-- > 0;)
        fprintf(out, "%.17g%s", box / (double)a->dims[k], k ? " " : "");
    fprintf(out, "</DataItem>\n  </Geometry>\n");
}

static void
put_attributes(FILE *out, const char *hdf5, const struct koshu_flow_file *f,
               size_t first)
{
    for (size_t k = first; k < f->n_arrays; k++) {
        const struct koshu_flow_array *a = &f->array[k];
        fprintf(out,
                "  <Attribute Name=\"%s\" AttributeType=\"%s\" "
                "Center=\"Node\">",
                a->name, a->columns == 3 ? "Vector" : "Scalar");
        put_data(out, hdf5, a);
        fprintf(out, "  </Attribute>\n");
    }
}

static void
put_grid_or_particles(FILE *out, const char *hdf5,
                      const struct koshu_flow_file *f)
{
    const bool particles = f->array[0].rank == 1;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n"
            " <Grid Name=\"%s\" GridType=\"Uniform\">\n"
            "  <Time Value=\"%.17g\"/>\n",
            f->kind, f->time);
    if (particles)
        put_places(out, hdf5, &f->array[0]);
    else
        put_grid(out, f->box, &f->array[0]);
    put_attributes(out, hdf5, f, particles);
    fprintf(out, " </Grid>\n </Domain>\n</Xdmf>\n");
}

koshu_status
koshu_flow_file_write_xdmf(struct koshu_context *context, const char *path,
                           const char *hdf5, const struct koshu_flow_file *f)
{
    struct koshu_file *to;
    KOSHU_TRY(koshu_file_begin(context, path, &to));
    locale_t users = koshu_plain_numbers();
    put_grid_or_particles(to->stream, hdf5, f);
    uselocale(users);
    return koshu_file_commit(to);
}
