package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
)

// FuzzFrames: whatever arrives, the reading ends, with messages that are JSON-RPC and with answers that are frames.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"abc\"}\n", "Content-Length: 2\r\n\r\n{}Content-Length: 3\n\n{a}", "Content-Length: 99999999999\r\n\r\n", "\r\n\r\n", "Content-Length: 0\r\n\r\n", "a:b\r\n",
		"Content-Length: 52\r\n\r\n[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"id\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		s := NewStream(strings.NewReader(text), &out)
		for n := 0; ; n++ {
			m, size, err := s.Read(t.Context())
			if err != nil {
				break
			}
			if m == nil || size > int64(len(text)) || n > len(text) {
				t.Fatalf("message %d of %q: %v of %d bytes", n, text, m, size)
			}
		}
		answers := NewStream(&out, io.Discard)
		for {
			body, err := answers.frame()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || !json.Valid(body) {
				t.Fatalf("%q is answered with %q, %v", text, body, err)
			}
		}
	})
}

func TestFramesComeBack(t *testing.T) {
	var b bytes.Buffer
	s := NewStream(&b, &b)
	for _, params := range []string{`{}`, `{"a":"名🙂"}`, `"` + strings.Repeat("x", 100_000) + `"`} {
		if _, err := s.Write(t.Context(), jsonrpc2.NewCall(jsonrpc2.NewNumberID(7), "a/b", jsonrpc2.RawMessage(params))); err != nil {
			t.Fatal(err)
		}
		m, _, err := s.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		call, is := m.(*jsonrpc2.Call)
		if !is || string(call.Params()) != params || call.Method() != "a/b" {
			t.Errorf("%T of %d bytes", m, len(params))
		}
	}
}

// TestMemoryFollowsWhatArrives: a header that promises much takes no memory.
func TestMemoryFollowsWhatArrives(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := NewStream(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n{", MaxFrame)), io.Discard)
	if _, err := s.frame(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 8<<20 {
		t.Errorf("%d bytes for a frame of one byte", allocated)
	}
}

func TestHalfOfAPairIsText(t *testing.T) {
	var c Change
	if err := (Codec{}).Unmarshal([]byte(`{"text":"a\ud83d"}`), &c); err != nil || c.Text != "a\uFFFD" {
		t.Errorf("%q %v", c.Text, err)
	}
}
