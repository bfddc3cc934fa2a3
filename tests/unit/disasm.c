/*
 * Lines of assembler text: each is the line that objdump -d of binutils 2.40 prints.  In the lines
 * of arm64, numbers are written as Capstone writes them.
 */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "given.h"
#include "image/code/code.h"
#include "image/code/disasm.h"
#include "jitgen.h"

enum { BASE = 0x401000 };

struct line {
	struct str bytes;
	const char *text;
};

static const struct line x86[] = {
	{ STR("\x48\x98"), "cltq" },
	{ STR("\x48\x63\xc7"), "movslq %edi,%rax" },
	{ STR("\x0f\xb6\x47\x07"), "movzbl 0x7(%rdi),%eax" },
	{ STR("\x66\x0f\xbe\xc8"), "movsbw %al,%cx" },
	{ STR("\x48\xb8\x88\x77\x66\x55\x44\x33\x22\x11"),
	  "movabs $0x1122334455667788,%rax" },
	{ STR("\xa0\x88\x77\x66\x55\x44\x33\x22\x11"), "movabs 0x1122334455667788,%al" },
	{ STR("\x64\x48\x8b\x04\x25\x28\x00\x00\x00"), "mov    %fs:0x28,%rax" },
	{ STR("\x64\x48\x8b\x04\x25\xf8\xff\xff\xff"),
	  "mov    %fs:0xfffffffffffffff8,%rax" },
	{ STR("\x48\x8b\x0c\xc5\x10\x00\x00\x00"), "mov    0x10(,%rax,8),%rcx" },
	{ STR("\x44\x8b\x04\x00"), "mov    (%rax,%rax,1),%r8d" },
	{ STR("\xc7\x45\xf8\xff\xff\xff\xff"), "movl   $0xffffffff,-0x8(%rbp)" },
	{ STR("\x48\x83\xc0\xff"), "add    $0xffffffffffffffff,%rax" },
	{ STR("\x66\x83\x00\xfe"), "addw   $0xfffe,(%rax)" },
	{ STR("\xd1\x27"), "shll   (%rdi)" },
	{ STR("\xd3\xe2"), "shl    %cl,%edx" },
	{ STR("\x6b\xd1\xfd"), "imul   $0xfffffffd,%ecx,%edx" },
	{ STR("\x6a\xff"), "push   $0xffffffffffffffff" },
	{ STR("\xff\x70\x08"), "push   0x8(%rax)" },
	{ STR("\xff\x50\x10"), "call   *0x10(%rax)" },
	{ STR("\x3e\xff\xe0"), "notrack jmp *%rax" },
	{ STR("\xf2\xff\xe0"), "bnd jmp *%rax" },
	{ STR("\xf0\x0f\xb1\x37"), "lock cmpxchg %esi,(%rdi)" },
	{ STR("\xf2\xf0\x0f\xb1\x0f"), "xacquire lock cmpxchg %ecx,(%rdi)" },
	{ STR("\xf3\xaa"), "rep stos %al,%es:(%rdi)" },
	{ STR("\xf3\xa6"), "repz cmpsb %es:(%rdi),%ds:(%rsi)" },
	{ STR("\xf2\xae"), "repnz scas %es:(%rdi),%al" },
	{ STR("\xa5"), "movsl  %ds:(%rsi),%es:(%rdi)" },
	{ STR("\xf2\x0f\x10\x08"), "movsd  (%rax),%xmm1" },
	{ STR("\xf2\x0f\x2a\x00"), "cvtsi2sdl (%rax),%xmm0" },
	{ STR("\xf2\x48\x0f\x2a\xc0"), "cvtsi2sd %rax,%xmm0" },
	{ STR("\x0f\xc2\xc1\x01"), "cmpltps %xmm1,%xmm0" },
	{ STR("\x66\x0f\x3a\x44\xc1\x11"), "pclmulhqhqdq %xmm1,%xmm0" },
	{ STR("\xc5\xed\xc2\xd9\x0c"), "vcmpneq_oqpd %ymm1,%ymm2,%ymm3" },
	{ STR("\xc5\xf9\x5a\x00"), "vcvtpd2psx (%rax),%xmm0" },
	{ STR("\x62\xf3\x6d\x22\x1e\x0f\x01"), "vpcmpltud (%rdi),%ymm18,%k1{%k2}" },
	{ STR("\x62\xf1\xf5\xd9\x58\x10"), "vaddpd (%rax){1to8},%zmm1,%zmm2{%k1}{z}" },
	{ STR("\x62\xf1\xed\x78\x58\xd9"), "vaddpd {rz-sae},%zmm1,%zmm2,%zmm3" },
	{ STR("\x62\xf3\x6d\x48\x25\xd9\x96"), "vpternlogd $0x96,%zmm1,%zmm2,%zmm3" },
	{ STR("\xf2\x48\x0f\x38\xf1\xc8"), "crc32  %rax,%rcx" },
	{ STR("\xdd\x00"), "fldl   (%rax)" },
	{ STR("\xdb\x6c\x24\x08"), "fldt   0x8(%rsp)" },
	{ STR("\xdf\x28"), "fildll (%rax)" },
	{ STR("\xdf\x18"), "fistps (%rax)" },
	{ STR("\xd9\x7c\x24\x06"), "fnstcw 0x6(%rsp)" },
	{ STR("\xde\xe9"), "fsubrp %st,%st(1)" },
	{ STR("\xd9\xc0"), "fld    %st(0)" },
	{ STR("\xdf\xe9"), "fucomip %st(1),%st" },
	{ STR("\x66\x0f\x1f\x04\x00"), "nopw   (%rax,%rax,1)" },
	{ STR("\x0f\x1f\x00"), "nopl   (%rax)" },
	{ STR("\x66\x90"), "xchg   %ax,%ax" },
	{ STR("\xf3\xc3"), "repz ret" },
	{ STR("\xc2\x08\x00"), "ret    $0x8" },
	{ STR("\x0f\x0b"), "ud2" },
	{ STR("\xcc"), "int3" },
	{ STR("\x0f\x05"), "syscall" },
	{ STR("\x48\x0f\x07"), "sysretq" },
	{ STR("\x48\x99"), "cqto" },
	{ STR("\x9c"), "pushf" },
	{ STR("\x0f\x20\xd8"), "mov    %cr3,%rax" },
	{ STR("\x0f\x21\xf8"), "mov    %db7,%rax" },
	{ STR("\xec"), "in     (%dx),%al" },
	{ STR("\xc8\x10\x00\x01"), "enter  $0x10,$0x1" },
	{ STR("\xf3\x0f\x1e\xfa"), "endbr64" },
	{ STR("\xf3\x90"), "pause" },
	{ STR("\x2e\x66\x0f\x1f\x04\x00"), "cs nopw (%rax,%rax,1)" },
	{ STR("\x66\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"),
	  "data16 cs nopw 0x0(%rax,%rax,1)" },
	{ STR("\x66\x48\x8d\x3d\x00\x00\x00\x00"), "data16 lea 0x0(%rip),%rdi" },
	{ STR("\x48\xff\x25\x00\x00\x00\x00"), "rex.W jmp *0x0(%rip)" },
	{ STR("\x66\x66\x48\xe8\x00\x00\x00\x00"), "data16 data16 rex.W call 401119" },
	{ STR("\x67\xe8\x00\x00\x00\x00"), "addr32 call 40111f" },
	{ STR("\x67\x8d\x48\x08"), "lea    0x8(%eax),%ecx" },
	{ STR("\xd7"), "xlat   %ds:(%rbx)" },
	{ STR("\x6f"), "outsl  %ds:(%rsi),(%dx)" },
	{ STR("\x48\x8d\x04\x20"), "lea    (%rax,%riz,1),%rax" },
	{ STR("\x8c\x18"), "mov    %ds,(%rax)" },
	{ STR("\x0f\x00\x00"), "sldt   (%rax)" },
	{ STR("\xff\x28"), "ljmp   *(%rax)" },
	{ STR("\xcb"), "lret" },
	{ STR("\x48\xcf"), "iretq" },
	{ STR("\x62\xf3\x65\x28\x44\xcc\x00"), "{evex} vpclmullqlqdq %ymm4,%ymm3,%ymm1" },
	{ STR("\x65\x75\x02"), "gs jne 40113f" },
	{ STR("\x2e\x75\x03"), "jne,pn 401143" },
	{ STR("\x66\x48\x0f\x7e\xc0"), "movq   %xmm0,%rax" },
	{ STR("\x66\x0f\x7e\xc0"), "movd   %xmm0,%eax" },
	{ STR("\xe0\xfe"), "loopne 401149" },
	{ STR("\xe3\xfe"), "jrcxz  40114b" },
	{ STR("\xc7\xf8\xfa\xff\xff\xff"), "xbegin 40114d" },
	{ STR("\x0f\x18\x08"), "prefetcht0 (%rax)" },
	{ STR("\xc4\xe2\x6d\x92\x04\x88"), "vgatherdps %ymm2,(%rax,%ymm1,4),%ymm0" },
	{ STR("\x62\xf2\x7d\x49\xa0\x04\x88"), "vpscatterdd %zmm0,(%rax,%zmm1,4){%k1}" },
	{ STR("\xc5\xfb\x93\xc1"), "kmovd  %k1,%eax" },
	{ STR("\x0f\x02\xc8"), "lar    %eax,%ecx" },
	{ STR("\x0f\x38\xf1\x01"), "movbe  %eax,(%rcx)" },
	{ STR("\x0f\xba\x28\x03"), "btsl   $0x3,(%rax)" },
	{ STR("\x0f\xa3\x08"), "bt     %ecx,(%rax)" },
	{ STR("\x48\x90"), "rex.W nop" },
	{ STR("\x0f\xa4\x01\x04"), "shld   $0x4,%eax,(%rcx)" },
	{ STR("\xf6\x20"), "mulb   (%rax)" },
	{ STR("\x0f\xc1\x0a"), "xadd   %ecx,(%rdx)" },
	{ STR("\x48\x0f\xc7\x0f"), "cmpxchg16b (%rdi)" },
	{ STR("\x0f\x01\x00"), "sgdt   (%rax)" },
	{ STR("\x48\x0f\xae\x00"), "fxsave64 (%rax)" },
	{ STR("\x0f\xc7\x20"), "xsavec (%rax)" },
	{ STR("\xd8\x00"), "fadds  (%rax)" },
	{ STR("\xda\x00"), "fiaddl (%rax)" },
	{ STR("\xdc\xfb"), "fdivr  %st,%st(3)" },
	{ STR("\xd9\xc9"), "fxch   %st(1)" },
	{ STR("\x0f\x01\x38"), "invlpg (%rax)" },
	{ STR("\x0f\x01\xf9"), "rdtscp" },
	{ STR("\xc5\xf8\x77"), "vzeroupper" },
	{ STR("\x66\x0f\xc4\xc0\x01"), "pinsrw $0x1,%eax,%xmm0" },
	{ STR("\x66\x0f\x3a\x14\x00\x03"), "pextrb $0x3,%xmm0,(%rax)" },
	{ STR("\xc4\xe3\x7d\x39\xc1\x01"), "vextracti128 $0x1,%ymm0,%xmm1" },
	{ STR("\xd3\x38"), "sarl   %cl,(%rax)" },
	{ STR("\x0f\xa0"), "push   %fs" },
	{ STR("\x66\x6a\x01"), "pushw  $0x1" },
	{ STR("\x65\xff\x60\x08"), "jmp    *%gs:0x8(%rax)" },
	{ STR("\x40\xeb\x02"), "rex jmp 4011c0" },
	{ STR("\xa8\x80"), "test   $0x80,%al" },
	{ STR("\x0f\xba\x38\x1f"), "btcl   $0x1f,(%rax)" },
	{ STR("\xf0\xff\x00"), "lock incl (%rax)" },
	{ STR("\xf3\x48\x0f\xb8\xc8"), "popcnt %rax,%rcx" },
	{ STR("\xf3\x48\x0f\xbc\xc8"), "tzcnt  %rax,%rcx" },
	{ STR("\xc4\xe3\xfb\xf0\xc8\x03"), "rorx   $0x3,%rax,%rcx" },
	{ STR("\x48\x0f\xc3\x01"), "movnti %rax,(%rcx)" },
	{ STR("\xc5\xf9\x7e\xc0"), "vmovd  %xmm0,%eax" },
	{ STR("\xc4\xe3\x69\x44\xd9\x11"), "vpclmulhqhqdq %xmm1,%xmm2,%xmm3" },
	{ STR("\x66\x0f\xae\x38"), "clflushopt (%rax)" },
	{ STR("\xf3\x48\x0f\xae\xc0"), "rdfsbase %rax" },
	{ STR("\x66\x48\x0f\x38\xf5\x01"), "wrussq %rax,(%rcx)" },
	{ STR("\xf3\x48\x0f\x1e\xc8"), "rdsspq %rax" },
	{ STR("\xf3\x48\x0f\x2c\x08"), "cvttss2si (%rax),%rcx" },
	{ STR("\x62\xf1\x7d\x48\x78\x08"), "vcvttps2uqq (%rax),%zmm1" },
	{ STR("\x62\xf1\x77\x08\x7b\x10"), "vcvtusi2sdl (%rax),%xmm1,%xmm2" },
	{ STR("\x62\xf3\x7d\x08\x66\x08\x01"), "vfpclasspsx $0x1,(%rax),%k1" },
	{ STR("\x62\xf2\x6d\x28\x50\xd9"), "vpdpbusd %ymm1,%ymm2,%ymm3" },
	{ STR("\xc4\xe2\x6d\x50\xd9"), "{vex} vpdpbusd %ymm1,%ymm2,%ymm3" },
	{ STR("\x0f\x12\xd1"), "movhlps %xmm1,%xmm2" },
	{ STR("\x66\x0f\x38\xdc\x08"), "aesenc (%rax),%xmm1" },
	{ STR("\x62\xf2\x6d\x28\xdc\xd9"), "{evex} vaesenc %ymm1,%ymm2,%ymm3" },
	{ STR("\x62\xf2\x6d\x28\xcf\xd9"), "{evex} vgf2p8mulb %ymm1,%ymm2,%ymm3" },
	{ STR("\xc4\xe2\xf5\xb4\x6e\x20"), "{vex} vpmadd52luq 0x20(%rsi),%ymm1,%ymm5" },
	{ STR("\xc4\xe2\xe5\xb5\xe9"), "{vex} vpmadd52huq %ymm1,%ymm3,%ymm5" },
	{ STR("\x0f\x38\xcb\xdc"), "sha256rnds2 %xmm0,%xmm4,%xmm3" },
	{ STR("\x66\x0f\x38\x15\xd1"), "blendvpd %xmm0,%xmm1,%xmm2" },
	{ STR("\x40\x0f\xb6\x7b\x39"), "rex movzbl 0x39(%rbx),%edi" },
	{ STR("\x40\x0f\xb6\xf8"), "rex movzbl %al,%edi" },
	{ STR("\x40\x88\xc4"), "mov    %al,%spl" },
	{ STR("\x49\xff\x23"), "rex.WB jmp *(%r11)" },
	{ STR("\x40\x0f\xb6\xf6"), "movzbl %sil,%esi" },
	{ STR("\xf3\x0f\xa7\xc8"), "repz xcrypt-ecb" },
	{ STR("\x63\x68\x61"), "movsxd 0x61(%rax),%ebp" },
	{ STR("\x62\xf1\xff\x08\x58\x4b\x10"), "{evex} vaddsd 0x80(%rbx),%xmm0,%xmm1" },
	{ STR("\x62\xf1\x7c\x28\x28\xd1"), "{evex} vmovaps %ymm1,%ymm2" },
	{ STR("\x62\xf1\x7c\x48\x28\xd1"), "vmovaps %zmm1,%zmm2" },
	{ STR("\x62\xe1\xef\x08\x59\xc9"), "vmulsd %xmm1,%xmm2,%xmm17" },
	{ STR("\x62\xf1\xfd\x19\x58\x0b"), "vaddpd (%rbx){1to2},%xmm0,%xmm1{%k1}" },
	{ STR("\x62\xf1\xfe\x08\x6f\xd1"), "vmovdqu64 %xmm1,%xmm2" },
	{ STR("\x62\xf1\xed\x08\xdb\xd9"), "vpandq %xmm1,%xmm2,%xmm3" },
	{ STR("\x62\xf3\x6d\x08\x25\xd9\x01"), "vpternlogd $0x1,%xmm1,%xmm2,%xmm3" },
	{ STR("\x62\xf1\x6d\x08\x76\xc9"), "vpcmpeqd %xmm1,%xmm2,%k1" },
	{ STR("\x62\xf2\x6d\x08\x45\xd9"), "vpsrlvd %xmm1,%xmm2,%xmm3" },
	{ STR("\x62\xf5\x6e\x08\x2a\x5b\x10"), "vcvtsi2shl 0x40(%rbx),%xmm2,%xmm3" },
	{ STR("\x62\xf5\x7c\x28\x5b\x5b\x10"), "vcvtdq2phy 0x200(%rbx),%xmm3" },
	{ STR("\x62\xf5\xfc\x48\x5b\x5b\x10"), "vcvtqq2phz 0x400(%rbx),%xmm3" },
	{ STR("\x62\xf2\xfd\x28\x16\xca"), "{evex} vpermpd %ymm2,%ymm0,%ymm1" },
	{ STR("\x62\xf3\xfd\x28\x01\x00\x03"), "{evex} vpermpd $0x3,(%rax),%ymm0" },
	{ STR("\x62\xf2\xfd\x48\x16\xca"), "vpermpd %zmm2,%zmm0,%zmm1" },
};

