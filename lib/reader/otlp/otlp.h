/*
 * otlp - profiles of OpenTelemetry in protobuf: ProfilesData, and export requests.
 *
 * All tables are in one dictionary, and entry 0 of each means "none".  A file is one message, or several
 * messages, each after its length as a big-endian u32.  The field numbers of samples changed
 * between 1.9 and 1.10 without a version field, so the types of the fields show the layout.
 * Source: open-telemetry/opentelemetry-proto profiles/v1development/profiles.proto.
 */
#ifndef READER_OTLP_OTLP_H
#define READER_OTLP_OTLP_H

#include "reader/format.h"

extern const struct format otlp_format;

/*
 * Opens profiles in the layout of 1.10 or later that were made of a member.  older: the member has
 * the layout of 1.7 or earlier.  Returns NULL after a report.
 */
struct reader *otlp_over(struct source *s, size_t member, struct str made, bool older,
                         struct arena *run, struct diag *diag);

/*
 * Sets *out to the next message of a file, and removes it from *rest, with the length before it.
 * Returns false if there is no more.  Sets *cut if the file ends inside the message or its length.
 */
bool otlp_message(struct str *rest, struct str *out, bool *cut);

#endif
