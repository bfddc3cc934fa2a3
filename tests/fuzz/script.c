/*
 * Any bytes as perf.data, printed with every field and every kind of record, and its
 * header in full.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "writer/script/header_features.h"
#include "writer/script/records.h"
#include "writer/script/script.h"

#include "leaks.h"

enum { PATH_ROOM = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All there are; of branches one form at a time, since the first hides the others. */
static void choose_all(struct columns *c, size_t form)
{
	columns_init(c);
	for (unsigned t = 0; t < COLUMN_TYPES; t++) {
		c->shown[t] = ((uint64_t)1 << COLUMNS) - 1;
		for (size_t i = 0; i < form; i++)
			c->shown[t] &= ~((uint64_t)1 << (COL_BRSTACK + i));
	}
}

static void print(struct profile *p, size_t form, struct diag *diag)
{
	static struct out out;
	struct columns columns;
	struct script_opts opts = { .columns = &columns, .reltime = form == 1 };
	struct script script;
	struct sample s;

	out.n = 0;
	out.error = 0;
	out.fd = -1;
	choose_all(&columns, form);
	header_features_write(reader_capture(profile_reader(p)), true, 7, &out);
	if (script_init(&script, p, &opts, diag) < 0)
		return;
	while (profile_next(p, &s))
		if (s.ev->kind == EV_SAMPLE)
			script_sample(&script, &out, &s);
		else
			records_write(&script, &out, &s);
	script_end(&script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = { .prog = "script", .quiet = true };
	char path[PATH_ROOM];
	struct profile_opts opts = { .input = path,
		                     .formats = READ_SAMPLES,
		                     .compat = size % 2 ? 6 + size / 2 % 2 : 0,
		                     .kinds = ~(uint64_t)0,
		                     .diag = &diag };
	const struct traits *format =
	        reader_bid((struct str){ (const char *)data, size });
	struct profile *p;
	int fd;

	if (!format || !format->has_records)
		return 0;
	fd = memfd_create("script", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	p = profile_open(&opts);
	if (p) {
		profile_learn(p);
		print(p, size % 3, &diag);
	}
	profile_close(p);
	close(fd);
	return 0;
}
