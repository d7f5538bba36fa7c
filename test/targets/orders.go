// SPDX-License-Identifier: Apache-2.0

// orders_go GOROUTINES CALLS: calls that carry a number, a string, a structure and nine words in all,
// and return a number and an error. Reports lines of FAMILY LABEL SUM, as carriers.c does.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

type code struct {
	unused, number int32
}

type request struct {
	unused [2]int64
	code   *code
	name   string
}

var errTooLarge = errors.New("too large")

//go:noinline
func deep(n int) int {
	var room [128]byte
	room[n%128] = byte(n)
	if n == 0 {
		return int(room[0])
	}
	return deep(n-1) + int(room[n%128])
}

// The stack grows and the goroutine makes way while the call is under way.
//
//go:noinline
func place(kind int, table string, r *request, size int64, urgent bool) (int, error) {
	if size%50 == 0 {
		deep(64)
		runtime.Gosched()
	}
	if size > 90 {
		return -1, errTooLarge
	}
	return kind + int(r.code.number)*0, nil
}

type truth struct {
	calls, errors    int
	byKind           [3]int
	byTable, byName  map[string]int
	sizes            int64
	urgent           int
}

func (t *truth) run(n int) {
	tables := []string{"orders", "customers and their addresses", ""}
	requests := []*request{
		{code: &code{1, 7}, name: "first"},
		{code: &code{1, 8}, name: "second"},
	}
	for i := 0; i < n; i++ {
		size := int64(i % 100)
		kind, table, r := i%3, tables[i%7%3], requests[i%2]
		t.calls++
		t.byKind[kind]++
		t.byTable[table]++
		t.byName[r.name]++
		t.sizes += size
		if i%5 == 0 {
			t.urgent++
		}
		if _, err := place(kind, table, r, size, i%5 == 0); err != nil {
			t.errors++
		}
	}
}

func say(family, label string, sum int64) {
	fmt.Printf("%s\t%s\t%d\n", family, label, sum)
}

func main() {
	goroutines, _ := strconv.Atoi(os.Args[1])
	calls, _ := strconv.Atoi(os.Args[2])
	input := bufio.NewReader(os.Stdin)
	truths := make([]truth, goroutines)
	var wait sync.WaitGroup

	fmt.Println("ready")
	input.ReadString('\n')
	for i := range truths {
		truths[i] = truth{byTable: map[string]int{}, byName: map[string]int{}}
		wait.Add(1)
		go func(t *truth) {
			defer wait.Done()
			t.run(calls)
		}(&truths[i])
	}
	wait.Wait()
	sum := truth{byTable: map[string]int{}, byName: map[string]int{}}
	for _, t := range truths {
		sum.calls += t.calls
		sum.errors += t.errors
		sum.sizes += t.sizes
		sum.urgent += t.urgent
		for i, n := range t.byKind {
			sum.byKind[i] += n
		}
		for table, n := range t.byTable {
			sum.byTable[table] += n
		}
		for name, n := range t.byName {
			sum.byName[name] += n
		}
	}
	say("calls_total", "-", int64(sum.calls))
	say("duration_seconds_count", "-", int64(sum.calls))
	say("errors_total", "-", int64(sum.errors))
	say("bytes_sum", "-", sum.sizes)
	say("calls_total", `urgent="true"`, int64(sum.urgent))
	say("calls_total", `code="7"`, int64(sum.byName["first"]))
	for i, n := range sum.byKind {
		say("calls_total", fmt.Sprintf(`kind="%d"`, i), int64(n))
	}
	for table, n := range sum.byTable {
		if len(table) > 9 {
			table = table[:9]
		}
		say("calls_total", fmt.Sprintf(`table="%s"`, table), int64(n))
	}
	for name, n := range sum.byName {
		say("calls_total", fmt.Sprintf(`name="%s"`, name), int64(n))
	}
	say("late_calls_total", `result="-1"`, int64(sum.errors))
	fmt.Println("done")
	input.ReadString('\n')
}
