/* SPDX-License-Identifier: Apache-2.0 */
/* The status page's style, inline: the page loads nothing. */
#pragma once

static const char page_style[] =
	":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--faint:#59636e;--line:#d1d9e0;"
	"--shade:#f6f8fa;--link:#0757b8;--good:#116329;--bad:#b3261e}"
	"@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0f1216;--faint:#9aa4af;"
	"--line:#333b44;--shade:#181d23;--link:#79b8ff;--good:#5fd07f;--bad:#ff8f85}}"
	"body{margin:0 auto;padding:1.5rem;max-width:80rem;color:var(--ink);"
	"background:var(--paper);font:15px/1.5 system-ui,sans-serif}"
	"header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.5rem;"
	"border-bottom:1px solid var(--line);margin-bottom:1rem}"
	"h1{font-size:1.4rem;margin:0 0 .5rem}h2{font-size:1.1rem;margin:2rem 0 .25rem}"
	"h3{font-size:1rem;margin:1rem 0 .25rem}p{margin:.25rem 0 .75rem}"
	"small,.faint{color:var(--faint);font-weight:normal}a{color:var(--link)}"
	"nav a{margin-right:1rem}.scroll{overflow-x:auto}"
	"table{border-collapse:collapse;width:100%}caption{text-align:left;color:var(--faint)}"
	"th,td{padding:.3rem .75rem;text-align:left;vertical-align:top;"
	"border-bottom:1px solid var(--line);unicode-bidi:isolate}"
	"th{background:var(--shade);font-weight:600;white-space:nowrap}"
	"td{font-variant-numeric:tabular-nums;overflow-wrap:break-word;min-width:5rem;"
	"max-width:28rem}"
	".number{text-align:right;white-space:nowrap;min-width:0}h2 span{font-size:.9rem}"
	"code,pre{font:13px/1.5 ui-monospace,monospace}"
	"pre{white-space:pre-wrap;background:var(--shade);padding:.5rem .75rem;margin:.5rem 0;"
	"border-left:3px solid var(--bad)}"
	".up{color:var(--good);font-weight:600}.down{color:var(--bad);font-weight:600}";
