/*
 * Lines of perfinfo-PID.map:
 *
 *	ImageLoad;/usr/share/dotnet/.../System.Linq.dll;{1f33821d-7269-4e7c-9624-2a2dd196d398};00007F3802320000;
 *	NILoad;/srv/app/System.Private.CoreLib.ni.dll;{92b5e598-6d6c-4d94-8b37-43c9dcef6a74};
 */
#include "image/dotnet/perfinfo.h"

/* Removes the command from a line.  Returns false if it is not a load command. */
static bool take_command(struct str *line)
{
	size_t at = str_find(*line, ';');
	struct str command = str_head(*line, at);

	if (at == line->n ||
	    !(str_eq(command, STR("ImageLoad")) || str_eq(command, STR("NILoad"))))
		return false;
	*line = str_from(*line, at + 1);
	return true;
}

bool perfinfo_bid(struct str head)
{
	return take_command(&head);
}

int32_t perfinfo_pid(struct str name)
{
	return str_pid(str_base(name), STR("perfinfo-"), STR(".map"));
}

/* Removes the last field from *s and returns it. */
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

/* Parses a line from right to left, because the path may contain unexpected characters. */
static bool parse_load(struct str line, struct image_load *out)
{
	struct str field;

	if (!take_command(&line))
		return false;
	line = str_trim(line);
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
		*arena_push(a, pi->load, pi->n, pi->cap) = load;
	}
}
