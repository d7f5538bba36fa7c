# SPDX-License-Identifier: Apache-2.0
#
# resolver_load.py CALLS: a target that looks up addresses, names that can't be one, and services
# that don't exist, none of which asks a server, and reports how often each of them came out.

import socket
import sys
from collections import Counter

OUTCOMES = {
    0: "found",
    socket.EAI_NONAME: "unknown_name",
    socket.EAI_SERVICE: "unknown_service",
    socket.EAI_FAMILY: "other_error",
}


def look_up(host, service, family=0):
    try:
        socket.getaddrinfo(host, service, family, socket.SOCK_STREAM, 0, socket.AI_NUMERICHOST)
    except socket.gaierror as error:
        return OUTCOMES[error.errno]
    return OUTCOMES[0]


def look_all_up(calls):
    outcomes = Counter()
    for n in range(calls):
        outcomes[look_up(f"127.0.{n % 256}.1", 80)] += 1
        outcomes[look_up("::1", None)] += 1
        outcomes[look_up(f"no-address-{n}", 80)] += 1
        if n % 4 == 0:
            outcomes[look_up("127.0.0.1", "no-such-service")] += 1
            outcomes[look_up("127.0.0.1", 80, 99)] += 1
    return outcomes


print("ready", flush=True)
sys.stdin.readline()
for outcome, count in look_all_up(int(sys.argv[1])).items():
    print(outcome, count)
print("done", flush=True)
sys.stdin.readline()
