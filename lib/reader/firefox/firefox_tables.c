#include "reader/firefox/firefox_tables.h"

/* Bits of flags, and the versions of the format that introduced columns. */
enum {
	FRAME_IS_INLINED = 1,
	FRAME_HAS_ADDRESS = 2,
	FRAME_HAS_LINE = 16,
	FUNC_HAS_RESOURCE = 4,
	FUNC_HAS_SOURCE = 8,
	FUNC_HAS_LINE = 16,
	/*
	 * from this version on, frames refer to their library.  In older versions,
	 * resources refer to libraries
	 */
	VERSION_OF_LIBS = 70,
	VERSION_OF_FRAME_FLAGS = 71,
	VERSION_OF_FUNC_FLAGS = 75
};

void firefox_tables_cell(struct firefox_places *p, struct firefox_tables *t,
                         enum firefox_column column, uint64_t cell)
{
	size_t n = t->column[column].n++;

	arena_fit(p->l->base.run, t->column[column].cell, n + 1, t->column[column].cap);
	t->column[column].cell[n] = cell;
}

static uint64_t cell(const struct firefox_tables *t, enum firefox_column column,
                     uint64_t row)
{
	return row < t->column[column].n ? t->column[column].cell[row] : FIREFOX_NONE;
}

/* Returns a cell, or FIREFOX_NONE if the flags show that the cell has no value. */
static uint64_t frame_cell(const struct firefox_places *p, const struct firefox_tables *t,
                           enum firefox_column column, uint64_t row, unsigned flag)
{
	bool has =
	        p->version < VERSION_OF_FRAME_FLAGS || cell(t, FRAME_FLAGS, row) & flag;

	return has ? cell(t, column, row) : FIREFOX_NONE;
}

static uint64_t func_cell(const struct firefox_places *p, const struct firefox_tables *t,
                          enum firefox_column column, uint64_t row, unsigned flag)
{
	bool has = p->version < VERSION_OF_FUNC_FLAGS || cell(t, FUNC_FLAGS, row) & flag;

	return has ? cell(t, column, row) : FIREFOX_NONE;
}

static uint32_t number(uint64_t cell)
{
	return cell < UINT32_MAX ? (uint32_t)cell : 0;
}

/* Returns the mapping of a resource that is not a library, as index + 1. */
static uint32_t resource_map(struct firefox_places *p, uint64_t name)
{
	struct located *l = p->l;
	uint32_t *at;

	if (name >= p->nstrings || !p->string[name].n)
		return 0;
	at = table_at(&p->joined, l->base.run, UINT64_MAX, name);
	table_item(at, l->base.run, l->map, l->nmaps, l->maps_cap,
	           (struct located_map){ .path = p->string[name], .pid = -1 });
	return *at;
}

static uint32_t map_of(struct firefox_places *p, const struct firefox_tables *t,
                       uint64_t frame, uint64_t resource)
{
	uint64_t lib = p->version < VERSION_OF_LIBS
	                       ? cell(t, RESOURCE_LIB, resource)
	                       : frame_cell(p, t, FRAME_LIB, frame, FRAME_HAS_ADDRESS);

	return lib < p->nlibs ? (uint32_t)lib + 1
	                      : resource_map(p, cell(t, RESOURCE_NAME, resource));
}

static uint32_t add_place(struct firefox_places *p, struct located_place place,
                          struct firefox_function function)
{
	struct located *l = p->l;

	arena_fit(l->base.run, l->place, l->nplaces + 1, l->places_cap);
	arena_fit(l->base.run, p->function, l->nplaces + 1, p->functions_cap);
	l->place[l->nplaces] = place;
	p->function[l->nplaces] = function;
	return (uint32_t)l->nplaces++;
}

