#include "writer/perfmap.h"

#include "image/dotnet/r2r_name.h"

void perfmap_write(struct out *o, const struct symtab *t)
{
	for (size_t i = 0; i < t->n && !o->error; i++) {
		const struct symbol *s = &t->sym[i];

		out_hex(o, s->start, 0);
		out_char(o, ' ');
		out_hex(o, s->end - s->start, 0);
		out_char(o, ' ');
		out_name(o, s->name);
		out_char(o, '\n');
	}
}

enum {
	FIRST_HEADER = 0xFFFFFFFFu,
	VERSION = 1,
	AT_ONCE = 1024, /* memory is released after this number of names */
};

static void put_hex(struct out *o, uint32_t v, unsigned digits)
{
	char text[20];

	out_str(o, (struct str){ text, out_upper_hex_at(text, v, digits) });
}

static void put_r2r_header(struct out *o, unsigned index, unsigned value)
{
	put_hex(o, FIRST_HEADER - index, 8);
	out_str(o, STR(" 00 "));
	out_dec(o, value);
	out_char(o, '\n');
}

bool perfmap_write_r2r(struct out *o, struct r2r *r, bool cold)
{
	const struct r2r_target target = r2r_target(r);
	unsigned char signature[16] = { 0 };
	struct arena names = { 0 };
	bool known = r2r_signature(r, signature);
	size_t n = r2r_count(r);

	put_hex(o, FIRST_HEADER, 8);
	out_str(o, STR(" 00 "));
	for (size_t i = 0; i < sizeof(signature); i++)
		put_hex(o, known ? signature[i] : 0, 2);
	out_char(o, '\n');
	put_r2r_header(o, 1, VERSION);
	put_r2r_header(o, 2, target.os);
	put_r2r_header(o, 3, target.arch);
	put_r2r_header(o, 4, target.abi);
	for (size_t i = 0; i < n && !o->error; i++) {
		struct r2r_range code = r2r_range(r, i);

		if (code.thunk || (code.cold && !cold))
			continue;
		put_hex(o, code.begin, 8);
		out_char(o, ' ');
		put_hex(o, code.end - code.begin, 2);
		out_char(o, ' ');
		out_name(o, r2r_name(r, i, &names, R2R_AS_MAP));
		out_char(o, '\n');
		if (i % AT_ONCE == AT_ONCE - 1)
			arena_release(&names);
	}
	arena_release(&names);
	return known;
}
