/*
 * shrink - our own scripts and style, without what only their readers need: comments,
 * indents, blanks between signs.  A script's commonest words of its own become short;
 * its other names, and its lines, stay.
 */
#ifndef WRITER_SHRINK_H
#define WRITER_SHRINK_H

#include "base/out.h"

enum shrink_kind { SHRINK_SCRIPT, SHRINK_STYLE };

void shrink_write(struct out *out, struct str source, enum shrink_kind kind);

#endif
