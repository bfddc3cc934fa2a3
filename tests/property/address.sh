#!/bin/bash
# What stands in front of a frame, by version of perf: a lone address is the ip itself in
# all of them, that of a stack only where the version says so.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
profile=$TOP/fixtures/web31.prof.tar.gz

# The address where each sample was taken.
first()
{
	"$BIN/psym" -q --no-host -F ip "$@" "$profile" |
		awk 'NF == 0 { began = 1; next } began { print $1; began = 0 }'
}

"$BIN/psym" -q --no-host -G -F ip "$profile" | awk '{ print $1 }' >lone
for version in 4.19 5.15 6.4 6.12 7.0; do
	first --perf-version $version >absolute
	same "$version: the address itself" lone absolute
done
first >offsets
check "6.1: offsets in files" [ "$(cmp -s lone offsets; echo $?)" = 1 ]
for version in 5.16 6.0 6.1 6.3.2; do
	first --perf-version $version >got
	same "$version: as 6.1" offsets got
done
for version in 6 6. x 6.1x ''; do
	status "'$version' is refused or not" "$([ "$version" = 6 ] && echo 0 || echo 2)" \
		"$BIN/psym" -q --perf-version "$version" -o got "$profile" 2>/dev/null
done
finish
