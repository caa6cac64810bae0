//go:build js && wasm

package dom

import (
	"context"
	"strings"
	"syscall/js"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/wasm/app"
)

// Ask implements app.Screen.
func (s *Screen) Ask(ctx context.Context, address, accept string) app.Answer {
	options := map[string]any{"credentials": "same-origin"}
	if accept != "" {
		options["headers"] = map[string]any{"Accept": accept}
	}
	return s.fetch(ctx, address, options)
}

// Send implements app.Screen. The browser itself adds the proof that the request comes from a page of ours.
func (s *Screen) Send(ctx context.Context, p app.Parcel) app.Answer {
	headers := map[string]any{"Accept": "application/json"}
	options := map[string]any{"method": p.Method, "credentials": "same-origin", "headers": headers}
	if len(p.Body) > 0 {
		headers["Content-Type"] = p.ContentType
		options["body"] = string(p.Body)
	}
	return s.fetch(ctx, p.Address, options)
}

func (s *Screen) fetch(ctx context.Context, address string, options map[string]any) app.Answer {
	response, ok := await(ctx, s.window.Call("fetch", address, options))
	if !ok {
		return app.Answer{}
	}
	answer := app.Answer{Status: response.Get("status").Int()}
	if u := js.Global().Get("URL").New(response.Get("url").String()); u.Truthy() {
		answer.Address = local(u)
	}
	if mediaType := response.Get("headers").Call("get", "Content-Type"); mediaType.Truthy() {
		answer.MediaType, _, _ = strings.Cut(mediaType.String(), ";")
	}
	if lines := response.Get("headers").Call("get", "Warning"); lines.Truthy() {
		answer.Warnings = status.ParseWarnings([]string{lines.String()})
	}
	body, ok := await(ctx, response.Call("arrayBuffer"))
	if !ok {
		return app.Answer{}
	}
	answer.Body = bytesOf(body)
	return answer
}

// await waits for a promise; ok is false where it was rejected, or ctx ended.
func await(ctx context.Context, promise js.Value) (value js.Value, ok bool) {
	type outcome struct {
		value js.Value
		ok    bool
	}
	done := make(chan outcome, 1)
	settle := func(ok bool) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			done <- outcome{args[0], ok}
			return nil
		})
	}
	kept, broken := settle(true), settle(false)
	promise.Call("then", kept, broken)
	select {
	case o := <-done:
		kept.Release()
		broken.Release()
		return o.value, o.ok
	case <-ctx.Done():
		return js.Undefined(), false // the two stay: the promise may still call them
	}
}
