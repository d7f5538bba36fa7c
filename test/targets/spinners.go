// SPDX-License-Identifier: Apache-2.0

// spinners: two goroutines call `spin` as often as they can, until the second line comes. It speaks the
// protocol of target.h.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

var stop, turns int64

//go:noinline
func spin(n int64) int64 { return atomic.AddInt64(&turns, n) }

func await(state string, lines *bufio.Reader) {
	fmt.Println(state)
	lines.ReadString('\n')
}

func main() {
	var wait sync.WaitGroup
	lines := bufio.NewReader(os.Stdin)

	await("ready", lines)
	for i := 0; i < 2; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for atomic.LoadInt64(&stop) == 0 {
				spin(1)
			}
		}()
	}
	await("running", lines)
	atomic.StoreInt64(&stop, 1)
	wait.Wait()
	await("done", lines)
}
