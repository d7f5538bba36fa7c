// SPDX-License-Identifier: Apache-2.0

// goroutines N: N goroutines that wander from thread to thread, and whose stacks grow and shrink
// while calls are under way; with cgo they go through C and back as well. It speaks the protocol of
// test/targets/target.h.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// How the calls of one function ended. A call that is left by a panic or by Goexit never returns.
type ending struct{ calls, completed int64 }

func (e *ending) call()     { atomic.AddInt64(&e.calls, 1) }
func (e *ending) complete() { atomic.AddInt64(&e.completed, 1) }

var endings = map[string]*ending{}

func ends(name string) *ending {
	endings[name] = &ending{}
	return endings[name]
}

var (
	hops      = ends("main.hop")
	descents  = ends("main.descend")
	leaves    = ends("main.leaf")
	naps      = ends("main.nap")
	failures  = ends("main.fail")
	rescues   = ends("main.rescued")
	exits     = ends("main.quit")
	passes    = ends("main.pass")
	additions = ends("main.(*sum).add")
	closures  = ends("main.enclosed.func1")
	maxima    = ends("main.largest")
	deferrals = ends("main.defer_many")
	huges     = ends("main.huge")
	holds     = ends("main.hold")
)

// Of a goroutine that has waited any thread may take care.
//
//go:noinline
func hop(turn int, c chan int) int {
	hops.call()
	defer hops.complete()
	switch turn % 3 {
	case 0:
		runtime.Gosched()
	case 1:
		c <- turn
		<-c
	default:
		select {
		case <-c:
		case <-time.After(50 * time.Microsecond):
		}
	}
	return turn
}

//go:noinline
//go:nosplit
func leaf(value *byte) int { return int(*value) }

//go:noinline
func descend(depth int) int {
	var room [160]byte

	descents.call()
	room[depth%160] = 1
	sum := leaf(&room[depth%160])
	leaves.call()
	leaves.complete()
	if depth > 0 {
		sum += descend(depth - 1)
	}
	descents.complete()
	return sum
}

//go:noinline
func huge(value int) int {
	var room [20000]int

	huges.call()
	for i := range room {
		room[i] = value + i
	}
	huges.complete()
	return room[value]
}

var times []time.Duration
var timesLock sync.Mutex

//go:noinline
func sleep(d time.Duration) { time.Sleep(d) }

//go:noinline
func nap(d time.Duration) {
	naps.call()
	sleep(d)
	naps.complete()
}

// Naps that are measured, while little else goes on.
func rest() {
	var wait sync.WaitGroup

	for i := 0; i < 8; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			for n := 0; n < 9; n++ {
				start := time.Now()
				nap(time.Duration(15+(i*9+n)%10) * time.Millisecond)
				took := time.Since(start)
				timesLock.Lock()
				times = append(times, took)
				timesLock.Unlock()
			}
		}(i)
	}
	wait.Wait()
}

//go:noinline
func fail(depth int) int {
	failures.call()
	if depth == 0 {
		panic("at the bottom")
	}
	result := fail(depth-1) + 1
	failures.complete()
	return result
}

//go:noinline
func rescued(depth int) (text string) {
	rescues.call()
	defer func() {
		text = fmt.Sprint(recover(), depth)
		rescues.complete()
	}()
	fail(depth)
	return
}

// Is left by Goexit, with what it was called by.
//
//go:noinline
func quit() {
	exits.call()
	runtime.Goexit()
	exits.complete()
}

//go:noinline
func pass() {
	passes.call()
	quit()
	passes.complete()
}

type sum struct{ value int64 }

//go:noinline
func (s *sum) add(n int) {
	additions.call()
	atomic.AddInt64(&s.value, int64(n))
	additions.complete()
}

//go:noinline
func enclosed(n int) func(int) int {
	return func(m int) int {
		closures.call()
		n += descend(m)
		closures.complete()
		return n
	}
}

//go:noinline
func largest[T int | float64](values []T) T {
	maxima.call()
	most := values[0]
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	maxima.complete()
	return most
}

//go:noinline
func defer_many(n int) (result int) {
	deferrals.call()
	for i := 0; i < n; i++ {
		defer func() { result += i }()
	}
	deferrals.complete()
	return n
}

// Waits, shallow on a stack that was deep, until the collector has made that smaller.
//
//go:noinline
func hold(release chan bool) {
	holds.call()
	<-release
	holds.complete()
}

func work(i int, s *sum) {
	c := make(chan int, 1)
	add := s.add
	count := enclosed(i)

	for turn := 0; turn < 6; turn++ {
		hop(turn, c)
		add(turn)
	}
	count(i % 20)
	viaC(i)
	defer_many(i % 12)
	if i%50 == 0 {
		huge(i % 100)
		descend(i)
		nap(time.Millisecond)
	}
	if i%10 == 0 {
		rescued(i % 30)
		pass()
	}
}

func shrunken(release chan bool, wait *sync.WaitGroup) {
	defer wait.Done()
	descend(200)
	hold(release)
	descend(100)
}

func run(n int) int64 {
	var wait sync.WaitGroup
	var holding sync.WaitGroup
	var s sum
	release := make(chan bool)

	for i := 0; i < 20; i++ {
		holding.Add(1)
		go shrunken(release, &holding)
	}
	for i := 0; i < n; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			work(i, &s)
		}(i)
	}
	wait.Wait()
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	close(release)
	holding.Wait()
	rest()
	return atomic.LoadInt64(&s.value)
}

func report() {
	names := make([]string, 0, len(endings))
	for name := range endings {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		e := endings[name]
		calls, completed := atomic.LoadInt64(&e.calls), atomic.LoadInt64(&e.completed)
		if calls > 0 {
			fmt.Println(name, calls, completed, 0, calls-completed)
		}
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	fmt.Println("#median", times[len(times)/2].Nanoseconds())
}

func await(state string, lines *bufio.Reader) {
	fmt.Println(state)
	lines.ReadString('\n')
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	n := 1000
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	runtime.GOMAXPROCS(4)
	debug.SetGCPercent(1)
	await("ready", lines)
	fmt.Println("#sum", run(n), largest([]int{1, n}))
	report()
	await("done", lines)
}
