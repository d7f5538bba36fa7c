// SPDX-License-Identifier: Apache-2.0

// leavers GOROUTINES DEPTH: each goroutine leaves so many calls by a panic that it recovers from, and
// stays; then others make calls that return. It speaks the protocol of target.h.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

//go:noinline
func leave(depth int, panics bool) int {
	if depth == 1 {
		if panics {
			panic("at the bottom")
		}
		return 1
	}
	return leave(depth-1, panics) + 1
}

func recovered(depth int) {
	defer func() { recover() }()
	leave(depth, true)
}

func await(state string, lines *bufio.Reader) {
	fmt.Println(state)
	lines.ReadString('\n')
}

func main() {
	var left, returned sync.WaitGroup
	lines := bufio.NewReader(os.Stdin)
	n, _ := strconv.Atoi(os.Args[1])
	depth, _ := strconv.Atoi(os.Args[2])
	stay := make(chan bool)

	runtime.GOMAXPROCS(1) // no two calls begin at the same time
	await("ready", lines)
	for i := 0; i < n; i++ {
		left.Add(1)
		go func() {
			recovered(depth)
			left.Done()
			<-stay
		}()
	}
	left.Wait()
	await("left", lines)
	for i := 0; i < n; i++ {
		returned.Add(1)
		go func() {
			leave(2, false)
			returned.Done()
		}()
	}
	returned.Wait()
	fmt.Println("main.leave", n*(depth+2), n*2, "-", n*depth)
	await("done", lines)
}