static const struct line arm64[] = {
	{ STR("\x20\x0c\x02\x8b"), "add    x0, x1, x2, lsl #3" },
	{ STR("\x20\x04\x40\xf9"), "ldr    x0, [x1, #8]" },
	{ STR("\xfd\x7b\xbe\xa9"), "stp    x29, x30, [sp, #-0x20]!" },
	{ STR("\x40\x00\x00\x94"), "bl     40110c" },
	{ STR("\xe1\xff\xff\x54"), "b.ne   40100c" },
	{ STR("\x40\x00\x00\xb4"), "cbz    x0, 40101c" },
	{ STR("\x83\x00\x28\x37"), "tbnz   w3, #5, 401028" },
	{ STR("\x00\x01\x3f\xd6"), "blr    x8" },
	{ STR("\x20\x02\x1f\xd6"), "br     x17" },
	{ STR("\xc0\x03\x5f\xd6"), "ret" },
	{ STR("\xfd\x03\x00\x91"), "mov    x29, sp" },
	{ STR("\x20\x00\x80\x52"), "mov    w0, #0x1" },
	{ STR("\x80\x46\xa2\xf2"), "movk   x0, #0x1234, lsl #16" },
	{ STR("\x00\x00\x00\xb0"), "adrp   x0, #0x402000" },
	{ STR("\x20\x7c\x5f\x88"), "ldxr   w0, [x1]" },
	{ STR("\x20\xcc\x22\x4e"), "fmla   v0.4s, v1.4s, v2.4s" },
	{ STR("\xe0\x17\x9f\x1a"), "cset   w0, eq" },
	{ STR("\x1f\x20\x03\xd5"), "nop" },
	{ STR("\x01\x00\x00\xd4"), "svc    #0" },
	{ STR("\x40\xd0\x3b\xd5"), "mrs    x0, tpidr_el0" },
	{ STR("\x41\x7c\xe0\x88"), "casa   w0, w1, [x2]" },
	{ STR("\xff\xff\xe3\x08"), "casalb w3, wzr, [sp]" },
	{ STR("\x24\x00\xe0\xb8"), "ldaddal w0, w4, [x1]" },
	{ STR("\xc8\x43\x69\x78"), "ldsmaxlh w9, w8, [x30]" },
	{ STR("\x3f\x10\xa0\xf8"), "ldclra x0, xzr, [x1]" },
	{ STR("\x3f\x00\x20\xf8"), "stadd  x0, [x1]" },
	{ STR("\x3f\x70\x60\x38"), "stuminlb w0, [x1]" },
	{ STR("\x83\x80\x3f\xf8"), "swp    xzr, x3, [x4]" },
	{ STR("\xdf\xa7\x20\x2f"), "uxtl   v31.2d, v30.2s" },
	{ STR("\x83\xa4\x08\x4f"), "sxtl2  v3.8h, v4.16b" },
};

