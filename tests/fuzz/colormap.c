/*
 * Any bytes as a palette.map: what was read is found again, and what is written reads
 * as the same.  The names are drawn with these colours.
 */
#include "drawn.h"

#include "writer/flame/colormap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Written and read again, each name has its colour. */
static void check_written(struct colormap *map, struct arena *run)
{
	struct out *out = out_to_memory();
	struct colormap again;

	colormap_write(map, out);
	colormap_init(&again);
	must(colormap_read(&again, taken_out(out, run)) == 0);
	must(again.names.n == map->names.n);
	for (size_t i = 1; i < map->names.n; i++) {
		struct rgb a, b;
		struct str name = intern_str(&map->names, (str_id)i);

		must(colormap_find(map, name, &a) && colormap_find(&again, name, &b));
		must(a.r == b.r && a.g == b.g && a.b == b.b);
	}
	colormap_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct arena run = { 0 };
	struct colormap map;
	struct svg_opts opts = { 0 };
	struct fixed_color *fixed;
	struct folds in;

	colormap_init(&map);
	colormap_read(&map, bytes);
	check_written(&map, &run);
	folds_init(&in, &run);
	for (size_t i = 1; i < map.names.n; i++)
		path_add(&in.single.path, intern_str(&map.names, (str_id)i),
		         (struct row){ .weight = { i, 0 } });
	folds_end_series(&in, (struct str){ 0 });
	fixed = arena_new(&run, struct fixed_color, in.names.n);
	for (size_t i = 1; i < in.names.n; i++) {
		fixed[i].given = true;
		fixed[i].color = (struct rgb){ (uint8_t)i, (uint8_t)(i * 7), 3 };
	}
	opts.fixed = fixed;
	check_drawn(&in, &opts, 0);
	colormap_free(&map);
	folds_free(&in);
	arena_release(&run);
	return 0;
}
