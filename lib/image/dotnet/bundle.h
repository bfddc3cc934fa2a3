/*
 * bundle - a single-file .NET program: the host, followed by its entries.
 *
 * The runtime maps stored assemblies section by section from the program's file, so an offset in
 * the file is an offset in an entry.  It unpacks compressed entries into anonymous memory, which
 * no mapping identifies.
 *
 * Source: dotnet/runtime src/installer/managed/Microsoft.NET.HostModel/Bundle.  Major versions 1
 * (.NET Core 3) to 6 (.NET 6 and later).
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
	uint64_t packed;         /* bytes in the file if compressed, else 0 */
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
 * Returns true if the first bytes are an ELF file with data after the section headers, which are
 * usually its end.  Only such a program can have entries.
 */
bool bundle_bid(struct str head, uint64_t size);

/*
 * Returns false if there are no entries.  Entries outside the file are skipped.  Paths point into
 * bytes, which must live as long as b.  Entries live in a.
 */
bool bundle_read(struct bundle *b, struct str bytes, struct arena *a);

/* Returns the entry with that name in the outermost directory, or NULL. */
const struct bundle_entry *bundle_find(const struct bundle *b, struct str path);

/* Returns the bytes of entry e, unpacked into a if compressed.  Empty if damaged. */
struct str bundle_bytes(const struct bundle *b, const struct bundle_entry *e,
                        struct arena *a);

/* The first bytes of an entry, n at most. */
struct str bundle_head(const struct bundle *b, const struct bundle_entry *e, size_t n,
                       struct arena *a);

/* Returns the entry whose stored bytes contain that byte of the file, or NULL. */
const struct bundle_entry *bundle_at(const struct bundle *b, uint64_t file_off);

#endif
