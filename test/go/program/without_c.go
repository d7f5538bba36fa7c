// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package main

func foreign(n int) int { return n + 1 }
