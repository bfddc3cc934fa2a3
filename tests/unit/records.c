/* Records besides samples, and fields that few samples have. */
#include "scriptmade.h"

#include "reader/fields.h"
#include "writer/script/datasrc.h"
#include "writer/script/details.h"
#include "writer/script/records.h"

static struct sample sample;
static struct other_fields other;
static struct fields fields;

static void made(uint32_t type, uint64_t config, uint64_t sample_type)
{
	const struct attr *const *attrs = NULL;

	gen_start(&g,
	          &(struct gen_event){ .name = "e",
	                               .type = type,
	                               .config = config,
	                               .sample_type = sample_type,
	                               .regs_user = 0x1000000181 },
	          1);
	over_made();
	assert_int_equal(started, 0);
	assert_int_equal(reader_attrs(profile.reader, &attrs), 1);
	other = (struct other_fields){ 0 };
	fields = (struct fields){ 0 };
	ev = (struct event){ .pid = 4,
		             .tid = 5,
		             .by_pid = 4,
		             .by_tid = 5,
		             .cpu = 1,
		             .time_ns = 1000,
		             .attr = attrs[0],
		             .other = &other,
		             .fields = &fields };
	sample = (struct sample){ .ev = &ev, .comm = STR("sh"), .pid = 4, .tid = 5 };
}

/* What stands behind the time. */
static const char *record(enum event_kind kind)
{
	static const char start[] = "              sh     5 [001]     0.000001: ";
	const char *line;

	ev.kind = kind;
	records_write(&script, &out, &sample);
	line = printed();
	if (strncmp(line, start, sizeof(start) - 1) != 0)
		fail_msg("%s", line);
	return line + sizeof(start) - 1;
}

static void tasks(void **state)
{
	(void)state;
	made(0, 0, 0x187);
	ev.comm = STR("sh");
	assert_string_equal(record(EV_COMM), "PERF_RECORD_COMM: sh:4/5\n");
	ev.exec = true;
	assert_string_equal(record(EV_COMM), "PERF_RECORD_COMM exec: sh:4/5\n");
	ev.ppid = 2;
	ev.ptid = 3;
	assert_string_equal(record(EV_FORK), "PERF_RECORD_FORK(4:5):(2:3)\n");
	assert_string_equal(record(EV_EXIT), "PERF_RECORD_EXIT(4:5):(2:3)\n");
}

static void mappings(void **state)
{
	(void)state;
	made(0, 0, 0x187);
	ev.map = (struct mmap_event){ .start = 0x1000,
		                      .len = 0x200,
		                      .prot = 5,
		                      .flags = 1,
		                      .maj = 8,
		                      .min = 0x10,
		                      .ino = 77,
		                      .ino_gen = 1,
		                      .path = STR("[x]"),
		                      .recorded = STR("/x.ko"),
		                      .build_id = STR("\x0a\xff") };
	assert_string_equal(record(EV_MMAP),
	                    "PERF_RECORD_MMAP2 4/5: [0x1000(0x200) @ 0 08:10 77 1]: "
	                    "r-xs /x.ko\n");
	ev.misc = 1 << 14;
	ev.map.prot = 2;
	ev.map.flags = 2;
	assert_string_equal(record(EV_MMAP),
	                    "PERF_RECORD_MMAP2 4/5: [0x1000(0x200) @ 0 <0aff>]: "
	                    "-w-p /x.ko\n");
	ev.map.brief = true;
	assert_string_equal(record(EV_MMAP),
	                    "PERF_RECORD_MMAP 4/5: [0x1000(0x200) @ 0]: r /x.ko\n");
	ev.map.prot = 4;
	ev.map.file_off = 0x30;
	assert_string_equal(record(EV_MMAP),
	                    "PERF_RECORD_MMAP 4/5: [0x1000(0x200) @ 0x30]: x /x.ko\n");
}

static void scheduling(void **state)
{
	(void)state;
	made(0, 0, 0x187);
	assert_string_equal(record(EV_SWITCH), "PERF_RECORD_SWITCH IN         \n");
	other.out = true;
	assert_string_equal(record(EV_SWITCH), "PERF_RECORD_SWITCH OUT        \n");
	other.preempt = other.wide = true;
	other.other_pid = 70;
	other.other_tid = 71;
	assert_string_equal(record(EV_SWITCH), "PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  "
	                                       "next pid/tid:    70/71   \n");
	other.out = false;
	assert_string_equal(record(EV_SWITCH), "PERF_RECORD_SWITCH_CPU_WIDE IN           "
	                                       "prev pid/tid:    70/71   \n");
}

static void namespaces(void **state)
{
	static const struct namespace_link links[] = { { 4, 0xf0000000 }, { 4, 0 },
		                                       { 4, 2 },          { 4, 3 },
		                                       { 4, 5 },          { 4, 6 },
		                                       { 4, 7 },          { 4, 8 } };

	(void)state;
	made(0, 0, 0x187);
	other.namespaces = links;
	other.nnamespaces = 8;
	assert_string_equal(record(EV_NAMESPACES),
	                    "PERF_RECORD_NAMESPACES 4/5 - nr_namespaces: 8\n"
	                    "\t\t[0/net: 4/0xf0000000, 1/uts: 4/0, 2/ipc: 4/0x2, 3/pid: "
	                    "4/0x3, \n\t\t 4/user: 4/0x5, 5/mnt: 4/0x6, 6/cgroup: 4/0x7, "
	                    "7/UNKNOWN: 4/0x8]\n");
}

