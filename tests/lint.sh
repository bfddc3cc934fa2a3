#!/bin/bash
# lint.sh FLAG... - checks the source with other programs.  FLAGs are used by the preprocessor.
#
# NODES=N limits the states that the static analyzer examines in each function.  The default of clang,
# 225000, takes four times as long as ours, 56000.
set -u
shopt -s globstar
cd "$(dirname "$0")/.." || exit 2
flags=("$@")
failed=0
mkdir -p build

verdict()
{
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2"
		failed=1
	fi
}

printf '%s\0' lib/**/*.c cmd/*.c |
	xargs -0 -P "$(nproc)" -I FILE clang-tidy --quiet FILE -- "${flags[@]}" \
		-Xclang -analyzer-config -Xclang "max-nodes=${NODES:-56000}" 2>build/tidy.err
verdict $? clang-tidy

# The suppressed warnings are wrong: cppcheck does not understand conditional expressions
# with compound literals, and treats loops to a lower bound as redundant conditions.
cppcheck --quiet -j "$(nproc)" --std=c11 --enable=warning,performance,portability \
	--error-exitcode=1 --inline-suppr --suppress=missingIncludeSystem \
	--suppress=internalAstError --suppress=identicalInnerCondition \
	--suppress=arrayIndexOutOfBoundsCond \
	-D_GNU_SOURCE -DSHARE_DIR='""' -DCTF_PLUGIN='""' -DLIB_DIR='""' \
	-Ilib -Icmd lib cmd
verdict $? cppcheck

# Debian 12 has version 14.  Other versions break lines differently.
if command -v clang-format-14 >/dev/null; then
	clang-format-14 --dry-run -Werror lib/**/*.[ch] cmd/*.[ch] tests/*/*.[ch] 2>build/format.err
	format=$?
	grep -o '^[^ :]*:[0-9]*' build/format.err | head -n 20
	verdict $format clang-format
elif [ "${CI:-}" = true ] && grep -qs bookworm /etc/os-release; then
	verdict 1 "clang-format-14 is not installed"
else
	echo "SKIPPED clang-format: version 14 is not installed"
fi

find . -path ./build -prune -o \( -name '*.sh' -o -path ./.ci/run -o \
	-path ./cmd/offbox-fetch -o -path ./cmd/resymbolize -o -path './share/examples/*.sbatch' \) -print0 | xargs -0 shellcheck -S warning
verdict $? shellcheck

if share/flame/minify.sh build/flame-min; then
	diff -r share/flame/min build/flame-min
	verdict $? "share/flame/min is terser's result"
elif [ "${CI:-}" = true ]; then
	verdict 1 "share/flame/min: terser could not be installed"
else
	echo "SKIPPED share/flame/min: terser could not be installed"
fi

mandoc -T lint -W warning share/man/man*/*.[1-9]
verdict $? mandoc

tests/plain.py
verdict $? "plain words"
exit $failed
