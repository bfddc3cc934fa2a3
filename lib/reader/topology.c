/*
 * How the recording machine is built, from the feature sections that `perf script -I`
 * prints: tools/perf/util/header.c of Linux 6.1.
 *
 *	# sibling sockets : 0-1
 *	# CPU 0: Core ID 0, Die ID 0, Socket ID 0
 *	# node0 meminfo  : total = 6777044 kB, free = 3799892 kB
 *	#  L1 Data                 48K [0]
 *	#    0 [24G]: 0-23,32-199
 */
#include <stdio.h>

#include "reader/describe.h"

enum { RANGES_SHOWN = 100, SIZE_TEXT = 32 };

static void show_siblings(struct cursor *c, const char *what, struct out *o)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct str cpus = feature_string(c);

		if (!c->bad)
			out_fmt(o, "# sibling %s : " PRSTR "\n", what, STRARG(cpus));
	}
}

/* In the file the sockets stand before the dies, which perf prints between. */
void describe_cpus(const struct header *h, struct cursor *c, struct out *o)
{
	struct cursor count = cur_over(h->feature[FEATURE_NRCPUS], h->pub.swap), threads,
	              ids;
	uint32_t ncpus = cur_u32(&count), n;
	bool has_dies;

	show_siblings(c, "sockets", o);
	threads = *c;
	n = cur_u32(c);
	for (uint32_t i = 0; i < n && !c->bad; i++)
		feature_string(c);
	ids = *c;
	if (!cur_take(c, (size_t)ncpus * 8))
		ids = cur_over((struct str){ 0 }, h->pub.swap);
	has_dies = cur_left(c) != 0 && !c->bad;
	if (has_dies)
		show_siblings(c, "dies   ", o);
	show_siblings(&threads, "threads", o);
	if (!cur_left(&ids) && ncpus)
		out_fmt(o, "# Core ID and Socket ID information is not available\n");
	for (uint32_t i = 0; i < ncpus && cur_left(&ids) >= 8; i++) {
		int32_t core = (int32_t)cur_u32(&ids), socket = (int32_t)cur_u32(&ids);

		out_fmt(o, "# CPU %u: Core ID %d, ", i, core);
		if (has_dies)
			out_fmt(o, "Die ID %d, ", (int32_t)cur_u32(c));
		out_fmt(o, "Socket ID %d\n", socket);
	}
}

void describe_numa(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = cur_u32(c);
		uint64_t total = cur_u64(c), unused = cur_u64(c);
		struct str cpus = feature_string(c);

		if (c->bad)
			return;
		out_fmt(o, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node,
		        (unsigned long long)total, (unsigned long long)unused);
		out_fmt(o, "# node%u cpu list : " PRSTR "\n", node, STRARG(cpus));
	}
}

void describe_caches(struct cursor *c, struct out *o)
{
	uint32_t n;

	cur_take(c, 4); /* version */
	n = cur_u32(c);
	out_str(o, STR("# CPU cache info:\n"));
	for (uint32_t i = 0; i < n; i++) {
		int32_t level = (int32_t)cur_u32(c);
		struct str type, size, cpus;

		cur_take(c, 12); /* bytes of a line, sets, ways */
		type = feature_string(c);
		size = feature_string(c);
		cpus = feature_string(c);
		if (c->bad)
			return;
		out_fmt(o, "#  L%d %-15.*s %8.*s [" PRSTR "]\n", level, STRARG(type),
		        STRARG(size), STRARG(cpus));
	}
}

/* The numbers of the bits that are set, as ranges; perf cuts the text off. */
static uint64_t list_bits(struct str map, uint64_t bits, bool swap,
                          char out[RANGES_SHOWN])
{
	uint64_t set = 0, first = 0;
	bool inside = false;
	size_t n = 0;

	out[0] = '\0';
	for (uint64_t i = 0; i <= bits; i++) {
		struct cursor c = cur_over(str_from(map, i / 64 * 8), swap);
		bool on = i < bits && cur_u64(&c) >> i % 64 & 1;

		set += on;
		if (on && !inside)
			first = i;
		if (!on && inside && n < RANGES_SHOWN - 1) {
			n += (size_t)snprintf(out + n, RANGES_SHOWN - n, "%s%llu",
			                      n ? "," : "", (unsigned long long)first);
			if (i - first > 1 && n < RANGES_SHOWN - 1)
				n += (size_t)snprintf(out + n, RANGES_SHOWN - n, "-%llu",
				                      (unsigned long long)i - 1);
		}
		inside = on;
	}
	return set;
}

/* Cut, not rounded, and of the largest unit that leaves two or more. */
static void show_size(uint64_t bytes, char out[SIZE_TEXT])
{
	size_t unit = 0;

	for (; bytes / 1024 > 1 && unit < 3; unit++)
		bytes /= 1024;
	snprintf(out, SIZE_TEXT, "%llu%c", (unsigned long long)bytes, "BKMG"[unit]);
}

void describe_memory(struct cursor *c, struct out *o)
{
	uint64_t block, n;

	cur_take(c, 8); /* version */
	block = cur_u64(c);
	n = cur_u64(c);
	if (c->bad)
		return;
	out_fmt(o, "# memory nodes (nr %d, block size 0x%llx):\n", (int)n,
	        (unsigned long long)block);
	for (uint64_t i = 0; i < n; i++) {
		char ranges[RANGES_SHOWN], size[SIZE_TEXT];
		uint64_t node = cur_u64(c), bits, set;
		const char *map;

		cur_take(c, 8); /* of the node, in blocks */
		bits = cur_u64(c);
		if (c->bad || bits > cur_left(c) * 8)
			return;
		map = cur_take(c, (bits + 63) / 64 * 8);
		if (!map)
			return;
		set = list_bits((struct str){ map, (bits + 63) / 64 * 8 }, bits, c->swap,
		                ranges);
		show_size(block * set, size);
		out_fmt(o, "#  %3llu [%s]: %s\n", (unsigned long long)node, size, ranges);
	}
}

void describe_hybrid(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	out_str(o, STR("# hybrid cpu system:\n"));
	for (uint32_t i = 0; i < n; i++) {
		struct str pmu = feature_string(c), cpus = feature_string(c);

		if (c->bad)
			return;
		out_fmt(o, "# " PRSTR " cpu list : " PRSTR "\n", STRARG(pmu),
		        STRARG(cpus));
	}
}
