/* SPDX-License-Identifier: Apache-2.0 */
/* What shows that the return addresses of a file's functions must not be replaced. */
#pragma once

#include "plan/select.h"

/* why is NULL where nothing does; use is what it says of stacks then. Found out once for a file. */
const struct evidence *file_evidence(struct file *f);