static void check_lines(unsigned machine, const struct line *line, size_t n)
{
	struct arena a = { 0 };
	struct disasm *d = disasm_open(machine, &a);
	struct code_insn insn;
	uint64_t addr = BASE;

	assert_non_null(d);
	for (size_t i = 0; i < n; i++) {
		disasm_start(d, line[i].bytes, addr, NULL, 0);
		assert_true(disasm_next(d, &insn));
		assert_string_equal(arena_str(&a, disasm_text(d)).p, line[i].text);
		assert_int_equal(insn.len, line[i].bytes.n);
		assert_int_equal(insn.addr, addr);
		assert_false(disasm_next(d, &insn));
		addr += insn.len;
	}
	disasm_close(d);
	arena_release(&a);
}

static void instructions_of_x86_are_those_of_objdump(void **state)
{
	(void)state;
	check_lines(EM_X86_64, x86, sizeof(x86) / sizeof(*x86));
}

static void instructions_of_arm64_are_those_of_objdump(void **state)
{
	(void)state;
	check_lines(EM_AARCH64, arm64, sizeof(arm64) / sizeof(*arm64));
}

static void other_machines_have_no_decoder(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_null(disasm_open(EM_S390, &a));
	disasm_close(NULL);
	arena_release(&a);
}

/* Decodes the code to one text, a line for each instruction. */
static struct str listed(unsigned machine, struct str code, const uint64_t *known,
                         size_t n, struct arena *a)
{
	struct disasm *d = disasm_open(machine, a);
	struct str text = { 0 };
	struct code_insn insn;

	disasm_start(d, code, BASE, known, n);
	while (disasm_next(d, &insn))
		text = arena_fmt(a, PRSTR "%d %zu " PRSTR "\n", STRARG(text), insn.kind,
		                 insn.len, STRARG(disasm_text(d)));
	disasm_close(d);
	return text;
}

