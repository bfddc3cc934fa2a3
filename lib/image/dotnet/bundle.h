/*
 * bundle - a single-file .NET program: the host, and behind it what it carries.
 *
 * The runtime maps stored assemblies section by section straight from the program's
 * file, so that an offset in the file is an offset in an entry.  Compressed ones it
 * unpacks into anonymous memory: no mapping shows where they are.
 *
 * Source: dotnet/runtime src/installer/managed/Microsoft.NET.HostModel/Bundle;
 * major versions 1 (.NET Core 3) to 6 (.NET 6 and later).
 */
#ifndef IMAGE_DOTNET_BUNDLE_H
#define IMAGE_DOTNET_BUNDLE_H

#include "base/arena.h"

enum bundle_kind {
	BUNDLE_UNKNOWN,
	BUNDLE_ASSEMBLY,
	BUNDLE_NATIVE,
	BUNDLE_DEPS,
	BUNDLE_RUNTIME_CONFIG,
	BUNDLE_SYMBOLS,
};

struct bundle_entry {
	uint64_t file_off, size; /* size: unpacked, bytes */
	uint64_t packed;         /* bytes in the file when compressed; else 0 */
	enum bundle_kind kind;
	struct str path; /* relative, '/' between its parts */
};

struct bundle {
	struct str bytes; /* of the whole file */
	uint32_t major;
	struct bundle_entry *entry; /* in the order of the manifest */
	size_t n;
	uint64_t packed; /* bytes of all compressed entries: no more than there are */
};

/*
 * The first bytes are those of an ELF file behind whose section headers, the last thing
 * in it, more stands: only such a program can carry anything.
 */
bool bundle_bid(struct str head, uint64_t size);

/*
 * False: these bytes carry nothing.  Entries that lie outside of the file are left
 * out.  Paths point into bytes, which must live as long as b; entries live in a.
 */
bool bundle_read(struct bundle *b, struct str bytes, struct arena *a);

/* The entry of that name in the outermost folder; NULL: there is none. */
const struct bundle_entry *bundle_find(const struct bundle *b, struct str path);

/* The bytes of entry e, unpacked into a if compressed; empty if damaged. */
struct str bundle_bytes(const struct bundle *b, const struct bundle_entry *e,
                        struct arena *a);

/* The first bytes of an entry, n at most. */
struct str bundle_head(const struct bundle *b, const struct bundle_entry *e, size_t n,
                       struct arena *a);

/* The entry whose stored bytes hold that byte of the file; NULL: none does. */
const struct bundle_entry *bundle_at(const struct bundle *b, uint64_t file_off);

#endif
