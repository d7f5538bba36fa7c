// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package main

// #include <pthread.h>
//
// extern int calledBack(int);
//
// static int call_back(int n) { return calledBack(n) + 1; }
//
// static void *run(void *n) { return (void *)(long)call_back((int)(long)n); }
//
// static int call_back_in_thread(int n)
// {
// 	void *result = 0;
// 	pthread_t thread;
//
// 	if (!pthread_create(&thread, 0, run, (void *)(long)n))
// 		pthread_join(thread, &result);
// 	return (int)(long)result;
// }
import "C"

import "runtime"

var (
	callbacks = ends("main.back")
	ways      = ends("main.throughC")
)

//go:noinline
func back(n int) int {
	callbacks.call()
	descend(n)
	runtime.Gosched()
	if n > 0 {
		n = throughC(n - 1)
	}
	callbacks.complete()
	return n
}

//export calledBack
func calledBack(n C.int) C.int { return C.int(back(int(n))) }

//go:noinline
func throughC(n int) int {
	ways.call()
	result := int(C.call_back(C.int(n)))
	ways.complete()
	return result
}

func viaC(i int) {
	throughC(i % 7)
	if i%10 == 0 {
		C.call_back_in_thread(C.int(i % 5))
	}
}
