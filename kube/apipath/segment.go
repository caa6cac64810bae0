package apipath

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decode decodes the percent-encoding of a segment once. what says why the segment is refused; empty: it isn't. Dangerous are segments
// that servers and proxies resolve differently (dot segments, empty ones), separators that appear only after decoding, and text that can
// be decoded a second time.
func decode(raw string) (segment, what string) {
	if raw == "" {
		return "", "an empty segment (//)"
	}
	if plain(raw) {
		return raw, dots(raw)
	}
	if strings.ContainsAny(raw, "?#") {
		return "", "a query or fragment inside the path"
	}
	segment, err := url.PathUnescape(raw)
	if err != nil {
		return "", "a broken percent-encoding"
	}
	if what := dots(segment); what != "" {
		return "", what
	}
	return segment, forbidden(segment)
}

func dots(segment string) string {
	if segment == "." || segment == ".." {
		return "a dot segment (" + segment + ")"
	}
	return ""
}

// Unfit says why a name can't be a segment of a path; empty: it can. Servers and proxies would read such a path in different ways, so the
// request could reach something else.
func Unfit(name string) string {
	switch {
	case name == "":
		return "nothing"
	case strings.Contains(name, "/"):
		return "a slash"
	case dots(name) != "":
		return dots(name)
	}
	return forbidden(name)
}

func forbidden(segment string) string {
	if !utf8.ValidString(segment) {
		return "bytes that are not UTF-8"
	}
	for _, r := range segment {
		switch {
		case r == '/':
			return "an encoded slash (%2f)"
		case r == '\\':
			return "a backslash"
		case r == ';':
			return "a semicolon"
		case r == '%':
			return "an encoded percent sign (%25), which could be decoded twice"
		case r == 0:
			return "a NUL character"
		case unicode.IsControl(r):
			return "a control character"
		}
	}
	return ""
}
