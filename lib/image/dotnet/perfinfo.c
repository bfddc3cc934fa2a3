/*
 *	ImageLoad;/usr/share/dotnet/.../System.Linq.dll;{1f33821d-7269-4e7c-9624-2a2dd196d398};00007F3802320000;
 */
#include "image/dotnet/perfinfo.h"

bool perfinfo_bid(struct str head)
{
	return str_starts(head, STR("ImageLoad;"));
}

/* Takes the last field off *s. */
static struct str pop_field(struct str *s)
{
	size_t at = str_rfind(*s, ';');
	struct str field = str_from(*s, at + 1);

	if (at == s->n) {
		field = *s;
		at = 0;
	}
	*s = str_head(*s, at);
	return field;
}

/* From the right, so that only the path may surprise. */
static bool parse_load(struct str line, struct image_load *out)
{
	struct str field;

	if (!str_starts(line, STR("ImageLoad;")))
		return false;
	line = str_trim(str_from(line, 10));
	if (line.n && line.p[line.n - 1] == ';')
		line.n--;
	field = pop_field(&line);
	out->base = 0;
	if (!perfmap_guid(field, out->mvid)) {
		if (!str_is_hex(field, &out->base))
			out->base = 0;
		if (!perfmap_guid(pop_field(&line), out->mvid))
			return false;
	}
	out->path = line;
	return line.n != 0;
}

void perfinfo_read(struct perfinfo *pi, struct str bytes, struct arena *a)
{
	struct image_load load;

	*pi = (struct perfinfo){ 0 };
	while (bytes.n) {
		if (!parse_load(str_cut(&bytes, '\n'), &load))
			continue;
		pi->load =
		        arena_grow(a, pi->load, &pi->cap, pi->n + 1, sizeof(*pi->load));
		pi->load[pi->n++] = load;
	}
}
