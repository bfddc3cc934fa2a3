/*
 * What fuzz targets of the formats of text share: the events' spans are the input,
 * byte for byte, before and after a rewind, and what is parsed of a line lies in it.
 * Sparing stacks leaves out no frame.  A bid is made on any bytes, and any line is read as a
 * frame of BCC and bpftrace.
 */
#ifndef FUZZ_TEXTFUZZ_H
#define FUZZ_TEXTFUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/intern.h"
#include "reader/format.h"
#include "reader/perftext/frameline.h"

static inline void must(bool holds)
{
	if (!holds)
		abort();
}

static inline void inside(struct str part, struct str whole)
{
	must(!part.n || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n));
}

/* The short way of reading a line finds what the long one does. */
static inline void check_split(const struct frame *f, const struct frame_text *ft)
{
	struct frame_text slow;

	must(frameline_perf(f->line, &slow) && slow.addr == ft->addr &&
	     str_eq(slow.func, ft->func) && str_eq(slow.module, ft->module) &&
	     slow.has_off == ft->has_off && slow.func_off == ft->func_off &&
	     !slow.tail.n && !ft->tail.n);
}

static inline void check_frame(const struct frame *f, struct str raw)
{
	struct frame_text ft;

	inside(f->line, raw);
	must(f->line.n && !memchr(f->line.p, '\n', f->line.n));
	if (frameline_is_bpf(f->line) && frameline_bpf(f->line, &ft)) {
		inside(ft.func, f->line);
		inside(ft.module, f->line);
	}
	if (!frameline_read(f, &ft))
		return;
	inside(ft.prefix, f->line);
	inside(ft.func, f->line);
	inside(ft.module, f->line);
	inside(ft.tail, f->line);
	if (f->module_at)
		check_split(f, &ft);
	must(!ft.inlined || f->inlined || str_eq(ft.module, STR("inlined")));
}

static inline void check_event(const struct event *ev)
{
	must(ev->raw.n != 0);
	inside(ev->comm, ev->raw);
	if (ev->kind == EV_MMAP)
		inside(ev->map.path, ev->raw);
	must(ev->kind == EV_SAMPLE || !ev->nframes);
	for (size_t i = 0; i < ev->nframes; i++)
		check_frame(&ev->frames[i], ev->raw);
}

/* said: the frames, each once. */
static inline void read_all(struct reader *r, struct str bytes, struct interner *said)
{
	struct event ev;
	struct trace_value v;
	uint64_t done, total;
	size_t at = 0;

	while (reader_next(r, &ev) == 1) {
		if (ev.kind == EV_SAMPLE &&
		    reader_trace_value(r, &ev, STR("bytes_req"), &v))
			inside(v.text, ev.raw);
		reader_progress(r, &done, &total);
		must(done <= total && total == bytes.n);
		must(ev.at == at && str_starts(str_from(bytes, at), ev.raw));
		check_event(&ev);
		for (size_t i = 0; i < ev.nframes; i++)
			intern(said, frame_whole(&ev.frames[i]));
		at += ev.raw.n;
	}
	must(at == bytes.n);
}

static inline enum source_look look_at(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_STREAM;
}

static inline void fuzz_text(const struct format *format, const uint8_t *data,
                             size_t size)
{
	struct str bytes = str_without_mark((struct str){ (const char *)data, size });
	struct diag diag = { .prog = "fuzz" };
	struct arena run = { 0 };
	struct source_opts opts = {
		.look = look_at, .is_profile = true, .run = &run, .diag = &diag
	};
	int fd = memfd_create("text", MFD_CLOEXEC);
	struct interner all, first_seen;
	struct source *source;
	struct reader *r;
	char path[64];

	must(format->bid(str_head(bytes, SOURCE_HEAD)) >= 0);
	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	source = source_open(path, &opts);
	must(source != NULL);
	r = format->open(source, 0, &run, &diag);
	must(r != NULL);
	intern_init(&all, &run);
	intern_init(&first_seen, &run);
	reader_hold(r);
	read_all(r, bytes, &all);
	must(!reader_held(r));
	reader_rewind(r);
	read_all(r, bytes, &all);
	reader_rewind(r);
	reader_skip_repeated(r, size & 1);
	read_all(r, bytes, &first_seen);
	must(first_seen.n == all.n);
	reader_close(r);
	source_close(source);
	close(fd);
	arena_release(&run);
}

#endif
