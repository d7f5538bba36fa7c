// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers that every Prometheus client library exports, read as they read them: times and memory
 * from /proc/self/stat, open files by listing /proc/self/fd, limits from getrlimit().
 */
#include "metric/process.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Positions in /proc/self/stat, as proc(5) counts them from 1. */
enum { STAT_PPID = 4, STAT_UTIME = 14, STAT_STIME, STAT_START = 22, STAT_VSIZE, STAT_RSS };

enum { STAT_FIELDS = STAT_RSS + 1 };

static int read_stat(uint64_t fields[static STAT_FIELDS])
{
	_cleanup_(fclosep) FILE *f = fopen("/proc/self/stat", "re");
	char text[1024], *at, *end;

	if (!f)
		return -errno;
	/* The command's name is in parentheses and may contain anything, these included. */
	if (!fgets(text, sizeof(text), f) || !(at = strrchr(text, ')')) || strlen(at) < 3)
		return -EIO;
	at += strlen(") S");
	for (int i = STAT_PPID; i < STAT_FIELDS; i++, at = end) {
		fields[i] = strtoull(at, &end, 10);
		if (end == at)
			return -EIO;
	}
	return 0;
}

static int read_boot_time(double *out_seconds)
{
	_cleanup_(fclosep) FILE *f = fopen("/proc/stat", "re");
	_cleanup_(freep) char *line = NULL;
	size_t capacity = 0;
	uint64_t seconds;

	if (!f)
		return -errno;
	while (getline(&line, &capacity, f) > 0)
		if (sscanf(line, "btime %" SCNu64, &seconds) == 1) {
			*out_seconds = (double)seconds;
			return 0;
		}
	return -EIO;
}

static int count_open_files(uint64_t *out)
{
	DIR *directory = opendir("/proc/self/fd");
	uint64_t n = 0;

	if (!directory)
		return -errno;
	for (struct dirent *entry; (entry = readdir(directory));)
		n += entry->d_name[0] != '.';
	closedir(directory);
	*out = n - 1; /* less the directory's own */
	return 0;
}

static uint64_t limit_of(int resource)
{
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};

	getrlimit(resource, &limit);
	return limit.rlim_cur;
}

int process_read(struct self_reading *s)
{
	const double ticks = (double)sysconf(_SC_CLK_TCK);
	uint64_t stat[STAT_FIELDS], open_files = 0;
	double boot_seconds = 0;
	int r;

	if ((r = read_stat(stat)) || (r = count_open_files(&open_files)) ||
		(!s->start_time_seconds && (r = read_boot_time(&boot_seconds))))
		return r;
	s->cpu_seconds = (double)(stat[STAT_UTIME] + stat[STAT_STIME]) / ticks;
	if (!s->start_time_seconds)
		s->start_time_seconds = boot_seconds + (double)stat[STAT_START] / ticks;
	s->open_fds = open_files;
	s->max_fds = limit_of(RLIMIT_NOFILE);
	s->resident_bytes = stat[STAT_RSS] * (uint64_t)sysconf(_SC_PAGESIZE);
	s->virtual_bytes = stat[STAT_VSIZE];
	s->virtual_max_bytes = limit_of(RLIMIT_AS);
	return 0;
}
