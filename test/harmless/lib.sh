# SPDX-License-Identifier: Apache-2.0
#
# What the tests share that run a real program twice, alone and with probes on hundreds of its
# functions and of its libraries', and find no difference. A script gives a function `load`, which
# starts the program, works it, ends it, and prints only what must be the same each time; its exit
# status counts too. The kernel must have nothing to say meanwhile, and the books must balance: of
# each probe, calls = durations + abandoned + missed, with nothing in flight once all has ended.
#
# Programs and libraries are copied first and the copies are probed, so that no process is touched
# but the test's own.
: "${mode:?the attach mode}"
. "$(dirname "$0")/../e2e/lib.sh"

private=$work/private
run=$work/run
mkdir -p "$private/bin" "$private/lib"
chmod 711 "$work"

## What a load leaves behind

# Called by a load for each process that it starts and has to end: `$!` is its id. When the test
# itself is ended in between, this ends them.
started() {
	echo "$!" >>"$work/started"
}

end_started() {
	for pid in $(cat "$work/started" 2>/dev/null); do
		kill -9 "$pid" 2>/dev/null
	done
	cleanup
}
trap end_started EXIT

## What is needed

# need COMMAND...: ends the test, as skipped, where one is missing.
need() {
	for command; do
		command -v "$command" >/dev/null && continue
		skip "$mode: $(basename "$0")" "$command is missing"
		summary
		exit
	done
}

# In perf mode the kernel takes a tenth of a second to let go of each site.
no_time_in_perf_mode() {
	[ "$mode" = perf ] || return 0
	skip "$mode: $(basename "$0")" "the kernel takes minutes to detach hundreds of functions"
	summary
	exit
}

# has_target NAME: skips its case where its compiler was missing.
has_target() {
	[ ! -x "$TARGETS/$1" ] || return 0
	skip "$mode: $1" "its compiler or library was missing when it was built"
	return 1
}

## Private copies

# private_program PATH: its copy is $private/bin/NAME.
private_program() {
	cp -L "$1" "$private/bin/"
}

# private_library PROGRAM SONAME...: what PROGRAM loads under these names. Those that it doesn't
# load are passed over.
private_library() {
	loads=$1
	shift
	for soname; do
		path=$(ldd "$loads" | awk -v soname="$soname" '$1 == soname { print $3 }')
		[ -z "$path" ] || cp -L "$path" "$private/lib/$soname"
	done
}

# Becomes a program that loads the copies: for the background, or a subshell.
with_libraries() {
	exec env LD_LIBRARY_PATH="$private/lib" "$@"
}

## Probes

# Makes a configuration of the probes that it reads. One bound is enough where durations are not
# what is looked at, and keeps thousands of series small.
configure() {
	{
		printf 'global:\n  buckets: [1ms]\n  max_series: 40000\nprobes:\n'
		cat
	} >"$config"
}

# probe_all NAME BINARY PATTERN [LINE...]
probe_all() {
	name=$1 binary=$2 pattern=$3
	shift 3
	probe "$name" "$binary" "$pattern" 'match: all' "$in_flight" "$@"
}

# What is probed of a file with thousands of functions, each of which takes the kernel its time in each
# process: those whose names end in certain letters are as good a sample as any.
many=$(sized '*' '*[dest]' '*[dest]')

## The kernel's log

last_kernel_word() {
	dmesg -k | tail -n 1
}

# What is no harm: returns that are missed, which are counted; how the kernel's own bookkeeping goes
# about many probes that come or go at once; and processes that end of a signal, which are others'
# (what becomes of the load's own is in what it prints, and in its status).
harmless_words='omit uretprobe due to nestedness|prepare_uretprobe: .* suppressed'
harmless_words="$harmless_words|RCU Tasks Trace to .* callback queuing"
harmless_words="$harmless_words|: segfault at |traps: .* trap |\] Code: "

# Lines since $1.
kernel_words_since() {
	dmesg -k | awk -v last="$1" '
		{ all[NR] = $0 }
		$0 == last { from = NR }
		END {
			for (i = from + 1; i <= NR; i++)
				print all[i]
		}' | grep -vE "$harmless_words"
}

expect_silent_kernel() {
	words=$(kernel_words_since "$kernel_word")
	[ -z "$words" ] || fail "the kernel says: $(echo "$words" | head -n 5)"
}

## The books

