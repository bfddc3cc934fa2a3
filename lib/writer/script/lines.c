#include "writer/script/lines.h"

#include "base/hash.h"

/* A hexadecimal number in the lines of a frame.  Its value is the frame's address minus `less`. */
struct form_number {
	uint64_t less;
	uint32_t
	        /* offset in the text at which the number is inserted.  Offsets ascend */
	        at;
	uint32_t width;
};

/*
 * A form: the formatted lines of a frame, without the numbers that depend on the address.  Frames
 * with equal names and different addresses share one form.
 */
struct script_form {
	uint32_t n, text_n;
	/*
	 * n elements.  text_n bytes of text and OUT_HEX spare bytes follow the elements
	 */
	struct form_number number[];
};

/* The state while a script_form is made. */
struct script_draft {
	bool open;   /* make_form is formatting lines */
	size_t from; /* position in the output's buffer at which the text starts */
	struct form_number *number;
	size_t n, cap;
};

/*
 * The formatted lines of a frame at one address.  A table of these elements is a cache: the hash
 * of the frame and its address selects an element, and new lines replace the old lines.
 */
struct script_text {
	struct placed at;
	uint32_t n; /* length of the lines, or 0 if the element is unused */
	/* the lines, usually shorter, and OUT_HEX bytes that out_put reads after them */
	char line[232];
};

enum { TEXT_BITS = 12 /* the table has 1 << TEXT_BITS elements */ };

/* Writes addr - less.  While make_form runs, only records the offset of this number. */
static void put_number(struct script *sc, struct out *o, uint64_t addr, uint64_t less,
                       unsigned width)
{
	struct script_draft *d = sc->draft;

	if (!d || !d->open) {
		out_hex(o, addr - less, width);
		return;
	}
	*arena_push(&sc->arena, d->number, d->n, d->cap) =
	        (struct form_number){ less, (uint32_t)(o->n - d->from), width };
}

static void put_symbol(struct script *sc, struct out *o, const struct named *n,
                       uint64_t addr, bool offset)
{
	if (n->flags & NAMED_UNKNOWN) {
		out_str(o, STR("[unknown]"));
		return;
	}
	out_name(o, profile_str(sc->profile, n->func));
	if (offset && n->has_off) {
		out_str(o, STR("+0x"));
		put_number(sc, o, addr, n->begin, 0);
	}
}

static void put_module(struct script *sc, struct out *o, const struct resolved *r,
                       size_t i, uint64_t addr, bool offset)
{
	str_id module = r->names[i].module;

	out_name(o, module ? profile_str(sc->profile, module) : STR("[unknown]"));
	if (offset && module) {
		out_str(o, STR("+0x"));
		put_number(sc, o, addr, r->base, 0);
	}
}

void lines_symbol(struct script *sc, struct out *o, struct placed at, bool offset)
{
	const struct resolved *r = profile_frame(sc->profile, at.id);

	put_symbol(sc, o, &r->names[r->n - 1], at.addr, offset);
}

void lines_module(struct script *sc, struct out *o, struct placed at, bool offset)
{
	const struct resolved *r = profile_frame(sc->profile, at.id);

	put_module(sc, o, r, r->n - 1, at.addr, offset);
}

uint64_t lines_offset(const struct script *sc, struct placed at)
{
	return at.addr - profile_frame(sc->profile, at.id)->base;
}

void lines_name(struct script *sc, struct out *o, unsigned type, const struct resolved *r,
                size_t i, uint64_t addr, bool bare)
{
	const struct columns *c = &sc->columns;
	const struct named *n = &r->names[i];
	bool inlined = n->flags & NAMED_INLINED;

	if (columns_show(c, type, COL_SYM)) {
		out_char(o, ' ');
		put_symbol(sc, o, n, addr, columns_show(c, type, COL_SYMOFF));
	}
	if (columns_show(c, type, COL_DSO) && !inlined && (n->module || !bare)) {
		out_str(o, STR(" ("));
		put_module(sc, o, r, i, addr, columns_show(c, type, COL_DSOFF));
		out_char(o, ')');
	}
	if (columns_show(c, type, COL_GUESS) && n->flags & NAMED_GUESSED)
		out_str(o, STR(" [guess]"));
	if (columns_show(c, type, COL_SRCLINE) && n->srcline) {
		out_str(o, STR("\n  "));
		out_name(o, profile_str(sc->profile, n->srcline));
	}
	if (inlined)
		out_str(o, STR(" (inlined)"));
}

void lines_one(struct script *sc, struct out *o, unsigned type, const struct resolved *r,
               size_t i, uint64_t addr, bool flush)
{
	struct str prefix = r->prefix;

	if (prefix.n) {
		prefix = str_from(prefix, flush && prefix.p[0] == '\t');
		/*
		 * The prefix ends in a blank.  The blank is omitted here, because
		 * lines_name writes it.
		 */
		out_str(o, str_head(prefix, prefix.n - 1));
	} else {
		if (!flush)
			out_char(o, '\t');
		put_number(sc, o, addr, 0, 16);
	}
	lines_name(sc, o, type, r, i, addr, r->bare);
}

