package upstream

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"

	"golang.org/x/net/http/httpguts"
)

// check refuses a request that a server could read as more than one request.
func check(r *http.Request) error {
	if !httpguts.ValidHeaderFieldName(r.Method) {
		return fmt.Errorf("invalid method %q", r.Method)
	}
	for name, values := range r.Header {
		if !httpguts.ValidHeaderFieldName(name) {
			return fmt.Errorf("invalid header name %q", name)
		}
		for _, value := range values {
			if !httpguts.ValidHeaderFieldValue(value) {
				return fmt.Errorf("invalid value in header %s", name) // the value may be a credential
			}
		}
	}
	if !httpguts.ValidHostHeader(host(r)) {
		return errors.New("invalid host")
	}
	return checkQuery(r.URL.RawQuery)
}

// checkQuery checks the query, which net/url doesn't escape.
func checkQuery(raw string) error {
	for i := 0; i < len(raw); i++ {
		if raw[i] <= ' ' || raw[i] == 0x7f {
			return errors.New("a space or a control character in the query")
		}
	}
	return nil
}

func host(r *http.Request) string {
	if r.Host != "" {
		return r.Host
	}
	return r.URL.Host
}

// writeHead writes the request line and the headers. Flushing w returns the errors.
func writeHead(w *bufio.Writer, r *http.Request) {
	_, _ = w.WriteString(r.Method)
	_ = w.WriteByte(' ')
	_, _ = w.WriteString(r.URL.RequestURI())
	_, _ = w.WriteString(" HTTP/1.1\r\n")
	field(w, "Host", host(r))
	writeLength(w, r)
	for name, values := range r.Header {
		if framingField(name) {
			continue
		}
		for _, value := range values {
			if value != "" || name != "User-Agent" {
				field(w, name, value)
			}
		}
	}
	_, _ = w.WriteString("\r\n")
}

func field(w *bufio.Writer, name, value string) {
	_, _ = w.WriteString(name)
	_, _ = w.WriteString(": ")
	_, _ = w.WriteString(value)
	_, _ = w.WriteString("\r\n")
}

// framingField tells whether a header is one that only this client may write.
func framingField(name string) bool {
	switch name {
	case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Trailer", "Expect", "Upgrade":
		return true
	}
	return false
}

func writeLength(w *bufio.Writer, r *http.Request) {
	switch {
	case r.Body == nil || r.Body == http.NoBody:
		if r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch {
			field(w, "Content-Length", "0")
		}
	case r.ContentLength > 0:
		field(w, "Content-Length", strconv.FormatInt(r.ContentLength, 10))
	default:
		field(w, "Transfer-Encoding", "chunked")
	}
}

// writeBody sends the body and closes it. If the body has another length than Content-Length, that is an error, and the
// connection can't be used again: the server would read the next request as the rest of this one.
func writeBody(w *bufio.Writer, r *http.Request) (err error) {
	defer closeBody(r)
	if r.ContentLength < 0 || r.ContentLength > writeBuffer {
		// The headers are sent first: the body may be slow, and the server may respond to the headers alone.
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if r.ContentLength > 0 {
		err = writeExactly(w, r.Body, r.ContentLength)
	} else {
		err = writeChunks(w, r.Body)
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

func writeExactly(w io.Writer, body io.Reader, length int64) error {
	n, err := io.Copy(w, io.LimitReader(body, length))
	if err != nil {
		return err
	}
	if n != length {
		return io.ErrUnexpectedEOF
	}
	var more [1]byte
	if n, _ := body.Read(more[:]); n > 0 {
		return errors.New("the body is longer than its Content-Length")
	}
	return nil
}

func writeChunks(w *bufio.Writer, body io.Reader) error {
	chunks := httputil.NewChunkedWriter(w)
	if _, err := io.Copy(chunks, body); err != nil {
		return err
	}
	if err := chunks.Close(); err != nil {
		return err
	}
	_, err := w.WriteString("\r\n")
	return err
}
