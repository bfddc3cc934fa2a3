/*
 * netfield - finds the fields of an event's payload by name.  Private to reader/.
 *
 * A payload is a sequence of values without offsets, so all preceding fields must be read to find
 * a field.  There are four forms of field descriptions.
 */
#ifndef READER_NETTRACE_NETFIELD_H
#define READER_NETTRACE_NETFIELD_H

#include "base/arena.h"
#include "reader/nettrace/netfile.h"

enum netfield_form {
	NETFIELD_NONE, /* the fields are unknown */
	/*
	 * A letter and a name for each field, separated by blanks: "iCount sName".  b h i
	 * q: unsigned, 1 2 4 8 bytes.  I Q: signed, 4 8 bytes.  p: pointer.  d: double.
	 * s: UTF-16 with NUL.
	 */
	NETFIELD_LETTERS,
	/* NetTraceFormat_v5.md: i32 number of fields.  For each field: i32 type, UTF-16 name. */
	NETFIELD_V1,
	/*
	 * NetTraceFormat_v5.md: i32 number of fields.  For each field: i32 size of the
	 * description, UTF-16 name, i32 type and, for arrays, the element type.
	 */
	NETFIELD_V2,
	/*
	 * NetTraceFormat.md: u16 number of fields.  For each field: u16 size of the
	 * description, name, u8 type and, for arrays, u8 element type.
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
	NETFIELD_UTF16,  /* text, in UTF-16 without NUL */
	NETFIELD_OTHER,  /* an array, GUID or date */
};

struct netfield_value {
	enum netfield_kind kind;
	int64_t number; /* fractions are rounded to the nearest integer */
	struct str text;
};

/*
 * Returns the description in a metadata event of version 4 or 5.  `in` must be after the name of
 * the event.
 */
struct netfields netfield_read_metadata(struct cursor in);

/* Returns true if at least one field is described. */
bool netfield_any(const struct netfields *f);

/*
 * Reads a field.  Returns false if there is no such field, or if the payload ends before the
 * field.  `pointer`: size of a pointer in bytes.
 */
bool netfield_find(const struct netfields *f, unsigned pointer, struct str payload,
                   struct str name, struct netfield_value *out);

/* Returns the names of the numeric fields in a payload, separated by ", ", in arena `a`. */
struct str netfield_numbers(const struct netfields *f, unsigned pointer,
                            struct str payload, struct arena *a);

/*
 * Reads UTF-16 text and its NUL.  Returns the text without NUL.  Sets in->bad if there is no NUL.
 */
struct str netfield_utf16(struct cursor *in);

/* Converts UTF-16 (little-endian) to UTF-8, in arena `a`. */
struct str netfield_utf8(struct arena *a, struct str utf16);

#endif
