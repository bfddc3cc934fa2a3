/*
 * bundle - reads a single-file .NET program, which consists of a native executable, the host,
 * and of entries such as assemblies.
 *
 * The runtime maps uncompressed assemblies section by section from the program's file, so an
 * offset in the file determines an offset in an entry.  The runtime unpacks compressed entries
 * into anonymous memory, so mappings do not identify these entries.
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
	uint64_t file_off, size; /* size: uncompressed size in bytes */
	/* compressed size in the file, or 0 if the entry is not compressed */
	uint64_t packed;
	enum bundle_kind kind;
	struct str path; /* relative, with '/' between its parts */
};

struct bundle {
	struct str bytes; /* content of the file */
	uint32_t major;
	struct bundle_entry *entry; /* in the order of the manifest */
	size_t n;
	/* sum of the compressed sizes, which is limited to the size of the file */
	uint64_t packed;
};

/*
 * Returns true if the file is an ELF file with data after the section headers.  Normally the
 * section headers are at the end of a file.  Only a file with data after them can have entries.
 */
bool bundle_bid(struct str head, uint64_t size);

/*
 * Reads the entries into `a`.  Skips entries that exceed the file.  Returns false if there are no
 * entries.  Paths point into `bytes`, which must live as long as b.
 */
bool bundle_read(struct bundle *b, struct str bytes, struct arena *a);

/* Returns the entry with that name at the top level, or NULL. */
const struct bundle_entry *bundle_find(const struct bundle *b, struct str path);

/*
 * Returns the bytes of entry e, or an empty string if it is damaged.  A compressed entry is
 * unpacked into arena `a`.
 */
struct str bundle_bytes(const struct bundle *b, const struct bundle_entry *e,
                        struct arena *a);

/* Returns the first n bytes of an entry, or fewer if the entry is shorter. */
struct str bundle_head(const struct bundle *b, const struct bundle_entry *e, size_t n,
                       struct arena *a);

/* Returns the uncompressed entry that contains this byte of the file, or NULL. */
const struct bundle_entry *bundle_at(const struct bundle *b, uint64_t file_off);

#endif
