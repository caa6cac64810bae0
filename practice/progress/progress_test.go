package progress

import (
	"strings"
	"testing"
	"time"
)

func report(format Format, state State, message string) string {
	var out strings.Builder
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := New(&out, format, start)
	r.now = func() time.Time { return start.Add(1234 * time.Millisecond) }
	r.Report(APIServer, state, "%s", message)
	return out.String()
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name    string
		format  Format
		state   State
		message string
		want    string
	}{
		{"json done", JSON, Done, "up", `{"step":"apiserver","state":"done","message":"up","elapsedMs":1234}` + "\n"},
		{"json keeps one line", JSON, Failed, "a\nb", `{"step":"apiserver","state":"failed","message":"a\nb","elapsedMs":1234}` + "\n"},
		{"json started", JSON, Started, "…", `{"step":"apiserver","state":"started","message":"…","elapsedMs":1234}` + "\n"},
		{"text done", Text, Done, "up", "   1.2 s  ✓ apiserver     up\n"},
		{"text failed", Text, Failed, "no", "   1.2 s  ✗ apiserver     no\n"},
		{"text restarting", Text, Restarting, "again", "   1.2 s  ↻ apiserver     again\n"},
		{"json restarting", JSON, Restarting, "again", `{"step":"apiserver","state":"restarting","message":"again","elapsedMs":1234}` + "\n"},
		{"text leaves beginnings out", Text, Started, "soon", ""},
	} {
		if got := report(c.format, c.state, c.message); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, name := range []string{"text", "json"} {
		if got, err := ParseFormat(name); err != nil || string(got) != name {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil {
		t.Error("xml is no format")
	}
}
