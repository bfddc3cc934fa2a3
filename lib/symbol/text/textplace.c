#include "symbol/text/textplace.h"

#include "process/file_offset.h"
#include "process/known_runtime.h"

bool textplace_is_caller(uint64_t addr, uint64_t before, size_t i)
{
	return i && addr >> KERNEL_BIT == before >> KERNEL_BIT;
}

void textplace_init(struct textplace *t, struct session *s)
{
	*t = (struct textplace){ .s = s, .evidence = { .s = s }, .bias = { .s = s } };
}

int32_t textplace_pid(const struct textplace *t, const struct event *ev)
{
	int32_t pid = ev->pid >= 0 ? ev->pid : process_of_thread(t->s->ps, ev->tid);

	if (pid < 0)
		pid = t->s->only_pid;
	return pid >= 0 ? pid : process_get_only(t->s->ps);
}

/*
 * Returns true for a module that perf prints for JIT code.  The module may be "/tmp/perf-12.map"
 * for anonymous memory of any process.
 */
static bool is_jit_module(struct str module)
{
	return perfmap_pid(module) >= 0 || str_starts(module, STR("//anon")) ||
	       str_starts(module, STR("[heap]")) || str_starts(module, STR("[stack"));
}

bool textplace_is_jit(struct str module)
{
	return is_jit_module(module) || known_runtime_is_doublemapper(module);
}

bool textplace_is_file(struct str module)
{
	return module.n && module.p[0] == '/' && !textplace_is_jit(module);
}

enum text_line_kind textplace_kind(const struct frame *f)
{
	if (f->form == LINE_BPF)
		return TEXT_LINE_BPF;
	return f->line.n && f->line.p[0] == '\t' ? TEXT_LINE_CHAIN : TEXT_LINE_LONE;
}

/* Returns the mapping of `module` that named frames prove or that find_bias found, or NULL. */
static const struct mapping *find_shown(struct textplace *t, int32_t pid, str_id module,
                                        uint64_t ip)
{
	const struct mapping *m = named_evidence_mapping(&t->evidence, pid, module);

	return m ? m : find_bias_mapping(&t->bias, pid, module, ip);
}

struct place textplace_find(struct textplace *t, int32_t pid, str_id module,
                            uint64_t addr, enum text_line_kind kind)
{
	struct str name = intern_str(&t->s->names, module);
	enum address_form form = kind == TEXT_LINE_CHAIN ? t->form : FORM_ABSOLUTE;
	const struct mapping *m, *by_offset = NULL;
	struct place at = { .ip = addr };
	bool absolute;

	m = process_find(t->s->ps, pid, addr,
	                 addr >> KERNEL_BIT ? MODE_KERNEL : MODE_USER);
	absolute = m && (m->module == module || !name.n || is_jit_module(name));
	if (is_jit_module(name) || !name.n || str_eq(name, STR("[unknown]"))) {
		at.m = absolute ? m : NULL;
		at.has_ip = true;
		return at;
	}
	if (form != FORM_ABSOLUTE)
		by_offset = file_offset_find(t->s->ps, pid, module, addr, NULL);
	if (absolute && form == FORM_OFFSET && textplace_is_file(name))
		absolute = false;
	/*
	 * The address may be a run-time address or an offset, so its mapping stays
	 * unknown.
	 */
	if (absolute && by_offset)
		return at;
	if (!absolute && !by_offset && textplace_is_file(name)) {
		/*
		 * A file that perf inject wrote contains only one function.  The name of
		 * the file identifies this function, even if the form of the address is
		 * unknown.
		 */
		if (form == FORM_OFFSET && locate_is_native_image(name))
			by_offset = process_assume_at(t->s->ps, pid, module, 0);
		else if (form == FORM_OFFSET || process_is_injected(name))
			by_offset = process_assume(t->s->ps, module);
		else if (form == FORM_ABSOLUTE)
			m = find_shown(t, pid, module, addr);
		absolute = form == FORM_ABSOLUTE && m;
	}
	if (absolute || by_offset) {
		at.m = absolute ? m : by_offset;
		if (!at.m->build_id.n &&
		    named_evidence_refutes(&t->evidence, pid, module))
			return (struct place){ .ip = addr };
		at.ip = absolute ? addr : addr + by_offset->bias;
		at.has_ip = true;
	} else if (known_runtime_is_doublemapper(name)) {
		/*
		 * The address may be an offset in the memfd of .NET.  Such offsets are
		 * below 2 GB, so an address above 4 GB is a run-time address.
		 */
		at.has_ip = addr >> 32 != 0;
	}
	return at;
}
