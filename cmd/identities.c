#include "identities.h"

#include "image/identity.h"
#include "writer/caption.h"

/* Returns the path of a member: the path of the source, and the path inside the source. */
static struct str path_of(const struct source *s, const struct member *m, struct arena *a)
{
	if (s->kind == SOURCE_FILE || s->kind == SOURCE_PIPE)
		return s->name;
	return arena_fmt(a, PRSTR "/" PRSTR, STRARG(s->name), STRARG(m->name));
}

/* Writes the lines for a source.  Returns the number of lines. */
static size_t list_source(struct source *s, struct out *out)
{
	bool single = s->kind == SOURCE_FILE || s->kind == SOURCE_PIPE;
	size_t lines = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct str bytes = source_map(s, i);
		arena_scope(scratch);
		struct identity id;

		if (!bytes.p)
			continue;
		id = identity_of(s->members[i].name, bytes, &scratch);
		if (single || id.id.n) {
			out_fmt(out, "%s\t" PRSTR "\t" PRSTR "\n", id.kind,
			        STRARG(id.id.n ? id.id : STR("-")),
			        STRARG(caption_clean(
			                &scratch, path_of(s, &s->members[i], &scratch))));
			lines++;
		}
	}
	return lines;
}

bool identities_list(struct cmd *c)
{
	size_t lines = 0;
	struct out out;

	if (cmd_open_output(c, &out, c->inputs[0], "tsv") < 0)
		return false;
	for (size_t i = 0; i < c->ninputs && !out.error; i++) {
		struct source *s;

		budget_begin(&c->budget);
		s = cmd_open_source(c, c->inputs[i], identity_look, true);
		c->skipped |= !s;
		lines += s ? list_source(s, &out) : 0;
		source_close(s);
	}
	if (!lines) {
		cmd_discard_output(c, &out);
		return false;
	}
	return cmd_close_output(c, &out) == 0;
}
