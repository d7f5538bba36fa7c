# SPDX-License-Identifier: Apache-2.0
#
# What the end-to-end tests share: cases and expectations, an exporter to start and scrape, a
# target to drive. Plain sh and busybox alone, because the same files run inside the virtual
# machines of test/kernels.
#
# Needs EXPORTER (the binary) and TARGETS (the folder of test/targets' programs). E2E_PATIENCE
# multiplies every limit, for machines that are emulated.
#
# E2E_BRIEF=1 leaves out what another run, in the best mode, has shown. E2E_FULL=1 is for a night:
# the sizes at which a promise is made rather than those at which a fault shows.
#
# Nothing here sleeps for a guess: what is awaited is asked for again until it is there or a limit
# is reached, and reaching a limit is a failure.

: "${EXPORTER:?the exporter to test}" "${TARGETS:?the folder of the target programs}"
: "${E2E_PATIENCE:=1}"

work=$(mktemp -d "${TMPDIR:-/tmp}/uprobe-e2e.XXXXXX")
config=$work/config.yml
scrape=$work/scrape
log=$work/exporter.log
exporter='' target='' port=''
n_passed=0 n_failed=0 n_skipped=0

# Ends what this test started, and only that. A case that has mounts makes them in a namespace of
# their own, so that they are gone with its process.
cleanup() {
	trap - EXIT
	exec 3>&- 4<&-
	for pid in $target $exporter; do
		kill -9 "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# sized FULL USUAL BRIEF: one of these.
sized() {
	if [ -n "${E2E_FULL:-}" ]; then
		echo "$1"
	elif [ -n "${E2E_BRIEF:-}" ]; then
		echo "$3"
	else
		echo "$2"
	fi
}

## Cases

begin() {
	case_name=$1
	case_failures=0
	: >"$log"
}

fail() {
	case_failures=$((case_failures + 1))
	echo "  $case_name: $*"
}

expect() {
	[ "$2" = "$3" ] || fail "$1: expected $2, got $3"
}

# End of a case: its verdict, with the exporter's last words when it failed.
end() {
	if [ "$case_failures" -eq 0 ]; then
		n_passed=$((n_passed + 1))
		echo "ok   $case_name"
		return
	fi
	n_failed=$((n_failed + 1))
	echo "FAIL $case_name"
	tail -n 8 "$log" | sed 's/^/  log: /'
}

skip() {
	n_skipped=$((n_skipped + 1))
	echo "SKIP $1: $2"
}

summary() {
	printf '%d passed, %d failed' "$n_passed" "$n_failed"
	[ "$n_skipped" -eq 0 ] || printf ', %d skipped' "$n_skipped"
	echo
	[ "$n_failed" -eq 0 ]
}

## Time

# Hundredths of a second since boot.
now() {
	read -r up _ </proc/uptime
	echo "${up%.*}${up#*.}"
}

# await SECONDS COMMAND...: until COMMAND succeeds.
await() {
	limit=$(($(now) + $1 * 100 * E2E_PATIENCE))
	shift
	while ! "$@"; do
		[ "$(now)" -lt "$limit" ] || return 1
		sleep 0.05
	done
}

## Configuration

# probe NAME BINARY FUNCTION [LINE...]: one entry of the configuration.
probe() {
	printf '  - name: "%s"\n    binary: %s\n    function: "%s"\n' "$1" "$2" "$3"
	shift 3
	for line; do
		printf '    %s\n' "$line"
	done
}

in_flight='measure: [calls, duration, in_flight]'

## The exporter

is_listening() {
	grep -qi ":$(printf '%04X' "$1") [0-9A-F:]* 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# A port below the range of outgoing connections on which nobody listens.
free_port() {
	while :; do
		candidate=$(od -An -N2 -tu2 /dev/urandom)
		candidate=$((candidate % 20000 + 12000))
		is_listening "$candidate" || break
	done
	echo "$candidate"
}

fetch() {
	busybox wget -q -O - "http://127.0.0.1:$port$1" 2>/dev/null
}

is_alive() {
	[ -d "/proc/$1" ] && ! grep -q '^State:.[ZX]' "/proc/$1/status" 2>/dev/null
}

is_ready_or_dead() {
	fetch /-/ready >/dev/null || ! is_alive "$exporter"
}

# exporter_start [FLAG...]: with $config and in $mode.
exporter_start() {
	port=$(free_port)
	"$EXPORTER" --config.file="$config" --web.listen-address="127.0.0.1:$port" \
		--attach.mode="$mode" --log.level=debug "$@" >>"$log" 2>&1 3>&- 4<&- 5>&- &
	exporter=$!
	await 120 is_ready_or_dead
	is_alive "$exporter" || fail "the exporter ended: $(tail -n 1 "$log")"
	fetch /-/ready >/dev/null || fail "the exporter does not become ready"
}

attached_sites() {
	fetch /metrics | awk '
		/^uprobe_exporter_probe_sites\{.*state="attached"/ { n += $NF }
		END { print n + 0 }'
}

# SIGTERM must end it, with success, within a second; in perf mode the kernel itself takes about a
# tenth of one for each site, whatever the exporter does.
exporter_stop() {
	# A second is promised, and measured in test/bench; here other tests may keep the machine busy.
	limit=300
	# A grace period of the kernel for each link, one after the other; long ones on a busy machine.
	[ "$mode" != perf ] || limit=$((1000 + 100 * $(attached_sites)))
	started=$(now)
	kill -TERM "$exporter" 2>/dev/null
	wait "$exporter"
	status=$?
	took=$(($(now) - started))
	exporter=''
	expect "exit status after SIGTERM" 0 "$status"
	[ "$took" -le $((limit * E2E_PATIENCE)) ] || fail "SIGTERM took ${took}0 ms"
}

take_scrape() {
	fetch /metrics >"$scrape"
}

# value FAMILY PROBE [LABEL]: the sum of a family's samples in the last scrape that belong to
# the probe (and have LABEL, written as in the exposition), or `absent`.
value() {
	awk -v start="$1{" -v probe="probe=\"$2\"" -v label="${3:-}" '
		index($0, start) == 1 && index($0, probe) && (label == "" || index($0, label)) {
			sum += $NF
			found = 1
		}
		END {
			if (found)
				printf "%.0f\n", sum
			else
				print "absent"
		}' "$scrape"
}

# plain FAMILY: the one sample of a family without labels.
plain() {
	awk -v name="$1" '$1 == name { print $2; found = 1 } END { if (!found) print "absent" }' \
		"$scrape"
}

has_value() {
	take_scrape
	[ "$(value "$2" "$3" "${4:-}")" = "$1" ]
}

has_plain() {
	take_scrape
	[ "$(plain "$2")" = "$1" ]
}

# Waits until every probe named is attached.
exporter_await_up() {
	for name; do
		is_alive "$exporter" && await 15 has_value 1 uprobe_exporter_probe_up "$name" ||
			fail "probe $name does not come up"
	done
}

## The target

# target_start COMMAND...: a program that speaks the protocol of test/targets/target.h.
target_start() {
	rm -f "$work/to" "$work/from"
	mkfifo "$work/to" "$work/from"
	"$@" <"$work/to" >"$work/from" &
	target=$!
	exec 3>"$work/to" 4<"$work/from"
	target_await ready
}

# Collects what the target says into $report until it says STATE.
target_await() {
	report=$work/report
	: >"$report"
	while read -r line <&4; do
		[ "$line" != "$1" ] || return 0
		echo "$line" >>"$report"
	done
	fail "the target ended before it was $1"
}

# A line to the target, if it still lives: writing to a dead one would end the test as well.
target_nudge() {
	is_alive "$target" && echo >&3
}

target_go() {
	target_nudge
	target_await "${1:-done}"
}

target_end() {
	target_nudge
	exec 3>&- 4<&-
	wait "$target"
	expect "exit status of the target" 0 $?
	target=''
}

# text_is_as_in_file PID FILE [NAME]: whether FILE's code in the process's memory, where it is mapped
# as NAME, has no breakpoint.
text_is_as_in_file() {
	range=$(awk -v file="${3:-$2}" '$2 ~ /x/ && $6 == file { print $1, $3; exit }' "/proc/$1/maps")
	start=$((0x${range%%-*}))
	rest=${range#*-}
	stop=$((0x${rest% *}))
	offset=$((0x${rest#* }))
	pages=$(((stop - start) / 4096))
	dd if="/proc/$1/mem" bs=4096 skip=$((start / 4096)) count="$pages" \
		of="$work/memory" 2>/dev/null
	dd if="$2" bs=4096 skip=$((offset / 4096)) count="$pages" of="$work/text" 2>/dev/null
	size=$(wc -c <"$work/text")
	[ "$size" -gt 0 ] || return 2
	head -c "$size" "$work/memory" | cmp -s - "$work/text"
}

## What was counted

# nanoseconds SECONDS: as a whole number.
nanoseconds() {
	awk -v seconds="$1" 'BEGIN { printf "%.0f", seconds * 1e9 }'
}

# sample FAMILY LABEL...: of the last scrape, as it is written; or `absent`.
sample() {
	family=$1
	shift
	awk -v start="$family{" -v wanted="$*" '
		index($0, start) == 1 {
			n = split(wanted, labels, " ")
			for (i = 1; i <= n && index($0, labels[i]); i++)
				;
			if (i > n) {
				print $NF
				found = 1
				exit
			}
		}
		END { if (!found) print "absent" }' "$scrape"
}

overhead_ns() {
	nanoseconds "$(sample uprobe_exporter_overhead_cpu_seconds_total "probe=\"$1\"")"
}

# Either may be `absent`, and then so is the sum.
total() {
	case $1$2 in
	*absent*) echo absent ;;
	*) echo $(($1 + $2)) ;;
	esac
}

# expect_counts PROBE CALLS COMPLETED MISSED ABANDONED, from the last scrape. Calls that can't
# return may be in flight still, until the exporter learns of it. Where MISSED is `-`, ABANDONED is
# the sum of both.
expect_counts() {
	lost=$(value uprobe_exporter_abandoned_calls_total "$1")
	open=$(value uprobe_function_in_flight "$1")
	expect "$1 _calls_total" "$2" "$(value uprobe_function_calls_total "$1")"
	expect "$1 _count" "$3" "$(value uprobe_function_duration_seconds_count "$1")"
	expect "$1 +Inf" "$3" \
		"$(value uprobe_function_duration_seconds_bucket "$1" 'le="+Inf"')"
	missed=$(value uprobe_exporter_missed_returns_total "$1")
	if [ "$4" = - ]; then
		lost=$(total "$lost" "$missed")
	else
		expect "$1 missed" "$4" "$missed"
	fi
	expect "$1 lost + in flight" "$5" "$(total "$lost" "$open")"
}

# Once more when the target has ended: nothing is in flight.
expect_settled() {
	await 10 has_value 0 uprobe_function_in_flight "$1" ||
		fail "$1 in flight at last: $(value uprobe_function_in_flight "$1")"
	expect_counts "$@"
}

# expect_time WHAT SECONDS FAMILY PROBE [LABEL]: about what the program says that it took, of which
# the calls are the larger part. Where $since names an earlier scrape, from there on.
expect_time() {
	took=$(awk -v start="$3_sum{" -v probe="probe=\"$4\"" -v label="${5:-}" '
		index($0, start) == 1 && index($0, probe) && index($0, label) {
			sum += sign * $NF
		}
		END { print sum + 0 }' sign=-1 "${since:-/dev/null}" sign=1 "$scrape")
	awk -v wanted="$2" -v took="$took" 'BEGIN { exit !(took > wanted / 2 && took < wanted * 2) }' ||
		fail "$1: $took s, where the program says $2 s"
}

# for_report COMMAND: COMMAND with each line of a report: FUNCTION CALLS COMPLETED ...
for_report() {
	while read -r name calls completed missed abandoned; do
		[ "${name#\#}" = "$name" ] || continue
		"$1" "$name" "$calls" "$completed" "$missed" "$abandoned"
	done <"$work/truth"
}
