/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* `list BINARY [PATTERN] [--json]`: shows what can be probed in a file that can be read, and why
 * other functions can't. The exit status: 0, 1 when there is no such function or file, 2 for a
 * wrong command line. argv[0] is the command's name. */
int list_command(int argc, char **argv);
