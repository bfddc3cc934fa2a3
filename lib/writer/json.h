/* json - writes strings and numbers of JSON. */
#ifndef WRITER_JSON_H
#define WRITER_JSON_H

#include "base/out.h"

/* Writes s in quotes, with the escapes of caption_clean. */
void json_string(struct out *o, struct str s);

/* Writes `before`, and then a member of an object: "name":"value". */
void json_member(struct out *o, const char *before, const char *name, struct str value);

/* A number that json_cell writes as null. */
#define JSON_NONE INT64_MIN

void json_cell(struct out *o, int64_t n);

#endif
