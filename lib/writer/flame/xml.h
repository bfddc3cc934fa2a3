/* xml - writes text, numbers and colours as XML. */
#ifndef WRITER_FLAME_XML_H
#define WRITER_FLAME_XML_H

#include "base/out.h"
#include "writer/flame/palette.h"

/* Writes s with the escapes of XML for content and attributes. */
void xml_text(struct out *out, struct str s);

/* Writes n, which is less than 100, as two digits. */
void xml_two_digits(struct out *out, unsigned n);

/* Writes v with at most two decimals, without final zeros. */
void xml_pixels(struct out *out, double v);

/* Writes the attribute ` name="v"`, with a blank before it. */
void xml_attr(struct out *out, const char *name, double v);

/* Writes a colour as "#rrggbb". */
void xml_color(struct out *out, struct rgb c);

#endif