static void is_listed(unsigned machine, struct str code, const uint64_t *known, size_t n,
                      const char *want)
{
	struct arena a = { 0 };

	assert_string_equal(listed(machine, code, known, n, &a).p, want);
	arena_release(&a);
}

/* 06 is not an instruction. */
static void decoding_resumes_at_known_addresses(void **state)
{
	static const uint64_t known[] = { BASE, BASE + 3, BASE + 4, BASE + 100 };

	(void)state;
	is_listed(EM_X86_64, STR("\x90\x06\x90\x90\xc3"), known, 4,
	          "0 1 nop\n3 2 .byte  0x06,0x90\n0 1 nop\n0 1 ret\n");
	is_listed(EM_X86_64, STR("\xeb\x03\x06\x90\x90\xc3"), NULL, 0,
	          "1 2 jmp    401005\n3 3 .byte  0x06,0x90,0x90\n0 1 ret\n");
	is_listed(EM_X86_64, STR("\x90\x06\x90\xc3"), NULL, 0,
	          "0 1 nop\n3 3 .byte  0x06,0x90,0xc3\n");
	is_listed(EM_AARCH64, STR("\xff\xff\xff\xff\xc0\x03\x5f\xd6\x01"), NULL, 0,
	          "3 4 .byte  0xff,0xff,0xff,0xff\n0 4 ret\n3 1 .byte  0x01\n");
}

