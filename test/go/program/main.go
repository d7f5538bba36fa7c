// SPDX-License-Identifier: Apache-2.0

// A program with a function of every kind that Go gives a name of its own. What it prints depends
// on all of them, so that none is left out.
package main

import "os"

type shape interface {
	area() int
}

type square struct{ side int }

type box struct {
	square
	height int
}

// A value's method: there is a wrapper for pointers, and one for what embeds it.
//
//go:noinline
func (s square) area() int { return s.side * s.side }

//go:noinline
func (b *box) volume() int { return b.area() * b.height }

type number interface {
	~int | ~int64 | ~string
}

//go:noinline
func largest[T number](of []T) T {
	result := of[0]
	for _, one := range of[1:] {
		if one > result {
			result = one
		}
	}
	return result
}

type list[T number] struct{ items []T }

//go:noinline
func (l *list[T]) add(one T) { l.items = append(l.items, one) }

// Small enough to be inlined wherever it is called, so that nothing else is left of it.
func twice(n int) int { return 2 * n }

//go:noinline
func inlines(n int) int { return twice(n) ^ twice(n+1) }

//go:noinline
func inlinesToo(n int) int { return twice(inlines(n)) }

// As small; but who is given it calls it.
func third(n int) int { return n / 3 }

//go:noinline
func thirds(n int) int { return third(n) + third(n+1) }

//go:noinline
func recovers(n int) (result int) {
	defer func() {
		if recover() != nil {
			result = -n
		}
	}()
	if n > 1 {
		panic("too much")
	}
	return n
}

// Its frame is larger than what a short instruction can make room for.
//
//go:noinline
func large(n int) int {
	var room [9000]int

	for i := range room {
		room[i] = i * n
	}
	return room[n%len(room)]
}

//go:noinline
func apply(f func(int) int, n int) int { return f(n) }

type counter struct{ n int }

func (c *counter) count(by int) int {
	c.n += by
	return c.n
}

func total(shapes ...shape) int {
	sum := 0
	for _, one := range shapes {
		sum += one.area()
	}
	return sum
}

func main() {
	b := &box{square{3}, 4}
	c := &counter{}
	l := &list[int]{}

	for i := 0; i < 3; i++ {
		l.add(i)
	}
	println(total(b, b.square, &b.square), b.volume(), largest(l.items),
		largest([]string{"b", "a"}), inlines(1), inlinesToo(1), thirds(8), recovers(1), recovers(2),
		large(len(os.Args)), apply(c.count, 2), apply(third, 8),
		apply(func(n int) int { return n + c.n }, 3), sum(1, 2), foreign(20), half(2), halfOf(2))
}
