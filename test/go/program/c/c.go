// SPDX-License-Identifier: Apache-2.0

// C in a package of its own, because one with assembler in it can't have any.
package c

// static int next(int n) { return n + 1; }
import "C"

func Next(n int) int { return int(C.next(C.int(n))) }
