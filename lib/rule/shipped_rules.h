/* shipped_rules - the files of share/rules, which the programs contain. */
#ifndef RULE_SHIPPED_RULES_H
#define RULE_SHIPPED_RULES_H

#include "base/str.h"

/* Returns the text of a file, such as "dotnet".  If there is no such file, p is NULL. */
struct str shipped_rules_find(struct str name);

#endif
