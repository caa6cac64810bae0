//go:build js && wasm

package dom

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall/js"
	"testing"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/wasm/app"
)

// responding is what the server of these tests does. It notes what it got, and sends a body of which nobody reads the end.
const responding = `
const got = [];
let aborted;
const abort = new Promise((is) => (aborted = is));
const server = require("node:http").createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const { method, url, headers } = request;
    got.push([method, url, headers["x-one"] ?? "", Buffer.concat(parts).toString()].join(" "));
    if (url === "/below/moved") return response.writeHead(302, { Location: "/below/there?x=1" }).end();
    if (url === "/below/cut") return response.writeHead(200, { "Content-Length": "100" }).write("begun", () => response.destroy());
    if (url === "/below/endless") return response.on("close", aborted).writeHead(200).write("begun");
    response.writeHead(url === "/below/missing" ? 404 : 200, { "X-Two": "2" }).end("0123456789".repeat(url === "/below/long" ? 100_000 : 1));
  });
});
server.listen(0, "127.0.0.1", () => ready(server.address().port));
return { got, abort, close: () => (server.closeAllConnections(), server.close()) };
`

// serve starts a server, and makes Node resolve addresses as a browser does on a page of that server.
func serve(t *testing.T) (server js.Value) {
	t.Helper()
	port := make(chan int, 1)
	ready := js.FuncOf(func(_ js.Value, args []js.Value) any {
		port <- args[0].Int()
		return nil
	})
	global := js.Global()
	server = global.Get("Function").New("ready", responding).Invoke(ready)
	global.Set("location", map[string]any{"href": "http://127.0.0.1:" + global.Get("String").Invoke(<-port).String() + "/below/c/a"})
	node := global.Get("fetch")
	global.Set("fetch", global.Get("Function").New("node", "return (address, options) => node(new URL(address, location.href), options)").Invoke(node))
	t.Cleanup(func() {
		server.Call("close")
		global.Set("fetch", node)
		global.Delete("location")
		ready.Release()
	})
	return server
}

func TestCall(t *testing.T) {
	w := newWorker(t)
	server := serve(t)
	w.begin()
	answer := w.Call(app.Outgoing{Method: "POST", Address: "/c/b?x=1", Header: []request.Header{{Name: "X-One", Value: "1"}}, Body: []byte("body")})
	if got := stringified(server.Get("got")); got != `["POST /below/c/b?x=1 1 body"]` {
		t.Errorf("the server got %s", got)
	}
	if answer.Status != 200 || answer.Address != "/c/b?x=1" || string(answer.Body) != "0123456789" {
		t.Errorf("%+v", answer)
	}
	if !slices.Contains(answer.Header, request.Header{Name: "x-two", Value: "2"}) || !slices.IsSortedFunc(answer.Header, func(a, b request.Header) int {
		return strings.Compare(a.Name, b.Name)
	}) {
		t.Errorf("headers %v", answer.Header)
	}
	if moved := w.Call(app.Outgoing{Method: "GET", Address: "/moved"}); moved.Address != "/there?x=1" {
		t.Errorf("after a redirect, the address is %q", moved.Address)
	}
	if missing := w.Call(app.Outgoing{Method: "GET", Address: "/missing"}); missing.Status != 404 || len(missing.Body) == 0 {
		t.Errorf("%+v", missing)
	}
}

// A response that isn't whole counts as none, because half of a page must not be shown as a page.
func TestCallWithoutAResponse(t *testing.T) {
	w := newWorker(t)
	server := serve(t)
	w.begin()
	get := app.Outgoing{Method: "GET", Address: "/cut"}
	if answer := w.Call(get); answer.Status != 0 || answer.Body != nil {
		t.Errorf("a response that is cut off: %+v", answer)
	}
	wrong := app.Outgoing{Method: "GET", Address: "/c", Header: []request.Header{{Name: "not a name", Value: "1"}}}
	if answer := w.Call(wrong); answer.Status != 0 {
		t.Errorf("a header that isn't valid: %+v", answer)
	}
	if answer := w.Call(app.Outgoing{Method: "TRACE", Address: "/c"}); answer.Status != 0 {
		t.Errorf("a method that browsers refuse: %+v", answer)
	}
	server.Call("close")
	if answer := w.Call(get); answer.Status != 0 {
		t.Errorf("no server: %+v", answer)
	}
}

