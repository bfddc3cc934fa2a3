#include "writer/script/datasrc.h"

#include <stdarg.h>
#include <stdio.h>

enum { HIT = 2, MISS = 4 };

/* A text that is truncated at the same size as in perf. */
struct text {
	char *p;
	size_t n;
};

static void add(struct text *t, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *fmt, ...)
{
	size_t room = DATASRC_TEXT - t->n;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(t->p + t->n, room, fmt, args);
	va_end(args);
	if (n > 0)
		t->n += (size_t)n < room ? (size_t)n : room - 1;
}

static unsigned take(uint64_t *v, unsigned bits)
{
	unsigned got = (unsigned)(*v & ((1u << bits) - 1));

	*v >>= bits;
	return got;
}

/*
 * Appends the names of the bits that are set in v, separated by " or ".  `before` is the number
 * of names already in the text.  Returns the new number.
 */
static unsigned list(struct text *t, unsigned v, const char *const *names, size_t n,
                     unsigned before)
{
	for (size_t i = 0; i < n; i++)
		if (v >> i & 1)
			add(t, "%s%s", before++ ? " or " : "", names[i]);
	return before;
}

static void add_operation(struct text *t, unsigned op)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	size_t i = 0;

	while (i < 5 && !(op >> i & 1))
		i++;
	add(t, "|OP %s", i < 5 ? names[i] : "No");
}

static void add_level(struct text *t, unsigned level, unsigned number, bool remote,
                      unsigned hops)
{
	static const char *const names[] = {
		"N/A",
		"HIT",
		"MISS",
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	static const char *const numbers[16] = {
		[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
		[13] = "RAM", [14] = "PMEM", [15] = "N/A",
	};
	static const char *const far[] = {
		"N/A",
		"core, same node",
		"node, same socket",
		"socket, same board",
		"board",
		"",
		"",
		"",
	};
	unsigned said = 0;

	add(t, "|LVL ");
	if (remote)
		add(t, "Remote ");
	if (hops)
		add(t, "%s ", far[hops]);
	else
		said = list(t, level & ~(unsigned)(HIT | MISS), names,
		            sizeof(names) / sizeof(*names), 0);
	if (number && said++)
		add(t, " or ");
	if (number && numbers[number])
		add(t, "%s", numbers[number]);
	else if (number)
		add(t, "L%u", number);
	if (!said && !remote && !hops)
		add(t, "N/A");
	add(t, "%s%s", level & HIT ? " hit" : "", level & MISS ? " miss" : "");
}

static void add_snoop(struct text *t, unsigned snoop, unsigned more)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const extra[] = { "Fwd", "Peer" };
	unsigned said;

	add(t, "|SNP ");
	said = list(t, snoop, names, sizeof(names) / sizeof(*names), 0);
	if (!list(t, more, extra, sizeof(extra) / sizeof(*extra), said))
		add(t, "N/A");
}

static void add_tlb(struct text *t, unsigned tlb)
{
	static const char *const names[] = { "N/A", "HIT",    "MISS", "L1",
		                             "L2",  "Walker", "Fault" };

	add(t, "|TLB ");
	if (!list(t, tlb & ~(unsigned)(HIT | MISS), names, sizeof(names) / sizeof(*names),
	          0))
		add(t, "N/A");
	add(t, "%s%s", tlb & HIT ? " hit" : "", tlb & MISS ? " miss" : "");
}

void datasrc_text(uint64_t source, char out[DATASRC_TEXT])
{
	uint64_t rest = source;
	unsigned op = take(&rest, 5), level = take(&rest, 14), snoop = take(&rest, 5);
	unsigned lock = take(&rest, 2), tlb = take(&rest, 7), number = take(&rest, 4);
	unsigned remote = take(&rest, 1), more = take(&rest, 2), block = take(&rest, 3);
	unsigned hops = take(&rest, 3);
	struct text t = { out, 0 };

	add(&t, "%16llx ", (unsigned long long)source);
	add_operation(&t, op);
	add_level(&t, level, number, remote, hops);
	add_snoop(&t, snoop, more);
	add_tlb(&t, tlb);
	add(&t, "|LCK %s", lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
	if (!block || block & 1)
		add(&t, "|BLK  N/A");
	else
		add(&t, "|BLK %s%s", block & 2 ? " Data" : "", block & 4 ? " Addr" : "");
}
