// SPDX-License-Identifier: Apache-2.0
package main

// In assembler; what calls it goes through a wrapper.
func sum(a, b int) int