// received is what a call in parts reports.
type received struct {
	heads []app.Head
	data  []byte
	bytes int64
}

func (r *received) call(ctx context.Context, s *Screen, address string, keep int64, then func()) error {
	return Parts{s}.Call(ctx, app.Outgoing{Method: "GET", Address: address}, keep, func(h app.Head) { r.heads = append(r.heads, h) }, func(p app.Part) {
		r.data, r.bytes = append(r.data, p.Data...), p.Bytes
		then()
	})
}

func TestCallInParts(t *testing.T) {
	w := newWorker(t)
	serve(t)
	w.begin()
	const whole = 1_000_000
	for keep, want := range map[int64]int{0: whole, 15: 15, 2 * whole: whole} {
		var r received
		if err := r.call(t.Context(), w.Screen, "/long", keep, func() {}); err != nil {
			t.Errorf("keeping %d bytes: %v", keep, err)
		}
		if len(r.heads) != 1 || r.heads[0].Status != 200 || len(r.data) != want || r.bytes != whole {
			t.Errorf("keeping %d bytes: %d heads, %d bytes of %d", keep, len(r.heads), len(r.data), r.bytes)
		}
		if n := min(want, 15); string(r.data[:n]) != "012345678901234"[:n] {
			t.Errorf("keeping %d bytes: %.20q", keep, r.data)
		}
		if wire := (Parts{w.Screen}).Wire(t.Context(), "/long"); wire != whole {
			t.Errorf("%d bytes on the wire", wire)
		}
	}
}

func TestCallInPartsThatEndsEarly(t *testing.T) {
	w := newWorker(t)
	server := serve(t)
	w.begin()
	var cut received
	if err := cut.call(t.Context(), w.Screen, "/cut", 0, func() {}); !errors.Is(err, errCutOff) || string(cut.data) != "begun" {
		t.Errorf("%v after %q", err, cut.data)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var canceled received
	if err := canceled.call(ctx, w.Screen, "/endless", 0, cancel); !errors.Is(err, errCutOff) || string(canceled.data) != "begun" {
		t.Errorf("%v after %q", err, canceled.data)
	}
	waiting, over := context.WithTimeout(t.Context(), patience)
	defer over()
	if _, aborted := await(waiting, server.Get("abort")); !aborted {
		t.Error("the server still sends what nobody reads")
	}
	var never received
	if err := never.call(ctx, w.Screen, "/long", 0, func() {}); !errors.Is(err, errCutOff) || len(never.heads) > 0 {
		t.Errorf("%v, %d heads", err, len(never.heads))
	}
}

// The browser's own list of requests says how large a response was on the wire, sometimes a moment later.
func TestWire(t *testing.T) {
	w := newWorker(t)
	serve(t)
	w.begin()
	asked := 0
	entries := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if asked++; !strings.HasSuffix(args[0].String(), "/below/c/b") || args[1].String() != "resource" {
			t.Errorf("asked for %s of %s", args[1], args[0])
		}
		if asked < 3 {
			return []any{}
		}
		return []any{map[string]any{"encodedBodySize": 7}, map[string]any{"encodedBodySize": 9}}
	})
	defer entries.Release()
	performance := js.Global().Get("performance")
	performance.Set("getEntriesByName", entries)
	defer performance.Delete("getEntriesByName") // what it has by itself is in its prototype
	if got := (Parts{w.Screen}).Wire(t.Context(), "/c/b"); got != 9 || asked != 3 {
		t.Errorf("%d bytes, asked %d times", got, asked)
	}
	asked = -patient
	if got := (Parts{w.Screen}).Wire(t.Context(), "/c/b"); got != 0 {
		t.Errorf("%d bytes of a request that isn't listed", got)
	}
}
