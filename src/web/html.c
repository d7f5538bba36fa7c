// SPDX-License-Identifier: Apache-2.0
#include "web/html.h"

#include "base/number.h"
#include "base/utf8.h"

static const char *escape(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_put(struct buffer *out, const char *text)
{
	utf8_put(out, text, escape);
}

void html_cell(struct buffer *out, const char *text)
{
	buffer_puts(out, "<td>");
	html_put(out, text);
	buffer_puts(out, "</td>");
}

void html_cell_count(struct buffer *out, uint64_t value)
{
	buffer_puts(out, "<td class=\"number\">");
	number_put_unsigned(out, value);
	buffer_puts(out, "</td>");
}

void html_head_row(struct buffer *out, const char *const *names, size_t n)
{
	buffer_puts(out, "<tr>");
	for (size_t i = 0; i < n; i++) {
		bool is_number = names[i][0] == '#';

		buffer_puts(out,
			is_number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
		html_put(out, names[i] + is_number);
		buffer_puts(out, "</th>");
	}
	buffer_puts(out, "</tr>\n");
}
