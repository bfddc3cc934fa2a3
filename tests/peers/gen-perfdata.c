/*
 * gen-perfdata SAMPLES [pipe | short | FILE ...] - a perf.data on standard output, the same
 * every time; with pipe as perf record -o - writes it, in memory of one round; with short
 * as of a machine where a new process begins every 20 samples; with
 * files, up to twelve programs or libraries of 64 bits, as if these had run.
 *
 * Frame pointer chains of about six user frames in twelve files of four processes,
 * cpu-clock, with the rounds that perf writes; layout:
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FILES = 12,
	PROCESSES = 4,
	LIFE = 20, /* samples until a short process follows */
	ROUND = 1000,
	HOT = 256,        /* distinct addresses of a file */
	PATH_BYTES = 128, /* of a record */
	PERIOD = 1001001,
	RECORD_MMAP2 = 10,
	RECORD_COMM = 3,
	RECORD_SAMPLE = 9,
	RECORD_ATTR = 64,
	RECORD_ROUND = 68,
	SAMPLE_TYPE = 1 | 2 | 4 | 32 | 256, /* IP TID TIME CALLCHAIN PERIOD */
	ATTR_BYTES = 128,
	HEADER_BYTES = 104,
};

/* The segment with code of a file that is named: pages, and bytes from off on. */
struct code {
	const char *path;
	uint64_t start, pages, off, bytes;
};

static struct code code[FILES];
static unsigned files = FILES;
static unsigned oldest; /* process that samples are of; the others follow it */

static void read_code(struct code *c, const char *path)
{
	FILE *f = fopen(path, "rb");
	Elf64_Ehdr eh = { 0 };
	Elf64_Phdr ph = { 0 };

	if (!f || fread(&eh, sizeof(eh), 1, f) != 1 || fseek(f, (long)eh.e_phoff, 0))
		eh.e_phnum = 0;
	for (unsigned i = 0;
	     i < eh.e_phnum && !(ph.p_flags & PF_X && ph.p_type == PT_LOAD); i++)
		if (fread(&ph, sizeof(ph), 1, f) != 1)
			break;
	if (f)
		fclose(f);
	if (!ph.p_filesz) {
		fprintf(stderr, "gen-perfdata: %s: no program\n", path);
		exit(2);
	}
	c->path = path;
	c->start = ph.p_offset & ~(uint64_t)4095;
	c->pages = ((ph.p_offset + ph.p_filesz + 4095) & ~(uint64_t)4095) - c->start;
	c->off = ph.p_offset - c->start;
	c->bytes = ph.p_filesz;
}

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static char *body, *end;
static size_t room;

static void put(const void *p, size_t n)
{
	size_t used = (size_t)(end - body);

	if (used + n > room) {
		room = room ? 2 * room : 1 << 20;
		body = realloc(body, room);
		if (!body)
			exit(2);
		end = body + used;
	}
	memcpy(end, p, n);
	end += n;
}

static void put32(uint32_t v)
{
	put(&v, sizeof(v));
}

static void put64(uint64_t v)
{
	put(&v, sizeof(v));
}

static void head(uint32_t type, uint16_t misc, size_t size)
{
	uint16_t n = (uint16_t)size;

	put32(type);
	put(&misc, sizeof(misc));
	put(&n, sizeof(n));
}

/* pid, tid, time: what sample_id_all appends. */
static void put_trailer(uint32_t pid, uint64_t time)
{
	put32(pid);
	put32(pid);
	put64(time);
}

static uint64_t base_of(unsigned process, unsigned file)
{
	return 0x7f0000000000u + ((uint64_t)(process % 128) << 32) +
	       ((uint64_t)file << 24);
}

static void put_maps(unsigned process, uint64_t time)
{
	char path[PATH_BYTES] = { 0 };

	head(RECORD_COMM, 2, 8 + 8 + 16 + 16);
	put32(1000 + process);
	put32(1000 + process);
	snprintf(path, sizeof(path), "service-%u", process);
	put(path, 16);
	put_trailer(1000 + process, time);
	for (unsigned f = 0; f < files; f++) {
		const struct code *c = &code[f];

		memset(path, 0, sizeof(path));
		if (c->path)
			snprintf(path, sizeof(path), "%s", c->path);
		else
			snprintf(path, sizeof(path), "/srv/app/lib/libmodule-%u.so.%u", f,
			         process % PROCESSES);
		head(RECORD_MMAP2, 2, 8 + 64 + sizeof(path) + 16);
		put32(1000 + process);
		put32(1000 + process);
		put64(base_of(process, f));
		put64(c->path ? c->pages : 1 << 22);
		put64(c->path ? c->start : 0x1000);
		put64(0x100000008);
		put64(4711 + f);
		put64(0);
		put32(5);
		put32(2);
		put(path, sizeof(path));
		put_trailer(1000 + process, time);
	}
}

