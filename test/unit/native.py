#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Native buckets against whole numbers of any size: python3 native.py NATIVE_RANKS

For each bound of schema 3, both ends and all between: the bound's whole part is an integer eighth
root, which is exact here. Numbers at, just below and just above each bound, the ends of the range
and random ones are given to the program, and sought in the list of bounds.
"""

import random
import subprocess
import sys
from bisect import bisect_left
from math import isqrt

TOP = 1 << 64


def root8(number):
    return isqrt(isqrt(isqrt(number)))


def bound(unit, index):
    """The whole part of unit * 2^(index / 8)."""
    power = unit ** 8
    return root8(power << index if index >= 0 else power >> -index)


# Kind -> what the bounds are multiples of, and the index of the first bucket that 1 can be in.
# 1 ns is below 10^9 * 2^(-239/8) and above 10^9 * 2^(-240/8).
KINDS = {"d": (10 ** 9, -239), "u": (1, 0), "s": (1, 0)}
N_OF_SIGNED = 63 * 8 + 1


def bounds_of(kind):
    """All up to the first that is not below the greatest number."""
    unit, first = KINDS[kind]
    assert bound(unit, first - 1) < 1 <= bound(unit, first)
    bounds = []
    while not bounds or bounds[-1] < TOP - 1:
        bounds.append(bound(unit, first + len(bounds)))
    return bounds


def expected(kind, bounds, bits):
    """The rank: negative buckets, the greatest first, then zero's, then the positive ones."""
    number = bits - TOP if kind == "s" and bits >= TOP // 2 else bits
    middle = N_OF_SIGNED if kind == "s" else 0
    if not number:
        return middle
    position = bisect_left(bounds, abs(number))
    return middle + 1 + position if number > 0 else middle - 1 - position


def numbers_of(bounds):
    chosen = {0, 1, TOP // 2 - 1, TOP // 2, TOP // 2 + 1, TOP - 1}
    for b in bounds:
        for near in (b - 1, b, b + 1):
            chosen |= {near % TOP, -near % TOP}
    source = random.Random(3)
    chosen |= {source.getrandbits(source.randrange(1, 65)) for _ in range(20000)}
    return sorted(chosen)


def check(program, kind):
    bounds = bounds_of(kind)
    numbers = numbers_of(bounds)
    lines = "".join(f"{kind}{n:x}\n" for n in numbers)
    said = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    ranks = [int(line) for line in said.stdout.split()]
    wrong = [(n, rank, expected(kind, bounds, n)) for n, rank in zip(numbers, ranks, strict=True)
             if rank != expected(kind, bounds, n)]
    for n, rank, right in wrong[:10]:
        print(f"{kind}{n:#x}: rank {rank}, not {right}")
    print(f"{kind}: {len(bounds)} bounds, {len(numbers)} numbers, {len(wrong)} wrong")
    return not wrong


if __name__ == "__main__":
    sys.exit(not all([check(sys.argv[1], kind) for kind in KINDS]))
