// Package socket is the client's end of a page's socket to Fieldmark, with what a page follows over it.
package socket

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// Socket is the client's end of a WebSocket to Fieldmark, as much of it as measuring needs: it reads whole frames, as
// Fieldmark sends them, and adds nothing to what they take.
type Socket struct {
	Conn   net.Conn
	reader *bufio.Reader
}

// The opcodes of frames.
const (
	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// SignIn sends the form of somebody who signs in, and returns the cookies as a browser sends them.
func SignIn(ctx context.Context, fieldmark lab.Target, form url.Values) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, fieldmark.Origin+"/-/sign-in", strings.NewReader(form.Encode()))
	if err != nil {
		return "", fmt.Errorf("signing in: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", fieldmark.Origin)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := fieldmark.Client.Transport.RoundTrip(request)
	if err != nil {
		return "", fmt.Errorf("signing in: %w", err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	var cookies []string
	for _, c := range answer.Cookies() {
		if c.MaxAge >= 0 && c.Value != "" {
			cookies = append(cookies, c.Name+"="+c.Value)
		}
	}
	if len(cookies) == 0 {
		return "", fmt.Errorf("signing in: answered %s: %.200s", answer.Status, text)
	}
	return strings.Join(cookies, "; "), nil
}

// Dial opens a WebSocket with cookies, for pages of an origin.
func Dial(ctx context.Context, origin, cookies string) (*Socket, error) {
	address := strings.TrimPrefix(origin, "http://")
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("the socket: %w", err)
	}
	s := &Socket{Conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}
	_, err = fmt.Fprintf(conn, "GET /socket HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nCookie: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", address, origin, cookies)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the socket: %w", err), conn.Close())
	}
	answer, err := http.ReadResponse(s.reader, nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the socket: %w", err), conn.Close())
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSwitchingProtocols {
		return nil, errors.Join(fmt.Errorf("the socket: answered %s", answer.Status), conn.Close())
	}
	return s, nil
}

// SendText sends a text.
func (s *Socket) SendText(text string) error { return s.frame(opText, []byte(text)) }

// frame sends a frame, masked with zeros.
func (s *Socket) frame(op byte, body []byte) error {
	const final, masked, long = 0x80, 0x80, 126
	head := []byte{final | op, masked | long, 0, 0, 0, 0, 0, 0}
	binary.BigEndian.PutUint16(head[2:], uint16(len(body))) // a few hundred bytes
	if len(body) < long {
		head = []byte{final | op, masked | byte(len(body)), 0, 0, 0, 0}
	}
	_, err := s.Conn.Write(append(head, body...))
	return err
}

// NextMessage gives the next message into buffer, and answers pings.
func (s *Socket) NextMessage(buffer []byte) ([]byte, error) {
	for {
		op, body, err := s.readFrame(buffer[:0])
		if err != nil {
			return nil, err
		}
		switch op {
		case opText:
			return body, nil
		case opPing:
			if err := s.frame(opPong, body); err != nil {
				return nil, err
			}
		case opClose:
			return nil, fmt.Errorf("the socket was closed: %.100q", body)
		}
	}
}

func (s *Socket) readFrame(buffer []byte) (op byte, body []byte, err error) {
	var head [8]byte
	if _, err = io.ReadFull(s.reader, head[:2]); err != nil {
		return 0, nil, err
	}
	op = head[0] & 0x0f
	size := uint64(head[1] & 0x7f)
	switch size {
	case 126:
		_, err = io.ReadFull(s.reader, head[:2])
		size = uint64(binary.BigEndian.Uint16(head[:2]))
	case 127:
		_, err = io.ReadFull(s.reader, head[:8])
		size = binary.BigEndian.Uint64(head[:8])
	}
	if err != nil {
		return 0, nil, err
	}
	if uint64(cap(buffer)) < size {
		buffer = make([]byte, size)
	}
	body = buffer[:size]
	_, err = io.ReadFull(s.reader, body)
	return op, body, err
}
