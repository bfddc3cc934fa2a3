/*
 * disasm ELF|-x86-64 FILE|-aarch64 FILE - prints the instructions of address ranges, for
 * disasm.sh.  Standard input has a range of hex addresses on each line.  A file of -x86-64 or
 * -aarch64 has only code, and begins at address 0.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/code/code.h"
#include "image/code/disasm.h"

static struct str map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st) < 0) {
		perror(path);
		exit(2);
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	return p == MAP_FAILED ? (struct str){ 0 }
	                       : (struct str){ p, (size_t)st.st_size };
}

static void print_range(struct disasm *d, struct str code, uint64_t addr)
{
	struct code_insn insn;

	disasm_start(d, code, addr, NULL, 0);
	while (disasm_next(d, &insn))
		printf("%" PRIx64 "\t%zu\t" PRSTR "\n", insn.addr, insn.len,
		       STRARG(disasm_text(d)));
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct elf e;
	struct item it = { .elf = &e };
	struct code_range range = { .space = CODE_VA };
	struct code code;
	struct disasm *d = NULL;
	struct str file = argc > 1 ? map_file(argv[argc - 1]) : (struct str){ 0 };
	bool raw = argc == 3;
	unsigned machine = raw && !strcmp(argv[1], "-aarch64") ? EM_AARCH64 : EM_X86_64;

	if (!raw && !elf_read(&e, file, &a))
		return fprintf(stderr, "disasm: %s: not an ELF file\n", argv[argc - 1]),
		       2;
	d = disasm_open(raw ? machine : e.machine, &a);
	if (!d)
		return fprintf(stderr, "disasm: unknown machine\n"), 2;
	if (raw)
		print_range(d, file, 0);
	while (!raw && scanf("%" SCNx64 "%" SCNx64, &range.start, &range.end) == 2)
		if (code_bytes(&it, &range, &code, &a))
			print_range(d, code.bytes, range.start);
		else
			printf("%" PRIx64 "\t0\tno code\n", range.start);
	disasm_close(d);
	arena_release(&a);
	return 0;
}
