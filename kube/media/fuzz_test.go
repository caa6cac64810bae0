package media

import (
	"strings"
	"testing"
)

// Whatever the bytes are, pieces lie in their order within them, don't overlap, and are not many.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(enveloped(field(1, field(1, "web")))), true)
	f.Add([]byte(enveloped(strings.Repeat("x", 100))[:60]), false)
	f.Add([]byte(Magic+"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), true)
	f.Fuzz(func(t *testing.T, content []byte, whole bool) {
		e, err := ParseEnvelope(content, whole)
		at := 0
		for _, p := range e.Pieces {
			if p.From < at || p.To <= p.From || p.To > len(content) {
				t.Fatalf("piece %+v after %d, of %d bytes", p, at, len(content))
			}
			at = p.To
		}
		if len(e.Pieces) > 3*mostFields+3 {
			t.Fatalf("%d pieces", len(e.Pieces))
		}
		if err == nil && e.Raw.To > len(content) {
			t.Fatalf("the message ends at %d of %d", e.Raw.To, len(content))
		}
		marked := e.Raw
		shown := 0
		for _, row := range Hex(content, 0, 1<<20, e.Pieces, marked) {
			for _, c := range row.Cells {
				if c.From != shown || c.Len() <= 0 || len(c.Text) != c.Len() {
					t.Fatalf("cell %+v after byte %d", c, shown)
				}
				shown = c.To
			}
		}
		if shown != len(content) {
			t.Fatalf("%d of %d bytes are shown", shown, len(content))
		}
	})
}

// Fields lie within the message, and those of a message within it.
func FuzzWalk(f *testing.F) {
	f.Add([]byte(field(1, field(1, "web")+field(11, field(1, "app")+field(2, "web")))+"\x10\x05"), true)
	f.Add([]byte(field(2, strings.Repeat("y", 100)))[:60], false)
	f.Fuzz(func(t *testing.T, content []byte, whole bool) {
		fields, _, _ := Walk(content, Span{0, len(content)}, whole)
		if len(fields) > MostFields {
			t.Fatalf("%d fields", len(fields))
		}
		for i, g := range fields {
			if g.From < 0 || g.Value.From < g.From || g.Value.To > g.To || g.To > len(content) || g.Depth >= MostDepth || len(g.Shown) > 4*mostShown {
				t.Fatalf("field %d: %+v, of %d bytes", i, g, len(content))
			}
			if i > 0 && g.Depth > fields[i-1].Depth && (g.From < fields[i-1].Value.From || g.To > fields[i-1].Value.To) {
				t.Fatalf("field %d is not within the one before it", i)
			}
		}
	})
}

// Lines are no longer and no more than they may be.
func FuzzCBOR(f *testing.F) {
	f.Add([]byte(SelfDescribed + "\xa1\x44kind\x43Pod"))
	f.Add([]byte("\x9f\x01\x5f\x41a\xff\xff"))
	f.Add([]byte("\xd8\x16\x41\xff"))
	f.Add([]byte("\xbb\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, content []byte) {
		n, err := ParseCBOR(content, 50)
		if err != nil && len(n.Lines) > 0 {
			t.Fatalf("%v, and lines", err)
		}
		if len(n.Lines) > 50 {
			t.Fatalf("%d lines", len(n.Lines))
		}
		for _, l := range n.Lines {
			if len(l) > 3*longestLine {
				t.Fatalf("a line of %d bytes", len(l))
			}
		}
	})
}

// Any text is an Accept list, or bytes written down, or neither.
func FuzzTexts(f *testing.F) {
	f.Add("application/json;q=0.5;as=Table, */*")
	f.Add("6b 38 73 00")
	f.Fuzz(func(t *testing.T, text string) {
		tried := ParseAccept(text)
		if len(tried) > MostClauses {
			t.Fatalf("%d entries", len(tried))
		}
		if i := Taken(tried, TypeJSON, "Table"); i >= len(tried) {
			t.Fatalf("entry %d of %d", i, len(tried))
		}
		for _, mediaType := range []string{TypeJSON, TypeYAML, TypeProtobuf, TypeCBOR} {
			Read(mediaType, []byte(text))
		}
		if content, err := ParseHex(text); err == nil && len(content) > MostPasted {
			t.Fatalf("%d bytes", len(content))
		}
	})
}
