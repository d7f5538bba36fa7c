// SPDX-License-Identifier: Apache-2.0
package main

// In assembler; what calls it goes through a wrapper.
func sum(a, b int) int

// In assembler, and calls half.
func halfOf(n int) int

//go:noinline
func half(n int) int { return n / 2 }
