/*
 * netfield - finds the fields of an event's payload by name.  Private to reader/.
 *
 * A payload is a sequence of values, so earlier fields must be skipped one by one.  Fields are
 * described in one of four forms.
 */
#ifndef READER_NETTRACE_NETFIELD_H
#define READER_NETTRACE_NETFIELD_H

#include "base/arena.h"
#include "reader/nettrace/netfile.h"

enum netfield_form {
	NETFIELD_NONE, /* the fields are not known */
	/*
	 * "iCount sName": for each field a letter and a name, separated by blanks.  Unsigned: b h
	 * i q (1 2 4 8 bytes).  Signed: I Q (4 8 bytes).  p: a pointer.  d: a double.  s: UTF-16
	 * with a NUL.
	 */
	NETFIELD_LETTERS,
	/* NetTraceFormat_v5.md: i32 number of fields, then for each i32 type, UTF-16 name. */
	NETFIELD_V1,
	/*
	 * NetTraceFormat_v5.md: i32 number of fields, then for each i32 size of the description,
	 * UTF-16 name, i32 type, and for arrays the type of the elements.
	 */
	NETFIELD_V2,
	/*
	 * NetTraceFormat.md: u16 number of fields, then for each u16 size of the description,
	 * name, u8 type, u8 type of the elements.
	 */
	NETFIELD_V6,
};

struct netfields {
	enum netfield_form form;
	struct str bytes; /* the description */
};

enum netfield_kind {
	NETFIELD_NUMBER, /* number */
	NETFIELD_UTF8,   /* text */
	NETFIELD_UTF16,  /* text, which is UTF-16 without the NUL */
	NETFIELD_OTHER,  /* an array, a GUID, a date */
};

struct netfield_value {
	enum netfield_kind kind;
	int64_t number; /* a fraction is rounded to the nearest integer */
	struct str text;
};

/*
 * Returns the fields described in a metadata event of versions 4 and 5.  `in` must be after the
 * name of the event.
 */
struct netfields netfield_read_metadata(struct cursor in);

/* Returns true if at least one field is described. */
bool netfield_any(const struct netfields *f);

/*
 * Reads a field.  Returns false if there is no such field, or if the payload ends before it.
 * `pointer` is the size of a pointer.
 */
bool netfield_find(const struct netfields *f, unsigned pointer, struct str payload,
                   struct str name, struct netfield_value *out);

/* Returns the names of the numeric fields in a payload, separated by ", ", in arena `a`. */
struct str netfield_numbers(const struct netfields *f, unsigned pointer,
                            struct str payload, struct arena *a);

/* Returns the UTF-16 up to its NUL, and skips the NUL.  Sets in->bad if there is no NUL. */
struct str netfield_utf16(struct cursor *in);

/* Converts UTF-16 (little-endian) to UTF-8, in arena `a`. */
struct str netfield_utf8(struct arena *a, struct str utf16);

#endif
