/* json - writes strings of JSON. */
#ifndef WRITER_JSON_H
#define WRITER_JSON_H

#include "base/out.h"

/* Writes s in quotes, with the escapes of caption_clean. */
void json_string(struct out *o, struct str s);

#endif
