#include "collect/attach.h"

enum { TEXT_MOST = 200 };

struct str attach_perf_map(void)
{
	return (struct str){ "1\0jcmd\0Compiler.perfmap\0\0", 26 };
}

bool attach_read(struct attach_reply *out, struct str bytes)
{
	struct str text = bytes, result = str_cut(&text, '\n');
	bool negative = str_starts(result, STR("-"));
	uint64_t n;

	*out = (struct attach_reply){ 0 };
	if (result.n == bytes.n || !str_is_dec(str_from(result, negative), &n))
		return false;
	out->done = !negative && n == 0;
	if (!out->done)
		out->text = str_head(str_trim(str_cut(&text, '\n')), TEXT_MOST);
	out->unknown = str_has(out->text, STR("Unknown diagnostic command"));
	return true;
}
