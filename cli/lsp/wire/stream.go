// Package wire is the Language Server Protocol on a stream: frames, and the messages that Fieldmark sends and reads.
//
//	standard input ──▶ header ──▶ Content-Length bytes ──▶ message ──▶ jsonrpc2.Conn ──▶ message ──▶ header, bytes ──▶ standard output
//	                     │                                   └ not JSON: an error as the response, and the next frame is read
//	                     └ no length, or one that is too long: the connection ends, because nobody knows where the next frame begins
//
// The types are those of version 3.17 of the specification, as far as Fieldmark needs them.
package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// Bounds of what is read, in bytes. A file of 10 MB becomes a message of about 11 MB.
const (
	MaxFrame  = 64 << 20
	maxHeader = 8 << 10
)

// FrameError says why no frame can be read any more.
type FrameError struct{ Words string }

func (e *FrameError) Error() string { return "the editor sent a frame that can't be read: " + e.Words }

// Stream reads and writes frames. It implements jsonrpc2.Stream, with bounds.
type Stream struct {
	in   *bufio.Reader
	from io.Closer

	mu  sync.Mutex // frames don't mix
	out io.Writer
}

// NewStream makes a stream. Close closes the reader, if it can be closed.
func NewStream(in io.Reader, out io.Writer) *Stream {
	from, _ := in.(io.Closer)
	return &Stream{in: bufio.NewReader(in), from: from, out: out}
}

// Read reads the next message. A frame whose body is no message is answered with an error, and passed over.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		body, err := s.frame()
		if err != nil {
			return nil, 0, err
		}
		m, err := jsonrpc2.DecodeMessage(body)
		if err == nil {
			return m, int64(len(body)), nil
		}
		no := jsonrpc2.NewError(InvalidRequest, "this is no message of JSON-RPC 2.0")
		if !json.Valid(body) {
			no = jsonrpc2.NewError(ParseError, "the body of the frame isn't JSON")
		}
		if _, err := s.Write(ctx, jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, no)); err != nil {
			return nil, 0, err
		}
	}
}

// frame is the body of the next frame. Its memory grows with what arrives, and not with what a header says.
func (s *Stream) frame() ([]byte, error) {
	length, err := s.header()
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	body.Grow(min(length, 1<<20))
	n, err := io.CopyN(&body, s.in, int64(length))
	switch {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("a frame of %d bytes ended after %d: %w", length, n, io.ErrUnexpectedEOF)
	case err != nil:
		return nil, fmt.Errorf("reading from the editor: %w", err)
	}
	return body.Bytes(), nil
}

// header reads the header of a frame, and returns the length of its body.
func (s *Stream) header() (int, error) {
	length, read := -1, 0
	for {
		line, err := s.in.ReadSlice('\n')
		read += len(line)
		switch {
		case errors.Is(err, io.EOF) && read == 0:
			return 0, io.EOF
		case errors.Is(err, bufio.ErrBufferFull), read > maxHeader:
			return 0, &FrameError{"its header is longer than 8 kB"}
		case err != nil:
			return 0, fmt.Errorf("reading from the editor: %w", err)
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, found := strings.Cut(text, ":")
		if !found {
			return 0, &FrameError{"a line of its header has no colon"}
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > MaxFrame {
			return 0, &FrameError{"its Content-Length is no number from 0 to " + strconv.Itoa(MaxFrame)}
		}
	}
	if length < 0 {
		return 0, &FrameError{"it has no Content-Length"}
	}
	return length, nil
}

// Write writes a message as one frame.
func (s *Stream) Write(_ context.Context, m jsonrpc2.Message) (int64, error) {
	body := jsonrpc2.AppendMessage(nil, m)
	frame := append([]byte("Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"), body...)
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.out.Write(frame)
	if err != nil {
		return int64(n), fmt.Errorf("writing to the editor: %w", err)
	}
	return int64(n), nil
}

// Close ends the reading, if the reader can be closed.
func (s *Stream) Close() error {
	if s.from == nil {
		return nil
	}
	if err := s.from.Close(); err != nil {
		return fmt.Errorf("closing the connection: %w", err)
	}
	return nil
}

// Codec writes and reads parameters and results with encoding/json. It reads half of a pair of surrogates as a replacement character, where a stricter
// reader would refuse what an editor sends while somebody deletes an emoji.
type Codec struct{}

// Marshal implements jsonrpc2.Codec.
func (Codec) Marshal(v any) ([]byte, error) {
	if raw, is := v.(jsonrpc2.RawMessage); is {
		return raw, nil
	}
	return json.Marshal(v)
}

// Unmarshal implements jsonrpc2.Codec.
func (Codec) Unmarshal(data []byte, v any) error {
	return json.Unmarshal(data, v) //nolint:wrapcheck // the connection says what it was about
}
