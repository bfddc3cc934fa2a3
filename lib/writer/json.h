/* json - strings as JSON has them. */
#ifndef WRITER_JSON_H
#define WRITER_JSON_H

#include "base/out.h"

/* In quotes; what caption_clean takes out of text is shown as there. */
void json_string(struct out *o, struct str s);

#endif