static void put_sample(uint64_t time)
{
	unsigned process = oldest + (unsigned)(draw() % PROCESSES),
	         n = 4 + (unsigned)(draw() % 5);
	uint64_t ips[16];

	for (unsigned i = 0; i < n; i++) {
		unsigned file = (unsigned)(draw() % files);
		const struct code *c = &code[file];
		uint64_t hot = draw() % HOT;

		ips[i] = base_of(process, file);
		ips[i] += c->path ? c->off + c->bytes / HOT * hot : hot * hot % (1 << 22);
	}
	head(RECORD_SAMPLE, 2, 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 * n);
	put64(ips[0]);
	put32(1000 + process);
	put32(1000 + process);
	put64(time);
	put64(PERIOD);
	put64(n + 1);
	put64((uint64_t)-512);
	put(ips, 8 * n);
}

static void put_attr(char attr[ATTR_BYTES])
{
	uint64_t sample_type = SAMPLE_TYPE, period = PERIOD,
	         type = 1 | (uint64_t)ATTR_BYTES << 32;
	/* mmap comm task sample_id_all mmap2 */
	uint64_t flags = 1u << 8 | 1u << 9 | 1u << 13 | 1u << 18 | 1u << 23;

	memset(attr, 0, ATTR_BYTES);
	memcpy(attr, &type, 8);
	memcpy(attr + 16, &period, 8);
	memcpy(attr + 24, &sample_type, 8);
	memcpy(attr + 40, &flags, 8);
}

static void write_out(void)
{
	fwrite(body, (size_t)(end - body), 1, stdout);
	end = body;
}

static void begin_pipe(void)
{
	char attr[ATTR_BYTES];

	put("PERFILE2", 8);
	put64(16);
	head(RECORD_ATTR, 0, 8 + sizeof(attr));
	put_attr(attr);
	put(attr, sizeof(attr));
}

int main(int argc, char **argv)
{
	unsigned long samples = argc > 1 ? strtoul(argv[1], NULL, 10) : 190000;
	uint64_t header[HEADER_BYTES / 8] = { 0 };
	char attr[ATTR_BYTES + 16] = { 0 };
	int pipe = argc > 2 && !strcmp(argv[2], "pipe");
	int is_short = argc > 2 && !strcmp(argv[2], "short");

	if (pipe)
		begin_pipe();
	else if (argc > 2 && !is_short)
		for (files = 0; files < FILES && argv[2 + files]; files++)
			read_code(&code[files], argv[2 + files]);
	for (unsigned p = 0; p < PROCESSES; p++)
		put_maps(p, 1);
	for (unsigned long i = 0; i < samples; i++) {
		if (is_short && i % LIFE == LIFE - 1)
			put_maps(oldest++ + PROCESSES, 1000000000u + i * PERIOD);
		put_sample(1000000000u + i * PERIOD);
		if (i % ROUND == ROUND - 1)
			head(RECORD_ROUND, 0, 8);
		if (pipe && i % ROUND == ROUND - 1)
			write_out();
	}
	if (pipe) {
		write_out();
		free(body);
		return fflush(stdout) || ferror(stdout) ? 2 : 0;
	}
	put_attr(attr);
	memcpy(header, "PERFILE2", 8);
	header[1] = HEADER_BYTES;
	header[2] = sizeof(attr);
	header[3] = HEADER_BYTES;
	header[4] = sizeof(attr);
	header[5] = HEADER_BYTES + sizeof(attr);
	header[6] = (uint64_t)(end - body);
	fwrite(header, HEADER_BYTES, 1, stdout);
	fwrite(attr, sizeof(attr), 1, stdout);
	fwrite(body, (size_t)(end - body), 1, stdout);
	free(body);
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
