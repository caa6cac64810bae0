//nolint:staticcheck // the library lives on under another name; docs/decisions says why we stay with this one
package relay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Codes with which connections are closed.
const (
	goingAway = int(websocket.StatusGoingAway)       // Fieldmark stops
	malformed = int(websocket.StatusPolicyViolation) // a message made no sense
	internal  = int(websocket.StatusInternalError)
	tryLater  = int(websocket.StatusTryAgainLater) // the session has too many
)

// socket is a WebSocket. Only this file knows the library. Its methods take no context, because the library cuts the connection
// without a close frame when a context ends.
type socket struct {
	ws  *websocket.Conn
	out *outgoing
}

// handshake accepts a WebSocket, or refuses it.
func handshake(w http.ResponseWriter, r *http.Request) (socket, error) {
	// The guard has judged the Origin already, and more strictly; the library's own check stays on all the same.
	tapped := &hijacked{ResponseWriter: w}
	ws, err := websocket.Accept(tapped, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return socket{}, fmt.Errorf("accepting the WebSocket: %w", err)
	}
	ws.SetReadLimit(wire.MaxRequest)
	return socket{ws, tapped.out}, nil
}

// errNotText is the error for a binary message.
var errNotText = errors.New("a message must be JSON, sent as text")

// readMessage waits for the next message.
func (s socket) readMessage() ([]byte, error) {
	kind, text, err := s.ws.Read(context.Background())
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading a message: %w", err)
	case kind != websocket.MessageText:
		return nil, errNotText
	}
	return text, nil
}

// writeMessage sends a message. One that takes too long ends the connection.
func (s socket) writeMessage(text []byte, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if err := s.ws.Write(ctx, websocket.MessageText, text); err != nil {
		return fmt.Errorf("sending a message: %w", err)
	}
	return nil
}

// ping waits for an answer to a ping. Another goroutine must call read at the same time.
func (s socket) ping(within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if err := s.ws.Ping(ctx); err != nil {
		return fmt.Errorf("sending a ping: %w", err)
	}
	return nil
}

// close sends a close frame, and waits a few seconds for the answer.
func (s socket) close(code int, reason string) {
	s.out.closing.Store(true)
	_ = s.ws.Close(websocket.StatusCode(code), reason)
}

// drop closes the connection without a close frame.
func (s socket) drop() { _ = s.ws.CloseNow() }