# PROBE FUNCTIONS TIMED CALLED CALLS DIFFERENCE IN_FLIGHT for each probe of the last scrape: how many
# functions there are, are timed and were called, and what is missing of the calls of those that are
# timed.
books() {
	awk '
		function label(name,    at, text) {
			at = match($0, name "=\"[^\"]*\"")
			text = substr($0, at + length(name) + 2, RLENGTH - length(name) - 3)
			return at ? text : ""
		}
		function key() {
			return substr($0, index($0, "{"), index($0, "} ") - index($0, "{"))
		}
		/^uprobe_function_calls_total\{/ {
			calls[key()] = $NF
			probe[key()] = label("probe")
		}
		/^uprobe_function_duration_seconds_count\{/ {
			timed[key()]
			ended[label("probe")] += $NF
		}
		/^uprobe_function_in_flight\{/ {
			in_flight[label("probe")] += $NF
		}
		/^uprobe_exporter_(missed_returns|abandoned_calls)_total\{/ {
			ended[label("probe")] += $NF
		}
		END {
			for (k in calls) {
				p = probe[k]
				functions[p]++
				all[p] += calls[k]
				called[p] += calls[k] > 0
				if (k in timed) {
					n_timed[p]++
					begun[p] += calls[k]
				}
			}
			for (p in functions)
				printf "%s %d %d %d %.0f %.0f %.0f\n", p, functions[p],
					n_timed[p], called[p], all[p],
					begun[p] - ended[p] - in_flight[p], in_flight[p]
		}' "$scrape" | sort
}

nothing_in_flight() {
	take_scrape
	books | awk '$7 != 0 { exit 1 }'
}

# Every probe has functions, and its calls are accounted for.
expect_balance() {
	await 10 nothing_in_flight || fail "in flight at last: $(books | awk '$7 { print $1, $7 }')"
	books >"$work/books"
	expect "probes with series" "$(grep -c '^  - name:' "$config")" \
		"$(grep -c . "$work/books")"
	while read -r name functions timed called calls difference _; do
		echo "     $name: $functions functions, $timed timed, $called called, $calls calls"
		expect "$name: calls that are unaccounted for" 0 "$difference"
	done <"$work/books"
}

# function_value FAMILY PROBE FUNCTION
function_value() {
	value "$1" "$2" "function=\"$3\""
}

expect_calls() {
	expect "calls of $2" "$3" "$(function_value uprobe_function_calls_total "$1" "$2")"
}

## The comparison

# record NAME: one run of the load in a new folder, always of the same name.
record() {
	rm -rf "$run" "$work/started"
	mkdir -m 755 "$run"
	(cd "$run" && load) >"$work/$1.out" 2>"$work/$1.err"
	echo "exit status $?" >>"$work/$1.out"
}

expect_same() {
	cmp -s "$work/alone.$1" "$work/probed.$1" && return
	fail "differs with probes (std$1):"
	diff "$work/alone.$1" "$work/probed.$1" | head -n 20 | sed 's/^/    /'
}

# unharmed CASE LEAST [TRUTH...]: the load alone and with the probes of $config, of which LEAST
# sites must be there. The command TRUTH compares what the program tells with the counts.
unharmed() {
	begin "$mode: $1"
	least=$2
	shift 2
	record alone
	kernel_word=$(last_kernel_word)
	exporter_start
	sites=$(attached_sites)
	[ "$sites" -ge "$least" ] || fail "only $sites sites are attached"
	record probed
	expect_same out
	expect_same err
	expect_balance
	[ $# -eq 0 ] || "$@"
	exporter_stop
	expect_silent_kernel
	end
}

## The programs of test/targets

# target_unharmed CASE LEAST PROGRAM ARG...: with the probes of $config, of which `program` is on the
# program's own functions. What it says of their calls, by its protocol, is the truth.
target_unharmed() {
	case_of_target=$1 least_of_target=$2
	shift 2
	target_command=$*
	unharmed "$case_of_target" "$least_of_target" expect_report
}

# What most loads of targets are; lines that begin with `#` tell what was measured, or done.
load() {
	printf '\n\n' | with_libraries $target_command
}

# Whether a call ended is known only of functions that are timed.
expect_report() {
	grep -E '^[a-zA-Z_.]+ [0-9]+ [0-9]+ [0-9-]+ [0-9]+$' "$work/probed.out" >"$work/truth"
	[ -s "$work/truth" ] || fail "the program reports nothing"
	while read -r name calls completed _; do
		expect_calls program "$name" "$calls"
		timed=$(function_value uprobe_function_duration_seconds_count program "$name")
		[ "$timed" = absent ] || expect "durations of $name" "$completed" "$timed"
	done <"$work/truth"
}
