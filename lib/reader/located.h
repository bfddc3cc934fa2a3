/*
 * located - the common part of pprof, OTLP and Firefox: locations, mappings, threads and samples.
 * Private to reader/.
 *
 * A format fills in the tables when it is opened.  Then its function `read` reads one sample in
 * each call.  reader_next first delivers the mappings, and then an event for each value of each
 * sample.
 */
#ifndef READER_LOCATED_H
#define READER_LOCATED_H

#include "reader/format.h"

struct located_map {
	uint64_t id; /* id of the mapping in the profile */
	uint64_t start, limit, file_off;
	struct str path, build_id; /* build_id: raw bytes, or empty */
	struct str other_id;       /* as in struct mmap_event */
	int32_t pid;               /* -1 if unknown */
	/* [0], [1]: a place of the mapping is between start and limit, or outside */
	bool used[2];
};

/* A row in the table of code locations.  Large profiles have millions of rows. */
struct located_place {
	uint64_t addr;
	const char *field; /* protobuf field of the location.  located_message */
	uint32_t map;      /* index + 1 of the mapping, or 0 */
	uint8_t cpumode;   /* enum cpumode.  Set by located_settle */
	bool numbered;     /* pprof: its id is its index + 1 */
};

/* The current sample, which `read` fills in. */
struct located_sample {
	struct str comm;   /* name of the thread, or empty */
	int32_t pid, tid;  /* -1 if unknown */
	size_t nvalues;    /* length of `value` */
	uint64_t at;       /* position in the input */
	uint64_t time_ns;  /* 0 if unknown */
	uint64_t until_ns; /* event.until_ns */
	uint32_t stack;    /* event.stack.  If it is 0, `read` adds the frames */
	uint32_t repeats;  /* event.repeats.  0 unless `joins` is set */
	bool is_sum;       /* the values are sums over all repeats */
};

enum { LOCATED_ID_DIGITS = 128 /* maximum length of an id */ };
struct located {
	struct reader base;
	struct source *source;
	size_t member;
	struct str bytes;  /* content of the member */
	size_t given_back; /* number of bytes for which memory was released */
	bool made;         /* the bytes were made from the member: source/made.h */
	bool dated;        /* times are in ns since 1970 */
	/*
	 * Reads the next sample into `sample`, `frames` and `value`.  Returns the same
	 * values as reader_next.
	 */
	int (*read)(struct located *l);
	/*
	 * Adds the frames of a stack.  NULL if `read` adds the frames of all samples.  Stack
	 * numbers begin at 1, and stay valid after located_restart.
	 */
	void (*list)(struct located *l, uint32_t stack);
	struct located_map *map;
	struct located_place *place;
	struct attr *attr;         /* indexed by column of values */
	const struct attr **shown; /* of different names, the default column first */
	size_t nmaps, maps_cap, nplaces, places_cap, nattrs, nshown;
	size_t column;   /* index of the default column */
	struct str comm; /* name for unnamed threads.  If empty, [unknown] is used */
	/* number of EV_MMAPs so far: two for each mapping, inside and outside its range */
	size_t given;
	size_t turn; /* next element of `shown` for the current sample */
	struct located_sample sample;
	struct frame *frames;
	int64_t *value;
	bool skims;          /* reader_skim is on.  All values then count as positive */
	bool joins, undated; /* reader_join was called, and its argument */
	/* indexed by stack: 2 + the last pid in a call of located_skips, or 0 */
	uint32_t *skimmed;
	size_t nframes, frames_cap, values_cap, skimmed_cap;
};

/* Reads the bytes of a member.  If it is unreadable, reports this and returns false. */
bool located_open(struct located *l, const struct format *format, struct source *s,
                  size_t member, struct arena *run, struct diag *diag);

/*
 * Reports damage in a part of the bytes.  Returns -1.  If the bytes were made from the member,
 * the message adds that the offset refers to the made bytes.
 */
int located_damaged(struct located *l, struct str field, const char *what);

/*
 * Releases the memory of the bytes from offset `from` to `to` (if they are many) and of bytes before
 * `from`.  Released bytes stay readable.  Returns the offset of the first byte not released.
 */
size_t located_release(const struct located *l, size_t from, const char *to);

/* Releases the memory of the bytes that were read before `to`, if there are many. */
void located_give_back(struct located *l, const char *to);

/* Returns the attr of a column of values. */
struct attr located_attr(struct str name, struct str unit);

/* Sets `used` of all mappings.  Call it when the tables are complete. */
void located_settle(struct located *l);

void located_value(struct located *l, int64_t value);
/* Begins a new sample in l->sample. */
void located_begin(struct located *l, uint64_t at);

/*
 * Returns true if reader_skim has delivered, or will deliver, a sample of that process with that
 * stack.  Otherwise marks the stack.
 */
bool located_skips(struct located *l, uint32_t stack, int32_t pid);

/* The fields of struct format that have the same value in all formats with a table of locations. */
#define LOCATED_TRAITS                                                                   \
	.sets = READ_SAMPLES | READ_ADDRESSES, .rank = 2, .has_ips = true,               \
	.has_locations = true
#define LOCATED_FUNCTIONS                                                                \
	.next = located_next, .attrs = located_attrs, .locations = located_locations,    \
	.frames = located_frames, .close = located_close

/* Implement the functions of struct format. */
int located_next(struct reader *r, struct event *ev);
void located_frames(struct reader *r, struct event *ev);
void located_skim(struct reader *r, bool on);
void located_join(struct reader *r, bool undated);
size_t located_attrs(const struct reader *r, const struct attr *const **out);
size_t located_locations(const struct reader *r);
struct str located_written(const struct reader *r);
const struct capture *located_capture(const struct reader *r);
void located_restart(struct located *l);
size_t located_enter(struct located *l); /* begins slices, as sliced_enter */
void located_close(struct reader *r);

/* Returns the bytes of a build-id from its hex text, or an empty string. */
struct str located_build_id(struct arena *run, struct str text);

/* Returns the message in a protobuf field of l->bytes that was read before. */
struct str located_message(const struct located *l, const char *field);

/* Returns the number of the place's mapping, for struct location. */
uint32_t located_number(const struct located *l, const struct located_place *p);

#endif
