/*
 * bundle - a single-file .NET program: the host, followed by its entries.
 *
 * The runtime maps stored assemblies section by section from the program's file, so an
 * offset in the file determines an offset in an entry.  Compressed entries are unpacked
 * into anonymous memory, so mappings do not identify them.
 *
 * Source: dotnet/runtime src/installer/managed/Microsoft.NET.HostModel/Bundle.  Major
 * versions 1 (.NET Core 3) to 6 (.NET 6 and later).
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
	uint64_t packed;         /* compressed size in the file, or 0 if not compressed */
	enum bundle_kind kind;
	struct str path; /* relative, with '/' between its parts */
};

struct bundle {
	struct str bytes; /* of the whole file */
	uint32_t major;
	struct bundle_entry *entry; /* entries, in the order of the manifest */
	size_t n;
	uint64_t packed; /* sum of the compressed sizes, at most the size of the file */
};

/*
 * Returns true if the first bytes are an ELF file with data after the section headers.
 * Usually the section headers are the end of a file, so only such a program can have
 * entries.
 */
bool bundle_bid(struct str head, uint64_t size);

/*
 * Reads the entries into `a`.  Skips entries outside the file.  Returns false if there
 * are no entries.  Paths point into `bytes`, which must live as long as b.
 */
bool bundle_read(struct bundle *b, struct str bytes, struct arena *a);

/* Returns the entry with that name in the outermost directory, or NULL. */
const struct bundle_entry *bundle_find(const struct bundle *b, struct str path);

/*
 * Returns the bytes of entry e, or an empty string if it is damaged.  A compressed entry
 * is unpacked into a.
 */
struct str bundle_bytes(const struct bundle *b, const struct bundle_entry *e,
                        struct arena *a);

/* Returns the first bytes of an entry, n at most. */
struct str bundle_head(const struct bundle *b, const struct bundle_entry *e, size_t n,
                       struct arena *a);

/* Returns the uncompressed entry that contains this byte of the file, or NULL. */
const struct bundle_entry *bundle_at(const struct bundle *b, uint64_t file_off);

#endif
