/*
 * json - reads JSON in pieces, using yajl.
 *
 * A reader states the keys that it wants in a table of rules.  `take` is called for their values
 * in the order of the text, and all other values are skipped.  The elements of an array have the
 * rule of the array.  The text may have several values, one after the other (JSON lines).
 */
#ifndef READER_JSON_H
#define READER_JSON_H

#include "base/str.h"

enum { JSON_DEPTH = 128 }; /* maximum number of open objects and arrays */

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_OBJECT, /* the beginning of an object */
	JSON_OBJECT_END,
	JSON_ARRAY,
	JSON_ARRAY_END
};

struct json_rule {
	uint8_t in; /* kind of the object that has the key, or 0 for the outermost */
	/*
	 * kind of the value.  The keys of an object of this kind have rules with this number as
	 * `in`
	 */
	uint8_t is;
	uint16_t use; /* number for the module that made the rule */
	struct str key;
};

struct json_value {
	enum json_type type;
	const struct json_rule *rule; /* NULL for the outermost value */
	struct str
	        /*
	         * text of a JSON_NUMBER, or text of a JSON_STRING with decoded escapes.
	         * Valid during the call
	         */
	        text;
};

struct json;

/*
 * Begins a text.  rule: `n` rules, sorted by `in`.  The rules must outlive the result.  If `take`
 * returns false, reading ends.
 */
struct json *json_open(const struct json_rule *rule, size_t n,
                       bool (*take)(void *ctx, const struct json_value *v), void *ctx);

/*
 * Reads the next bytes.  The bytes may end inside a value.  Returns false if the text is not JSON,
 * is nested too deeply or has a string of more than 64 MiB, or if `take` returned false.  Do not
 * call json_read again after it returned false.
 */
bool json_read(struct json *j, struct str bytes);

/* Ends the text.  Returns false if a value is truncated. */
bool json_end(struct json *j);

/*
 * json_place returns the offset of a failure in the text.  During a call of `take`, it returns
 * the offset of the end of the value.  json_reason returns the reason of a failure, or NULL if
 * `take` ended the text.
 */
uint64_t json_place(const struct json *j);
const char *json_reason(const struct json *j);

/* Accepts NULL. */
void json_close(struct json *j);

/*
 * Convert a number, or a string that contains only a number.  A negative integer is returned in
 * two's complement.
 */
bool json_integer(struct str text, uint64_t *out);
bool json_real(struct str text, double *out);

#endif
