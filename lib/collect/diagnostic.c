#include "collect/diagnostic.h"

#include "base/cursor.h"

#define MAGIC "DOTNET_IPC_V1" /* includes the NUL */

enum {
	HEAD = 20,
	TRACE = 2, /* command sets */
	PROCESS = 4,
	STOP = 1,
	COLLECT = 2,
	COLLECT_2 = 3,
	ENABLE_PERF_MAP = 5,
	DISABLE_PERF_MAP = 6,
	PERF_MAP_ONLY = 3, /* argument of ENABLE_PERF_MAP: a perf map, but no jitdump */
	BUFFER_MB = 256,
	NETTRACE = 1,  /* format */
	VERBOSE = 5,   /* level */
	SERVER = 0xff, /* command set of replies */
	DONE = 0x00,   /* reply: success */
	ERROR = 0xff,  /* reply: error */
};

/* Keywords for compiled methods (0x10), and for IL maps (0x20000). */
#define KEYWORDS 0x20010
#define PROVIDER "Microsoft-Windows-DotNETRuntime"

/* A message in progress. */
struct message {
	char bytes[256];
	size_t n;
};

static void put(struct message *m, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		m->bytes[m->n++] = (char)(value >> 8 * i & 0xff);
}

static void begin(struct message *m, uint8_t set, uint8_t command)
{
	memcpy(m->bytes, MAGIC, sizeof(MAGIC));
	m->n = sizeof(MAGIC) + 2;
	put(m, set, 1);
	put(m, command, 1);
	put(m, 0, 2);
}

/* Sets the size in the header of the message. */
static void finish(struct message *m)
{
	size_t n = m->n;

	m->n = sizeof(MAGIC);
	put(m, n, 2);
	m->n = n;
}

static struct str end(struct message *m, struct arena *a)
{
	finish(m);
	return arena_str(a, (struct str){ m->bytes, m->n });
}

struct str diagnostic_perf_map(bool on, struct arena *a)
{
	struct message m;

	begin(&m, PROCESS, on ? ENABLE_PERF_MAP : DISABLE_PERF_MAP);
	if (on)
		put(&m, PERF_MAP_ONLY, 4);
	return end(&m, a);
}

struct str diagnostic_trace(bool newer, struct arena *a)
{
	static const char name[] = PROVIDER;
	struct message m;

	begin(&m, TRACE, newer ? COLLECT_2 : COLLECT);
	put(&m, BUFFER_MB, 4);
	put(&m, NETTRACE, 4);
	if (newer)
		put(&m, true, 1);
	put(&m, 1, 4); /* number of providers */
	put(&m, KEYWORDS, 8);
	put(&m, VERBOSE, 4);
	put(&m, sizeof(name), 4);
	for (size_t i = 0; i < sizeof(name); i++)
		put(&m, (unsigned char)name[i], 2);
	put(&m, 0, 4); /* no filter */
	return end(&m, a);
}

size_t diagnostic_stop(char *to, size_t room, struct str reply)
{
	struct diagnostic_reply named;
	struct message m;

	if (!diagnostic_read(&named, reply) || !named.done ||
	    named.n != DIAGNOSTIC_SESSION || room < DIAGNOSTIC_SESSION)
		return 0;
	begin(&m, TRACE, STOP);
	put(&m, named.session, 8);
	finish(&m);
	memcpy(to, m.bytes, m.n);
	return m.n;
}

bool diagnostic_read(struct diagnostic_reply *out, struct str bytes)
{
	struct cursor c = cur_little(bytes);
	const char *magic = cur_take(&c, sizeof(MAGIC));
	uint8_t set, command;

	*out = (struct diagnostic_reply){ .n = cur_u16(&c) };
	set = cur_u8(&c);
	command = cur_u8(&c);
	cur_u16(&c);
	if (c.bad || memcmp(magic, MAGIC, sizeof(MAGIC)) != 0 || set != SERVER ||
	    (command != DONE && command != ERROR) || out->n < HEAD || out->n > bytes.n)
		return false;
	c = cur_little(str_head(str_from(bytes, HEAD), out->n - HEAD));
	out->done = command == DONE;
	if (!out->done)
		out->error = cur_u32(&c);
	else if (cur_left(&c) >= sizeof(out->session))
		out->session = cur_u64(&c);
	return !c.bad;
}
