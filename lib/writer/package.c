#include "writer/package.h"

#include "reader/json.h"
#include "writer/caption.h"

enum { TYPE, NAME, VERSION, ARCHITECTURE, OS, OS_CPE, DEBUG_URL, FIELDS };

static const struct json_rule rules[FIELDS] = {
	{ 0, 1, TYPE, STR("type") },
	{ 0, 1, NAME, STR("name") },
	{ 0, 1, VERSION, STR("version") },
	{ 0, 1, ARCHITECTURE, STR("architecture") },
	{ 0, 1, OS, STR("os") },
	{ 0, 1, OS_CPE, STR("osCpe") },
	{ 0, 1, DEBUG_URL, STR("debugInfoUrl") },
};

struct package {
	struct arena arena;
	struct str field[FIELDS]; /* escaped for output */
};

static bool take(void *ctx, const struct json_value *v)
{
	struct package *p = ctx;

	if (v->rule && v->type == JSON_STRING)
		p->field[v->rule->use] =
		        caption_clean(&p->arena, arena_str(&p->arena, v->text));
	return true;
}

static void put_word(struct out *o, const char *before, struct str word)
{
	if (!word.n)
		return;
	out_str(o, str_of(before));
	out_str(o, word);
}

void package_write(struct out *o, struct str json)
{
	struct package p = { 0 };
	struct json *j = json_open(rules, FIELDS, take, &p);
	const struct str *f = p.field;

	if (json_read(j, json) && json_end(j) && f[TYPE].n && f[NAME].n) {
		out_str(o, STR("# "));
		out_str(o, f[TYPE]);
		put_word(o, " package: ", f[NAME]);
		put_word(o, " ", f[VERSION]);
		put_word(o, " ", f[ARCHITECTURE]);
		put_word(o, " of ", f[OS].n ? f[OS] : f[OS_CPE]);
		put_word(o, "; its debuginfod: ", f[DEBUG_URL]);
		out_char(o, '\n');
	}
	json_close(j);
	arena_release(&p.arena);
}
