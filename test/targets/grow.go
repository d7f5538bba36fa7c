// SPDX-License-Identifier: Apache-2.0

// grow TIMES: a Go program whose goroutines grow their stacks, so that these move, while others
// panic, recover, wait for each other and leave garbage. It speaks the protocol of target.h.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

var leaves int64

// Has no check of the stack, and so can be counted.
//
//go:noinline
//go:nosplit
func leaf(value int) int {
	leaves++
	return value + 1
}

//go:noinline
func descend(depth int) int {
	var room [128]byte

	room[depth%128] = 1
	if depth == 0 {
		return leaf(int(room[0]))
	}
	return descend(depth-1) + int(room[depth%128])
}

//go:noinline
func fail(depth int) int {
	if depth == 0 {
		panic("at the bottom")
	}
	return fail(depth-1) + 1
}

//go:noinline
func recovered(depth int) (text string) {
	defer func() { text = fmt.Sprint(recover(), depth) }()
	fail(depth)
	return
}

func grown(n int) int64 {
	var wait sync.WaitGroup
	var sum int64
	turns := make(chan int, 1)

	turns <- 0
	for i := 0; i < n; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			turn := <-turns
			atomic.AddInt64(&sum, int64(descend(i*7)))
			turns <- turn + 1
		}(i)
	}
	wait.Wait()
	return sum + int64(<-turns)
}

func collected(n int) int {
	words := map[string]int{}
	for i := 0; i < n; i++ {
		words[strings.Repeat("x", i%50)+strconv.Itoa(i)] = len(recovered(i % 30))
	}
	runtime.GC()
	keys := make([]string, 0, n)
	for key := range words {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return len(strings.Join(keys, ",")) + words["0"]
}

func wait(state string, lines *bufio.Reader) {
	fmt.Println(state)
	lines.ReadString('\n')
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	times := 100
	if len(os.Args) > 1 {
		times, _ = strconv.Atoi(os.Args[1])
	}
	wait("ready", lines)
	fmt.Println("#grown", grown(times), "collected", collected(times))
	fmt.Println("main.leaf", leaves, leaves, 0, 0)
	wait("done", lines)
}
