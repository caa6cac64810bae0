//go:build js && wasm

package dom

import (
	"context"
	"errors"
	"syscall/js"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/wasm/app"
)

// Call implements app.Server.
func (s *Screen) Call(o app.Outgoing) app.Answer {
	ctx := context.Background()
	response, ok := s.sendRequest(ctx, o, js.Undefined())
	if !ok {
		return app.Answer{}
	}
	body, ok := await(ctx, response.Call("arrayBuffer"))
	if !ok {
		return app.Answer{}
	}
	return app.Answer{Head: s.head(response), Body: bytesOf(body)}
}

// sendRequest makes a request by the browser's fetch. The browser itself adds the headers that prove that a page of Fieldmark sends the request, and it
// decompresses the body.
func (s *Screen) sendRequest(ctx context.Context, o app.Outgoing, signal js.Value) (response js.Value, ok bool) {
	options := map[string]any{"method": o.Method, "credentials": "same-origin", "cache": "no-store", "signal": signal}
	headers := js.Global().Get("Headers").New()
	for _, h := range o.Header {
		if !try(func() { headers.Call("append", h.Name, h.Value) }) {
			return response, false // it is not a valid header
		}
	}
	options["headers"] = headers
	if len(o.Body) > 0 {
		body := js.Global().Get("Uint8Array").New(len(o.Body))
		js.CopyBytesToJS(body, o.Body)
		options["body"] = body
	}
	var answering js.Value
	if !try(func() { answering = js.Global().Call("fetch", s.below.Address(o.Address), options) }) {
		return response, false
	}
	return await(ctx, answering)
}

// head is the status code and the headers of a response.
func (s *Screen) head(response js.Value) app.Head {
	h := app.Head{Status: response.Get("status").Int(), Header: fields(response.Get("headers"))}
	if u := js.Global().Get("URL").New(response.Get("url").String()); u.Truthy() {
		h.Address = s.local(u.Get("pathname").String() + u.Get("search").String() + u.Get("hash").String())
	}
	return h
}

// Parts makes requests whose responses are reported in parts.
type Parts struct{ *Screen }

var errCutOff = errors.New("the response was cut off")

// Call implements app.Caller.
func (p Parts) Call(ctx context.Context, o app.Outgoing, keep int64, began func(app.Head), part func(app.Part)) error {
	abort := js.Global().Get("AbortController").New()
	defer context.AfterFunc(ctx, func() { abort.Call("abort") })()
	js.Global().Get("performance").Call("clearResourceTimings") // the buffer holds 250, and an older entry could be mistaken for this request
	response, ok := p.sendRequest(ctx, o, abort.Get("signal"))
	if !ok {
		return errCutOff
	}
	began(p.head(response))
	if body := response.Get("body"); body.Truthy() {
		return readBody(ctx, body.Call("getReader"), keep, part)
	}
	return nil
}

// patient is how often, and at what interval, the size of a response is read: the browser may know it a moment after the end.
const (
	patient = 10
	apart   = 5 * time.Millisecond
)

// Wire implements app.Caller.
func (p Parts) Wire(ctx context.Context, address string) int64 {
	performance := js.Global().Get("performance")
	whole := js.Global().Get("URL").New(p.below.Address(address), js.Global().Get("location").Get("href")).Get("href")
	for range patient {
		if known := performance.Call("getEntriesByName", whole, "resource"); known.Length() > 0 {
			return int64(known.Index(known.Length() - 1).Get("encodedBodySize").Float())
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(apart):
		}
	}
	return 0
}

// paced is how often the progress of a body is reported that is only counted.
const paced = 100 * time.Millisecond

// readBody reads a body to its end. Bytes after the kept part are only counted in the browser.
func readBody(ctx context.Context, reader js.Value, keep int64, part func(app.Part)) error {
	var bytes, last int64
	var at time.Time
	for {
		step, ok := await(ctx, reader.Call("read"))
		if !ok {
			return errCutOff
		}
		if step.Get("done").Bool() {
			if last != bytes {
				part(app.Part{Bytes: bytes})
			}
			return nil
		}
		value := step.Get("value")
		size := int64(value.Length())
		kept := size
		if keep > 0 {
			kept = min(size, max(0, keep-bytes))
		}
		bytes += size
		switch {
		case kept > 0:
			data := make([]byte, kept)
			js.CopyBytesToGo(data, value.Call("subarray", 0, kept))
			part(app.Part{Data: data, Bytes: bytes})
		case time.Since(at) > paced:
			part(app.Part{Bytes: bytes})
		default:
			continue
		}
		last, at = bytes, time.Now()
	}
}

// fields are the headers of a response, in the alphabetical order of their names, in which browsers give them.
func fields(headers js.Value) []request.Header {
	var all []request.Header
	each := js.FuncOf(func(_ js.Value, args []js.Value) any {
		all = append(all, request.Header{Name: args[1].String(), Value: args[0].String()})
		return nil
	})
	headers.Call("forEach", each)
	each.Release()
	return all
}

// try calls a function of the browser; false: it threw an exception.
func try(do func()) (ok bool) {
	defer func() {
		if thrown := recover(); thrown != nil {
			if _, is := thrown.(js.Error); !is {
				panic(thrown)
			}
		}
	}()
	do()
	return true
}
