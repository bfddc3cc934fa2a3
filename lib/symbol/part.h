/*
 * part - a profile is divided into parts, so that several processes name its frames.
 *
 * A part is a range of events in the order of delivery, or a piece of a text whose frames no source
 * can name.  A worker reads only its piece of a text.  Of other profiles, it reads all events and
 * applies the changes of mappings, but resolves only the samples of its parts.  After a part, it
 * sends a parcel to the first process, which began the profile.  The first process then has the
 * same frames, counts and files of names as if it had read the part itself:
 *
 *	here	profile_learn, part_plan, fork, ...			part_take for each part in order
 *	worker	part_begin, then part_enter, profile_next ..., part_send for each of its parts
 */
#ifndef SYMBOL_PART_H
#define SYMBOL_PART_H

#include "base/parcel.h"
#include "symbol/profile.h"

struct part_plan {
	uint64_t events; /* events of a part, or bytes of a text */
	size_t n;        /* number of parts, or 0 if the profile cannot be divided */
};

enum { PART_LEAST = 16 << 20 }; /* bytes of a profile that is divided by default */

/*
 * forced: also divides a small profile.  few: the parts may be large.  Call it after
 * profile_learn.
 */
struct part_plan part_plan(struct profile *p, unsigned workers, bool forced, bool few);

/* The frames that a process has sent.  Empty if all bytes are zero. */
struct part_sent {
	size_t base;  /* frames with smaller ids are the same here */
	frame_id *id; /* id of the frame base + i in this process */
	size_t n, cap;
	uint64_t reports; /* number of reports that the sender has not printed */
};

/* Call it once in a new process. */
void part_begin(struct profile *p);

/*
 * From now on, profile_next returns only the samples of part i, then 0.  part_is_plain returns false
 * if a text has records, because later samples may depend on them.  Then the first process reads
 * the rest.
 */
bool part_is_plain(const struct profile *p);
void part_enter(struct profile *p, const struct part_plan *plan, size_t i);

/* Reads part i of a text again, to report its damage. */
void part_report(struct profile *p, const struct part_plan *plan, size_t i);

/* Writes a parcel: the results since the last call. */
void part_send(struct profile *p, struct out *to);

/* Takes a parcel.  sent: the frames of its sender. */
void part_take(struct profile *p, struct part_sent *sent, struct cursor *from);

/* Returns the id in this process of a sender's frame. */
static inline frame_id part_frame(const struct part_sent *sent, frame_id id)
{
	return id < sent->base ? id : sent->id[id - sent->base];
}

/* After part_end, profile_next returns 0.  After part_rest, it returns all remaining samples. */
void part_end(struct profile *p);
void part_rest(struct profile *p);

#endif
