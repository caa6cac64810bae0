package console

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func laid(text string, veil bool) string {
	l := newLaying([]byte(text), veil)
	l.upTo(1 << 20)
	return strings.Join(l.lines, "\n")
}

func TestLayingIsWhatIndentDoes(t *testing.T) {
	for _, text := range []string{
		`{"a":1,"b":[true,null,{"c":"d,\"e\""}],"f":{},"g":[],"h":-1.5e3}`, `[]`, `{}`, `"text"`, `12`, ` { "a" : [ 1 , 2 ] } `, `[[[1]],{"a":{"b":{}}}]`,
	} {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(strings.TrimSpace(text)), "", "  "); err != nil {
			t.Fatal(err)
		}
		if got := laid(text, false); got != want.String() {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want.String())
		}
	}
}

func TestLayingBitByBitIsTheSame(t *testing.T) {
	text := `{"kind":"List","items":[` + strings.Repeat(`{"a":[1,2,3],"b":"c"},`, 50) + `{}]}`
	whole := laid(text, false)
	l := newLaying([]byte(text), false)
	for n := 1; l.upTo(n); n += 3 {
		if len(l.lines) > n+1 {
			t.Fatalf("%d lines for %d", len(l.lines), n)
		}
	}
	if got := strings.Join(l.lines, "\n"); got != whole {
		t.Error(got)
	}
}

func TestSecretsAreHidden(t *testing.T) {
	text := `{"kind":"SecretList","items":[{"metadata":{"name":"shown","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"canary","x":"{\"data\":\"canary\"}","y":"shown too"}},` +
		`"data":{"a":"canary","b":"canary"},"stringData":{"c":"canary"},"type":"Opaque"}],"status":{"token":"canary"},"spec":{"token":"canary"}}`
	got := laid(text, true)
	if strings.Contains(got, "canary") || !strings.Contains(got, "shown too") || !strings.Contains(got, "Opaque") || !strings.Contains(got, `"a": •••••••• (6 bytes, hidden)`) {
		t.Error(got)
	}
	for n := range text { // wherever the answer was cut
		if cut := laid(text[:n], true); strings.Contains(cut, "canary") {
			t.Fatalf("cut at %d: %s", n, cut)
		}
	}
}

func FuzzLaying(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"}]}`))
	f.Add([]byte("}]{:,\"\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l := newLaying(text, true)
		for n := 1; l.upTo(n); n++ {
		}
		if json.Valid(text) {
			var want, got bytes.Buffer
			_ = json.Compact(&want, text)
			l := newLaying(text, false)
			l.upTo(1 << 30)
			all := strings.Join(l.lines, "\n")
			if strings.Contains(all, "bytes in this line)") || !bytes.Equal(bytes.ToValidUTF8(text, nil), text) {
				return
			}
			if err := json.Compact(&got, []byte(all)); err != nil || got.String() != want.String() {
				t.Errorf("%q became %q", text, all)
			}
		}
	})
}

func TestLinesOfTextAndBytes(t *testing.T) {
	lines, more := textLines([]byte("a\r\nb\n\nc"), 3)
	if strings.Join(lines, "|") != "a|b|" || !more {
		t.Error(lines, more)
	}
	lines, more = hexLines([]byte("0123456789abcdefgh"), 1)
	if len(lines) != 1 || !more || !strings.HasSuffix(lines[0], "|0123456789abcdef|") {
		t.Error(lines, more)
	}
}
