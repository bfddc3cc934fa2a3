#include "rule/shipped_rules.h"

#include "rule/rule.h"

/* Embeds a file of share/rules: its name and its text, each with a final NUL. */
#define TAKE_IN(name)                                                                    \
	".asciz \"" name "\"\n.incbin \"" SHARE_DIR "/rules/" name "\"\n.byte 0\n"
__asm__(".pushsection .rodata\noffbox_rules: " RULE_FILES(
        TAKE_IN, ) ".byte 0\n.popsection\n");
extern const char shipped[] __asm__("offbox_rules");

struct str shipped_rules_find(struct str name)
{
	for (const char *p = shipped; *p;) {
		struct str text = str_of(p + strlen(p) + 1);

		if (str_eq(name, str_of(p)))
			return text;
		p = text.p + text.n + 1;
	}
	return (struct str){ 0 };
}