/* In opcode maps 2, 3, 5 and 6, ff is not an opcode. */
static void decoding_resumes_after_unknown_vector_instructions(void **state)
{
	static const uint64_t known[] = { BASE + 4 };
	struct str memory = STR("\x62\xf3\x7d\x08\xff\x84\x24\x01\x02\x03\x04\x07\x90");

	(void)state;
	is_listed(EM_X86_64, STR("\x62\xf5\x7d\x08\xff\xc0\x90\xc3"), NULL, 0,
	          "3 6 .byte  0x62,0xf5,0x7d,0x08,0xff,0xc0\n0 1 nop\n0 1 ret\n");
	is_listed(EM_X86_64, STR("\xc4\xe2\x79\xff\x05\x01\x02\x03\x04\x90"), NULL, 0,
	          "3 9 .byte  0xc4,0xe2,0x79,0xff,0x05,0x01,0x02,0x03,0x04\n0 1 nop\n");
	is_listed(EM_X86_64, STR("\xc4\xe3\x79\xff\x40\x01\x07\x90"), NULL, 0,
	          "3 7 .byte  0xc4,0xe3,0x79,0xff,0x40,0x01,0x07\n0 1 nop\n");
	is_listed(EM_X86_64, STR("\x62\xf6\x7d\x08\xff\x44\x24\x01\x90"), NULL, 0,
	          "3 8 .byte  0x62,0xf6,0x7d,0x08,0xff,0x44,0x24,0x01\n0 1 nop\n");
	is_listed(EM_X86_64, STR("\x62\xf2\x7d\x08\xff\x04\x25\x01\x02\x03\x04\x90"),
	          NULL, 0,
	          "3 11 .byte  0x62,0xf2,0x7d,0x08,0xff,0x04,0x25,0x01,0x02,0x03,0x04\n"
	          "0 1 nop\n");
	is_listed(EM_X86_64, memory, NULL, 0,
	          "3 12 .byte  "
	          "0x62,0xf3,0x7d,0x08,0xff,0x84,0x24,0x01,0x02,0x03,0x04,0x07\n"
	          "0 1 nop\n");
	is_listed(EM_X86_64, str_head(memory, 11), NULL, 0,
	          "3 11 .byte  0x62,0xf3,0x7d,0x08,0xff,0x84,0x24,0x01,0x02,0x03,0x04\n");
	is_listed(EM_X86_64, STR("\x62\xf5\x7d\x08\xff\xc0\x90\xc3"), known, 1,
	          "3 4 .byte  0x62,0xf5,0x7d,0x08\n0 2 inc    %eax\n0 1 nop\n0 1 ret\n");
	is_listed(EM_X86_64, STR("\xc4\xe1\x79\xff\xc0\x90\xc3"), NULL, 0,
	          "3 7 .byte  0xc4,0xe1,0x79,0xff,0xc0,0x90,0xc3\n");
}

