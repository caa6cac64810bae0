package apipath

import (
	"fmt"
	"net/url"
	"strings"
)

// Error is the reason for which a path was refused, with its place in the path.
type Error struct {
	// Path is the refused path as it was given.
	Path string
	// At is the byte offset of the segment that was refused.
	At int
	// What is the reason, in words.
	What string
}

// Error may be shown to users. The path is quoted, so control characters can't reach a terminal.
func (e *Error) Error() string {
	return fmt.Sprintf("path %q: %s (at byte %d)", clip(e.Path), e.What, e.At)
}

// MaxPath is the longest path, in bytes, that is read. The API server accepts at most 1 MiB of headers.
const MaxPath = 8 << 10

func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}

// Parse reads an escaped path. It refuses a path that can be read in more than one way.
func Parse(escaped string) (Path, error) {
	if escaped == "" || escaped[0] != '/' {
		return Path{}, &Error{escaped, 0, "it does not start with a slash"}
	}
	if len(escaped) > MaxPath {
		return Path{}, &Error{escaped, MaxPath, "it is too long"}
	}
	if escaped == "/" {
		return Path{Kind: KindRoot}, nil
	}
	var room [12]string
	segments, slash, odd, err := split(escaped, room[:0])
	if err != nil {
		return Path{}, err
	}
	p, err := readSegments(escaped, segments, slash)
	if err == nil && odd.what != "" && (p.Kind < KindObject || odd.place != placeOfName(p)) {
		return Path{}, &Error{escaped, odd.at, odd.what}
	}
	if err == nil && 3*len(escaped) > MaxPath && len(p.String()) > MaxPath { // an escaped byte has at most three bytes
		return Path{}, &Error{escaped, MaxPath, "it is too long"}
	}
	return p, err
}

// odd is the first segment with a character that only the name of an object may have.
type odd struct {
	place, at int    // its number, and its byte offset
	what      string // the character; empty: there is no such segment
}

// split decodes each segment once. slash is true for a trailing slash, which is no empty segment: some official clients request /api/ and
// /apis/.
func split(escaped string, segments []string) (_ []string, slash bool, first odd, err error) {
	for at := 1; at <= len(escaped); {
		end := strings.IndexByte(escaped[at:], '/')
		if end < 0 {
			end = len(escaped)
		} else {
			end += at
		}
		if at == len(escaped) {
			return segments, true, first, nil
		}
		segment, what, unusual := decode(escaped[at:end])
		if what != "" {
			return nil, false, first, &Error{escaped, at, what}
		}
		if unusual != "" && first.what != "" {
			return nil, false, first, &Error{escaped, at, unusual} // no path has two names
		}
		if unusual != "" {
			first = odd{len(segments), at, unusual}
		}
		segments = append(segments, segment)
		at = end + 1
	}
	return segments, false, first, nil
}

// readSegments tells what the segments mean, with the rules of the API server's RequestInfo.
func readSegments(escaped string, s []string, slash bool) (Path, error) {
	switch {
	case s[0] == "apis" && len(s) == 1:
		return Path{Kind: KindGroupList}, nil
	case s[0] == "api" && len(s) <= 2, s[0] == "apis" && len(s) <= 3:
		return readDiscovery(s), nil
	case s[0] == "api":
		return readResource(escaped, Path{Version: s[1]}, s[2:], slash)
	case s[0] == "apis":
		return readResource(escaped, Path{Group: s[1], Version: s[2]}, s[3:], slash)
	}
	return Path{Kind: KindNonResource, Rest: join(s, slash)}, nil
}

func readDiscovery(s []string) Path {
	p := Path{Kind: KindDiscovery}
	rest := s[1:]
	if s[0] == "apis" {
		p.Group, rest = rest[0], rest[1:]
	}
	if len(rest) == 1 {
		p.Version = rest[0]
	}
	return p
}

func readResource(escaped string, p Path, s []string, slash bool) (Path, error) {
	switch s[0] {
	case "watch":
		p.Watch, s = true, s[1:]
	case "proxy":
		// RequestInfo still accepts this prefix, although nothing serves it. A second spelling of
		// the workload proxy would get around the switch that turns the proxy off.
		return Path{}, &Error{escaped, offset(escaped, "proxy"), "the /proxy/ prefix is no longer part of the API"}
	}
	if len(s) == 0 {
		return Path{}, &Error{escaped, offset(escaped, "watch"), "the /watch/ prefix needs a resource"}
	}
	if s[0] == "namespaces" && len(s) > 2 && s[2] != "status" && s[2] != "finalize" {
		p.Namespace, s = s[1], s[2:]
	}
	return fill(p, s, slash), nil
}

func fill(p Path, s []string, slash bool) Path {
	p.Kind, p.Resource = KindCollection, s[0]
	if len(s) > 1 {
		p.Kind, p.Name = KindObject, s[1]
	}
	if len(s) > 2 {
		p.Kind, p.Subresource = KindSubresource, s[2]
		// /x and /x/ differ only for a workload that is reached through the proxy. For the API server they are equal.
		p.Rest = join(s[3:], slash && s[2] == "proxy")
	}
	return p
}

// placeOfName is the number of the segment that has the object's name.
func placeOfName(p Path) int {
	place := 3 // api, version, resource
	if p.Group != "" {
		place++
	}
	if p.Watch {
		place++
	}
	if p.Namespace != "" {
		place += 2
	}
	return place
}

func offset(escaped, word string) int { return strings.Index(escaped, word) }

// join is the canonical escaped form of a list of decoded segments.
func join(segments []string, slash bool) string {
	var b strings.Builder
	for _, s := range segments {
		segment(&b, s)
	}
	if slash {
		b.WriteByte('/')
	}
	return b.String()
}

func segment(b *strings.Builder, s string) {
	b.WriteByte('/')
	if isPlainSegment(s) {
		b.WriteString(s)
		return
	}
	b.WriteString(url.PathEscape(s))
}

// isPlainSegment tells whether a segment needs no escaping. Nearly all segments need none.
func isPlainSegment(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if ('a' > c || c > 'z') && ('0' > c || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return true
}
