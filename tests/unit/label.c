/* label: what a frame is called in folded stacks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "label/label.h"
#include "symbol/profile.h"

static const char lib[] = "/lib/x.so", map[] = "/tmp/perf-1.map",
                  dll[] = "/srv/app/app.dll";
static const char wx[] = "/memfd:doublemapper (deleted)";

struct row {
	const char *func, *module, *want; /* want NULL: as func */
};

static const char *label(struct arena *a, const char *func, const char *module,
                         unsigned flags, const struct label_opts *opts)
{
	struct label_name name = { .func = str_of(func),
		                   .module = str_of(module),
		                   .addr = 0x7f01,
		                   .flags = flags };
	struct str s = label_frame(a, &name, opts);

	return arena_str(a, s).p;
}

static void check(const struct row *rows, size_t n)
{
	const struct label_opts tidy = { 0 };
	struct arena a = { 0 };

	for (size_t i = 0; i < n; i++)
		assert_string_equal(label(&a, rows[i].func, rows[i].module, 0, &tidy),
		                    rows[i].want ? rows[i].want : rows[i].func);
	arena_release(&a);
}

#define CHECK_ROWS(rows) check(rows, sizeof(rows) / sizeof(*(rows)))

static void operators_keep_their_names(void **state)
{
	static const struct row rows[] = {
		{ "operator()(int) const", lib, "operator()" },
		{ "std::function<void (int, int)>::operator()(int, int) const", lib,
		  "std::function<void (int, int)>::operator()" },
		{ "Foo::operator new(unsigned long)", lib, "Foo::operator new" },
		{ "operator new[](unsigned long)", lib, "operator new[]" },
		{ "operator delete[](void*)", lib, "operator delete[]" },
		{ "operator<<(std::ostream&, Foo const&)", lib, "operator<<" },
		{ "Foo::operator->()", lib, "Foo::operator->" },
		{ "Foo::operator->*(int Foo::*)", lib, "Foo::operator->*" },
		{ "Foo::operator()() const", lib, "Foo::operator()" },
		{ "Foo::operator()", lib, NULL },
		{ "Foo::operator[](int)", lib, "Foo::operator[]" },
		{ "Foo::operator<(Foo const&)", lib, "Foo::operator<" },
		{ "Foo::operator>>(int)", lib, "Foo::operator>>" },
		{ "Foo::operator>>=(int)", lib, "Foo::operator>>=" },
		{ "Foo::operator<=>(Foo const&) const", lib, "Foo::operator<=>" },
		{ "Foo::operator<=(Foo const&)", lib, "Foo::operator<=" },
		{ "Foo::operator,(int)", lib, "Foo::operator," },
		{ "Foo::operator!() const", lib, "Foo::operator!" },
		{ "Foo::operator=(Foo&&)", lib, "Foo::operator=" },
		{ "Foo::operator&(int)", lib, "Foo::operator&" },
		{ "Foo::operator~()", lib, "Foo::operator~" },
		{ "bool operator< <int>(A<int> const&, int)", lib,
		  "bool operator< <int>" },
		{ "bool operator<<int>(A<int> const&, int)", lib, "bool operator<<int>" },
		{ "A& operator<< <char>(A&, char)", lib, "A& operator<< <char>" },
		{ "operator\"\"_ms(unsigned long long)", lib, "operator\"\"_ms" },
		{ "X::operator bool() const", lib, "X::operator bool" },
		{ "X::operator std::vector<int>()", lib, "X::operator std::vector<int>" },
		{ "operators::run(int)", lib, "operators::run" },
		{ "A::operator()(int) const::B::c()", lib,
		  "A::operator()(int) const::B::c" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void only_the_last_argument_list_is_cut(void **state)
{
	static const struct row rows[] = {
		{ "(anonymous namespace)::bar(int)", lib, "(anonymous namespace)::bar" },
		{ "foo::(anonymous namespace)::bar(int)", lib,
		  "foo::(anonymous namespace)::bar" },
		{ "main::{lambda(int, int)#2}::operator()(int, int) const", lib,
		  "main::{lambda(int, int)#2}::operator()" },
		{ "main::{lambda(int, int)#2}", lib, NULL },
		{ "main::'lambda'(int)::operator()(int) const", lib,
		  "main::'lambda'(int)::operator()" },
		{ "decltype(auto) foo<int>(int)::{lambda()#1}::operator()() const", lib,
		  "decltype(auto) foo<int>(int)::{lambda()#1}::operator()" },
		{ "decltype(auto) foo<int>(int)", lib, "decltype(auto) foo<int>" },
		{ "auto ns::f<int>(int)::{lambda(auto:1)#1}::operator()<int>(int) const",
		  lib, "auto ns::f<int>(int)::{lambda(auto:1)#1}::operator()<int>" },
		{ "a::b() const&", lib, "a::b" },
		{ "a::b(int) const volatile &&", lib, "a::b" },
		{ "a::b(int) noexcept", lib, "a::b" },
		{ "non-virtual thunk to A::f()", lib, "non-virtual thunk to A::f" },
		{ "foo[abi:cxx11](int)", lib, "foo" },
		{ "qsort(void*, int, int (*)(void const*, void const*))", lib, "qsort" },
		{ "\xc3\x9c"
		  "berfunktion::gr\xc3\xb6\xc3\x9f"
		  "e()",
		  lib,
		  "\xc3\x9c"
		  "berfunktion::gr\xc3\xb6\xc3\x9f"
		  "e" },
		{ "std::ostream::put(char)@plt", lib, "std::ostream::put@plt" },
		{ "plain_c_name", lib, NULL },
		{ "foo.part.0", lib, NULL },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void template_arguments_stay_whole(void **state)
{
	static const struct row rows[] = {
		{ "Module::FixupDelayListAux<Module*, int "
		  "(Module::*)(CORCOMPILE_IMPORT_SECTION*, unsigned long, unsigned "
		  "long*)>",
		  lib, NULL },
		{ "foo<(some_enum)0>::bar", lib, NULL },
		{ "foo<(some_enum)0>::bar(int)", lib, "foo<(some_enum)0>::bar" },
		{ "std::_Function_handler<void (vg::Alignment&), main_gaffe(int, "
		  "char**)::{lambda()#1}::operator()() "
		  "const::{lambda(vg::Alignment&)#1}>::_M_invoke",
		  lib, "main_gaffe (lambda)" },
		{ "std::_Function_handler<void (A&), m(int)::{lambda()#1}::operator()() "
		  "const::{lambda(A&)#1}>::_M_invoke(std::_Any_data const&, A&)",
		  lib, "m (lambda)" },
		{ "m(int)::{lambda(A&)#1}::_FUN(A&)", lib, "m (lambda)" },
		{ "a::b<int>::$_2::__invoke(int)", lib, "a::b<int> (lambda)" },
		{ "std::_Function_handler<int (), f>::_M_invoke", lib, NULL },
		{ "memcpy@@GLIBC_2.14", lib, "memcpy" },
		{ "fopen@GLIBC_2.2.5", lib, "fopen" },
		{ "_ZN1a1bEv@@X_1", lib, "a::b" },
		{ "a@", lib, NULL },
		{ "a@b_1", lib, NULL },
		{ "std::enable_if<(2u) < (sizeof(int)), int>::type", lib, NULL },
		{ "std::enable_if<(2u)<(sizeof(int)), int>::type f<int>(int)", lib,
		  "std::enable_if<(2u)<(sizeof(int)), int>::type f<int>" },
		{ "A<((3)>(2))>::f(int)", lib, "A<((3)>(2))>::f" },
		{ "Bits<((1)<<(3))>::f(int)", lib, "Bits<((1)<<(3))>::f" },
		{ "Bits<(1<<3)>::f(int)", lib, "Bits<(1<<3)>::f" },
		{ "Bits<(N<<3)>::f(int)", lib, "Bits<(N<<3)>::f" },
		{ "Bits<(N<M)>::f(int)", lib, "Bits<(N<M)>::f" },
		{ "Bits<(8>>2)>::f(int)", lib, "Bits<(8>>2)>::f" },
		{ "A<B<C>>::f(D<E<F>>)", lib, "A<B<C>>::f" },
		{ "A<&B::operator<>::f(int)", lib, "A<&B::operator<>::f" },
		{ "A<&(B::operator<(B const&))>::f(int)", lib,
		  "A<&(B::operator<(B const&))>::f" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void unbalanced_names_are_untouched(void **state)
{
	static const struct row rows[] = {
		{ "void (*foo)(int)", lib, NULL },
		{ "void (*foo(int))(char)", lib, NULL },
		{ "foo<bar(int)", lib, NULL },
		{ "foo>bar(int)", lib, NULL },
		{ "foo(bar<int)", lib, NULL },
		{ "foo(bar]int)", lib, NULL },
		{ "foo(int", lib, NULL },
		{ "foo int)", lib, NULL },
		{ "(deleted)", lib, NULL },
		{ "()", lib, NULL },
		{ "memfd:doublemapper (deleted)", wx, NULL },
		{ "baz(std::shared_ptr<X>)->qux", lib, NULL },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void clones_keep_their_mark(void **state)
{
	static const struct row rows[] = {
		{ "foo(int) [clone .constprop.0]", lib, "foo [clone .constprop.0]" },
		{ "foo(int) [clone .cold]", lib, "foo [clone .cold]" },
		{ "foo(int) const [clone .isra.0] [clone .cold]", lib,
		  "foo [clone .isra.0] [clone .cold]" },
		{ "foo(int) (.cold)", lib, "foo (.cold)" },
		{ "foo [clone .cold]", lib, NULL },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void rust_and_go_names_stay_whole(void **state)
{
	static const struct row rows[] = {
		{ "core::ops::function::FnOnce::call_once{{vtable.shim}}", lib,
		  "core::ops::function::FnOnce::call_once" },
		{ "<[u8; 8] as core::fmt::Debug>::fmt", lib,
		  "<[u8: 8] as core::fmt::Debug>::fmt" },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", lib,
		  "core::fmt::Formatter::pad" },
		{ "foo::bar::h0123456789abcdef", lib, "foo::bar" },
		{ "foo::bar::h0123456789ABCDEF", lib, NULL },
		{ "::h0123456789abcdef", lib, NULL },
		{ "_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..iter..Extend$GT$::"
		  "extend",
		  lib, "<alloc::vec::Vec<T> as core::iter::Extend>::extend" },
		{ "<impl Fn(i32) -> i32 as core::ops::FnOnce>::call", lib, NULL },
		{ "<dyn core::ops::FnMut() -> () + Send>::call_mut", lib, NULL },
		{ "<<T as A>::B as C>::f", lib, NULL },
		{ "core::slice::<impl A for [T] as B::C>::f", lib, NULL },
		{ "net/http.(*Client).Do", lib, NULL },
		{ "main.(*T).Run.func1", lib, NULL },
		{ "main.main.func1.(*S).x", lib, NULL },
		{ "type..eq.[2]interface {}", lib, NULL },
		{ "go.shape.struct { A int; B string }", lib,
		  "struct { A int: B string }" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void java_frames_split_at_arrows(void **state)
{
	static const struct row rows[] = {
		{ "Lorg/mozilla/javascript/ContextFactory;::call(Lorg/mozilla/javascript/"
		  "ContextAction;)Ljava/lang/Object;",
		  map, "org.mozilla.javascript.ContextFactory.call" },
		{ "Ljava/util/HashMap;::get->Ljava/util/HashMap;::getNode", map,
		  "java.util.HashMap.get;java.util.HashMap.getNode" },
		{ "Ljava/util/HashMap;::get->Ljava/util/HashMap;::getNode", "/tmp/j.so",
		  "java.util.HashMap.get;java.util.HashMap.getNode" },
		{ "La;::f(I)V->Lb;::g(Lc;)V->Ld;::<init>", map, "a.f;b.g;d.<init>" },
		{ "Lfoo/Bar;::<init>", map, "foo.Bar.<init>" },
		{ "LambdaForm$MH/123", map, NULL },
		{ "LinkedListFoo", map, NULL },
		{ "Lib/native_fn", "/usr/lib/x.so", NULL },
		{ "foo->bar", lib, NULL },
		{ "foo->bar", map, "foo;bar" },
		{ "->", map, NULL },
		{ "int java.lang.StringLatin1.hashCode(byte[])", map,
		  "java.lang.StringLatin1.hashCode" },
		{ "I2C/C2I adapters", map, NULL },
	};
	const struct label_opts all = { .marks = MARK_ALL };
	struct arena a = { 0 };

	(void)state;
	CHECK_ROWS(rows);
	assert_string_equal(label(&a, "La;::f->Lb;::g->Lc;::h", map, 0, &all),
	                    "a.f_[j];b.g_[i];c.h_[i]");
	arena_release(&a);
}

static void a_frame_has_one_mark(void **state)
{
	static const struct {
		const char *func, *module;
		unsigned flags;
		const char *want;
	} rows[] = {
		{ "f", lib, 0, "f" },
		{ "f", lib, NAMED_INLINED, "f_[i]" },
		{ "f", "[kernel.kallsyms]", NAMED_INLINED, "f_[i]" },
		{ "f", "[kernel.kallsyms]", 0, "f_[k]" },
		{ "", "[kernel.kallsyms]", NAMED_UNKNOWN, "[kernel.kallsyms]_[k]" },
		{ "f", map, 0, "f_[j]" },
		{ "A.B::C()", dll, 0, "A.B::C_[j]" },
		{ "", dll, NAMED_UNKNOWN, "[app.dll]_[j]" },
		{ "void [A] A.B::C()", "/opt/single-file", 0, "A.B::C_[j]" },
		{ "JIT_New", "/usr/share/dotnet/shared/x/libcoreclr.so", 0,
		  "JIT_New_[r]" },
		{ "", "/x/libclrjit.so (deleted)", NAMED_UNKNOWN, "[libclrjit.so]_[r]" },
		{ "v8::f()", "/usr/bin/node", 0, "v8::f_[r]" },
		{ "uv_run", "/usr/lib/libnode.so.108", 0, "uv_run_[r]" },
		{ "Foo::f()", "/jdk/lib/server/libjvm.so", 0, "Foo::f_[r]" },
		{ "PyEval", "/usr/lib/libpython3.11.so.1.0", 0, "PyEval_[r]" },
		{ "f", "/usr/bin/nodes", 0, "f" },
	};
	const struct label_opts all = { .marks = MARK_ALL };
	const struct label_opts raw = { .tidy = TIDY_NONE, .marks = MARK_ALL };
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(
		        label(&a, rows[i].func, rows[i].module, rows[i].flags, &all),
		        rows[i].want);
	assert_string_equal(label(&a, "void [A] B::C()", "/opt/single-file", 0, &raw),
	                    "void [A] B::C()_[j]");
	arena_release(&a);
}

static void dotnet_methods_have_one_spelling(void **state)
{
	static const struct row rows[] = {
		{ "void [System.Private.CoreLib] "
		  "System.Threading.Thread::StartCallback()[PreJIT]",
		  map, "System.Threading.Thread::StartCallback" },
		{ "instance bool [System.Private.CoreLib] "
		  "System.Collections.Generic.Dictionary`2[System.__Canon,System.__Canon]"
		  "::TryInsert(!0,!1,valuetype X)[OptimizedTier1]",
		  map, "System.Collections.Generic.Dictionary<T,T>::TryInsert" },
		{ "System.Boolean "
		  "System.Collections.Generic.Dictionary`2[System.__Canon, "
		  "System.__Canon]::TryInsert(System.__Canon, System.__Canon, X)",
		  dll, "System.Collections.Generic.Dictionary<T,T>::TryInsert" },
		{ "System.Void "
		  "App.Program+<>c__DisplayClass0_0::<Main>b__0(int32)[QuickJitted]",
		  map, "App.Program::Main (lambda 0)" },
		{ "[App] Foo.Bar::Baz(class Foo.Qux[])[Optimized]", map, "Foo.Bar::Baz" },
		{ "foo(int32)[PreJIT]", wx, "foo" },
		{ "instance void [System.Private.CoreLib] "
		  "System.Threading.Tasks.Task`1[System.__Canon]::InnerInvoke()["
		  "Optimized]",
		  map, "System.Threading.Tasks.Task<T>::InnerInvoke" },
		{ "void [app] Program::<Main>$(string[])[OptimizedTier1-OSR]", wx,
		  "Program::Main" },
		{ "System.Private.CoreLib.dll", "/usr/share/dotnet/x.dll", NULL },
		{ "int32 [app] Ns.C::M(class "
		  "[System.Runtime]System.Func`2<int32,int32>)[ReJIT]",
		  map, "Ns.C::M" },
		{ "instance !!0 [app] Ns.G`1[System.Int32]::Op(!0&, native int)[Tier0]",
		  map, "Ns.G<int>::Op" },
		{ "int32 [app] Ns.C::M(method void *(int32,string))", "/srv/app/app",
		  "Ns.C::M" },
		{ "System.Void (System.Int32, System.String) Ns.C::Get(System.Int32)",
		  dll, "Ns.C::Get" },
		{ "void [a] A::F(int32)[PreJIT]void [a] A::F(int32)[PreJit-cold]", dll,
		  "A::F" },
		{ "instance void [o] "
		  "Both+<Odd-IPair<System-String\\,Odd-Big>-get_Keys>d__4::MoveNext()",
		  map, "Both::Odd.IPair<System.String,Odd.Big>.get_Keys (async)" },
		{ "instance System.Int32 /* MT: 0x00007F8A736AA0E8 */ "
		  "[System.Private.CoreLib] "
		  "dynamicClass::IL_STUB_UnboxingStub()[Optimized]",
		  map, "dynamicClass::IL_STUB_UnboxingStub" },
		{ "void [a] N.T /* MT: 0x7f17 */::M(N.S /* MT: 0x7f18 */)[Optimized]",
		  map, "N.T::M" },
		{ "void [a] N.T /* MT: 0x7f17 ::M(int32)", map, "N.T /* MT: 0x7f17 ::M" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void short_names_have_neither_arguments_nor_numbers(void **state)
{
	static const struct row rows[] = {
		{ "void [a] App.Gen`1+<>c__3`1[System.Int32,System.__Canon]::"
		  "<Lambdas>b__3_4(!0)",
		  map, "App.Gen<…>::Lambdas<…> (lambda)" },
		{ "std::map<int, A, std::less<int> >::find(int)", lib,
		  "std::map<…>::find" },
		{ "std::__cxx11::basic_string<char, std::char_traits<char> >::size()",
		  lib, "std::string::size" },
		{ "JS:*fib /srv/server.js:6:13", map, "fib server.js:6:13" },
	};
	const struct label_opts brief = { .tidy = TIDY_SHORT };
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(label(&a, rows[i].func, rows[i].module, 0, &brief),
		                    rows[i].want);
	arena_release(&a);
}

static void odd_names_of_compilers_do_no_harm(void **state)
{
	static const struct row rows[] = {
		{ "void [a] <>::<>()", map, "<>::<>" },
		{ "void [a] <X::M()", map, "<X::M" },
		{ "void [a] A+<>c+<>d__::MoveNext()", map, NULL },
		{ "void [a] A`99[B]::M()", map, NULL },
		{ "void [a] A`1[::M()", map, NULL },
		{ "void [a] +++::M()", map, NULL },
		{ "void [a] A@::M()", map, NULL },
		{ "void [a] VB$StateMachine_::MoveNext()", map, NULL },
		{ "void [a] System.Runtime.CompilerServices.StateMachineBox`1[]::M()",
		  map, "[async resume]" },
		{ "A<B<C<::f()", lib, "A<B<C<::f()" },
		{ "std::basic_string<", lib, NULL },
		{ "std::__cxx11::", lib, NULL },
	};
	const struct label_opts tidy = { 0 };
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *got = label(&a, rows[i].func, rows[i].module, 0, &tidy);

		assert_true(*got != '\0');
		if (rows[i].want)
			assert_string_equal(got, rows[i].want);
	}
	arena_release(&a);
}

static void dotnet_stubs_lose_their_number(void **state)
{
	static const struct row rows[] = {
		{ "stub<36> AllocateTemporaryEntryPoints<PRECODE_FIXUP>", map,
		  "stub AllocateTemporaryEntryPoints<PRECODE_FIXUP>" },
		{ "stub ReportStubBlock<VSD_ResolveStub>", map, NULL },
		{ "GenerateLookupStub GenerateLookupStub<GenerateLookupStub>", map,
		  "stub GenerateLookupStub<GenerateLookupStub>" },
		{ "stub GenerateResolveStub<2>", map, "stub GenerateResolveStub" },
		{ "stub<36> AllocateTemporaryEntryPoints<PRECODE_FIXUP>", lib, NULL },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void functions_of_scripts_have_one_name_for_all_tiers(void **state)
{
	static const struct row rows[] = {
		{ "LazyCompile:*foo /app/x y.js:10:5", map, "foo /app/x y.js:10:5" },
		{ "RegExp:[&<>\\\"\\']", map, NULL },
		{ "RegExp:[&<>\"']", map, NULL },
		{ "RegExp:a(b)", map, NULL },
		{ "Function:~(anonymous) /app/a.js:1", map, "(anonymous) /app/a.js:1" },
		{ "JS:*processTicksAndRejections node:internal/process/task_queues:67:35",
		  map,
		  "processTicksAndRejections node:internal/process/task_queues:67:35" },
		{ "Builtin:ArgumentsAdaptorTrampoline", "[JIT] tid 1",
		  "ArgumentsAdaptorTrampoline" },
		{ "py::Process.username:/tmp/test/top/psutil/__init__.py", map,
		  "Process.username (psutil/__init__.py)" },
		{ "py::<module>:/tmp/test/top/simple_table.py", map,
		  "<module> (simple_table.py)" },
		{ "py::f:__init__.py", map, "f (__init__.py)" },
		{ "py::", map, "<unnamed>" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void unknown_frames_are_named_by_module(void **state)
{
	static const struct row rows[] = {
		{ "", "[unknown]", "[unknown]" },
		{ "", "", "[unknown]" },
		{ "", "/usr/lib/libc.so.6", "[libc.so.6]" },
		{ "", "[kernel.kallsyms]", "[kernel.kallsyms]" },
		{ "", "[vdso]", "[vdso]" },
		{ "", "//anon", "[anon]" },
		{ "", "/SYSV00000000 (deleted)", "[SYSV00000000]" },
		{ "", "/usr/lib/x.so (deleted)", "[x.so]" },
		{ "", wx, "[memfd:doublemapper]" },
		{ "", "[JIT] tid 1", "[JIT] tid 1" },
		{ "", "/ (deleted)", "[unknown]" },
		{ " ", "/lib/a;b\n.so", "[a:b?.so]" },
	};
	const struct label_opts addrs = { .addrs = true };
	struct arena a = { 0 };

	(void)state;
	CHECK_ROWS(rows);
	assert_string_equal(label(&a, "ignored", lib, NAMED_UNKNOWN, &addrs),
	                    "[x.so <7f01>]");
	assert_string_equal(label(&a, "", "", 0, &addrs), "[unknown <7f01>]");
	assert_string_equal(label(&a, "", "[kernel.kallsyms]", 0, &addrs),
	                    "[kernel.kallsyms <7f01>]");
	arena_release(&a);
}

static void bytes_the_format_cannot_hold_are_replaced(void **state)
{
	static const struct row rows[] = {
		{ "a\nb\tc\x1b[31m\x7f", lib, "a?b?c?[31m?" },
		{ "f\xffoo\xfe", lib, NULL },
		{ "caf\xc3\xa9", lib, NULL },
		{ "foo 3", lib, NULL },
		{ "  foo  ", lib, "foo" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void raw_names_stay_whole(void **state)
{
	const struct label_opts raw = { .tidy = TIDY_NONE, .marks = MARK_KERNEL };
	struct arena a = { 0 };

	(void)state;
	assert_string_equal(label(&a, "foo(int) const", lib, 0, &raw), "foo(int) const");
	assert_string_equal(label(&a, "La;::f->Lb;::g", map, 0, &raw), "La:::f->Lb:::g");
	assert_string_equal(label(&a, "do_syscall", "[kernel.kallsyms]", 0, &raw),
	                    "do_syscall_[k]");
	assert_string_equal(label(&a, "", lib, 0, &raw), "[x.so]");
	arena_release(&a);
}

static void kernel_and_jit_frames_are_marked(void **state)
{
	static const struct row rows[] = {
		{ "f", "bpf_prog_6deef7357e7b4530_foo", "f_[k]" },
		{ "f", "[ftrace_trampoline]", "f_[k]" },
		{ "f", "[kvm]", "f_[k]" },
		{ "f", "/lib/modules/5.4/kernel/net/nf.ko", "f_[k]" },
		{ "f", "/lib/modules/5.4/kernel/net/nf.ko.xz", "f_[k]" },
		{ "f", "/lib/modules/5.4/kernel/net/nf.ko.gz", "f_[k]" },
		{ "f", "/lib/modules/5.4/kernel/net/nf.ko.zst", "f_[k]" },
		{ "f", "/usr/lib/debug/boot/vmlinux-5.4.14-x", "f_[k]" },
		{ "f", "[kernel.kallsyms]", "f_[k]" },
		{ "f", "[guest.kernel.kallsyms]", "f_[k]" },
		{ "", "[kernel.kallsyms]", "[kernel.kallsyms]_[k]" },
		{ "f", "[vdso]", "f" },
		{ "f", "[heap]", "f" },
		{ "f", "[stack]", "f" },
		{ "f", "[unknown]", "f" },
		{ "f", "[anon:scudo]", "f" },
		{ "f", lib, "f" },
		{ "f", "/home/u/.debug/jit/x/jitted-123-4.so", "f_[j]" },
		{ "f", "/tmp/perf-12.map", "f_[j]" },
		{ "f", "/proc/12/root/tmp/perf-12.map", "f_[j]" },
		{ "f", "/tmp/perf-x.map", "f" },
		{ "f", wx, "f_[j]" },
		{ "", wx, "[memfd:doublemapper]_[j]" },
		{ "f", "[JIT] tid 1", "f_[j]" },
		{ "f", "[JIT app cache]", "f_[j]" },
		{ "f", "inlined", "f" },
	};
	const struct label_opts all = { .marks = MARK_ALL };
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(label(&a, rows[i].func, rows[i].module, 0, &all),
		                    rows[i].want);
	assert_string_equal(label(&a, "f", lib, NAMED_INLINED, &all), "f_[i]");
	assert_string_equal(label(&a, "f", lib, NAMED_KERNEL, &all), "f_[k]");
	assert_string_equal(label(&a, "f", lib, NAMED_JIT, &all), "f_[j]");
	arena_release(&a);
}

static void lines_stand_behind_names(void **state)
{
	const struct label_opts marks = { .marks = MARK_INLINED },
	                        raw = { .tidy = TIDY_NONE };
	struct label_name name = { .srcline = STR("x.c:7"), .func = STR("f(int)") };
	struct arena a = { 0 };

	(void)state;
	name.module = str_of(lib);
	assert_string_equal(arena_str(&a, label_frame(&a, &name, &raw)).p,
	                    "f(int):x.c:7");
	name.flags = NAMED_INLINED;
	assert_string_equal(arena_str(&a, label_frame(&a, &name, &marks)).p,
	                    "f:x.c:7_[i]");
	name.srcline = STR("x;\ny.c:7");
	assert_string_equal(arena_str(&a, label_frame(&a, &name, &marks)).p,
	                    "f:x:?y.c:7_[i]");
	name.module = str_of(map);
	name.func = STR("LFoo;::bar->LFoo;::baz");
	name.srcline = STR("x.c:7");
	assert_string_equal(arena_str(&a, label_frame(&a, &name, &marks)).p,
	                    "Foo.bar_[i];Foo.baz:x.c:7_[i]");
	arena_release(&a);
}

static void hostile_names_take_linear_time(void **state)
{
	static const char *const units[] = { "(",
		                             ")",
		                             "<",
		                             ">",
		                             "()",
		                             "<>",
		                             "a->",
		                             "[a] ",
		                             "operator<",
		                             ")@",
		                             " [clone a]",
		                             "((<",
		                             " /* MT: 0x",
		                             "1<<",
		                             ";::",
		                             " const",
		                             "<(a<b)",
		                             "[",
		                             "[abi:",
		                             "std::a<",
		                             "+",
		                             "<>c+",
		                             "A`1+",
		                             "<x>d+",
		                             "-",
		                             "$LT$",
		                             "%2e/go.shape.",
		                             "[deadbeef]::",
		                             "$$Lambda$1/1",
		                             "a/0x1.",
		                             "B`1[",
		                             "std::basic_string<char, ",
		                             "a<b, ",
		                             "<X>b__0+",
		                             "VB$StateMachine_1_X+",
		                             "X@1-" };
	const struct label_opts all = { .marks = MARK_ALL };
	enum { LONG = 1 << 18 };
	struct arena a = { 0 };

	(void)state;
	for (size_t u = 0; u < sizeof(units) / sizeof(*units); u++) {
		size_t n = strlen(units[u]);
		char *s = arena_new(&a, char, LONG + 2);

		for (size_t i = 0; i < LONG; i++)
			s[i] = units[u][i % n];
		s[LONG] = ')';
		assert_true(strlen(label(&a, s, lib, 0, &all)) > 0);
		assert_true(strlen(label(&a, s, map, 0, &all)) > 0);
		memcpy(s, "void [a] ", strlen("void [a] "));
		memcpy(s + LONG - 6, "::MN()", 6);
		s[LONG] = '\0';
		assert_true(strlen(label(&a, s, map, 0, &all)) > 0);
	}
	arena_release(&a);
}

static void root_is_the_thread(void **state)
{
	static const struct {
		const char *comm;
		int32_t pid, tid;
		enum label_ids ids;
		const char *want;
	} rows[] = {
		{ "V8 WorkerThread", 1, 2, LABEL_COMM, "V8_WorkerThread" },
		{ "a;b", 1, 2, LABEL_COMM, "a:b" },
		{ "a\x01", 1, 2, LABEL_COMM, "a?" },
		{ ":1234", 1234, 1234, LABEL_COMM, ":1234" },
		{ "", 1, 123, LABEL_COMM, ":123" },
		{ "", -1, -1, LABEL_COMM, "[unknown]" },
		{ "app", 1, 2, LABEL_PID, "app-1" },
		{ "app", 1, 2, LABEL_TID, "app-1/2" },
		{ "app", -1, 2, LABEL_PID, "app-?" },
		{ "app", -1, 2, LABEL_TID, "app-?/2" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str s = label_root(&a, str_of(rows[i].comm), rows[i].pid,
		                          rows[i].tid, rows[i].ids);

		assert_string_equal(arena_str(&a, s).p, rows[i].want);
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_keep_their_names),
		cmocka_unit_test(only_the_last_argument_list_is_cut),
		cmocka_unit_test(template_arguments_stay_whole),
		cmocka_unit_test(unbalanced_names_are_untouched),
		cmocka_unit_test(clones_keep_their_mark),
		cmocka_unit_test(rust_and_go_names_stay_whole),
		cmocka_unit_test(java_frames_split_at_arrows),
		cmocka_unit_test(a_frame_has_one_mark),
		cmocka_unit_test(dotnet_methods_have_one_spelling),
		cmocka_unit_test(short_names_have_neither_arguments_nor_numbers),
		cmocka_unit_test(odd_names_of_compilers_do_no_harm),
		cmocka_unit_test(dotnet_stubs_lose_their_number),
		cmocka_unit_test(functions_of_scripts_have_one_name_for_all_tiers),
		cmocka_unit_test(unknown_frames_are_named_by_module),
		cmocka_unit_test(bytes_the_format_cannot_hold_are_replaced),
		cmocka_unit_test(raw_names_stay_whole),
		cmocka_unit_test(kernel_and_jit_frames_are_marked),
		cmocka_unit_test(lines_stand_behind_names),
		cmocka_unit_test(hostile_names_take_linear_time),
		cmocka_unit_test(root_is_the_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