/* BASE is 0x401000.  The table after the jump has the addresses of nop and ret. */
static void jump_tables_are_pointers(void **state)
{
	static const uint64_t known[] = { BASE + 10 };
	struct str code = STR("\xff\x24\xc5\x08\x10\x40\x00\x90\x18\x10\x40\0\0\0\0\0"
	                      "\x19\x10\x40\0\0\0\0\0\x90\xc3");

	(void)state;
	is_listed(EM_X86_64, code, NULL, 0,
	          "1 7 jmp    *0x401008(,%rax,8)\n0 1 nop\n4 8 .quad  0x401018\n"
	          "4 8 .quad  0x401019\n0 1 nop\n0 1 ret\n");
	is_listed(EM_X86_64, str_head(code, 25), NULL, 0,
	          "1 7 jmp    *0x401008(,%rax,8)\n0 1 nop\n4 8 .quad  0x401018\n"
	          "0 2 sbb    %edx,(%rax)\n0 3 rex add %al,(%rax)\n"
	          "0 2 add    %al,(%rax)\n3 1 .byte  0x00\n0 1 nop\n");
	is_listed(EM_X86_64, str_head(code, 16), known, 1,
	          "1 7 jmp    *0x401008(,%rax,8)\n0 1 nop\n0 2 sbb    %dl,(%rax)\n"
	          "0 3 rex add %al,(%rax)\n0 2 add    %al,(%rax)\n3 1 .byte  0x00\n");
}

