// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package main

import "program/c"

func foreign(n int) int { return c.Next(n) }
