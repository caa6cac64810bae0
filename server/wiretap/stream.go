package wiretap

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// counter counts the events of a watch; nil: the response isn't a watch, or its format is unknown.
func (x *exchange) counter() func([]byte) int {
	switch {
	case x.verb != "watch" || x.coding != "" || x.status != 200:
		return nil
	case strings.Contains(x.answer.media, "json"):
		return func(p []byte) int { return bytes.Count(p, []byte{'\n'}) }
	case strings.Contains(x.answer.media, "protobuf"):
		return new(frames).countFrames
	}
	return nil
}

// frames counts the frames of a watch in Protobuf. A frame is its length in four bytes, followed by that many bytes.
type frames struct {
	head [4]byte
	have int   // bytes of the length that have come
	left int64 // bytes of the frame that are still to come
}

// countFrames gives the number of frames that end in a part.
func (f *frames) countFrames(p []byte) (ended int) {
	for len(p) > 0 {
		if f.have < len(f.head) {
			n := copy(f.head[f.have:], p)
			f.have += n
			p = p[n:]
			f.left = int64(binary.BigEndian.Uint32(f.head[:]))
			continue
		}
		n := min(f.left, int64(len(p)))
		f.left -= n
		p = p[n:]
		if f.left == 0 {
			f.have = 0
			ended++
		}
	}
	return ended
}

// ends notes the last four bytes of a compressed response.
func (x *exchange) ends(p []byte) {
	tail := x.tail.Load()
	for _, c := range p[max(0, len(p)-4):] {
		tail = tail>>8 | uint32(c)<<24
	}
	x.tail.Store(tail)
}

// maxUnpacked bounds what a compressed body is unpacked to, in bytes, unless four times its kept beginning is more.
const maxUnpacked = 128 << 10

// unpack decompresses the kept part of a body, to at most most bytes.
func unpack(body []byte, coding string, most int) (plain []byte, cut bool, withheld string) {
	switch {
	case len(body) == 0:
		return nil, false, ""
	case coding == "":
		return bytes.Clone(body), false, ""
	case coding != "gzip":
		return nil, false, fmt.Sprintf("the body is compressed with %s, which Fieldmark doesn’t read", coding)
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, false, "the body isn’t valid gzip"
	}
	plain, err = io.ReadAll(io.LimitReader(r, int64(most)+1))
	if len(plain) > most {
		return plain[:most], true, ""
	}
	return plain, errors.Is(err, io.ErrUnexpectedEOF), ""
}
