/*
 * package - writes the package of a program, from the note .note.package that distributions put
 * into programs.
 *
 * 	{"type":"deb","os":"Debian","name":"util-linux","version":"2.42.4-1","architecture":"amd64"}
 * 	-> # deb package: util-linux 2.42.4-1 amd64 of Debian
 *
 * Specification: systemd's "Package Metadata for Executable Files".
 */
#ifndef WRITER_PACKAGE_H
#define WRITER_PACKAGE_H

#include "base/out.h"

/* Writes a line for the package that the JSON text of an ELF note names. */
void package_write(struct out *o, struct str json);

#endif
