package podlog

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// read reads a body that arrives in parts of n bytes.
func read(r *Reader, body string, n int) []Line {
	var all []Line
	for part := range chunks(body, n) {
		all = append(all, r.Read([]byte(part))...)
	}
	if l, ok := r.Rest(); ok {
		all = append(all, l)
	}
	return all
}

func chunks(s string, n int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			part := s[:min(n, len(s))]
			if !yield(part) {
				return
			}
			s = s[len(part):]
		}
	}
}

func TestReader(t *testing.T) {
	at := time.Date(2026, 11, 23, 21, 50, 1, 123456789, time.UTC)
	long := strings.Repeat("x", MaxLine)
	for _, tt := range []struct {
		name, body string
		stamped    bool
		want       []Line
	}{
		{"nothing", "", false, nil},
		{"lines", "a\nb\n", false, []Line{{Text: "a"}, {Text: "b"}}},
		{"without an end", "a\nb", false, []Line{{Text: "a"}, {Text: "b"}}},
		{"empty lines", "\n\na\n", false, []Line{{}, {}, {Text: "a"}}},
		{"with times", "2026-11-23T21:50:01.123456789Z a b\n2026-11-23T21:50:01.123456789Z \n", true, []Line{{Time: at, Text: "a b"}, {Time: at}}},
		{"with times of another zone", "2026-11-23T22:50:01.123456789+01:00 a\n", true, []Line{{Time: at, Text: "a"}}},
		{"a runtime's error has no time", "unable to retrieve container logs\n", true, []Line{{Text: "unable to retrieve container logs"}}},
		{"times that nobody asked for are text", "2026-11-23T21:50:01Z a\n", false, []Line{{Text: "2026-11-23T21:50:01Z a"}}},
		{"as long as a line can be", long + "\na\n", false, []Line{{Text: long}, {Text: "a"}}},
		{"a longer line", long + "12345\na\n", false, []Line{{Text: long, Lost: 5}, {Text: "a"}}},
		{"a line without an end", long + long, false, []Line{{Text: long, Lost: MaxLine}}},
		{"a line of JSON", `{"level":"warn","msg":"slow","took":1.5,"tags":["a", "b"]}` + "\n", false, []Line{{
			Text: `{"level":"warn","msg":"slow","took":1.5,"tags":["a", "b"]}`, Level: Warning,
		}}},
	} {
		for _, n := range []int{1, 7, 1 << 20} {
			got := read(&Reader{Stamped: tt.stamped}, tt.body, n)
			for i := range got {
				got[i].Time = got[i].Time.UTC()
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s, in parts of %d: got %+v, want %+v", tt.name, n, got, tt.want)
			}
		}
	}
}

func TestFields(t *testing.T) {
	for _, text := range []string{"", "{", "{}x", `{"a":1`, `{"a":}`, `{"a":1}{"b":2}`, `["a"]`, `{a:1}`, `{"a":1,}`} {
		if got := Fields(text); got != nil {
			t.Errorf("Fields(%q) = %+v, but it isn't a JSON object", text, got)
		}
	}
	want := []Field{{"b", "null"}, {"a", "x\ty"}, {"a", `{"c":[1,2]}`}}
	if got := Fields(` {"b":null,"a":"x\ty","a":{"c": [1, 2]}} `); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := Fields("{}"); got == nil || len(got) != 0 {
		t.Errorf("fields of an empty object: %+v", got)
	}
}

func TestLevel(t *testing.T) {
	for text, want := range map[string]Level{
		"I1123 21:50:01.123456       1 leaderelection.go:257] successfully acquired lease": Info,
		"W1123 21:50:01.123456       1 reflector.go:561] watch ended":                      Warning,
		"E1123 21:50:01.123456       1 controller.go:316] error syncing":                   Error,
		"F1123 21:50:01.123456       1 main.go:1] no kubeconfig":                           Fatal,
		"X1123 21:50:01.123456       1 main.go:1] ERROR":                                   Error,
		"2026-11-23 21:50:01 ERROR o.s.boot.SpringApplication: failed":                     Error,
		"2026-11-23 21:50:01.123 UTC [1] LOG:  checkpoint starting":                        Info,
		"[warn] 12#12: upstream is slow":                                                   Warning,
		"2026/11/23 21:50:01 [error] 12#12: *3 open() failed":                              Error,
		"time=2026-11-23T21:50:01Z level=debug msg=\"it is fatal\"":                        Debug,
		`level="warn" msg=x`:                              Warning,
		"state=error msg=x":                               NoLevel,
		"an error happened, but it is no longer fatal":    NoLevel,
		"INFORMATION about nothing":                       Info,
		"GET /errors/ERROR.html 200":                      NoLevel,
		strings.Repeat(".", searched) + " ERROR":          NoLevel,
		`{"severity":"CRITICAL","message":"all is gone"}`: Fatal,
		`{"level":50,"msg":"x"}`:                          Error,
		`{"level":7,"msg":"INFO"}`:                        NoLevel,
		"":                                                NoLevel,
	} {
		if got := level(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestLog(t *testing.T) {
	l := Log{MaxLines: 3, MaxBytes: 1 << 20}
	for _, text := range []string{"a", "b", "c", "d", "e"} {
		l.Add(Line{Text: text})
	}
	if got := l.Lines(); len(got) != 3 || got[0].Text != "c" || l.Dropped() != 2 || l.Line(3).Text != "c" || l.Line(5).Text != "e" {
		t.Errorf("kept %+v, dropped %d, next %d", got, l.Dropped(), l.Next())
	}
	l = Log{MaxLines: 100, MaxBytes: 1000}
	for range 50 {
		l.Add(Line{Text: strings.Repeat("x", 330)})
	}
	if got := len(l.Lines()); got != 2 || l.Dropped() != 48 {
		t.Errorf("%d lines of 450 bytes in 1,000 bytes, %d dropped", got, l.Dropped())
	}
	l.Add(Line{Text: strings.Repeat("x", 5000)})
	if got := len(l.Lines()); got != 1 {
		t.Errorf("a line over the bound: %d lines are kept, want that one", got)
	}
}

func FuzzReader(f *testing.F) {
	f.Add("2026-11-23T21:50:01Z a\n{\"a\":1}\nlevel=info\n\x1b[1m", 3, true)
	f.Add("E1123 21:50:01 x\r\n\xff\n{\"a\":", 1, false)
	f.Fuzz(func(t *testing.T, body string, n int, stamped bool) {
		whole := read(&Reader{Stamped: stamped}, body, len(body)+1)
		if parts := read(&Reader{Stamped: stamped}, body, max(n%64, 0)+1); !reflect.DeepEqual(whole, parts) {
			t.Errorf("%q in parts: %+v, whole: %+v", body, parts, whole)
		}
		if want := strings.Count(body, "\n"); len(whole) != want && len(whole) != want+1 {
			t.Errorf("%d lines of a body with %d line feeds", len(whole), want)
		}
	})
}
