package guard

import (
	"bytes"
	"strconv"
)

// framing follows where requests begin and end on a connection, and looks at nothing but the two fields that say
// so. It is strict: what it can't follow it calls suspicious, for net/http may follow it elsewhere.
type framing struct {
	part part
	line []byte // the unfinished line so far
	skip int64  // bytes of body or chunk that are still to come
	head head
}

type part int

const (
	requestLine part = iota
	fields
	body
	chunkSize
	chunkEnd
	trailers
	lost // after an upgrade, or after something suspicious
)

// head is what was seen of the current request's head.
type head struct {
	old     bool // HTTP/1.0
	lengths int
	length  int64
	chunked bool
	upgrade bool
}

// maxLine bounds what is kept of a line; net/http bounds the whole head anyway.
const maxLine = 64 << 10

// follow takes the next bytes and reports whether something suspicious was among them.
func (f *framing) follow(p []byte) (suspicious bool) {
	for len(p) > 0 && f.part != lost {
		if f.part == body {
			p = f.pass(p)
			continue
		}
		line, rest, whole := cutLine(p)
		p = rest
		if !whole || len(f.line) > 0 {
			if f.line = append(f.line, line...); len(f.line) > maxLine {
				f.part = lost
				return true
			}
			if !whole {
				return false
			}
			line = f.line
		}
		bad := f.take(bytes.TrimSuffix(line, []byte{'\r'}))
		f.line = f.line[:0]
		if bad {
			f.part = lost
			return true
		}
	}
	return false
}

func cutLine(p []byte) (line, rest []byte, whole bool) {
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		return p[:i], p[i+1:], true
	}
	return p, nil, false
}

// pass goes over a body, or over the data of a chunk.
func (f *framing) pass(p []byte) []byte {
	n := min(int64(len(p)), f.skip)
	f.skip -= n
	if f.skip == 0 {
		f.part = requestLine
		if f.head.chunked {
			f.part = chunkEnd
		}
	}
	return p[n:]
}

// take reads one line.
func (f *framing) take(line []byte) (bad bool) {
	switch f.part {
	case requestLine:
		if len(line) > 0 { // clients may send an empty line after a body
			f.head = head{old: bytes.HasSuffix(line, []byte("HTTP/1.0"))}
			f.part = fields
		}
	case fields:
		if len(line) == 0 {
			return f.headEnds()
		}
		return f.head.field(line)
	case chunkSize:
		return f.chunk(line)
	case chunkEnd:
		f.part = chunkSize
		return len(line) > 0
	case trailers:
		if len(line) == 0 {
			f.part = requestLine
		}
	}
	return false
}

func (f *framing) headEnds() (bad bool) {
	h := &f.head
	if h.chunked && (h.lengths > 0 || h.old) {
		return true
	}
	switch {
	case h.upgrade:
		f.part = lost // what follows is not HTTP any more, or the connection is closed
	case h.chunked:
		f.part = chunkSize
	case h.length > 0:
		f.part, f.skip = body, h.length
	default:
		f.part = requestLine
	}
	return false
}

// field looks at one header line. Only names of the right length are looked at closer.
func (h *head) field(line []byte) (bad bool) {
	colon := bytes.IndexByte(line, ':')
	switch colon {
	case len("Upgrade"):
		h.upgrade = h.upgrade || bytes.EqualFold(line[:colon], []byte("Upgrade"))
	case len("Content-Length"):
		if bytes.EqualFold(line[:colon], []byte("Content-Length")) {
			return h.contentLength(string(bytes.TrimSpace(line[colon+1:])))
		}
	case len("Transfer-Encoding"):
		h.chunked = h.chunked || bytes.EqualFold(line[:colon], []byte("Transfer-Encoding"))
	}
	return false
}

func (h *head) contentLength(value string) (bad bool) {
	n, err := strconv.ParseUint(value, 10, 63)
	h.lengths++
	differs := h.lengths > 1 && int64(n) != h.length
	h.length = int64(n)
	return err != nil || differs
}

func (f *framing) chunk(line []byte) (bad bool) {
	size, _, _ := bytes.Cut(line, []byte{';'})
	n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 62)
	if err != nil {
		return true
	}
	f.skip = int64(n)
	f.part = body
	if n == 0 {
		f.part = trailers
	}
	return false
}
