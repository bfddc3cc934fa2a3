#include "writer/json.h"

#include "writer/caption.h"

void json_string(struct out *o, struct str s)
{
	arena_scope(scratch);

	s = caption_clean(&scratch, s);
	out_char(o, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			out_char(o, '\\');
		out_char(o, s.p[i]);
	}
	out_char(o, '"');
}

void json_member(struct out *o, const char *before, const char *name, struct str value)
{
	out_fmt(o, "%s\"%s\":", before, name);
	json_string(o, value);
}

void json_cell(struct out *o, int64_t n)
{
	if (n == JSON_NONE) {
		out_str(o, STR("null"));
		return;
	}
	if (n < 0)
		out_char(o, '-');
	out_dec(o, n < 0 ? -(uint64_t)n : (uint64_t)n);
}
