/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Attaches and serves until SIGTERM or SIGINT. The program's exit status: 0, 1 when it could not
 * start, 2 for a wrong command line. */
int serve_command(int argc, char **argv);
