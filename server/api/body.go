package api

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/server/upstream"
)

// BadAnswer is a response whose body doesn't have the format that its headers say.
type BadAnswer struct{ Why string }

// Error says what is wrong with the body.
func (e *BadAnswer) Error() string { return "the response can't be read: " + e.Why }

// decoded is the body without its compression. limit bounds both its compressed and its decompressed size, in bytes.
func decoded(resp *http.Response, limit int64) (io.ReadCloser, error) {
	sent := &bounded{r: resp.Body, left: limit, err: &TooLarge{Limit: limit}}
	switch encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		return readCloser{sent, resp.Body}, nil
	case "gzip":
		unpacked := &bounded{r: &gunzip{sent: sent}, left: limit, err: &TooLarge{Limit: limit, Compressed: true}}
		return readCloser{unpacked, resp.Body}, nil
	default:
		return nil, &BadAnswer{Why: fmt.Sprintf("Fieldmark doesn't support its Content-Encoding %.32q", encoding)}
	}
}

type readCloser struct {
	io.Reader
	io.Closer
}

// bounded reads at most left bytes. If more follow, reading fails with err.
type bounded struct {
	r    io.Reader
	left int64
	err  error
}

func (b *bounded) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if b.left > 0 {
		n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		return n, err
	}
	var one [1]byte
	n, err := b.r.Read(one[:])
	if n > 0 {
		return 0, b.err
	}
	return 0, err
}

// gunzip opens the stream at the first read, so that Stream can return the headers before the body arrives.
type gunzip struct {
	sent io.Reader
	z    *gzip.Reader
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.z == nil {
		z, err := gzip.NewReader(g.sent)
		if err != nil {
			return 0, gzipError(err)
		}
		g.z = z
	}
	n, err := g.z.Read(p)
	return n, gzipError(err)
}

// gzipError turns errors about damaged gzip data into a BadAnswer. An empty body is not an error.
func gzipError(err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		return &BadAnswer{Why: "its gzip data is damaged"}
	}
	return err
}

// readBounded reads everything. The reader itself enforces its bound; limit only sets the first size of the buffer.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, min(limit, 8<<10)))
	_, err := buf.ReadFrom(r)
	return buf.Bytes(), err
}

// bodyError is why a body could not be read to its end.
func bodyError(err error) error {
	if _, ok := errors.AsType[*TooLarge](err); ok {
		return err
	}
	if _, ok := errors.AsType[*BadAnswer](err); ok {
		return err
	}
	return upstream.Unreach(err)
}
