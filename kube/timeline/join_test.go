package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
)

// told is a recording in a few words.
func told(r *Recording) string {
	var all []string
	for _, v := range r.Versions() {
		text := v.Step.ResourceVersion
		if v.Missed != "" {
			text = "(" + v.Missed + ") " + text
		}
		if v.Deleted {
			text += " deleted"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func of(t *testing.T, version string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u","resourceVersion":%q},"data":{"a":%q}}`, version, version)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// made is a recording of versions; a version with an x is its deletion, and one after a break begins with a |.
func made(t *testing.T, versions string) *Recording {
	t.Helper()
	r := NewRecording(Limits{Versions: 100, Bytes: 1 << 20})
	for i, v := range strings.Fields(versions) {
		arrive(t, r, v, time.Unix(int64(i), 0))
	}
	return r
}

func arrive(t *testing.T, r *Recording, v string, at time.Time) {
	t.Helper()
	if strings.HasPrefix(v, "|") {
		r.Break("cut")
	}
	o := of(t, strings.Trim(v, "|x"))
	if strings.HasSuffix(v, "x") {
		r.Delete(o, at)
		return
	}
	r.Add(o, at)
}

func TestWhichRecordingBeganFirst(t *testing.T) {
	for _, c := range []struct {
		this, other string
		want        bool
	}{{"1 2 3", "2 3", true}, {"2 3", "1 2 3", false}, {"1", "", true}, {"", "1", false}, {"2", "2", true}} {
		if got := made(t, c.this).Since(made(t, c.other)); got != c.want {
			t.Errorf("%q since %q: %t", c.this, c.other, got)
		}
	}
}

func TestRecordingsAreJoined(t *testing.T) {
	for _, c := range []struct{ this, later, then, want string }{
		{"1 2 3 4 5", "4 5 6 7", "8", "1 2 3 4 5 6 7 8"},
		{"1 2 3 4 5 6", "4 5", "6 7", "1 2 3 4 5 6 7"},
		{"1 2 3 4 5 6", "4 5", "|6 7", "1 2 3 4 5 6 7"},
		{"1 2 3 4 5 6", "4 5", "|8", "1 2 3 4 5 6 (cut) 8"},
		{"1 2 3", "3", "4", "1 2 3 4"},
		{"1 2 3", "6 7", "8", "1 2 3 (why) 6 7 8"},
		{"1 2 4", "2 3", "4", "1 2 4 (why) 3 4"},
		{"1 2", "2 |4 5", "", "1 2 (cut) 4 5"},
		{"1 2 3x", "2 3x 9", "", "1 2 3 deleted 9"},
		{"1 2 3x", "2", "3x 9", "1 2 3 deleted 9"},
		{"1 2", "2 3x", "", "1 2 3 deleted"},
		{"", "1 2", "3", "1 2 3"},
		{"1 2", "", "3", "1 2 (why) 3"},
	} {
		r := made(t, c.this)
		r.Join(made(t, c.later), "why")
		for i, v := range strings.Fields(c.then) {
			arrive(t, r, v, time.Unix(int64(100+i), 0))
		}
		if got := told(r); got != c.want {
			t.Errorf("%q, %q, then %q: %s, want %s", c.this, c.later, c.then, got, c.want)
		}
	}
}
