package guard

import (
	"bytes"
	"slices"
	"strconv"
)

// framing finds where requests begin and end on a connection. It reads only the two headers that decide this. It is strict: what it
// can't follow is suspicious, because net/http may find another end.
type framing struct {
	part part
	seen int    // how many bytes of HTTP/2's preface were seen
	line []byte // the unfinished line so far
	skip int64  // bytes of the body or chunk that are still missing
	head head
	why  string // what was suspicious, for people
}

// What can be suspicious.
const (
	twoReaders   = " Two programs could disagree about where the request ends."
	bothLengths  = "A request must not have both Content-Length and Transfer-Encoding." + twoReaders
	chunkedIn10  = "A request of HTTP/1.0 must not have Transfer-Encoding." + twoReaders
	oddLength    = "A request must have only one Content-Length, which must be a plain number." + twoReaders
	oddChunk     = "The chunks of a request on this connection are malformed." + twoReaders
	lineTooLong  = "A line of a request on this connection is too long."
	keptCapacity = 4 << 10
)

type part int

const (
	opening part = iota // the connection begins; it may be HTTP/2
	opened              // it is HTTP/2
	requestLine
	fields
	body
	chunkSize
	chunkEnd
	trailers
	lost // the framing is not followed: after an upgrade, after something suspicious, and in HTTP/2
)

// preface is how every connection of HTTP/2 begins.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// head is what was read of the current request's headers.
type head struct {
	old     bool // HTTP/1.0
	lengths int
	length  int64
	chunked bool
	upgrade bool
}

// maxLine bounds the bytes that are kept of a line. It is more than net/http accepts for all headers, so net/http refuses longer ones
// first, with 431.
const maxLine = maxHeaderBytes + 64<<10

// follow reads the next bytes, and reports whether something in them was suspicious.
func (f *framing) follow(p []byte) (suspicious bool) {
	if f.part == opening {
		p = f.matchPreface(p)
	}
	for len(p) > 0 && f.part != lost {
		if f.part == body {
			p = f.pass(p)
			continue
		}
		line, rest, whole := cutLine(p)
		p = rest
		if !whole || len(f.line) > 0 {
			if f.line = append(f.line, line...); len(f.line) > maxLine {
				return f.lose(lineTooLong)
			}
			if !whole {
				return false
			}
			line = f.line
		}
		why := f.checkLine(bytes.TrimSuffix(line, []byte{'\r'}))
		if f.line = f.line[:0]; cap(f.line) > keptCapacity {
			f.line = nil // long lines are rare, and connections last
		}
		if why != "" {
			return f.lose(why)
		}
	}
	return false
}

func (f *framing) lose(why string) (suspicious bool) {
	f.part, f.why, f.line = lost, why, nil
	return true
}

// matchPreface compares the first bytes of the connection with the preface of HTTP/2. It returns the bytes that follow still has to read.
func (f *framing) matchPreface(p []byte) []byte {
	n := min(len(p), len(preface)-f.seen)
	if string(p[:n]) != preface[f.seen:f.seen+n] {
		f.part = requestLine
		if f.seen == 0 {
			return p
		}
		return slices.Concat([]byte(preface[:f.seen]), p)
	}
	if f.seen += n; f.seen == len(preface) {
		f.part = opened
	}
	return nil
}

func cutLine(p []byte) (line, rest []byte, whole bool) {
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		return p[:i], p[i+1:], true
	}
	return p, nil, false
}

// pass skips the bytes of a body, or of a chunk's data.
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

// checkLine reads one line, and says what is suspicious about it; empty: nothing.
func (f *framing) checkLine(line []byte) (why string) {
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
		if len(line) > 0 {
			return oddChunk
		}
	case trailers:
		if len(line) == 0 {
			f.part = requestLine
		}
	}
	return ""
}

func (f *framing) headEnds() (why string) {
	h := &f.head
	switch {
	case h.chunked && h.lengths > 0:
		return bothLengths
	case h.chunked && h.old:
		return chunkedIn10
	case h.upgrade:
		f.part = lost // the rest of the connection isn't HTTP, or the connection is closed
	case h.chunked:
		f.part = chunkSize
	case h.length > 0:
		f.part, f.skip = body, h.length
	default:
		f.part = requestLine
	}
	return ""
}

// field reads one header line. It compares only names of the right length.
func (h *head) field(line []byte) (why string) {
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
	return ""
}

func (h *head) contentLength(value string) (why string) {
	n, err := strconv.ParseUint(value, 10, 63)
	h.lengths++
	differs := h.lengths > 1 && int64(n) != h.length
	h.length = int64(n)
	if err != nil || differs {
		return oddLength
	}
	return ""
}

func (f *framing) chunk(line []byte) (why string) {
	size, _, _ := bytes.Cut(line, []byte{';'})
	n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 62)
	if err != nil {
		return oddChunk
	}
	f.skip = int64(n)
	f.part = body
	if n == 0 {
		f.part = trailers
	}
	return ""
}
