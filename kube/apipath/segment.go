package apipath

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decode decodes the percent-encoding of a segment once. what says why the segment is refused; empty: it isn't. Dangerous are segments
// that servers and proxies resolve differently (dot segments, empty ones), separators that appear only after decoding, and text that can
// be decoded a second time. odd says which character only the name of an object may have.
func decode(raw string) (segment, what, odd string) {
	if raw == "" {
		return "", "an empty segment (//)", ""
	}
	if isPlainSegment(raw) {
		return raw, dots(raw), ""
	}
	if strings.ContainsAny(raw, "?#") {
		return "", "a query or fragment inside the path", ""
	}
	if what := bare(raw); what != "" {
		return "", what, ""
	}
	segment, err := url.PathUnescape(raw)
	if err != nil {
		return "", "a broken percent-encoding", ""
	}
	return segment, forbidden(segment), unusual(segment)
}

// bare says which character of an escaped path must be escaped. Browsers read a backslash as a slash, and drop line breaks.
func bare(raw string) string {
	for _, r := range raw {
		switch {
		case r == '\\':
			return "a backslash"
		case unicode.IsControl(r):
			return "a control character"
		}
	}
	return ""
}

func dots(segment string) string {
	if segment == "." || segment == ".." {
		return "a dot segment (" + segment + ")"
	}
	return ""
}

// Unfit says why a name can't be the name of an object in a path; empty: it can. Servers and proxies would read such a path in different
// ways, so the request could reach something else.
func Unfit(name string) string {
	switch {
	case name == "":
		return "nothing"
	case strings.Contains(name, "/"):
		return "a slash"
	}
	return forbidden(name)
}

// UnfitNamespace is Unfit for the name of a namespace. It has fewer characters than other names may have.
func UnfitNamespace(name string) string {
	return cmp.Or(Unfit(name), unusual(name))
}

// forbidden says why no segment may be this text.
func forbidden(segment string) string {
	if !utf8.ValidString(segment) {
		return "bytes that are not UTF-8"
	}
	for part := range strings.SplitSeq(segment, `\`) { // if a proxy reads a backslash as a slash, it must not find a dot segment
		if what := dots(part); what != "" {
			return what
		}
	}
	for _, r := range segment {
		switch r {
		case '/':
			return "an encoded slash (%2f)"
		case '%':
			return "an encoded percent sign (%25), which could be decoded twice"
		case 0:
			return "a NUL character"
		}
	}
	return ""
}

// unusual says which character of a segment only the name of an object may have. API servers allow all of them in the names of roles.
// Everywhere else, no API has them, and some servers and proxies give them a meaning.
func unusual(segment string) string {
	for _, r := range segment {
		switch {
		case r == '\\':
			return "a backslash"
		case r == ';':
			return "a semicolon"
		case unicode.IsControl(r):
			return "a control character"
		}
	}
	return ""
}
