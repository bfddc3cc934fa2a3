/* jitgen - writes small jitdumps, of either byte order, record by record. */
#ifndef TESTS_JITGEN_H
#define TESTS_JITGEN_H

#include "base/arena.h"

struct jitgen {
	char bytes[4096];
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
