//go:build js && wasm

// Package socket is the browser's end of the WebSocket. In the browser's programs only this package imports a
// WebSocket library; in the server, only server/relay does.
package socket

import (
	"context"
	"fmt"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// maxMessage bounds a message from the server, in bytes. Only Fieldmark's own server sends them, so the bound
// protects only against bugs.
const maxMessage = 64 << 20

type conn struct{ ws *websocket.Conn }

// Dial opens a connection.
func Dial(ctx context.Context, url string) (app.Conn, error) {
	ws, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("opening the connection: %w", err)
	}
	ws.SetReadLimit(maxMessage)
	return conn{ws}, nil
}

// Read waits for a message.
func (c conn) Read(ctx context.Context) ([]byte, error) {
	_, data, err := c.ws.Read(ctx)
	if websocket.CloseStatus(err) == wire.Renew {
		return nil, app.ErrRenew
	}
	if err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	return data, nil
}

// Write sends a message.
func (c conn) Write(ctx context.Context, data []byte) error {
	if err := c.ws.Write(ctx, websocket.MessageText, data); err != nil {
		return fmt.Errorf("sending a message: %w", err)
	}
	return nil
}

// Close ends the connection.
func (c conn) Close() { _ = c.ws.Close(websocket.StatusNormalClosure, "") }
