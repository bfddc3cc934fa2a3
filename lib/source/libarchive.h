/*
 * libarchive - pointers to the functions of libarchive that archive.c calls.  Private to
 * archive.c.
 *
 * The library is loaded when the first archive is opened (base/library.h).
 */
#ifndef SOURCE_LIBARCHIVE_H
#define SOURCE_LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

/* clang-format off */
#define LIBARCHIVE_CALLS(F) \
	F(archive_entry_filetype) F(archive_entry_free) F(archive_entry_hardlink) \
	F(archive_entry_hardlink_utf8) F(archive_entry_new) \
	F(archive_entry_pathname) F(archive_entry_pathname_utf8) \
	F(archive_entry_size) F(archive_entry_size_is_set) F(archive_entry_symlink) \
	F(archive_entry_symlink_utf8) F(archive_errno) F(archive_error_string) \
	F(archive_filter_count) F(archive_format) F(archive_read_data_block) \
	F(archive_read_free) F(archive_read_new) F(archive_read_next_header2) \
	F(archive_read_open) F(archive_read_open_memory) \
	F(archive_read_set_callback_data) F(archive_read_support_filter_bzip2) \
	F(archive_read_support_filter_gzip) F(archive_read_support_filter_lz4) \
	F(archive_read_support_filter_lzma) F(archive_read_support_filter_xz) \
	F(archive_read_support_filter_zstd) F(archive_read_support_format_7zip) \
	F(archive_read_support_format_empty) F(archive_read_support_format_raw) \
	F(archive_read_support_format_tar) F(archive_read_support_format_zip)
/* clang-format on */

struct libarchive {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration has no parentheses */
#define LIBARCHIVE_MEMBER(name) __typeof__(name) *name;
	LIBARCHIVE_CALLS(LIBARCHIVE_MEMBER)
#undef LIBARCHIVE_MEMBER
};

#endif
