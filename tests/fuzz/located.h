/*
 * located - any bytes as a profile with a table of locations: it ends, frames refer to locations
 * that there are, locations to mappings that were delivered, the second reading is equal to the
 * first, a reading in slices, or one that joins equal samples, has the same samples, and one that
 * skips equal stacks has the same locations.
 */
#ifndef FUZZ_LOCATED_H
#define FUZZ_LOCATED_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "reader/format.h"
#include "reader/sliced.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static uint64_t hash_location(struct reader *r, uint32_t number, uint32_t mappings)
{
	struct location at = reader_location(r, number);
	uint64_t sum = hash_mix(at.addr, at.mapping);

	must(at.mapping <= mappings);
	for (size_t i = 0; i < at.nlines; i++) {
		sum = hash_mix(sum, hash_str(at.lines[i].func));
		sum = hash_mix(sum, hash_str(at.lines[i].file) + at.lines[i].line);
	}
	return sum;
}

static uint64_t hash_sample(struct reader *r, const struct event *ev, uint32_t mappings)
{
	uint64_t sum = hash_str(ev->comm);

	must(ev->weight && ev->attr && ev->comm.n);
	for (size_t i = 0; i < ev->nframes; i++) {
		must(ev->frames[i].known <= reader_locations(r));
		sum = hash_mix(sum, ev->frames[i].ip + ev->frames[i].caller);
		if (ev->frames[i].known)
			sum = hash_mix(sum,
			               hash_location(r, ev->frames[i].known, mappings));
	}
	return hash_mix(sum, (uint64_t)(uint32_t)ev->pid << 32 | (uint32_t)ev->tid);
}

/*
 * Samples, as sums that joining does not change.  Joined samples have the sum of their weights, so
 * weights are only compared if they are too small for an overflow.
 */
struct totals {
	uint64_t samples, weights; /* sums of hashes, multiplied by numbers or weights */
	bool large;
};

static void add_sample(struct totals *t, const struct event *ev, uint64_t hash)
{
	t->samples += hash * (1 + (uint64_t)ev->repeats);
	t->weights += hash * ev->weight;
	t->large |= ev->weight / (1 + (uint64_t)ev->repeats) >> 32;
}

static bool equal(const struct totals *a, const struct totals *b)
{
	return a->samples == b->samples && (a->large || a->weights == b->weights);
}

/* Adds all samples to *all.  Returns a hash of their order. */
static uint64_t read_all(struct reader *r, size_t size, struct totals *all)
{
	uint32_t mappings = 0;
	const struct attr *const *attrs;
	size_t n = 0, columns = reader_attrs(r, &attrs);
	uint64_t sum = 0, one, done, total;
	struct event ev;
	int got;

	while ((got = reader_next(r, &ev)) != 0) {
		must(++n <= (size + 2) * (columns + 2));
		reader_progress(r, &done, &total);
		must(done <= total && total <= 8 * size + 8);
		if (got < 0)
			continue;
		if (ev.kind == EV_MMAP) {
			must(ev.map.number > mappings);
			mappings = ev.map.number;
		} else {
			reader_frames(r, &ev);
			one = hash_sample(r, &ev, mappings);
			sum = hash_mix(sum, hash_mix(one, ev.weight));
			add_sample(all, &ev, one);
		}
	}
	return sum;
}

/* Reads the profile slice by slice. */
static struct totals read_slices(struct reader *r)
{
	uint32_t most = UINT32_MAX;
	struct totals all = { 0 };
	struct event ev;

	while (reader_next(r, &ev))
		must(ev.kind == EV_MMAP);
	reader_rewind(r);
	for (size_t i = 0; i < sliced_count(r); i++) {
		size_t changes = sliced_enter(r, i, i + 1);

		while (reader_next(r, &ev) > 0) {
			must(!i || ev.kind != EV_MMAP || changes--);
			if (ev.kind == EV_MMAP)
				continue;
			reader_frames(r, &ev);
			add_sample(&all, &ev, hash_sample(r, &ev, most));
		}
	}
	return all;
}

/* Marks the locations in the frames of a sample, using one bit for each location. */
static void mark_locations(struct reader *r, struct event *ev, uint8_t *met, uint8_t mark)
{
	reader_frames(r, ev);
	for (size_t i = 0; i < ev->nframes; i++)
		met[ev->frames[i].known] |= mark;
}

/*
 * Reads all samples, and then with reader_skim.  Both readings must have the same locations, except
 * that reader_skim ignores that values may be 0.
 */
static void read_skimmed(struct reader *r, struct arena *run)
{
	uint8_t *met = arena_new(run, uint8_t, reader_locations(r) + 1);
	struct event ev;
	int got;

	for (uint8_t mark = 1; mark <= 2; mark++) {
		reader_rewind(r);
		reader_skim(r, mark == 2 ? &(struct skimming){ 0 } : NULL);
		while ((got = reader_next(r, &ev)) != 0)
			if (got > 0 && ev.kind == EV_SAMPLE)
				mark_locations(r, &ev, met, mark);
	}
	reader_skim(r, NULL);
	for (size_t i = 0; i <= reader_locations(r); i++)
		must(met[i] != 1);
}

static void check_slices(struct reader *r, const struct totals *all)
{
	struct totals slices;

	reader_rewind(r);
	if (!sliced_begin(r, 1, true))
		return;
	slices = read_slices(r);
	must(equal(all, &slices));
}

static void check(struct reader *r, size_t size, struct arena *run)
{
	struct totals all = { 0 }, again = { 0 }, joined;
	uint64_t first = read_all(r, size, &all);

	reader_rewind(r);
	must(read_all(r, size, &again) == first);
	check_slices(r, &all);
	read_skimmed(r, run);
	must(!reader_traits(r)->again.n || reader_written(r).n <= 8 * size + 8);
	reader_capture(r);
	for (int undated = 0; undated < 2; undated++) {
		reader_rewind(r);
		reader_join(r, undated);
		joined = (struct totals){ 0 };
		read_all(r, size, &joined);
		must(equal(&all, &joined));
		check_slices(r, &all);
	}
}

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

static void located_fuzz(const struct format *format, const uint8_t *data, size_t size)
{
	struct diag diag = { .prog = format->name };
	struct arena run = { 0 };
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct reader *r = NULL;
	struct source *s;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	s = source_open(arena_fmt(&run, "/proc/self/fd/%d", fd).p, &opts);
	close(fd);
	if (s && s->n) {
		format->bid(source_head(s, 0));
		r = format->open(s, 0, &run, &diag);
	}
	if (r) {
		check(r, size, &run);
		reader_close(r);
	}
	source_close(s);
	arena_release(&run);
}

#endif
