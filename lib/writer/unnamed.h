/* unnamed - explains why frames of a module have no name, for coverage.c and missing.c. */
#ifndef WRITER_UNNAMED_H
#define WRITER_UNNAMED_H

#include "symbol/report/modules.h"

/* Returns the name of the module, or "(no mapping)" for MODULE_NOWHERE. */
struct str unnamed_module(const struct module_coverage *m);

/*
 * Returns true if frames of the module got names from a file, not only from the text of the
 * recording.
 */
bool unnamed_has_names(const struct module_coverage *m);

/* Returns true if a request to the running process would have provided the names. */
bool unnamed_can_be_asked(const struct module_coverage *m);

/* Returns why frames of the module have no name. */
const char *unnamed_reason(const struct module_coverage *m);

/* Returns the reason why unwinding ended in the module. */
const char *unnamed_end(const struct module_coverage *m);

#endif
