#include "reader/ctf/ctf_intake.h"

#include <endian.h>
#include <errno.h>

#include "base/clock.h"
#include "reader/ctf/ctf_frame.h"
#include "reader/nettrace/netfile.h"
#include "reader/nettrace/nettrace.h"
#include "source/made.h"

enum { POINTER = 8, TRACE_BYTES = 40, SIZE_BITS = 24 };

/*
 * Writes "Nettrace", version 6.0 and the trace block.  There is no time of day, and a tick is 1
 * ns.
 */
int ctf_intake_begin(struct ctf_intake *in)
{
	const uint32_t version[] = { 0, htole32(6), 0,
		                     htole32(NET_TRACE << SIZE_BITS | TRACE_BYTES) };
	const uint64_t times[] = { 0, 0, 0, htole64(CLOCK_SECOND_NS) };
	const uint32_t rest[] = { htole32(POINTER), 0 };

	if (made_put(in->source, STR("Nettrace")) < 0 ||
	    made_put(in->source, (struct str){ (const char *)version, sizeof(version) }) <
	            0 ||
	    made_put(in->source, (struct str){ (const char *)times, sizeof(times) }) < 0)
		return -1;
	return made_put(in->source, (struct str){ (const char *)rest, sizeof(rest) });
}

void ctf_intake_next(struct ctf_intake *in)
{
	in->complete = in->bad = false;
	in->error = 0;
	in->why = (struct str){ 0 };
}

static void keep_comm(struct ctf_intake *in, struct str payload)
{
	struct cursor c = cur_little(payload);
	int32_t pid = (int32_t)cur_u32(&c);

	if (c.bad)
		return;
	*arena_push(in->run, in->comm, in->ncomms, in->comms_cap) =
	        (struct ctf_comm){ pid, arena_str(in->run, str_span(c.p, c.end)) };
}

/* Processes a frame.  The frame's header is directly before `payload` in memory. */
static void take_frame(struct ctf_intake *in, unsigned kind, struct str payload)
{
	struct str whole = { payload.p - sizeof(uint32_t), payload.n + sizeof(uint32_t) };

	if (kind == CTF_FRAME_COMM) {
		keep_comm(in, payload);
	} else if (kind == CTF_FRAME_DAMAGE) {
		in->why = arena_str(in->run, str_head(payload, CTF_FRAME_WHY));
	} else if (kind == CTF_FRAME_END) {
		in->complete = true;
	} else if (kind != NET_EVENTS && kind != NET_METADATA && kind != NET_THREADS) {
		in->bad = true;
	} else if (made_put(in->source, whole) < 0) {
		in->error = errno;
		in->bad = true;
	}
}

struct str ctf_intake_take(struct ctf_intake *in, struct str bytes)
{
	while (!in->bad) {
		struct cursor c = cur_little(bytes);
		uint32_t head = cur_u32(&c);
		size_t n = head & ((1u << SIZE_BITS) - 1);

		if (c.bad)
			break;
		in->bad = n > CTF_FRAME_MOST;
		if (in->bad || n > cur_left(&c))
			break;
		take_frame(in, head >> SIZE_BITS, (struct str){ c.p, n });
		bytes = str_from(bytes, sizeof(head) + n);
	}
	return bytes;
}

struct reader *ctf_intake_open(struct ctf_intake *in, struct str name, struct diag *diag)
{
	const uint32_t end = htole32(NET_END);
	struct str bytes = { 0 };
	struct reader *r;

	if (made_put(in->source, (struct str){ (const char *)&end, sizeof(end) }) == 0)
		bytes = made_map(in->source);
	if (!bytes.p) {
		diag_fatal(diag, PRSTR ": cannot be read: %s", STRARG(name),
		           strerror(errno));
		return NULL;
	}
	r = nettrace_over(name, bytes, in->run, diag);
	for (size_t i = 0; r && i < in->ncomms; i++)
		nettrace_name_process(r, in->comm[i].pid, in->comm[i].name);
	return r;
}