static void jump_tables_of_arm64_are_pointers(void **state)
{
	struct str code = STR("\x00\x02\x1f\xd6\x1f\x20\x03\xd5\x18\x10\x40\0\0\0\0\0"
	                      "\x1c\x10\x40\0\0\0\0\0\x1f\x20\x03\xd5\xc0\x03\x5f\xd6");

	(void)state;
	is_listed(EM_AARCH64, code, NULL, 0,
	          "1 4 br     x16\n0 4 nop\n4 8 .quad  0x401018\n4 8 .quad  0x40101c\n"
	          "0 4 nop\n0 4 ret\n");
}

static void long_runs_are_shortened(void **state)
{
	static const char code[20] = "\x06";

	(void)state;
	is_listed(
	        EM_X86_64, (struct str){ code, sizeof(code) }, NULL, 0,
	        "3 20 .byte  0x06,0x00,0x00,0x00,0x00,0x00,0x00,0x00,0x00,0x00,0x00,0x00,"
	        "0x00,0x00,0x00,0x00,... (20 bytes)\n");
}

static void truncated_instructions_are_bytes(void **state)
{
	(void)state;
	is_listed(EM_X86_64, STR("\xe8\x00\x00"), NULL, 0, "3 3 .byte  0xe8,0x00,0x00\n");
}

static void branches_have_targets(void **state)
{
	struct arena a = { 0 };
	struct disasm *d = disasm_open(EM_X86_64, &a);
	struct disasm *arm = disasm_open(EM_AARCH64, &a);
	struct code_insn insn;

	(void)state;
	disasm_start(d, STR("\xe8\x10\0\0\0\x75\xf9\xff\x15\x08\0\0\0"), BASE, NULL, 0);
	assert_true(disasm_next(d, &insn));
	assert_true(insn.kind == CODE_CALL && insn.target == BASE + 0x15);
	assert_true(disasm_next(d, &insn));
	assert_true(insn.kind == CODE_JUMP && insn.target == BASE);
	assert_true(disasm_next(d, &insn));
	assert_true(insn.kind == CODE_CALL && !insn.target);
	disasm_start(arm, STR("\x40\0\0\x94\x60\0\0\x54\0\x01\x3f\xd6"), BASE, NULL, 0);
	assert_true(disasm_next(arm, &insn));
	assert_true(insn.kind == CODE_CALL && insn.target == BASE + 0x100);
	assert_true(disasm_next(arm, &insn));
	assert_true(insn.kind == CODE_JUMP && insn.target == BASE + 0x10);
	assert_true(disasm_next(arm, &insn));
	assert_true(insn.kind == CODE_CALL && !insn.target);
	disasm_close(d);
	disasm_close(arm);
	arena_release(&a);
}

/* A repeated instruction differs only in its target, or if the end of the code divides it. */
static void repeated_instructions_are_alike(void **state)
{
	(void)state;
	is_listed(EM_X86_64,
	          STR("\xe8\x10\0\0\0\xe8\x10\0\0\0\xc3\xc3\xff\x25\x08\0\0\0\xff\x25\x08"
	              "\0\0\0"
	              "\x48\x8b\x45\x08\x48\x8b\x45\x10\x48\x8b\x45\x08\x48\x8b\x45"),
	          NULL, 0,
	          "2 5 call   401015\n2 5 call   40101a\n0 1 ret\n0 1 ret\n"
	          "1 6 jmp    *0x8(%rip)\n1 6 jmp    *0x8(%rip)\n"
	          "0 4 mov    0x8(%rbp),%rax\n0 4 mov    0x10(%rbp),%rax\n0 4 mov    "
	          "0x8(%rbp),%rax\n"
	          "3 3 .byte  0x48,0x8b,0x45\n");
}

extern const char __executable_start[];