static void kernel_code(void **state)
{
	(void)state;
	made(0, 0, 0x187);
	other.addr = 0xffffffffc0042da4;
	other.len = 251;
	other.type = 1;
	other.flags = 3;
	other.name = STR("bpf_prog_x");
	assert_string_equal(record(EV_KSYMBOL),
	                    "PERF_RECORD_KSYMBOL addr ffffffffc0042da4 len 251 type 1 "
	                    "flags 0x3 name bpf_prog_x\n");
	other.id = 9;
	assert_string_equal(record(EV_BPF), "PERF_RECORD_BPF_EVENT type 1, flags 3, id "
	                                    "9\n");
	other.old = STR("\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"
	                "\xcc");
	other.new = STR("\xe8");
	profile.found = 1;
	name_frame(1, 0, NULL, 0, NULL);
	assert_string_equal(record(EV_TEXT_POKE),
	                    "PERF_RECORD_TEXT_POKE ffffffffc0042da4  old len 17 new len "
	                    "1\n"
	                    "            Old bytes: 90 90 90 90 90 90 90 90 90 90 90 90 "
	                    "90 90 90 90\n"
	                    "            Old bytes: cc\n"
	                    "            New bytes: e8\n");
	name_frame(1, 0, "poked", 4, NULL);
	other.old = other.new = STR("");
	assert_string_equal(record(EV_TEXT_POKE),
	                    "PERF_RECORD_TEXT_POKE ffffffffc0042da4 poked+0x4 old len 0 "
	                    "new len 0\n");
}

static void others(void **state)
{
	(void)state;
	made(0, 0, 0x187);
	ev.weight = 12;
	assert_string_equal(record(EV_LOST), "PERF_RECORD_LOST lost 12\n");
	other.id = 3;
	other.name = STR("/user.slice");
	assert_string_equal(record(EV_CGROUP), "PERF_RECORD_CGROUP cgroup: 3 /user.slice"
	                                       "\n");
	ev.attr = NULL;
	ev.kind = EV_ROUND;
	records_write(&script, &out, &sample);
	assert_string_equal(printed(), "PERF_RECORD_FINISHED_ROUND\n");
}

/* The sample with these fields of it alone. */
static const char *show(const char *columns)
{
	static struct columns c;

	columns_init(&c);
	assert_int_equal(columns_choose(&c, columns, &diag), 0);
	opts.columns = &c;
	script_end(&script);
	assert_int_equal(script_init(&script, &profile, &opts, &diag), 0);
	ev.kind = EV_SAMPLE;
	script_sample(&script, &out, &sample);
	return printed();
}

static void whose_it_was(void **state)
{
	(void)state;
	made(0, 0, 0x187);
	ev.misc = 2;
	assert_string_equal(show("misc"), "U     \n");
	ev.misc = 5; /* guest user: perf tests its bits one by one */
	assert_string_equal(show("misc"), "KGg   \n");
	assert_string_equal(show("pid,tid"), "    4/5     \n");
	assert_string_equal(show("pid"), "    4 \n");
	assert_string_equal(show("flags,event"), "e:                         \n");
	show("misc");
	ev.misc = 1 << 13 | 1 << 14 | 2;
	ev.kind = EV_SWITCH;
	records_write(&script, &out, &sample);
	assert_string_equal(printed(), "USp   PERF_RECORD_SWITCH IN         \n");
}

static void numbers(void **state)
{
	(void)state;
	made(0, 0, 0x1e8808f); /* all that are numbers */
	fields.addr = 0x7f00;
	fields.weight = 17;
	fields.weight2 = 3;
	fields.weight3 = 4;
	fields.phys_addr = 0x1000;
	fields.data_page_size = 4096;
	fields.code_page_size = 2 << 20;
	fields.cgroup = 7;
	assert_string_equal(show("addr"), "            7f00\n");
	assert_string_equal(show("weight,ins_lat,retire_lat"),
	                    "              17               3               4\n");
	assert_string_equal(show("phys_addr"), "            1000\n");
	assert_string_equal(show("data_page_size,code_page_size"), " 4K 2M\n");
	fields.data_page_size = 0;
	fields.code_page_size = 1024;
	fields.cgroup = 8;
	assert_string_equal(show("data_page_size,code_page_size,cgroup"),
	                    " N/A 1024B unknown\n");
	fields.cgroup = 7;
	assert_string_equal(show("cgroup"), " /seven\n");
}

/* Of page faults an address is looked up. */
static void addresses_of_faults(void **state)
{
	(void)state;
	made(1, 2, 0xf);
	fields.addr = 0x7f00;
	profile.found = 2;
	name_frame(2, 0x42, "data", 2, "/lib/x.so");
	assert_string_equal(show("addr,sym,symoff,dso"),
	                    "            7f00 data+0x2 (/lib/x.so)\n");
	assert_int_equal(profile.looked_for, 0x7f00);
	assert_string_equal(show("addr,dso,dsoff"),
	                    "            7f00 (/lib/x.so+0x42)\n");
	assert_string_equal(show("addr"), "            7f00\n");
}