enum { LINE_EXTRA = 128 }; /* maximum bytes of address, offset and punctuation */

/*
 * Returns true if all lines of the frame fit into the rest of the buffer, and into the room that
 * put_form can get.
 */
static bool fits(const struct script *sc, const struct out *o, const struct resolved *r)
{
	size_t need = 0, room = o->cap - o->n;

	for (size_t i = 0; i < r->n; i++)
		need += profile_str(sc->profile, r->names[i].func).n +
		        profile_str(sc->profile, r->names[i].module).n +
		        profile_str(sc->profile, r->names[i].srcline).n + r->prefix.n +
		        LINE_EXTRA;
	return need <= (room < OUT_BUFFER ? room : OUT_BUFFER);
}

static void put_lines(struct script *sc, struct out *o, unsigned type,
                      const struct resolved *r, uint64_t addr)
{
	for (size_t i = 0; i < r->n; i++) {
		lines_one(sc, o, type, r, i, addr, false);
		out_char(o, '\n');
	}
}

/* Makes the form of r.  The lines of r must fit into the output's buffer. */
static struct script_form *make_form(struct script *sc, struct out *o, unsigned type,
                                     const struct resolved *r)
{
	struct script_draft *d = sc->draft;
	struct script_form *f;
	size_t n;

	if (!d)
		sc->draft = d = arena_new(&sc->arena, struct script_draft, 1);
	d->open = true;
	d->from = o->n;
	d->n = 0;
	put_lines(sc, o, type, r, 0);
	d->open = false;
	n = o->n - d->from;
	o->n = d->from;
	f = arena_alloc(&sc->arena, sizeof(*f) + d->n * sizeof(*d->number) + n + OUT_HEX,
	                1);
	f->n = (uint32_t)d->n;
	f->text_n = (uint32_t)n;
	if (d->n)
		memcpy(f->number, d->number, d->n * sizeof(*d->number));
	memcpy(f->number + f->n, o->buf + d->from, n);
	return f;
}

/*
 * Writes a form, with its numbers computed for addr.  Returns false if the output's buffer is too
 * small.
 */
static bool put_form(struct out *o, const struct script_form *f, uint64_t addr)
{
	char *begin = out_room(o, f->text_n + f->n * OUT_HEX + OUT_SPARE), *to = begin;
	const char *text = (const char *)(f->number + f->n);
	size_t at = 0;

	if (!to)
		return false;
	for (const struct form_number *n = f->number; n < f->number + f->n; n++) {
		to = out_put(to, (struct str){ text + at, n->at - at });
		to = out_put_hex(to, addr - n->less, n->width);
		at = n->at;
	}
	to = out_put(to, (struct str){ text + at, f->text_n - at });
	o->n += (size_t)(to - begin);
	return true;
}

void lines_frame(struct script *sc, struct out *o, unsigned type, struct placed at)
{
	struct script_lines *known = &sc->lines[type];
	const struct resolved *r;

	arena_fit(&sc->arena, known->form, at.id + 1u, known->cap);
	if (known->form[at.id] && put_form(o, known->form[at.id], at.addr))
		return;
	r = profile_frame(sc->profile, at.id);
	if (!known->form[at.id] && r->n && fits(sc, o, r))
		known->form[at.id] = make_form(sc, o, type, r);
	put_lines(sc, o, type, r, at.addr);
}

/*
 * Writes all lines of a frame.  If the frame has a form and its lines are short, keeps the lines
 * in *t.  The output's buffer must have room for sizeof(t->line) bytes.
 */
static void put_text(struct script *sc, struct out *o, unsigned type, struct placed at,
                     struct script_text *t)
{
	const struct script_lines *known = &sc->lines[type];
	const struct script_form *form = at.id < known->cap ? known->form[at.id] : NULL;
	size_t from = o->n;

	if (!form || form->text_n + (form->n + 1) * OUT_HEX > sizeof(t->line)) {
		lines_frame(sc, o, type, at);
		return;
	}
	put_form(o, form, at.addr);
	t->at = at;
	t->n = (uint32_t)(o->n - from);
	memcpy(t->line, o->buf + from, t->n);
}

void lines_frames(struct script *sc, struct out *o, unsigned type,
                  const struct placed *frames, size_t n)
{
	struct script_text *text = sc->lines[type].text;

	if (!text)
		sc->lines[type].text = text = arena_alloc_dense(
		        &sc->arena, (size_t)1 << TEXT_BITS, sizeof(*text));
	for (const struct placed *at = frames; at < frames + n; at++) {
		struct script_text *t = &text[hash_slot(at->id, at->addr, TEXT_BITS)];
		char *to = out_room(o, sizeof(t->line) + OUT_SPARE);

		if (t->n && t->at.id == at->id && t->at.addr == at->addr) {
			out_put(to, (struct str){ t->line, t->n });
			o->n += t->n;
		} else {
			put_text(sc, o, type, *at, t);
		}
	}
}
