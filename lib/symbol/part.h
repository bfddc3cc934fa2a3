/*
 * part - divides a profile into parts, so that several processes can name its frames.
 *
 * A part is a range of events in delivery order.  In a text that no source can name, a part is a
 * range of bytes.  A worker reads only its own part of a text.  In any other profile, a worker
 * reads all events and applies changes of mappings, but it resolves only the samples of its own
 * parts.  After each part, the worker sends a parcel to the parent, the process that opened the
 * profile.  The parent then has the same frames, counts and file names as if it had read the part
 * itself:
 *
 * 	parent  profile_learn, part_plan, fork, ...                     part_take for each part
 * 	worker  part_begin, then part_enter, profile_next ..., part_send for each of its parts
 */
#ifndef SYMBOL_PART_H
#define SYMBOL_PART_H

#include "base/parcel.h"
#include "symbol/profile.h"

struct part_plan {
	uint64_t events; /* number of events in a part, or bytes of a text */
	size_t n;        /* number of parts, or 0 if the profile cannot be divided */
};

/* smallest size in bytes of a profile that is divided by default */
enum { PART_LEAST = 16 << 20 };

/*
 * Divides a profile.  `forced` also divides a small profile.  `few` allows large parts.  Call it
 * after profile_learn.
 */
struct part_plan part_plan(struct profile *p, unsigned workers, bool forced, bool few);

/* The frames that a worker has sent.  Zero bytes are a valid empty state. */
struct part_sent {
	size_t base;  /* frames with a smaller id have the same id in both processes */
	frame_id *id; /* id[i] is the parent's id of the sender's frame base + i */
	size_t n, cap;
	/* number of reports that the sender has counted but not printed */
	uint64_t reports;
};

/* Prepares a worker.  Call it once after fork. */
void part_begin(struct profile *p);

/*
 * part_enter limits profile_next to the samples of part i.  part_is_plain returns false if a text
 * contains records.  Later samples may depend on records, so the parent must then read the rest
 * itself.
 */
bool part_is_plain(const struct profile *p);
void part_enter(struct profile *p, const struct part_plan *plan, size_t i);

/* Reads part i of a text again, only to report its damage. */
void part_report(struct profile *p, const struct part_plan *plan, size_t i);

/* Writes a parcel with the results since the last part_send. */
void part_send(struct profile *p, struct out *to);

/* Reads a parcel.  `sent` holds the frames that this worker has sent so far. */
void part_take(struct profile *p, struct part_sent *sent, struct cursor *from);

/* Converts a frame id of the sender to an id in this process. */
static inline frame_id part_frame(const struct part_sent *sent, frame_id id)
{
	return id < sent->base ? id : sent->id[id - sent->base];
}

/* After part_end, profile_next returns 0.  After part_rest, it returns all remaining samples. */
void part_end(struct profile *p);
void part_rest(struct profile *p);

#endif
