/*
 * gen-script MEGABYTES [STACKS] - text of perf script, the same bytes in every run.
 *
 * Like a service's profile: 4,000 functions of several languages called from eight
 * places each, STACKS (3,000) distinct chains that share their outer frames, few of
 * them hot.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 4000, SITES = 8, DEPTH = 64, LINE = 256, OUT = 1 << 20 };

struct line {
	unsigned n;
	char text[LINE];
};

struct chain {
	unsigned n;
	uint16_t function[DEPTH]; /* leaf first */
	uint8_t site[DEPTH];
};

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % below;
}

static void make_lines(struct line *lines)
{
	static const char *const forms[] = {
		"std::vector<Item%u, std::allocator<Item%u> >::insert(Item%u const&)",
		"instance bool [App.Core%u] "
		"App.Core%u.Table`2[System.__Canon,System.Int32]::"
		"TryGet%u(!0,!1&)[OptimizedTier1]",
		"do_syscall_%u_%u_%u",
		"<core%u::iter::Map<I,F> as core::iter::Iterator%u>::fold%u",
		"g_%u_loop_%u_%u",
		"(anonymous namespace)::Parser%u::parse_%u(int) const [clone .%u]",
	};
	static const char *const modules[] = {
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
		"/tmp/perf-4711.map",
		"[kernel.kallsyms]",
		"/srv/service/bin/service",
		"/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0",
		"/srv/service/bin/service"
	};

	for (unsigned f = 0; f < FUNCTIONS; f++) {
		uint64_t start = 0x7f0000000000u + draw(1u << 30) * 16;
		unsigned kind = f % 6;
		char name[LINE];

		snprintf(name, sizeof(name), forms[kind], f, f / 7, f % 100);
		for (unsigned s = 0; s < SITES; s++) {
			struct line *l = &lines[f * SITES + s];
			unsigned off = (unsigned)draw(4096);

			l->n = (unsigned)snprintf(l->text, LINE,
			                          "\t%16llx %s+0x%x (%s)\n",
			                          (unsigned long long)(start + off), name,
			                          off, modules[kind]);
		}
	}
}

/* Each chain keeps the outer frames of the one before. */
static void make_chains(struct chain *chains, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct chain *c = &chains[i];
		unsigned keep = i ? (unsigned)draw(chains[i - 1].n) : 0;

		c->n = 8 + (unsigned)draw(DEPTH - 8);
		if (keep > c->n)
			keep = c->n;
		for (unsigned k = 0; k < c->n; k++) {
			unsigned at = c->n - 1 - k;

			if (k < keep) {
				const struct chain *b = &chains[i - 1];

				c->function[at] = b->function[b->n - 1 - k];
				c->site[at] = b->site[b->n - 1 - k];
			} else {
				c->function[at] = (uint16_t)draw(FUNCTIONS);
				c->site[at] = (uint8_t)draw(SITES);
			}
		}
	}
}

static size_t put_sample(char *out, const struct chain *c, const struct line *lines,
                         uint64_t count)
{
	char *p = out;

	p += sprintf(p, "worker-%u  4711/%u [%03u] %6llu.%06u:    %u cycles:u: \n",
	             (unsigned)draw(4), 4711 + (unsigned)draw(16), (unsigned)draw(8),
	             (unsigned long long)(1000 + count / 1000),
	             (unsigned)(count % 1000) * 1000, 250000 + (unsigned)draw(1000));
	for (unsigned k = 0; k < c->n; k++) {
		unsigned site = k ? c->site[k] : (unsigned)draw(SITES);
		const struct line *l = &lines[c->function[k] * SITES + site];

		memcpy(p, l->text, l->n);
		p += l->n;
	}
	*p++ = '\n';
	return (size_t)(p - out);
}

int main(int argc, char **argv)
{
	size_t want = argc > 1 ? strtoul(argv[1], NULL, 10) * 1000000 : 0, wrote = 0,
	       n = 0;
	size_t stacks = argc > 2 ? strtoul(argv[2], NULL, 10) : 3000;
	struct line *lines = calloc(FUNCTIONS * SITES, sizeof(*lines));
	struct chain *chains = calloc(stacks ? stacks : 1, sizeof(*chains));
	char *out = malloc(OUT + (DEPTH + 1) * LINE);

	if (!want || !stacks || !lines || !chains || !out) {
		fprintf(stderr, "usage: gen-script MEGABYTES [STACKS]\n");
		return 2;
	}
	make_lines(lines);
	make_chains(chains, stacks);
	for (uint64_t count = 0; wrote + n < want; count++) {
		uint64_t i = draw(stacks);

		n += put_sample(out + n, &chains[i * draw(stacks) / stacks], lines,
		                count);
		if (n < OUT && wrote + n < want)
			continue;
		if (fwrite(out, 1, n, stdout) != n)
			return 1;
		wrote += n;
		n = 0;
	}
	free(lines);
	free(chains);
	free(out);
	return fflush(stdout) ? 1 : 0;
}