/* The code of this program's file is the code in memory. */
static void code_of_an_elf_file_is_found(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const char *here = (const char *)(uintptr_t)branches_have_targets;
	struct code_range range = { CODE_VA, (uint64_t)(here - __executable_start), 0,
		                    0 };
	struct arena a = { 0 };
	struct elf e;
	struct item it = { .elf = &e };
	struct code code;
	struct stat st;
	void *p;

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	assert_true(elf_read(&e, (struct str){ p, (size_t)st.st_size }, &a));
	if (!e.movable)
		range.start = (uintptr_t)here;
	range.end = range.start + 64;
	assert_true(code_bytes(&it, &range, &code, &a));
	assert_int_equal(code.machine, e.machine);
	assert_int_equal(code.bytes.n, 64);
	assert_memory_equal(code.bytes.p, here, 64);
	range.end = range.start;
	assert_false(code_bytes(&it, &range, &code, &a));
	range.start = (uint64_t)1 << 60;
	range.end = range.start + 1;
	assert_false(code_bytes(&it, &range, &code, &a));
	range.space = CODE_RVA;
	assert_false(code_bytes(&it, &range, &code, &a));
	range.space = CODE_IP;
	assert_false(code_bytes(&it, &range, &code, &a));
	munmap(p, (size_t)st.st_size);
	arena_release(&a);
}

/* Returns the target of the first relocation of .text, which is a distance at offset 3. */
static uint64_t module_target(struct str module, struct arena *a)
{
	struct code_range range = { CODE_VA, 0x100000, 0x100045, 0 };
	struct elf e;
	struct item it = { .elf = &e };
	struct code code;
	int32_t distance;

	assert_true(elf_read(&e, module, a));
	assert_true(code_bytes(&it, &range, &code, a));
	assert_int_equal(code.bytes.n, 0x45);
	memcpy(&distance, code.bytes.p + 3, sizeof(distance));
	return range.start + 7 + (uint64_t)distance;
}

/* The relocation is at 0xad0: u64 offset, u32 type, u32 symbol, i64 addend. */
static void distances_in_modules_are_relocated(void **state)
{
	enum { TYPE = 0xad8, SYMBOL = 0xadc, MODULE_FAIL = 23 };
	struct arena a = { 0 };
	struct str module = file_bytes(&a, "fixtures/dwarf/module-x86.ko");
	char *bytes = (char *)(uintptr_t)module.p;

	(void)state;
	assert_int_equal(bytes[TYPE], R_X86_64_PC32);
	assert_int_equal(module_target(module, &a), 0); /* in .bss */
	bytes[SYMBOL] = MODULE_FAIL;
	assert_int_equal(module_target(module, &a), 0x100050);
	bytes[TYPE] = R_X86_64_PLT32;
	assert_int_equal(module_target(module, &a), 0x100050);
	bytes[SYMBOL] = 0; /* undefined */
	assert_int_equal(module_target(module, &a), 0);
	arena_release(&a);
}

static void code_of_a_jitdump_is_found(void **state)
{
	static const char ret[] = "\x90\x90\xc3";
	struct jitgen *g = calloc(1, sizeof(*g));
	struct code_range range = { CODE_IP, 0x7001, 0x7003, 0 };
	struct arena a = { 0 };
	struct jitdump d;
	struct item it = { .jitdump = &d };
	struct code code;

	(void)state;
	jit_header(g, 7, 0, 0);
	jit_load(g, 7, 5, 0x7000, 3, 1, "f");
	assert_true(jitdump_read(&d, (struct str){ g->bytes, g->n }, &a));
	assert_int_equal(d.n, 1);
	memcpy(g->bytes + g->n - 3, ret, 3);
	assert_true(code_bytes(&it, &range, &code, &a));
	assert_int_equal(code.machine, EM_X86_64);
	assert_int_equal(code.bytes.n, 2);
	assert_memory_equal(code.bytes.p, "\x90\xc3", 2);
	range.piece = 1;
	assert_false(code_bytes(&it, &range, &code, &a));
	arena_release(&a);
	free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_of_x86_are_those_of_objdump),
		cmocka_unit_test(instructions_of_arm64_are_those_of_objdump),
		cmocka_unit_test(other_machines_have_no_decoder),
		cmocka_unit_test(decoding_resumes_at_known_addresses),
		cmocka_unit_test(decoding_resumes_after_unknown_vector_instructions),
		cmocka_unit_test(jump_tables_are_pointers),
		cmocka_unit_test(jump_tables_of_arm64_are_pointers),
		cmocka_unit_test(long_runs_are_shortened),
		cmocka_unit_test(truncated_instructions_are_bytes),
		cmocka_unit_test(branches_have_targets),
		cmocka_unit_test(repeated_instructions_are_alike),
		cmocka_unit_test(code_of_an_elf_file_is_found),
		cmocka_unit_test(distances_in_modules_are_relocated),
		cmocka_unit_test(code_of_a_jitdump_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
