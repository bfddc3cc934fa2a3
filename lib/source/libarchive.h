/*
 * libarchive - the library of that name, loaded when the first archive is met.
 *
 * It brings along an XML parser, ICU and the C++ library: loading them takes longer
 * than all else that starting a filter does, and most runs see no archive.
 */
#ifndef SOURCE_LIBARCHIVE_H
#define SOURCE_LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

/* Its functions that are used, without the "archive_" before their names. */
#define LIBARCHIVE_EACH(X)                                                               \
	X(entry_filetype)                                                                \
	X(entry_hardlink)                                                                \
	X(entry_hardlink_utf8)                                                           \
	X(entry_pathname)                                                                \
	X(entry_pathname_utf8)                                                           \
	X(entry_size)                                                                    \
	X(entry_size_is_set)                                                             \
	X(entry_symlink)                                                                 \
	X(entry_symlink_utf8)                                                            \
	X(error_string)                                                                  \
	X(filter_count)                                                                  \
	X(format)                                                                        \
	X(read_data_block)                                                               \
	X(read_free)                                                                     \
	X(read_new)                                                                      \
	X(read_next_header)                                                              \
	X(read_open)                                                                     \
	X(read_open_memory)                                                              \
	X(read_support_filter_bzip2)                                                     \
	X(read_support_filter_gzip)                                                      \
	X(read_support_filter_lz4)                                                       \
	X(read_support_filter_lzma)                                                      \
	X(read_support_filter_xz)                                                        \
	X(read_support_filter_zstd)                                                      \
	X(read_support_format_7zip)                                                      \
	X(read_support_format_empty)                                                     \
	X(read_support_format_raw)                                                       \
	X(read_support_format_tar)                                                       \
	X(read_support_format_zip)

/* Pointers of the types that archive.h declares. */
struct libarchive {
#define LIBARCHIVE_POINTER(name) __typeof__(archive_##name) *(name);
	LIBARCHIVE_EACH(LIBARCHIVE_POINTER)
#undef LIBARCHIVE_POINTER
};

/*
 * Fills *la; once loaded the library stays, and this is cheap.  NULL: done.  Else why
 * not, in words that are this thread's until it loads something else.
 */
const char *libarchive_load(struct libarchive *la);

#endif
