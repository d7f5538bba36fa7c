/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* `check CONFIG`: reads the configuration and says whether it is right. Needs no privilege and
 * looks at no binary. The exit status: 0, 1 with the errors on standard error, 2 for a wrong
 * command line. argv[0] is the command's name. */
int check_command(int argc, char **argv);
