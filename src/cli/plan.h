/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* `plan CONFIG [--json] [--proc.path=DIR]`: shows what would be attached here and attaches nothing.
 * What can't be read without privilege is not seen. The exit status: 0 when all probes are ready
 * or wait for a file, 3 when something is refused, 1 when no plan could be made, 2 for a wrong
 * command line. argv[0] is the command's name. */
int plan_command(int argc, char **argv);
