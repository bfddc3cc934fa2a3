/*
 * part - decides whether a profile is divided into parts, and names the frames of one part in a
 * worker.
 *
 * A part is a slice of the profile (reader/sliced.h).  If no input file can name frames of a text,
 * a part is a range of bytes.  After each part, a worker sends a parcel to the parent, the process
 * that opened the profile.  The parent then has the same frames, counts and file names as if it had
 * read the part itself.  Slices are read twice, because profile_learn needs the frames of all
 * parts:
 *
 * 	parent  part_slice, part_learns, fork, ...    part_take_notes for each part, profile_learn
 * 	worker  part_enter, part_learn, part_send_notes for each of its parts
 * 	parent  part_plan, fork, ...                  part_take for each part
 * 	worker  part_begin, then part_enter, profile_next ..., part_send for each of its parts
 */
#ifndef SYMBOL_PART_H
#define SYMBOL_PART_H

#include "base/parcel.h"
#include "symbol/profile.h"

/* Options for the division of profiles. */
struct part_opts {
	unsigned workers;
	bool forced; /* also divide a small profile, or a profile with few samples */
	bool few;    /* use few parts, which may be large */
};

/*
 * Finds the slices of a profile, or lets profile_learn find them if there are few workers.  Call it
 * before profile_learn.  Then part_learns returns true if profile_learn needs the frames of the
 * parts.
 */
void part_slice(struct profile *p, const struct part_opts *opts);
bool part_learns(struct profile *p);

/*
 * Returns the number of parts.  Call it after profile_learn.  A result of less than 2 means that
 * there are no parts.
 */
size_t part_plan(struct profile *p, const struct part_opts *opts);
/* Returns the number of parts that part_slice found.  Call it before profile_learn. */
size_t part_count(const struct profile *p);

/* Notes the frames of the current part. */
void part_learn(struct profile *p);
void part_send_notes(struct profile *p, struct out *to);
void part_take_notes(struct profile *p, struct cursor *from);
/*
 * If a part is not plain (part_is_plain), part_learn_rest then notes the frames from part i on.
 * part_learned ends this pass, and reports all damage.
 */
void part_learn_rest(struct profile *p, size_t i);
void part_learned(struct profile *p);

/* The frames that a worker has sent.  Zero bytes are a valid empty state. */
struct part_sent {
	size_t base;  /* frames with a smaller id have the same id in both processes */
	frame_id *id; /* id[i]: id in the parent of the worker's frame base + i */
	size_t n, cap;
	/* number of reports that the sender has counted but not printed */
	uint64_t reports;
};

/*
 * Opens the .NET images that name noted addresses.  Call it before fork, so that workers share the
 * files.
 */
void part_warm(struct profile *p);

/* Prepares a worker.  Call it once after fork. */
void part_begin(struct profile *p);

/* From now on, profile_next returns only the samples of part i, then 0. */
void part_enter(struct profile *p, size_t i);

/*
 * Returns false if samples of the part are damaged, or if samples depend on other parts.  The parent
 * must then read this part and all later parts itself.
 */
bool part_is_plain(const struct profile *p);

/* Reads part i of a text again, only to report its damage. */
void part_report(struct profile *p, size_t i);

/* Writes a parcel with the results since the last part_send. */
void part_send(struct profile *p, struct out *to);

/* Reads a parcel.  `sent` holds the frames that this worker has sent so far. */
void part_take(struct profile *p, struct part_sent *sent, struct cursor *from);

/* Converts a frame id of the worker to an id of the parent. */
static inline frame_id part_frame(const struct part_sent *sent, frame_id id)
{
	return id < sent->base ? id : sent->id[id - sent->base];
}

/* After part_end, profile_next returns 0.  After part_rest, it returns all samples from part i on. */
void part_end(struct profile *p);
void part_rest(struct profile *p, size_t i);

#endif
