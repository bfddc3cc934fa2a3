/*
 * otlp_dictionary - reads the tables of OpenTelemetry profiles: strings, stacks, mappings and
 * attributes.  Only reader/otlp/ uses it.
 *
 * Each message of a file has tables of its own, which become a part of the dictionary.  An index
 * is relative to the table of its part.  An index beyond this table represents an empty entry.
 */
#ifndef READER_OTLP_OTLP_DICTIONARY_H
#define READER_OTLP_OTLP_DICTIONARY_H

#include "reader/located.h"
#include "reader/wire.h"

/* The meaning of a sample's attribute. */
enum otlp_role { OTLP_OTHER, OTLP_THREAD_NAME, OTLP_THREAD_ID, OTLP_PID };

struct otlp_attribute {
	struct str key, text;
	enum otlp_role role;
	int64_t number; /* the value if text is empty */
};

struct otlp_dictionary;

/* Returns a new dictionary, which adds mappings and locations to the tables of `l`. */
struct otlp_dictionary *otlp_dictionary_new(struct located *l);

/* Adds an entry, which is a field of a message's dictionary.  Returns false if it is damaged. */
bool otlp_dictionary_take(struct otlp_dictionary *d, const struct wire *w);

/* Completes the tables of a message.  Returns the index of the message's part. */
size_t otlp_dictionary_settle(struct otlp_dictionary *d);

/* Returns true if any part has strings. */
bool otlp_dictionary_has_strings(const struct otlp_dictionary *d);

/* Returns the attributes of a part, and sets *n to their number. */
const struct otlp_attribute *otlp_dictionary_attributes(const struct otlp_dictionary *d,
                                                        size_t part, size_t *n);

/* Returns string i of a part. */
struct str otlp_dictionary_string(const struct otlp_dictionary *d, size_t part,
                                  uint64_t i);

/* Reads a KeyValue, or a KeyValueAndUnit, in which the key is the index of a string. */
struct otlp_attribute otlp_dictionary_read(const struct otlp_dictionary *d, size_t part,
                                           struct str bytes);

/* Returns the number of stack i of a part, or 0 if there is no such stack. */
uint32_t otlp_dictionary_stack(const struct otlp_dictionary *d, size_t part, uint64_t i);

/* Adds the frames of the stack with that number to `l`. */
void otlp_dictionary_frames(const struct otlp_dictionary *d, uint32_t stack);

/* Implements format.location.  The lines are valid until the next call. */
struct location otlp_dictionary_location(struct otlp_dictionary *d, uint32_t number);

#endif
