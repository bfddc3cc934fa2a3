/* jitgen - writes small jitdumps, of either byte order, record by record. */
#ifndef TESTS_JITGEN_H
#define TESTS_JITGEN_H

#include "base/arena.h"

struct jitgen {
	char bytes[1 << 15];
	size_t n;
	bool big;
	bool llvm; /* which leaves the vma out */
};

static inline void put_number(struct jitgen *g, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		size_t at = g->big ? size - 1 - i : i;

		g->bytes[g->n + at] = (char)(v >> 8 * i);
	}
	g->n += size;
}

static inline void put32(struct jitgen *g, uint32_t v)
{
	put_number(g, v, 4);
}

static inline void put64(struct jitgen *g, uint64_t v)
{
	put_number(g, v, 8);
}

static inline void put_text(struct jitgen *g, const char *s)
{
	memcpy(g->bytes + g->n, s, strlen(s) + 1);
	g->n += strlen(s) + 1;
}

static inline void jit_header(struct jitgen *g, int pid, uint32_t reserved,
                              uint64_t flags)
{
	put32(g, 0x4A695444);
	put32(g, 1);
	put32(g, 40);
	put32(g, 62);
	put32(g, reserved);
	put32(g, (uint32_t)pid);
	put64(g, 5);
	put64(g, flags);
}

static inline void jit_prefix(struct jitgen *g, uint32_t id, size_t size,
                              uint64_t time_ns)
{
	put32(g, id);
	put32(g, (uint32_t)size);
	put64(g, time_ns);
}

/* size bytes of code behind the name. */
static inline void jit_load(struct jitgen *g, int pid, uint64_t time_ns, uint64_t start,
                            uint32_t size, uint64_t number, const char *name)
{
	jit_prefix(g, 0, 56 + strlen(name) + 1 + size, time_ns);
	put32(g, (uint32_t)pid);
	put32(g, (uint32_t)pid);
	put64(g, g->llvm ? 0 : start);
	put64(g, start);
	put64(g, size);
	put64(g, number);
	put_text(g, name);
	memset(g->bytes + g->n, 0xcc, size);
	g->n += size;
}

/* What CPython 3.13 writes for a function of 11 bytes: .eh_frame and .eh_frame_hdr. */
static inline void jit_unwinding(struct jitgen *g, uint64_t time_ns)
{
	static const char both[] =
	        "\x14\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1\0\0"
	        "\x14\0\0\0\x1c\0\0\0\xd0\xff\xff\xff\x0b\0\0\0\0\x44\x0e\x10\x46\x0e\x08"
	        "\0"
	        "\1\x1b\3\x3b\xcc\xff\xff\xff\1\0\0\0\xc0\xff\xff\xff\xe8\xff\xff\xff";

	jit_prefix(g, 4, 40 + sizeof(both) - 1, time_ns);
	put64(g, sizeof(both) - 1);
	put64(g, 20);
	put64(g, 80);
	memcpy(g->bytes + g->n, both, sizeof(both) - 1);
	g->n += sizeof(both) - 1;
}

static inline void jit_move(struct jitgen *g, uint64_t time_ns, uint64_t to,
                            uint32_t size, uint64_t number)
{
	jit_prefix(g, 1, 64, time_ns);
	put64(g, 0);
	put64(g, to);
	put64(g, 0);
	put64(g, to);
	put64(g, size);
	put64(g, number);
}

static inline struct str jit_bytes(const struct jitgen *g)
{
	return (struct str){ g->bytes, g->n };
}

#endif
