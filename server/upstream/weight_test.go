package upstream

import (
	"net/http"
	"runtime"
	"testing"
)

// TestASilentStreamWeighsAFractionOfNetHTTPs is why there is an HTTP/2 client of our own (docs/decisions/0065). If it fails because net/http needs as
// little one day, our client can go.
func TestASilentStreamWeighsAFractionOfNetHTTPs(t *testing.T) {
	const streams = 500
	own := weigh(t, streams, func(target *Target) http.RoundTripper { return target.Transport })
	other := weigh(t, streams, func(target *Target) http.RoundTripper { return target.Transport.(*picker).streams })
	t.Logf("a silent stream takes %d bytes, and %d with net/http", own, other)
	if own*2 > other {
		t.Errorf("a silent stream takes %d bytes, more than half of the %d with net/http", own, other)
	}
}

// weigh is what each of many silent streams takes of heap and stacks, in bytes.
func weigh(t *testing.T, streams int, client func(*Target) http.RoundTripper) int {
	t.Helper()
	target := scriptedHTTP2(t, func(p *peer) {
		for {
			id, _ := p.request()
			if id == 0 {
				return
			}
			p.answer(id, false, ":status", "200", "content-type", "application/json")
		}
	})
	defer target.Close()
	via := client(target)
	open := func() {
		resp, err := via.RoundTrip(request(t, target, http.MethodGet, "/x?watch=1", ""))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
	}
	for range 10 { // the connection, and what pools keep
		open()
	}
	before := inUse()
	for range streams {
		open()
	}
	return (inUse() - before) / streams
}

// inUse are the bytes of heap and stacks after a garbage collection.
func inUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}
