#include "rule/shipped_rules.h"

/* Embeds a file of share/rules: its name and its text, each with a final NUL. */
#define TAKE_IN(name)                                                                    \
	".asciz \"" name "\"\n.incbin \"" SHARE_DIR "/rules/" name "\"\n.byte 0\n"
__asm__(".pushsection .rodata\noffbox_rules: " TAKE_IN("aspnet") TAKE_IN("dotnet")
                TAKE_IN("erlang") TAKE_IN("go") TAKE_IN("idle") TAKE_IN("java")
                        TAKE_IN("kernel") TAKE_IN("node") TAKE_IN("php") TAKE_IN("python")
                                TAKE_IN("roots") TAKE_IN("rust")
                                        TAKE_IN("syscalls") ".byte 0\n.popsection\n");
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