static void data_sources(void **state)
{
	char said[DATASRC_TEXT];

	(void)state;
	datasrc_text(0x5080021, said);
	assert_string_equal(said, "         5080021 |OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK "
	                          "N/A|BLK  N/A");
	datasrc_text(0x68100142, said);
	assert_string_equal(said,
	                    "        68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or "
	                    "L2 hit|LCK No|BLK  N/A");
	datasrc_text((uint64_t)1 << 37 | (uint64_t)13 << 33 | 1u << 25 | 2u << 19 | 4,
	             said);
	assert_string_equal(said,
	                    "      3a02100004 |OP STORE|LVL Remote RAM|SNP None|TLB "
	                    "N/A|LCK Yes|BLK  N/A");
	datasrc_text((uint64_t)2 << 43 | (uint64_t)4 << 40 | (uint64_t)1 << 38, said);
	assert_string_equal(said, "    144000000000 |OP No|LVL node, same socket |SNP "
	                          "Fwd|TLB N/A|LCK No|BLK  Addr");
	datasrc_text(~(uint64_t)0, said);
	assert_int_equal(strlen(said), DATASRC_TEXT - 1);
}

static void registers(void **state)
{
	static const uint64_t values[] = { 1, 2, 3, 4 };

	(void)state;
	made(0, 0, 0x1007);
	assert_string_equal(show("uregs"), "\n");
	fields.user = (struct regs){ .abi = 2, .mask = 0x1000000181, .value = values };
	assert_string_equal(show("uregs"), " ABI:2    AX:0x1    SP:0x2    IP:0x3  "
	                                   "XMM2:0x4 \n");
	fields.user.mask = (uint64_t)1 << 24 | (uint64_t)1 << 39 | (uint64_t)1 << 40;
	fields.user.abi = 6;
	assert_string_equal(show("uregs"), " ABI:6   R16:0x1   R31:0x2   SSP:0x3 \n");
	fields.user.abi = 2;
	script.capture = &(struct capture){ .arch = STR("aarch64") };
	fields.user.mask = 1 << 3 | (uint64_t)7 << 30;
	out.n = 0;
	details_behind(&script, &out, &sample, 0);
	assert_string_equal(printed(), " ABI:2    x3:0x1    lr:0x2    sp:0x3    pc:0x4 ");
}

static void branches(void **state)
{
	static const struct branch taken[] = {
		{ .from = 0x10, .to = 0x20, .flags = 0x1000c2 },
		{ .from = 0x30, .to = 0x40, .flags = 0xd }
	};

	(void)state;
	made(0, 0, 0x807);
	assert_string_equal(show("brstack"), "\n");
	fields.branches = taken;
	fields.nbranches = 2;
	profile.found = 3;
	name_frame(3, 0x99, "f", 1, "m");
	assert_string_equal(show("brstack"),
	                    " 0x10/0x20/P/-/-/12/COND  0x30/0x40/M/X/A/0/ "
	                    "\n");
	fields.nbranches = 1;
	assert_string_equal(show("brstack,dso"), " 0x10(m)/0x20(m)/P/-/-/12/COND \n");
	assert_string_equal(show("brstacksym"), "f+0x1/f+0x1/P/-/-/12/COND \n");
	assert_string_equal(show("brstackoff"), " 0x99/0x99/P/-/-/12/COND \n");
}

static void bpf_output(void **state)
{
	(void)state;
	made(1, 10, 0x407);
	ev.payload = STR("Hello\0\0\0\0\0");
	assert_string_equal(
	        show("bpf-output"),
	        "\n      BPF output: 0000: 48 65 6c 6c 6f 00 00 00  Hello...\n"
	        "                  0008: 00 00                    ..      \n"
	        "      BPF string: \"Hello\"\n\n");
	ev.payload = STR("\x01");
	assert_string_equal(
	        show("bpf-output"),
	        "\n      BPF output: 0000: 01                       .       \n"
	        "\n");
}

static void times_from_the_first(void **state)
{
	(void)state;
	made(0, 0, 0x187);
	opts.reltime = true;
	show("time");
	ev.time_ns = 5001000;
	script_sample(&script, &out, &sample);
	assert_string_equal(printed(), "    0.005000: \n");
	opts = (struct script_opts){ .deltatime = true };
	assert_string_equal(show("time"), "    0.000000: \n");
	ev.time_ns = 5003000;
	script_sample(&script, &out, &sample);
	assert_string_equal(printed(), "    0.000002: \n");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(tasks),
		TEST(mappings),
		TEST(scheduling),
		TEST(namespaces),
		TEST(kernel_code),
		TEST(others),
		TEST(whose_it_was),
		TEST(numbers),
		TEST(addresses_of_faults),
		TEST(data_sources),
		TEST(registers),
		TEST(branches),
		TEST(bpf_output),
		TEST(times_from_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