/* Adds a place for each frame.  The first frame has the place `first`. */
static void add_frames(struct firefox_places *p, const struct firefox_tables *t,
                       const struct firefox_tables *shared)
{
	for (uint64_t i = 0; i < t->column[FRAME_FUNC].n; i++) {
		uint64_t func = cell(t, FRAME_FUNC, i),
		         address = frame_cell(p, t, FRAME_ADDRESS, i, FRAME_HAS_ADDRESS),
		         resource =
		                 func_cell(p, t, FUNC_RESOURCE, func, FUNC_HAS_RESOURCE),
		         file = p->version < 58 ? cell(t, FUNC_FILE, func)
		                                : cell(shared, SOURCE_NAME,
		                                       func_cell(p, t, FUNC_SOURCE, func,
		                                                 FUNC_HAS_SOURCE));
		uint64_t name = cell(t, FUNC_NAME, func);

		add_place(p,
		          (struct located_place){
		                  .addr = address == FIREFOX_NONE ? 0 : address,
		                  .map = map_of(p, t, i, resource) },
		          (struct firefox_function){
		                  .name = name < UINT32_MAX ? (uint32_t)name : UINT32_MAX,
		                  .file = file < UINT32_MAX ? (uint32_t)file : UINT32_MAX,
		                  .line = number(frame_cell(p, t, FRAME_LINE, i,
		                                            FRAME_HAS_LINE)),
		                  .begins = number(func_cell(p, t, FUNC_LINE, func,
		                                             FUNC_HAS_LINE)) });
	}
}

/* Returns true if frame a is inlined into frame b, its caller. */
static bool is_inlined(const struct firefox_places *p, const struct firefox_tables *t,
                       uint64_t a, uint64_t b, size_t first)
{
	const struct located_place *place = p->l->place + first;
	size_t n = t->column[FRAME_FUNC].n;
	uint64_t depth;

	if (a >= n || b >= n || place[a].addr != place[b].addr ||
	    place[a].map != place[b].map)
		return false;
	if (p->version >= VERSION_OF_FRAME_FLAGS)
		return cell(t, FRAME_FLAGS, a) & FRAME_IS_INLINED;
	depth = cell(t, FRAME_DEPTH, a);
	return depth && depth != FIREFOX_NONE && depth == cell(t, FRAME_DEPTH, b) + 1;
}

/*
 * Returns the place that combines `inner` with `outer`, the place into which `inner` is
 * inlined.  `outer` may also contain inlined functions.
 */
static uint32_t join(struct firefox_places *p, uint32_t outer, uint32_t inner)
{
	uint32_t *at = table_at(&p->joined, p->l->base.run, outer, inner);
	struct firefox_function function = p->function[inner];

	if (*at)
		return *at - 1;
	function.next = outer + 1;
	*at = (uint32_t)p->l->nplaces + 1;
	return add_place(p, p->l->place[inner], function);
}

/* Returns the index of the stack of the caller, or FIREFOX_NONE. */
static uint64_t prefix(const struct firefox_tables *t, uint64_t stack)
{
	uint64_t at = cell(t, STACK_PREFIX, stack), offset = cell(t, STACK_OFFSET, stack);

	if (t->column[STACK_OFFSET].n)
		at = offset && offset <= stack ? stack - offset : FIREFOX_NONE;
	/*
	 * The stack of the caller must precede this stack in the table, so that each
	 * chain has an end.
	 */
	return at < stack ? at : FIREFOX_NONE;
}

static void add_stacks(struct firefox_places *p, struct firefox_tables *t, size_t first)
{
	t->nstacks = t->column[STACK_FRAME].n < UINT32_MAX ? t->column[STACK_FRAME].n : 0;
	t->stack = arena_new(p->l->base.run, struct firefox_stack, t->nstacks + 1);
	for (uint64_t i = 0; i < t->nstacks; i++) {
		uint64_t frame = cell(t, STACK_FRAME, i), up = prefix(t, i);
		struct firefox_stack *s = &t->stack[i];

		s->place = frame < t->column[FRAME_FUNC].n ? (uint32_t)(first + frame)
		                                           : UINT32_MAX;
		s->next = up == FIREFOX_NONE ? 0 : (uint32_t)up + 1;
		if (s->next && is_inlined(p, t, frame, cell(t, STACK_FRAME, up), first)) {
			s->place = join(p, t->stack[up].place, s->place);
			s->next = t->stack[up].next;
		}
	}
}

void firefox_tables_settle(struct firefox_places *p, struct firefox_tables *t,
                           const struct firefox_tables *shared)
{
	size_t first = p->l->nplaces;

	add_frames(p, t, shared);
	add_stacks(p, t, first);
	for (int i = 0; i < FIREFOX_COLUMNS; i++) {
		if (i == SOURCE_NAME)
			continue;
		arena_drop(p->l->base.run, t->column[i].cell, t->column[i].cap,
		           sizeof(*t->column[i].cell));
		t->column[i].cell = NULL;
		t->column[i].n = t->column[i].cap = 0;
	}
}
