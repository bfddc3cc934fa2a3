#include "writer/perfmap.h"

void perfmap_write(struct out *o, const struct symtab *t)
{
	for (size_t i = 0; i < t->n && !o->error; i++) {
		const struct symbol *s = &t->sym[i];

		out_hex(o, s->start, 0);
		out_char(o, ' ');
		out_hex(o, s->end - s->start, 0);
		out_char(o, ' ');
		out_str(o, s->name);
		out_char(o, '\n');
	}
}
