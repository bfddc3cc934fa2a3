/*
 * Any bytes as folded stacks, folded and written: what was written folds to itself, with
 * each way to merge recursion, and the lines stand in the order of their bytes.
 */
#include <stdint.h>

#include "reader/perftext/folded.h"
#include "stack/fold.h"
#include "textfuzz.h"
#include "writer/folded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_lines(struct fold *f, struct reader *r)
{
	struct event ev;
	stack_id id;
	int got;

	while ((got = reader_next(r, &ev)) != 0)
		if (got > 0 && ev.kind == EV_FOLDED && (ev.weight || ev.fraction)) {
			must(fold_line(f, ev.raw, &id));
			stack_add(&f->stacks, id, ev.weight, ev.fraction);
		}
}

/* Folds the bytes in fd; the result lies in arena. */
static struct str fold_bytes(int fd, enum fold_recursion recursion, struct arena *arena)
{
	const struct fold_opts folding = { .labels = { .marks = MARK_ALL } };
	struct diag diag = { .prog = "refold" };
	struct source_opts opts = {
		.look = look_at, .is_profile = true, .run = arena, .diag = &diag
	};
	struct out *out = arena_new(arena, struct out, 1);
	struct arena scratch = { 0 };
	struct source *source;
	struct reader *r;
	struct fold fold;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	source = source_open(path, &opts);
	must(source != NULL);
	r = folded_format.open(source, 0, arena, &diag);
	must(r != NULL);
	fold_init(&fold, arena, &folding);
	fold.opts.recursion = recursion;
	fold_begin(&fold, NULL);
	take_lines(&fold, r);
	out->fd = memfd_create("folded", MFD_CLOEXEC);
	folded_write(out, &fold.stacks, &fold.names, FOLDED_BY_LINE, &scratch);
	must(!out->error && out->n < OUT_BUFFER); /* small inputs make small folds */
	close(out->fd);
	fold_end(&fold);
	reader_close(r);
	source_close(source);
	arena_release(&scratch);
	return (struct str){ out->buf, out->n };
}

static int file_of(struct str bytes)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	return fd;
}

static void check_order(struct str lines)
{
	struct str before = { 0 };

	while (lines.n) {
		struct str line = str_cut(&lines, '\n');

		must(!before.n || str_cmp(before, line) < 0);
		before = line;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum fold_recursion recursion = (enum fold_recursion)(size % 3);
	struct arena arena = { 0 };
	int fd = file_of((struct str){ (const char *)data, size });
	struct str once = fold_bytes(fd, recursion, &arena), twice;

	close(fd);
	check_order(once);
	fd = file_of(once);
	twice = fold_bytes(fd, recursion, &arena);
	close(fd);
	must(str_eq(once, twice));
	arena_release(&arena);
	return 0;
}
